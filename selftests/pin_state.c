// SPDX-License-Identifier: GPL-2.0
/* A pin while it is held: its state, and the mapping changing under it. */
#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define PAGES	8

FIXTURE(held)
{
	int dev;
	int fd;
	char *map;
	struct pinprobe_outcome outcome;
	struct pinprobe_page pages[PAGES];
	struct pinprobe_page now[PAGES];
};

FIXTURE_SETUP(held)
{
	self->fd = -1;
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->map = memory_touched(PAGES * page_size());
	ASSERT_NE(NULL, self->map);
	self->fd = device_pin(self->dev, self->map, PAGES * page_size(),
			      PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE,
			      &self->outcome);
	ASSERT_LE(0, self->fd);
	/* Or a page leaves its LRU batch, and a reference, between two looks. */
	memory_settle();
}

FIXTURE_TEARDOWN(held)
{
	close(self->fd);
	close(self->dev);
}

#define PIN_PAGES(when, pages)						\
	ASSERT_EQ(PAGES, pin_pages(self->fd, when, 0, 0, pages, PAGES, NULL))

TEST_F(held, state)
{
	struct pinprobe_pin_state state, later;

	ASSERT_EQ(0, pin_state(self->fd, &state));
	EXPECT_EQ((uintptr_t)self->map, state.addr);
	EXPECT_EQ(PAGES * page_size(), state.len);
	EXPECT_EQ(PINPROBE_CALL_PIN_FAST, state.call);
	EXPECT_EQ(PINPROBE_PIN_WRITE, state.pin_flags);
	EXPECT_EQ(0, memcmp(&state.outcome, &self->outcome,
			    sizeof(state.outcome)));
	usleep(20000);
	ASSERT_EQ(0, pin_state(self->fd, &later));
	EXPECT_LE(state.age_ns + 20000000, later.age_ns);
	EXPECT_GT(state.age_ns + 10000000000, later.age_ns);
}

TEST_F(held, no_snapshot)
{
	EXPECT_EQ(0, self->outcome.flags & PINPROBE_OUTCOME_SNAPSHOT);
	EXPECT_EQ(PAGES, self->outcome.stayed);
	EXPECT_EQ(-ENODATA, pin_pages(self->fd, PINPROBE_WHEN_BEFORE, 0, 0,
				      self->pages, PAGES, NULL));
}

TEST_F(held, unmapped)
{
	unsigned int i;

	ASSERT_EQ(PAGES, device_resolve(self->dev, 0, self->map,
					PAGES * page_size(), 0, self->now,
					PAGES, NULL));
	ASSERT_EQ(0, munmap(self->map, PAGES * page_size()));
	PIN_PAGES(PINPROBE_WHEN_HELD, self->pages);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(self->now[i].pfn, self->pages[i].pfn);
		EXPECT_EQ(PINPROBE_STATE_PRESENT, self->pages[i].state);
		EXPECT_EQ(0, self->pages[i].mapcount);
		EXPECT_EQ(1, self->pages[i].pins);
	}
	PIN_PAGES(PINPROBE_WHEN_NOW, self->now);
	for (i = 0; i < PAGES; i++)
		EXPECT_EQ(PINPROBE_STATE_UNMAPPED, self->now[i].state);
}

TEST_F(held, thrown_away)
{
	unsigned int i;

	ASSERT_EQ(0, madvise(self->map, PAGES * page_size(), MADV_DONTNEED));
	PIN_PAGES(PINPROBE_WHEN_NOW, self->now);
	for (i = 0; i < PAGES; i++)
		EXPECT_EQ(PINPROBE_STATE_ABSENT, self->now[i].state);
	memset(self->map, 2, PAGES * page_size());
	PIN_PAGES(PINPROBE_WHEN_HELD, self->pages);
	PIN_PAGES(PINPROBE_WHEN_NOW, self->now);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(PINPROBE_STATE_PRESENT, self->now[i].state);
		EXPECT_NE(self->pages[i].pfn, self->now[i].pfn);
		EXPECT_EQ(0, self->now[i].pins);
		EXPECT_EQ(1, self->pages[i].pins);
	}
}

TEST_F(held, pages_from_index)
{
	struct pinprobe_page page;
	uint64_t next = 0;
	unsigned int i;

	PIN_PAGES(PINPROBE_WHEN_HELD, self->pages);
	for (i = 0; i < PAGES; i++) {
		ASSERT_EQ(1, pin_pages(self->fd, PINPROBE_WHEN_HELD, i, 0,
				       &page, 1, &next));
		EXPECT_EQ(i + 1, next);
		EXPECT_EQ(0, memcmp(&page, &self->pages[i], sizeof(page)));
	}
	EXPECT_EQ(-EINVAL, pin_pages(self->fd, PINPROBE_WHEN_HELD, PAGES, 0,
				     &page, 1, &next));
}

/* The kernel may not take the code away under a pin. */
TEST_F(held, unload_refused)
{
	ASSERT_EQ(0, close(self->dev));
	self->dev = -1;
	EXPECT_EQ(-1, syscall(SYS_delete_module, "pinprobe", O_NONBLOCK));
	EXPECT_EQ(EWOULDBLOCK, errno);
	PIN_PAGES(PINPROBE_WHEN_HELD, self->pages);
	EXPECT_EQ(1, self->pages[0].pins);
}

/* Pages of another process, held after that process is gone. */
static int child_shows(int sock, void *arg)
{
	int value;

	memset(arg, 3, PAGES * page_size());
	if (child_say(sock, 0, -1))
		return 1;
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(held, other_process)
{
	char *map = memory_touched(PAGES * page_size());
	struct pinprobe_pin args = {
		.size = sizeof(args),
		.flags = PINPROBE_PIN_WRITE,
		.addr = (uintptr_t)map,
		.len = PAGES * page_size(),
		.call = PINPROBE_CALL_PIN_REMOTE,
	};
	struct child child;
	unsigned int i;
	int value;

	ASSERT_NE(NULL, map);
	ASSERT_EQ(0, child_start(&child, child_shows, map));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	args.pid = child.pid;
	ASSERT_EQ(PAGES, device_resolve(self->dev, child.pid, map, args.len, 0,
					self->now, PAGES, NULL));
	ASSERT_EQ(0, ioctl(self->dev, PINPROBE_IOC_PIN, &args));
	close(self->fd);
	self->fd = args.fd;
	PIN_PAGES(PINPROBE_WHEN_HELD, self->pages);
	for (i = 0; i < PAGES; i++) {
		EXPECT_EQ(self->now[i].pfn, self->pages[i].pfn);
		EXPECT_EQ(1, self->pages[i].pins);
	}
	PIN_PAGES(PINPROBE_WHEN_NOW, self->now);
	EXPECT_EQ(self->pages[0].pfn, self->now[0].pfn);
	EXPECT_EQ(0, child_end(&child));
	EXPECT_EQ(-ESRCH, pin_pages(self->fd, PINPROBE_WHEN_NOW, 0, 0,
				    self->now, PAGES, NULL));
	PIN_PAGES(PINPROBE_WHEN_HELD, self->now);
	EXPECT_EQ(self->pages[0].pfn, self->now[0].pfn);
	EXPECT_EQ(0, self->now[0].mapcount);
}

TEST_HARNESS_MAIN
