// SPDX-License-Identifier: GPL-2.0
/* The search for those who hold a page. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "holders_internal.h"
#include "out.h"

const char *holder_certainty_name(enum holder_certainty certainty)
{
	static const char *const names[] = {
		[HOLDER_CERTAIN] = "certain",
		[HOLDER_LIKELY] = "likely",
		[HOLDER_POSSIBLE] = "possible",
		[HOLDER_EXCLUDED] = "excluded",
	};

	return names[certainty];
}

const char *holder_kind_name(enum holder_kind kind)
{
	static const char *const names[] = {
		[HOLDER_MAPPING] = "mapping",
		[HOLDER_RING] = "ring",
		[HOLDER_REGION] = "region",
		[HOLDER_PIN] = "pin",
		[HOLDER_IO] = "i/o",
		[HOLDER_DMABUF] = "dma-buf",
		[HOLDER_DRIVER] = "driver",
		[HOLDER_PIPE] = "pipe",
		[HOLDER_SOCKET] = "socket queue",
	};

	return names[kind];
}

struct holder *holders_add(struct holders *h, enum holder_kind kind, pid_t pid,
			   int fd)
{
	struct holder *new;
	char *comm = NULL;

	h->holder = text_grow(h->holder, h->nr, sizeof(*h->holder));
	new = &h->holder[h->nr++];
	memset(new, 0, sizeof(*new));
	new->kind = kind;
	new->pid = pid;
	new->fd = fd;
	if (!pid)
		return new;
	source_line(h->query->source, &comm, "/proc/%d/comm", pid);
	if (comm) {
		char *safe = text_printable(comm, strlen(comm));

		snprintf(new->comm, sizeof(new->comm), "%s", safe);
		free(safe);
	}
	free(comm);
	return new;
}

void holders_missing(struct holders *h, const char *fmt, ...)
{
	struct text *missing = h->query->missing;
	va_list args;
	char *s;

	if (!missing)
		return;
	va_start(args, fmt);
	if (vasprintf(&s, fmt, args) < 0)
		s = NULL;
	va_end(args);
	if (s && !(missing->len && strstr(missing->s, s)))
		text_printf(missing, "%s\n", s);
	free(s);
}

bool holders_maps_it(const struct holders *h, pid_t pid)
{
	size_t i;

	for (i = 0; i < h->targets; i++)
		if (h->target[i].pid == pid)
			return true;
	return false;
}

bool holders_covers(const struct holders *h, pid_t pid, uint64_t start,
		    uint64_t bytes)
{
	const struct holders_target *t;

	for (t = h->target; t < h->target + h->targets; t++)
		if (t->pid == pid && start < t->end &&
		    (start >= t->start || t->start - start < bytes) && bytes)
			return true;
	return false;
}

/* Whoever asks holds nothing by its own pipes. */
static bool is_own(const struct holders *h, long long pid)
{
	return !*h->query->source->root && pid == getpid();
}

static void each_process(struct holders *h,
			 void (*look)(struct holders *h, pid_t pid))
{
	struct source_names names;
	enum source_state state;
	size_t i;

	state = source_list(h->query->source, &names, "/proc");
	if (state != SOURCE_OK)
		holders_missing(h, "processes: /proc is %s", source_why(state));
	for (i = 0; i < names.count; i++) {
		long long pid;

		if (!text_number(names.name[i], &pid) || is_own(h, pid))
			continue;
		out_progress("looking at descriptors of process %lld", pid);
		look(h, pid);
	}
	source_names_free(&names);
}

int holders_find(const struct holders_query *query, struct holder **holders,
		 size_t *nr)
{
	struct holders h = { .query = query, .page = sysconf(_SC_PAGESIZE) };
	int ret;

	ret = holders_maps(&h);
	if (!ret) {
		each_process(&h, holders_files);
		if (h.denied_files)
			holders_missing(&h, "descriptors of %zu other process%s: not allowed",
					h.denied_files, h.denied_files == 1 ? "" : "es");
		each_process(&h, holders_tasks);
		holders_regions(&h);
		holders_judge(h.holder, h.nr, query->account);
	}
	out_progress_end();
	free(h.target);
	*holders = h.holder;
	*nr = h.nr;
	return ret;
}

void holders_free(struct holder *holders, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		free(holders[i].what);
		free(holders[i].evidence);
	}
	free(holders);
}
