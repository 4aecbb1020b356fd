// SPDX-License-Identifier: GPL-2.0
/* pinprobe.ko's own PIN as the consumer: what GUP does, and nothing around it. */
#include <errno.h>
#include <unistd.h>
#include "../lib/device.h"
#include "consumers.h"

struct family {
	uint32_t call;
	uint32_t flags;
};

static int run(struct use *use)
{
	const struct family *family = use->consumer->how;
	uint32_t flags = family->flags;
	int fd;

	if (use->access == ACCESS_WRITE)
		flags |= PINPROBE_PIN_WRITE;
	/* How long a row may take is the row's to say. */
	fd = device_pin_within(use->world->look.dev, use->area->addr,
			       use->area->len, family->call, flags,
			       PINPROBE_PIN_TIMEOUT_MAX_MS, NULL);
	if (fd < 0)
		return fd;
	use->fd[0] = fd;
	return 0;
}

static int undo(struct use *use)
{
	int err = close(use->fd[0]) ? -errno : 0;

	use->fd[0] = -1;
	return err;
}

#define FAMILY(name_, kind_, call_, flags_, what_)			\
const struct consumer consumer_##name_ = {				\
	.name = #name_,							\
	.what = what_,							\
	.kind = kind_,							\
	.access = ACCESS_READ | ACCESS_WRITE,				\
	.how = &(const struct family){					\
		.call = PINPROBE_CALL_##call_, .flags = flags_		\
	},								\
	.run = run,							\
	.undo = undo,							\
}

FAMILY(get, CONSUMES_REFERENCE, GET, 0, "get_user_pages()");
FAMILY(get_fast, CONSUMES_REFERENCE, GET_FAST, 0, "get_user_pages_fast()");
FAMILY(get_unlocked, CONSUMES_REFERENCE, GET_UNLOCKED, 0,
	"get_user_pages_unlocked()");
FAMILY(get_remote, CONSUMES_REFERENCE, GET_REMOTE, 0,
	"get_user_pages_remote()");
FAMILY(pin, CONSUMES_SHORT, PIN, 0, "pin_user_pages()");
FAMILY(pin_fast, CONSUMES_SHORT, PIN_FAST, 0, "pin_user_pages_fast()");
FAMILY(pin_unlocked, CONSUMES_SHORT, PIN_UNLOCKED, 0,
	"pin_user_pages_unlocked()");
FAMILY(pin_remote, CONSUMES_SHORT, PIN_REMOTE, 0, "pin_user_pages_remote()");
FAMILY(pin_longterm, CONSUMES_LONGTERM, PIN, PINPROBE_PIN_LONGTERM,
	"pin_user_pages() with FOLL_LONGTERM");
FAMILY(pin_fast_longterm, CONSUMES_LONGTERM, PIN_FAST, PINPROBE_PIN_LONGTERM,
	"pin_user_pages_fast() with FOLL_LONGTERM");
FAMILY(pin_unlocked_longterm, CONSUMES_LONGTERM, PIN_UNLOCKED,
	PINPROBE_PIN_LONGTERM, "pin_user_pages_unlocked() with FOLL_LONGTERM");
FAMILY(pin_remote_longterm, CONSUMES_LONGTERM, PIN_REMOTE,
	PINPROBE_PIN_LONGTERM, "pin_user_pages_remote() with FOLL_LONGTERM");
