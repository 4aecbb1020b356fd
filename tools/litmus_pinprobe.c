// SPDX-License-Identifier: GPL-2.0
/* The module's own rungs, which are known: litmus must find each of them. */
#include <errno.h>
#include <fcntl.h>
#include <linux/pinprobe.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "litmus.h"

struct rung {
	int device;
	int pin;
	enum pinprobe_call call;
	__u32 flags;
};

static int rung_open(struct litmus_session *s, enum pinprobe_call call, __u32 flags)
{
	struct rung *rung = calloc(1, sizeof(*rung));

	if (!rung)
		return -ENOMEM;
	rung->device = open(PINPROBE_DEVICE, O_RDWR | O_CLOEXEC);
	if (rung->device < 0) {
		free(rung);
		return litmus_fail(s, -errno, PINPROBE_DEVICE ": %s",
				   strerror(errno));
	}
	rung->call = call;
	rung->flags = flags;
	s->state = rung;
	return 0;
}

static int get_open(struct litmus_session *s)
{
	return rung_open(s, PINPROBE_CALL_GET_FAST, 0);
}

static int pin_open(struct litmus_session *s)
{
	return rung_open(s, PINPROBE_CALL_PIN_FAST, 0);
}

static int longterm_open(struct litmus_session *s)
{
	return rung_open(s, PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_LONGTERM);
}

static void rung_close(struct litmus_session *s)
{
	struct rung *rung = s->state;

	close(rung->device);
	free(rung);
}

static int rung_pin(struct litmus_session *s, const struct litmus_area *area,
		    bool write)
{
	struct rung *rung = s->state;
	struct pinprobe_pin pin = {
		.size = sizeof(pin),
		.flags = rung->flags | (write ? PINPROBE_PIN_WRITE : 0),
		.addr = area->addr,
		.len = area->len,
		.call = rung->call,
	};

	if (ioctl(rung->device, PINPROBE_IOC_PIN, &pin))
		return -errno;
	rung->pin = pin.fd;
	return 0;
}

static int rung_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	struct rung *rung = s->state;

	(void)area;
	return close(rung->pin) ? -errno : 0;
}

/* Looks at the pages, faults them in, and takes none. */
static int look(struct litmus_session *s, const struct litmus_area *area,
		bool write)
{
	struct rung *rung = s->state;
	struct pinprobe_page *pages = calloc(512, sizeof(*pages));
	struct pinprobe_resolve resolve = {
		.size = sizeof(resolve),
		.flags = PINPROBE_RESOLVE_FAULT,
		.addr = area->addr,
		.len = area->len,
		.records = (uintptr_t)pages,
		.nr_records = 512,
		.record_size = sizeof(*pages),
	};
	int err = pages ? 0 : -ENOMEM;

	(void)write;
	while (!err && resolve.len) {
		if (ioctl(rung->device, PINPROBE_IOC_RESOLVE, &resolve)) {
			err = -errno;
			break;
		}
		resolve.len -= resolve.next - resolve.addr;
		resolve.addr = resolve.next;
	}
	free(pages);
	return err;
}

static int look_away(struct litmus_session *s, const struct litmus_area *area)
{
	(void)s;
	(void)area;
	return 0;
}

const struct litmus_provider litmus_pinprobe_none = {
	.name = "pinprobe-none",
	.summary = "PINPROBE_IOC_RESOLVE, which takes no page",
	.flags = LITMUS_ONE_ACCESS,
	.expect = LITMUS_RUNG_NONE,
	.open = get_open,
	.pin = look,
	.unpin = look_away,
	.close = rung_close,
};

const struct litmus_provider litmus_pinprobe_get = {
	.name = "pinprobe-get",
	.summary = "PINPROBE_IOC_PIN by get_user_pages_fast()",
	.expect = LITMUS_RUNG_GET,
	.open = get_open,
	.pin = rung_pin,
	.unpin = rung_unpin,
	.close = rung_close,
};

const struct litmus_provider litmus_pinprobe_pin = {
	.name = "pinprobe-pin",
	.summary = "PINPROBE_IOC_PIN by pin_user_pages_fast()",
	.expect = LITMUS_RUNG_PIN,
	.open = pin_open,
	.pin = rung_pin,
	.unpin = rung_unpin,
	.close = rung_close,
};

const struct litmus_provider litmus_pinprobe_longterm = {
	.name = "pinprobe-longterm",
	.summary = "the same with FOLL_LONGTERM",
	.expect = LITMUS_RUNG_LONGTERM,
	.open = longterm_open,
	.pin = rung_pin,
	.unpin = rung_unpin,
	.close = rung_close,
};
