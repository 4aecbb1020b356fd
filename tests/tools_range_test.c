// SPDX-License-Identifier: GPL-2.0
/* PID, address and length, as people type them. */
#include "unit.h"
#include "../tools/range.c"

static char *parse(struct range *range, bool whole, const char *a, const char *b,
		   const char *c, const char *d)
{
	char *argv[5] = { (char *)a, (char *)b, (char *)c, (char *)d };
	int argc = 0;

	while (argc < 4 && argv[argc])
		argc++;
	return range_parse(range, argc, argv, whole);
}

#define GOOD(pid_, addr_, len_, ...) do {				\
	struct range range;						\
									\
	CHECK(!parse(&range, true, __VA_ARGS__));			\
	CHECK_NUMBER(range.pid, pid_);					\
	CHECK_NUMBER(range.addr, addr_);				\
	CHECK_NUMBER(range.len, len_);					\
} while (0)

#define BAD(text, whole, ...) do {					\
	struct range range;						\
	char *error = parse(&range, whole, __VA_ARGS__);		\
									\
	CHECK(error);							\
	CHECK_STRING(error, text);					\
	free(error);							\
} while (0)

TEST(tools_range_of_a_process)
{
	GOOD(4711, 0, 0, "4711", NULL, NULL, NULL);
	GOOD(4711, 0x7f0000001000, 4096, "4711", "7f0000001000", NULL, NULL);
	GOOD(4711, 0x7f0000001000, 4096, "4711", "0x7f0000001000", NULL, NULL);
	GOOD(1, 0x1000, 2 << 20, "1", "1000", "2M", NULL);
	GOOD(1, 0x1000, 8192, "1", "1000", "0x2000", NULL);
	GOOD(1, 0x1000, 8192, "1", "1000", "8k", NULL);
	GOOD(1, 0x1000, 1LL << 40, "1", "1000", "1T", NULL);
	GOOD(1, 0x1000, 0x3000, "1", "1000-4000", NULL, NULL);
	GOOD(getpid(), 0x1000, 4096, "self", "1000", NULL, NULL);
}

/* Bytes within pages mean those pages. */
TEST(tools_range_is_of_whole_pages)
{
	GOOD(1, 0x1000, 4096, "1", "1fff", NULL, NULL);
	GOOD(1, 0x1000, 8192, "1", "1fff", "2", NULL);
	GOOD(1, 0x1000, 8192, "1", "1001-2001", NULL, NULL);
	GOOD(1, 0x1000, 4096, "1", "1000", "1", NULL);
}

TEST(tools_range_refuses)
{
	BAD("needs a PID", true, NULL, NULL, NULL, NULL);
	BAD("needs a PID and an address", false, "1", NULL, NULL, NULL);
	BAD("'0' is no PID", true, "0", NULL, NULL, NULL);
	BAD("'-1' is no PID", true, "-1", NULL, NULL, NULL);
	BAD("'4294967297' is no PID", true, "4294967297", NULL, NULL, NULL);
	BAD("'1x' is no PID", true, "1x", NULL, NULL, NULL);
	BAD("'zz' is no address", true, "1", "zz", NULL, NULL);
	BAD("'2000-1000' is no address", true, "1", "2000-1000", NULL, NULL);
	BAD("'1000-1000' is no address", true, "1", "1000-1000", NULL, NULL);
	BAD("'1000-' is no address", true, "1", "1000-", NULL, NULL);
	BAD("'1 000' is no address", true, "1", "1 000", NULL, NULL);
	BAD("'10000000000000000' is no address", true, "1", "10000000000000000",
	    NULL, NULL);
	BAD("'0' is no length", true, "1", "1000", "0", NULL);
	BAD("'-4096' is no length", true, "1", "1000", "-4096", NULL);
	BAD("'4X' is no length", true, "1", "1000", "4X", NULL);
	BAD("'4KB' is no length", true, "1", "1000", "4KB", NULL);
	BAD("'99999999T' is no length", true, "1", "1000", "99999999T", NULL);
	BAD("'1000-2000' has an end, what is '4K'?", true, "1", "1000-2000",
	    "4K", NULL);
	BAD("what is '5'?", true, "1", "1000", "4K", "5");
	BAD("it ends behind all addresses", true, "1", "ffffffffffff0000", "1M",
	    NULL);
	BAD("it ends behind all addresses", true, "1", "ffffffffffffff00", "255",
	    NULL);
}
