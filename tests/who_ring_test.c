// SPDX-License-Identifier: GPL-2.0
/* What fdinfo says of an io_uring, as guests' kernels wrote it. */
#include "unit.h"
#include "../tools/ring_fdinfo.c"

static char *fdinfo(const char *name)
{
	char *path = text_format("%s/data/who/%s", unit_tests, name), *s;

	s = unit_read(path, NULL);
	free(path);
	return s;
}

static char *replaced(const char *s, const char *old, const char *new)
{
	const char *at = strstr(s, old);

	CHECK(at);
	return text_format("%.*s%s%s", (int)(at - s), s, new, at + strlen(old));
}

static void buffer(const char *s, uint64_t start, uint64_t bytes)
{
	struct ring ring;

	ring_parse(&ring, s);
	CHECK(ring.told);
	CHECK_NUMBER(ring.buffers, 1);
	CHECK_NUMBER(ring.buffer[0].index, 0);
	CHECK_NUMBER(ring.buffer[0].start, start);
	CHECK_NUMBER(ring.buffer[0].bytes, bytes);
	CHECK_NUMBER(ring.flying, 0);
	ring_free(&ring);
}

TEST(who_ring_of_6_1)
{
	buffer(fdinfo("io_uring-6.1"), 0x7fd935997000, 262144);
}

TEST(who_ring_of_7_3)
{
	buffer(fdinfo("io_uring-7.3"), 0x7f620bc35000, 262144);
}

/* v6.1 leaves buffers out while the ring is in use, v7.3 says nothing at all. */
TEST(who_ring_in_use)
{
	struct ring ring;

	ring_parse(&ring, replaced(fdinfo("io_uring-6.1"), "    0: 0x7fd935997000/262144\n", ""));
	CHECK(!ring.told);
	CHECK_NUMBER(ring.buffers, 0);
	ring_parse(&ring, "pos:\t0\nflags:\t02000002\nmnt_id:\t21\nino:\t588\n");
	CHECK(!ring.told);
	CHECK_NUMBER(ring.flying, 0);
	ring_parse(&ring, "");
	CHECK(!ring.told);
}

TEST(who_ring_without_buffers)
{
	struct ring ring;

	ring_parse(&ring, "UserBufs:\t0\nPollList:\n");
	CHECK(ring.told);
	CHECK_NUMBER(ring.buffers, 0);
}

/* Empty slots, as each kernel shows them, and memory that is the kernel's own. */
TEST(who_ring_with_empty_slots)
{
	struct ring ring;

	ring_parse(&ring, "UserBufs:\t5\n    0: <none>\n    1: 0xffffffffffffffff/1\n"
		   "    2: 0x0/4096\n    3: 0x7f0000000000/8589934592\n"
		   "    4: 0x1000/4096\nPollList:\n    5: 0x5000/4096\n");
	CHECK(ring.told);
	CHECK_NUMBER(ring.buffers, 2);
	CHECK_NUMBER(ring.buffer[0].index, 3);
	CHECK_NUMBER(ring.buffer[0].bytes, 8589934592);
	CHECK_NUMBER(ring.buffer[1].start, 0x1000);
	ring_free(&ring);
}

/* A registered file may be named so as to look like a buffer. */
TEST(who_ring_with_a_misleading_file)
{
	struct ring ring;

	ring_parse(&ring, "UserFiles:\t2\n    0: a\nUserBufs:\t1\n    0: 0x9000/4096\n"
		   "    1: b\nUserBufs:\t1\n    0: 0x1000/4096\nPollList:\n");
	CHECK_NUMBER(ring.buffers, 1);
	CHECK_NUMBER(ring.buffer[0].start, 0x1000);
	ring_free(&ring);
}

TEST(who_ring_with_requests)
{
	struct ring ring;

	ring_parse(&ring, replaced(replaced(fdinfo("io_uring-7.3"),
					    "CachedSqHead:\t0", "CachedSqHead:\t2"),
				   "CachedCqTail:\t0", "CachedCqTail:\t4294967295"));
	CHECK_NUMBER(ring.flying, 3);
	ring_free(&ring);
}
