// SPDX-License-Identifier: GPL-2.0
/* Calls that do not come back: what they do meanwhile, from two looks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "snapshot.h"
#include "explain_session.h"

#define BATCH	512
/* Most calls are over by then, and a look takes time of those that are watched. */
#define FIRST_NS	20000000ull
/* From then on it is known what a call was at, should it be killed. */
#define LOOK_NS	500000000ull

struct task {
	uint64_t cpu_ns, faults;
};

static void look_at_task(uint32_t tgid, uint32_t tid, struct task *task)
{
	unsigned long long cpu = 0, minor = 0, major = 0;
	char path[96], line[1024], *at;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/task/%u/schedstat", tgid, tid);
	f = fopen(path, "re");
	if (f && fscanf(f, "%llu", &cpu) != 1)
		cpu = 0;
	if (f)
		fclose(f);
	snprintf(path, sizeof(path), "/proc/%u/task/%u/stat", tgid, tid);
	f = fopen(path, "re");
	at = f && fgets(line, sizeof(line), f) ? strrchr(line, ')') : NULL;
	/* Behind the name: state ppid pgrp session tty tpgid flags minflt cminflt majflt */
	if (at && sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %llu %*u %llu",
			 &minor, &major) != 2)
		minor = major = 0;
	if (f)
		fclose(f);
	task->cpu_ns = cpu;
	task->faults = minor + major;
}

static struct explain_pending *pending_of(struct explain *e,
					  const struct trace_record *r)
{
	struct explain_pending *free_one = NULL;
	struct task task;
	unsigned int i;

	for (i = 0; i < EXPLAIN_HANGING; i++) {
		struct explain_pending *p = e->pending + i;

		if (p->tid == r->tid && p->began == r->began)
			return p;
		if (!p->tid && !free_one)
			free_one = p;
	}
	if (!free_one)
		return NULL;
	look_at_task(r->tgid, r->tid, &task);
	*free_one = (struct explain_pending){
		.tid = r->tid, .began = r->began, .seen = session_now(),
		.cpu_ns = task.cpu_ns, .faults = task.faults,
		.splits = snapshot_vmstat("thp_split_pmd"),
		.failed = snapshot_vmstat("pgmigrate_fail"),
	};
	return free_one;
}

static bool has_flag(const struct trace_look *look, int bit)
{
	return bit >= 0 && (look->flags >> bit & 1);
}

/* Pages of the batch that have to move: who cannot be isolated, who is written. */
static void look_at_batch(struct explain *e, const struct trace_record *r,
			  const struct snapshot *snapshot, struct explain_facts *facts)
{
	const struct trace_kernel *k = facts->kernel;
	uint64_t pages = r->pages < BATCH ? r->pages : BATCH, i;

	for (i = 0; i < pages; i++) {
		struct explain_page p = { .addr = r->addr + i * k->page_bytes };
		uint64_t pfn = snapshot_frame(r->tgid, p.addr);
		bool written, off_list;

		if (!pfn || !trace_look(e->session.trace, pfn, &p.look))
			continue;
		explain_place(k, snapshot, &p);
		written = has_flag(&p.look, k->pg_writeback);
		off_list = !has_flag(&p.look, k->pg_lru);
		if ((!p.cma && !p.movable_zone) || (!written && !off_list))
			continue;
		facts->written += written;
		facts->off_list += off_list;
		if (facts->pages < TRACE_FAILED)
			facts->page[facts->pages++] = p;
	}
}

struct hanging {
	struct explain *e;
	void (*tell)(void *ctx, struct explain_facts *facts);
	void (*ended)(void *ctx, const struct trace_record *record);
};

#define ENDED_NS	1000000000ull

/*
 * All its hooks were left, and the return of its system call, which was to be seen,
 * was not: a 32-bit program's has another function. It ended without that layer.
 */
static void end_unseen(struct hanging *h, const struct trace_record *seen)
{
	struct trace_record r = *seen;

	r.ended = session_now();
	if (r.ended - r.began < ENDED_NS)
		return;
	r.faults[1] = r.faults[0];
	r.cpu_ns[1] = r.cpu_ns[0];
	trace_forget(h->e->session.trace, r.tid);
	h->ended(h->e, &r);
}

