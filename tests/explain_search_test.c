// SPDX-License-Identifier: GPL-2.0
/* Which of those found in /proc are told as who may hold the page. */
#include <errno.h>
#include "unit.h"
#include "../tools/explain_search.c"

/* Of a process that ends meanwhile, and of a page that somebody holds. */
static unsigned int searches;
static pid_t asked[4];
static bool all[4];
static int answer[4];
static const struct holder *present[4];

int holders_find(const struct holders_query *query, struct holder **found,
		 size_t *nr)
{
	unsigned int i = searches++;

	asked[i] = query->pid;
	all[i] = query->all;
	*found = (struct holder *)present[i];
	*nr = present[i] ? 1 : 0;
	if (!present[i])
		text_puts(query->missing, "pipes of process 7: not allowed\nmore\n");
	return answer[i];
}

void holders_free(struct holder *found, size_t nr)
{
	(void)found;
	(void)nr;
}

const char *holder_certainty_name(enum holder_certainty certainty)
{
	static const char *const names[] = { "certain", "likely", "possible", "excluded" };

	return names[certainty];
}

const char *holder_kind_name(enum holder_kind kind)
{
	return kind == HOLDER_PIPE ? "pipe" : "ring";
}

bool trace_look(struct trace *trace, uint64_t pfn, struct trace_look *look)
{
	(void)trace;
	*look = (struct trace_look){ .pfn = pfn };
	return true;
}

const struct trace_kernel *trace_kernel(const struct trace *trace)
{
	static const struct trace_kernel kernel = { .pg_lru = 5 };

	(void)trace;
	return &kernel;
}

bool drain_lru(void)
{
	return true;
}

static uint64_t clock_ns;

uint64_t session_now(void)
{
	return clock_ns;
}

static struct trace_record record = { .tgid = 42 };

static struct explain_facts held(void)
{
	return (struct explain_facts){
		.record = &record, .pages = 1,
		.page[0] = { .look.pfn = 0x1000, .addr = 0x7f0000005000, .extra = 1 },
	};
}

static struct holder in_a_pipe = {
	.certainty = HOLDER_LIKELY, .kind = HOLDER_PIPE, .pid = 42,
	.comm = "a_name_longer_than_the_kernel_has", .fd = 5,
	.what = (char *)"pipe:[9]", .evidence = (char *)"4096 bytes in it",
};

TEST(explain_search_names_who_is_found)
{
	struct explain_facts f = held();
	struct explain e = {};

	present[0] = &in_a_pipe;
	explain_search(&e, &f);
	CHECK_NUMBER(searches, 1);
	CHECK_NUMBER(asked[0], 42);
	CHECK_NUMBER(f.holders, 1);
	CHECK_STRING(f.holder[0].what, "a_name_longer_t[42], descriptor 5, pipe:[9]; likely, not watched: 4096 bytes in it");
	CHECK_STRING(f.holder[0].kind, "pipe");
	CHECK_NUMBER(f.holder[0].certainty, HOLDER_LIKELY);
	CHECK(!f.holder[0].seen);
	CHECK_STRING(f.unasked, "");
}

TEST(explain_search_leaves_mappings_and_excluded_out)
{
	const struct holder found[] = {
		{ .kind = HOLDER_MAPPING, .certainty = HOLDER_CERTAIN, .pid = 1 },
		{ .kind = HOLDER_RING, .certainty = HOLDER_EXCLUDED, .pid = 2 },
		{ .kind = HOLDER_RING, .certainty = HOLDER_POSSIBLE, .fd = -1 },
	};
	struct explain_facts f = held();

	explain_candidates(&f, found, 3);
	CHECK_NUMBER(f.holders, 1);
	CHECK_STRING(f.holder[0].what, "the kernel[0], ring; possible, not watched: found in /proc");
}

/* First those who map it, then everybody; and what could not be looked at. */
TEST(explain_search_looks_wider_and_says_what_was_not_asked)
{
	struct explain_facts f = held();
	struct explain e = {};

	explain_search(&e, &f);
	CHECK_NUMBER(searches, 2);
	CHECK(!all[0]);
	CHECK(all[1]);
	CHECK_NUMBER(f.holders, 0);
	CHECK_STRING(f.unasked, "pipes of process 7: not allowed; more");
}

TEST(explain_search_of_a_process_that_ended)
{
	struct explain_facts f = held();
	struct explain e = {};

	answer[0] = -ESRCH;
	present[1] = &in_a_pipe;
	explain_search(&e, &f);
	CHECK_NUMBER(asked[0], 42);
	CHECK_NUMBER(asked[1], 0);
	CHECK_NUMBER(f.holders, 1);
}

TEST(explain_search_where_there_is_nothing_to_look_for)
{
	struct explain_facts f = held();
	struct explain e = {};

	f.holders = 1;
	explain_search(&e, &f);
	f = held();
	f.page[0].extra = 0;
	explain_search(&e, &f);
	f = held();
	f.page[0].gone = true;
	explain_search(&e, &f);
	f = held();
	f.pages = 0;
	explain_search(&e, &f);
	CHECK_NUMBER(searches, 0);
}

/* A tenth of its time, and five seconds, may go into it. */
TEST(explain_search_has_a_budget)
{
	struct explain_facts f = held();
	struct explain e = { .searching = 5100000000ull };

	clock_ns = 500000000;
	explain_search(&e, &f);
	CHECK_NUMBER(searches, 0);
	CHECK_STRING(f.unasked, "/proc, since too many calls fail: pinprobe who --pfn 0x1000");
	f = held();
	clock_ns = 2000000000;
	explain_search(&e, &f);
	CHECK_NUMBER(searches, 2);
}
