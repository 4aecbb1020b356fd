// SPDX-License-Identifier: GPL-2.0
/* Files of drivers that hold pages: pinprobe's own pins, dma-bufs, VFIO. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "holders_internal.h"

#define ROOM	1024

static uint64_t number(const char *fdinfo, const char *key)
{
	const char *value = fdinfo_value(fdinfo, key);

	return value ? strtoull(value, NULL, 0) : 0;
}

/* 1: it has a page of the folio, 0: it has none, or -errno. */
static int has_frame(struct holders *h, pid_t pid, int fd, uint64_t nr)
{
	const struct holders_query *q = h->query;
	uint64_t head = q->head ? q->head : q->pfn;
	static struct pinprobe_page pages[ROOM];
	uint64_t next = 0, before;
	int copy = holders_borrow(h, pid, fd), got, i, has = 0;

	if (copy < 0)
		return copy;
	do {
		before = next;
		got = pin_pages(copy, PINPROBE_WHEN_HELD, next, PINPROBE_PAGES_RUNS,
				pages, ROOM, &next);
		for (i = 0; i < got; i++)
			if (pages[i].pfn < head + (1ULL << q->order) &&
			    pages[i].pfn + pages[i].nr_pages > head)
				has = 1;
	} while (!has && got > 0 && next > before && next < nr);
	close(copy);
	return got < 0 ? got : has;
}

void holders_pin(struct holders *h, pid_t pid, int fd)
{
	struct text info = { 0 };
	struct holder *holder;
	const char *call;
	int has;

	source_read(h->query->source, &info, "/proc/%d/fdinfo/%d", pid, fd);
	call = fdinfo_value(info.s, "pin-call");
	has = h->query->pfn && call ?
	      has_frame(h, pid, fd, number(info.s, "pin-pages")) : -ENODATA;
	if (!has || !call) {
		text_free(&info);
		return;
	}
	holder = holders_add(h, HOLDER_PIN, pid, fd);
	/* Whose addresses they are, fdinfo does not say. */
	holder->claim = has > 0 ? HOLDER_CLAIM_FRAME : HOLDER_CLAIM_KIND;
	holder->takes = strtoul(call, NULL, 10) >= PINPROBE_CALL_PIN ?
			HOLDER_TAKES_PIN : HOLDER_TAKES_REF;
	holder->start = number(info.s, "pin-addr");
	holder->bytes = number(info.s, "pin-pages") * h->page;
	holder->what = text_format("pin of pinprobe.ko, %.*s",
				   (int)strcspn(call, "\n"), call);
	holder->evidence = has > 0 ?
		text_dup("the module lists this frame among the pages that it holds") :
		text_format("its fdinfo; the module cannot be asked for the frames: %s",
			    strerror(-has));
	text_free(&info);
}

static bool is(const char *fdinfo, const char *key, const char *value)
{
	const char *got = fdinfo_value(fdinfo, key);
	size_t len = strlen(value);

	return got && !strncmp(got, value, len) && got[len] == '\n';
}

/* Whether the exporter may have taken pages of a process. */
void holders_dmabuf(struct holders *h, pid_t pid, int fd)
{
	struct text info = { 0 };
	struct holder *holder;
	const char *exporter;

	source_read(h->query->source, &info, "/proc/%d/fdinfo/%d", pid, fd);
	exporter = fdinfo_value(info.s, "exp_name");
	/* A udmabuf is made of a memfd. */
	if (!exporter || (is(info.s, "exp_name", "udmabuf") && h->query->anon)) {
		text_free(&info);
		return;
	}
	holder = holders_add(h, HOLDER_DMABUF, pid, fd);
	holder->claim = HOLDER_CLAIM_KIND;
	holder->takes = HOLDER_TAKES_PIN | HOLDER_TAKES_REF;
	holder->bytes = number(info.s, "size");
	holder->what = text_format("dma-buf of %.*s",
				   (int)strcspn(exporter, "\n"), exporter);
	holder->evidence = is(info.s, "exp_name", "udmabuf") ?
		text_dup("fdinfo; it holds pages of a memfd") :
		text_dup("fdinfo; most exporters have memory of their own and some take a process's");
	text_free(&info);
}

void holders_vfio(struct holders *h, pid_t pid, int fd, const char *link)
{
	struct holder *holder = holders_add(h, HOLDER_DRIVER, pid, fd);
	struct text status = { 0 };
	const char *locked;

	source_read(h->query->source, &status, "/proc/%d/status", pid);
	locked = fdinfo_value(status.s, "VmLck");
	holder->claim = HOLDER_CLAIM_KIND;
	holder->takes = HOLDER_TAKES_PIN;
	holder->bytes = locked ? strtoull(locked, NULL, 10) * 1024 : 0;
	holder->what = text_dup(link);
	holder->evidence = text_format("memory mapped for DMA is pinned; at which addresses is not told, %" PRIu64 " kB of the process are locked (VmLck)",
				       holder->bytes / 1024);
	text_free(&status);
}
