// SPDX-License-Identifier: GPL-2.0
/*
 * Threads of one process in each other's way: pinning, looking, closing, and
 * the memory coming and going under them. What each call answers depends on
 * who was first; that nothing is left over in the end does not.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	16
#define SLOTS		4
#define RUN_MS		500

struct race {
	int dev;
	char *area;
	size_t len;
	atomic_bool stop;
	atomic_int slots[SLOTS];	/* descriptors that anybody may take */
	atomic_ulong pinned;
	atomic_ulong looked;
	atomic_int wrong;		/* an errno nobody expects */
};

FIXTURE(threads)
{
	struct race race;
	int64_t held;
};

FIXTURE_SETUP(threads)
{
	self->race.dev = device_open();
	ASSERT_LE(0, self->race.dev);
	self->race.len = AREA_PAGES * page_size();
	self->race.area = memory_touched(self->race.len);
	ASSERT_NE(NULL, self->race.area);
	for (int i = 0; i < SLOTS; i++)
		self->race.slots[i] = -1;
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(threads)
{
	for (int i = 0; i < SLOTS; i++)
		if (self->race.slots[i] >= 0)
			close(self->race.slots[i]);
	EXPECT_EQ(0, vmstat_wait_held(self->held, 1000));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->race.dev);
}

static void put_away(struct race *race, int slot, int fd)
{
	fd = atomic_exchange(&race->slots[slot % SLOTS], fd);
	if (fd >= 0)
		close(fd);
}

static void *pin_all_the_time(void *arg)
{
	struct race *race = arg;
	uint32_t call = 0;
	int ret;

	for (int i = 0; !race->stop; i++) {
		call = (call + 1) % (PINPROBE_CALL_PIN_REMOTE + 1);
		ret = device_pin(race->dev, race->area, race->len, call,
				 i % 2 ? PINPROBE_PIN_WRITE :
				 PINPROBE_PIN_SNAPSHOT, NULL);
		if (ret >= 0) {
			race->pinned++;
			put_away(race, i, ret);
		} else if (ret != -EFAULT) {
			race->wrong = ret;
		}
	}
	return NULL;
}

static void *look_all_the_time(void *arg)
{
	struct pinprobe_page recs[AREA_PAGES];
	struct race *race = arg;
	int ret, fd;

	for (int i = 0; !race->stop; i++) {
		ret = device_resolve(race->dev, 0, race->area, race->len,
				     i % 3 ? 0 : PINPROBE_RESOLVE_FAULT, recs,
				     AREA_PAGES, NULL);
		if (ret != AREA_PAGES)
			race->wrong = ret;
		race->looked++;
		/* Closed meanwhile, or of another pin by now: both will do. */
		fd = race->slots[i % SLOTS];
		ret = pin_pages(fd, i % 2 ? PINPROBE_WHEN_HELD :
				PINPROBE_WHEN_NOW, 0, 0, recs, AREA_PAGES, NULL);
		if (ret != AREA_PAGES && ret != -EBADF)
			race->wrong = ret;
	}
	return NULL;
}

static void *unmap_all_the_time(void *arg)
{
	struct race *race = arg;
	size_t half = race->len / 2;

	for (int i = 0; !race->stop; i++) {
		switch (i % 3) {
		case 0:
			munmap(race->area + half, half);
			mmap(race->area + half, half, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
			break;
		case 1:
			madvise(race->area, race->len, MADV_DONTNEED);
			break;
		case 2:
			for (size_t at = 0; at < race->len; at += page_size())
				race->area[at] = 1;
			break;
		}
	}
	return NULL;
}

static void *close_all_the_time(void *arg)
{
	struct race *race = arg;

	for (int i = 0; !race->stop; i++)
		put_away(race, i, -1);
	return NULL;
}

typedef void *(*role)(void *arg);

static void run(struct __test_metadata *_metadata, struct race *race,
		const role *roles, int nr)
{
	pthread_t threads[8];

	int started = 0;

	while (started < nr && !pthread_create(&threads[started], NULL,
					       roles[started], race))
		started++;
	EXPECT_EQ(nr, started);
	usleep(RUN_MS * 1000);
	race->stop = true;
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	EXPECT_EQ(0, race->wrong) {
		TH_LOG("after %lu pins and %lu looks", race->pinned,
		       race->looked);
	}
	EXPECT_LT(0, race->pinned);
}

TEST_F(threads, pin_and_pin)
{
	static const role roles[] = { pin_all_the_time, pin_all_the_time,
				      pin_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
}

TEST_F(threads, pin_and_look)
{
	static const role roles[] = { pin_all_the_time, look_all_the_time,
				      look_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
	EXPECT_LT(0, self->race.looked);
}

TEST_F(threads, pin_and_close)
{
	static const role roles[] = { pin_all_the_time, close_all_the_time,
				      close_all_the_time, look_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
}

TEST_F(threads, pin_and_unmap)
{
	static const role roles[] = { pin_all_the_time, pin_all_the_time,
				      look_all_the_time, unmap_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
}

TEST_F(threads, everything)
{
	static const role roles[] = { pin_all_the_time, pin_all_the_time,
				      look_all_the_time, look_all_the_time,
				      close_all_the_time, unmap_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
}

/* The same long-term pin by all: each may see the passing pins of the others. */
static void *longterm_all_the_time(void *arg)
{
	struct race *race = arg;
	int ret;

	while (!race->stop) {
		ret = device_pin(race->dev, race->area, race->len,
				 PINPROBE_CALL_PIN_FAST,
				 PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, NULL);
		if (ret >= 0) {
			race->pinned++;
			close(ret);
		} else if (ret != -ENOMEM && ret != -EFAULT) {
			race->wrong = ret;
		}
	}
	return NULL;
}

TEST_F(threads, longterm)
{
	static const role roles[] = { longterm_all_the_time,
				      longterm_all_the_time,
				      longterm_all_the_time,
				      unmap_all_the_time };

	run(_metadata, &self->race, roles, ARRAY_SIZE(roles));
}

TEST_HARNESS_MAIN