static void keep_batch(struct explain_pending *p, const struct explain_facts *facts)
{
	memcpy(p->page, facts->page, sizeof(p->page));
	p->pages = facts->pages;
	p->off_list = facts->off_list;
	p->written = facts->written;
}

static void add_batch(const struct explain_pending *p, struct explain_facts *facts)
{
	if (facts->pages || !(p->off_list + p->written))
		return;
	memcpy(facts->page, p->page, sizeof(p->page));
	facts->pages = p->pages;
	facts->off_list = p->off_list;
	facts->written = p->written;
}

void explain_since(struct explain *e, struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	unsigned int i;

	for (i = 0; i < EXPLAIN_HANGING; i++) {
		const struct explain_pending *p = e->pending + i;

		if (p->tid != r->tid || p->began != r->began)
			continue;
		facts->interrupted = true;
		facts->thp_splits = snapshot_vmstat("thp_split_pmd") - p->splits;
		facts->migrate_failed = snapshot_vmstat("pgmigrate_fail") - p->failed;
		add_batch(p, facts);
	}
}

static void add_pages_in_hand(struct explain *e, const struct trace_record *r,
			      struct explain_facts *facts)
{
	struct snapshot snapshot;

	if (facts->pages || !r->step[TRACE_TAKE].entered)
		return;
	snapshot_read(&snapshot);
	look_at_batch(e, r, &snapshot, facts);
}

/* Nobody is looked for: it may still come back. */
static void look_early(struct explain *e, const struct trace_record *r,
		       struct explain_pending *p)
{
	struct explain_facts facts = { .kernel = trace_kernel(e->session.trace) };

	p->looked = true;
	add_pages_in_hand(e, r, &facts);
	keep_batch(p, &facts);
}

static void facts_of(struct explain *e, const struct trace_record *r,
		     const struct explain_pending *p, struct explain_facts *facts)
{
	uint64_t now = session_now();
	struct task task;

	/* Before what looking takes. */
	look_at_task(r->tgid, r->tid, &task);
	/* Who holds what, up to now. */
	trace_drain(e->session.trace);
	explain_look(e, r, facts);
	facts->hanging = true;
	facts->spent = now - r->began;
	/* Between the two looks; the first was soon after the begin: FIRST_NS and a turn. */
	facts->cpu_ns = task.cpu_ns - p->cpu_ns;
	facts->faults = task.faults - p->faults;
	facts->thp_splits = snapshot_vmstat("thp_split_pmd") - p->splits;
	facts->migrate_failed = snapshot_vmstat("pgmigrate_fail") - p->failed;
	add_pages_in_hand(e, r, facts);
}

static void one(void *ctx, const struct trace_record *r)
{
	struct hanging *h = ctx;
	struct explain_pending *p;
	struct explain_facts facts;
	uint64_t age = session_now() - r->began;
	bool due = age >= h->e->hang * 1000000000ull;

	p = age < FIRST_NS ? NULL : pending_of(h->e, r);
	if (!p)
		return;
	p->fresh = true;
	if (!r->depth) {
		end_unseen(h, r);
		return;
	}
	if (!due && !p->looked && age >= LOOK_NS)
		look_early(h->e, r, p);
	if (p->told || !due)
		return;
	p->told = true;
	facts_of(h->e, r, p, &facts);
	keep_batch(p, &facts);
	h->tell(h->e, &facts);
}

void explain_hangs(struct explain *e,
		   void (*tell)(void *ctx, struct explain_facts *facts),
		   void (*ended)(void *ctx, const struct trace_record *record))
{
	struct hanging h = { .e = e, .tell = tell, .ended = ended };
	unsigned int i;

	for (i = 0; i < EXPLAIN_HANGING; i++)
		e->pending[i].fresh = false;
	trace_in_flight(e->session.trace, one, &h);
	/* What has come back makes room. */
	for (i = 0; i < EXPLAIN_HANGING; i++)
		if (!e->pending[i].fresh)
			e->pending[i].tid = 0;
}
