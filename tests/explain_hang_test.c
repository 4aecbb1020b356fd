// SPDX-License-Identifier: GPL-2.0
/* Calls on their way: when they are looked at, and what is known when one is killed. */
#define snapshot_frame		hang_snapshot_frame
#define snapshot_read		hang_snapshot_read
#define snapshot_vmstat		hang_snapshot_vmstat
#define explain_look		hang_explain_look
#define explain_place		hang_explain_place
#define session_now		hang_session_now
#define trace_drain		hang_trace_drain
#define trace_forget		hang_trace_forget
#define trace_in_flight		hang_trace_in_flight
#define trace_kernel		hang_trace_kernel
#define trace_look		hang_trace_look
#include "unit.h"
#include "../tools/explain_hang.c"

#define SECOND	1000000000ull
#define PFN	0x1234

static const struct trace_kernel kernel = {
	.pg_lru = 5, .pg_writeback = 15, .page_bytes = 4096,
};

static struct trace_record call;
static uint64_t now, flags;
static unsigned int tells, last_pages;
static bool drained, up_to_date;

uint64_t snapshot_frame(pid_t pid, uint64_t addr)
{
	(void)pid;
	return addr == 0x8000 ? PFN : 0;
}

void snapshot_read(struct snapshot *a)
{
	memset(a, 0, sizeof(*a));
}

uint64_t snapshot_vmstat(const char *name)
{
	(void)name;
	return 0;
}

void explain_look(struct explain *e, const struct trace_record *record,
		  struct explain_facts *facts)
{
	(void)e;
	up_to_date = drained;
	memset(facts, 0, sizeof(*facts));
	facts->record = record;
	facts->kernel = &kernel;
}

void explain_place(const struct trace_kernel *k, const struct snapshot *snapshot,
		   struct explain_page *p)
{
	(void)k;
	(void)snapshot;
	p->movable_zone = true;
}

uint64_t session_now(void)
{
	return now;
}

const struct trace_kernel *trace_kernel(const struct trace *trace)
{
	(void)trace;
	return &kernel;
}

int trace_drain(struct trace *trace)
{
	(void)trace;
	drained = true;
	return 0;
}

void trace_forget(struct trace *trace, uint32_t tid)
{
	(void)trace;
	(void)tid;
}

void trace_in_flight(struct trace *trace,
		     void (*each)(void *ctx, const struct trace_record *record),
		     void *ctx)
{
	(void)trace;
	each(ctx, &call);
}

bool trace_look(struct trace *trace, uint64_t pfn, struct trace_look *look)
{
	(void)trace;
	*look = (struct trace_look){ .pfn = pfn, .flags = flags };
	return true;
}

static void told(void *ctx, struct explain_facts *facts)
{
	(void)ctx;
	tells++;
	last_pages = facts->pages;
}

static void ended(void *ctx, const struct trace_record *record)
{
	(void)ctx;
	(void)record;
}

/* Of one page, isolated, as it is after @ns. */
static void turn(struct explain *e, uint64_t ns)
{
	call = (struct trace_record){
		.tid = 7, .tgid = 7, .began = SECOND, .depth = 1,
		.addr = 0x8000, .pages = 1,
		.step = { [TRACE_TAKE] = { .entered = SECOND } },
	};
	now = SECOND + ns;
	explain_hangs(e, told, ended);
}

static struct explain *fresh(void)
{
	static struct explain e;

	memset(&e, 0, sizeof(e));
	e.hang = 5;
	flags = 0;
	tells = last_pages = 0;
	drained = up_to_date = false;
	return &e;
}

TEST(explain_hang_told_once_in_time)
{
	struct explain *e = fresh();

	turn(e, SECOND / 10);
	turn(e, 4 * SECOND);
	CHECK_NUMBER(tells, 0);
	turn(e, 5 * SECOND);
	turn(e, 6 * SECOND);
	CHECK_NUMBER(tells, 1);
	CHECK_NUMBER(last_pages, 1);
}

/* Holders are looked for among all that has been told by then. */
TEST(explain_hang_knows_who_holds)
{
	struct explain *e = fresh();

	turn(e, SECOND / 10);
	CHECK(!drained);
	turn(e, 5 * SECOND);
	CHECK_NUMBER(tells, 1);
	CHECK(up_to_date);
}

/* Nearly all are over when they would be looked at. */
TEST(explain_hang_not_of_one_that_is_quick)
{
	struct explain *e = fresh();

	turn(e, FIRST_NS - 1);
	CHECK_NUMBER(e->pending[0].tid, 0);
	turn(e, FIRST_NS);
	CHECK_NUMBER(e->pending[0].tid, 7);
}

/* Before it was to be told: what it was at is known all the same. */
TEST(explain_hang_killed_early)
{
	struct explain_facts facts;
	struct explain *e = fresh();

	turn(e, SECOND / 10);
	turn(e, SECOND);
	CHECK_NUMBER(tells, 0);
	explain_look(e, &call, &facts);
	explain_since(e, &facts);
	CHECK(facts.interrupted);
	CHECK_NUMBER(facts.pages, 1);
	CHECK_NUMBER(facts.page[0].look.pfn, PFN);
	CHECK_NUMBER(facts.off_list, 1);
}

/* Nothing is held back from one that tried to move pages itself. */
TEST(explain_hang_killed_with_pages_of_its_own)
{
	struct explain_facts facts;
	struct explain *e = fresh();

	turn(e, SECOND);
	explain_look(e, &call, &facts);
	facts.pages = 1;
	facts.page[0].look.pfn = 1;
	explain_since(e, &facts);
	CHECK_NUMBER(facts.page[0].look.pfn, 1);
	CHECK_NUMBER(facts.off_list, 0);
}

/* A page on its list and not written is no reason. */
TEST(explain_hang_of_another_page)
{
	struct explain *e = fresh();

	flags = 1 << 5;
	turn(e, SECOND / 10);
	turn(e, 5 * SECOND);
	CHECK_NUMBER(tells, 1);
	CHECK_NUMBER(last_pages, 0);
}
