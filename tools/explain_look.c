// SPDX-License-Identifier: GPL-2.0
/* What is known of a call: its pages looked at again, their holders, the host. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "snapshot.h"
#include "drain.h"
#include "explain_gpu.h"
#include "explain_session.h"
#include "page_bytes.h"

#define PIN_REFS	1024	/* GUP_PIN_COUNTING_BIAS */
#define LOOKS		4
#define LOOK_US		700
#define PATIENCE_US	5000
#define PATIENCE_NS	50000000ull

void explain_place(const struct trace_kernel *k, const struct snapshot *snapshot,
		   struct explain_page *p)
{
	const struct snapshot_zone *zone = snapshot_find(snapshot, p->look.pfn);
	uint32_t type = p->look.migratetype;

	p->node = zone ? zone->node : -1;
	if (zone)
		memcpy(p->zone, zone->name, sizeof(p->zone));
	p->movable_zone = zone && !strcmp(zone->name, "Movable");
	if (!(p->look.have & TRACE_HAVE_BLOCK))
		return;
	p->cma = (type & k->type_mask) == k->migrate_cma;
}

static void count(const struct trace_kernel *k, struct explain_page *p,
		  bool isolated)
{
	p->extra = explain_extra(&p->look, k, isolated);
	p->pinned = p->look.order ? p->look.pincount > 0 : p->extra >= PIN_REFS;
}

static bool has_gone(const struct trace_kernel *k, const struct explain_page *p,
		     const struct trace_look *now)
{
	/* A batch on its way to the LRU list holds a reference. */
	return now->mapping != p->look.mapping ||
	       explain_extra(now, k, false) <=
	       !(now->flags >> (k->pg_lru < 0 ? 0 : k->pg_lru) & 1);
}

/*
 * Some looks in a row: of a folio that is just being tried to be moved, again and again,
 * the counts are anything at times.
 */
static bool stays_gone(struct explain *e, const struct explain_page *p)
{
	const struct trace_kernel *k = trace_kernel(e->session.trace);
	struct trace_look now;
	int i;

	for (i = 0; i < LOOKS; i++) {
		if (i)
			usleep(LOOK_US);
		if (!trace_look(e->session.trace, p->look.pfn, &now) ||
		    !has_gone(k, p, &now))
			return false;
	}
	return true;
}

/*
 * The folio again. Who had it for a moment may need one to let it go, as a second
 * registration that is taken back: the first folio is waited for a little.
 */
static void look_again(struct explain *e, struct explain_page *p, bool wait)
{
	uint64_t began = session_now();

	/* The batches of pages on their way to another list hold them too. */
	drain_lru();
	p->gone = stays_gone(e, p);
	while (wait && !p->gone && session_now() - began < PATIENCE_NS &&
	       explain_may_search(e)) {
		usleep(PATIENCE_US);
		p->gone = stays_gone(e, p);
	}
	if (wait)
		e->searching += session_now() - began;
}

struct naming {
	struct explain *e;
	struct explain_facts *facts;
};

static void add_age(char *s, size_t size, uint64_t ns)
{
	if (ns > 10000000000ull)
		snprintf(s, size, "%" PRIu64 " s", ns / 1000000000);
	else
		snprintf(s, size, "%" PRIu64 " ms", ns / 1000000);
}

static void name_holder(void *ctx, const struct ledger_call *call)
{
	struct naming *n = ctx;
	struct explain_facts *facts = n->facts;
	const struct trace_kernel *k = facts->kernel;
	struct explain_holder *h;
	char age[32];

	/* The call that failed let its own go. */
	if (facts->holders == EXPLAIN_HOLDERS)
		return;
	h = facts->holder + facts->holders++;
	memset(h, 0, sizeof(*h));
	h->seen = true;
	h->certainty = HOLDER_CERTAIN;
	h->pid = call->tgid;
	memcpy(h->comm, call->comm, sizeof(h->comm));
	h->longterm = call->flags & k->foll_longterm;
	h->age_ns = session_now() - call->time;
	snprintf(h->kind, sizeof(h->kind), "%s",
		 call->api >= TRACE_GET ? "reference" : "pin");
	snprintf(h->caller, sizeof(h->caller), "%s",
		 session_caller(&n->e->session, call->stack, h->module,
				sizeof(h->module)));
	add_age(age, sizeof(age), h->age_ns);
	snprintf(h->what, sizeof(h->what),
		 "%s[%u], by %s%s%s%s in %s() %s ago, %s%s", h->comm, h->pid,
		 h->caller, h->module[0] ? " [" : "", h->module,
		 h->module[0] ? "]" : "", trace_api_name(call->api), age,
		 call->api >= TRACE_GET ? "a plain reference" : "FOLL_PIN",
		 h->longterm ? " with FOLL_LONGTERM" : " without FOLL_LONGTERM");
}

static void find_holders(struct explain *e, struct explain_facts *facts)
{
	struct naming naming = { .e = e, .facts = facts };
	const struct explain_page *p = facts->page;

	if (!facts->pages || p->extra <= 0)
		return;
	ledger_find(e->session.ledger, p->look.pfn, 1ull << p->look.order,
		    name_holder, &naming);
}

static uint64_t free_huge_pages(void)
{
	unsigned long long value = 0;
	char path[80];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/kernel/mm/hugepages/hugepages-%" PRIu64 "kB/free_hugepages",
		 page_huge_bytes(page_bytes()) >> 10);
	f = fopen(path, "re");

	if (f && fscanf(f, "%llu", &value) != 1)
		value = 0;
	if (f)
		fclose(f);
	return value;
}

static void look_at_host(struct explain_facts *facts, struct snapshot *snapshot)
{
	uint64_t nodes = snapshot_allowed(facts->record->tgid);

	snapshot_read(snapshot);
	facts->pinnable_free = snapshot->zones ?
			       snapshot_pinnable_free(snapshot, nodes) : UINT64_MAX;
	facts->barred = snapshot_barred(snapshot, nodes);
	facts->hidden_cma = snapshot_hidden_cma(snapshot);
	facts->pool_free = free_huge_pages();
}

static void look_at_pages(struct explain *e, struct explain_facts *facts,
			  const struct snapshot *snapshot)
{
	const struct trace_record *r = facts->record;
	uint64_t addr = explain_address(r);
	uint64_t len = r->umem_len ? r->umem_len : r->pages * facts->kernel->page_bytes;
	size_t i;

	facts->pages = r->failed < TRACE_FAILED ? r->failed : TRACE_FAILED;
	for (i = 0; i < facts->pages; i++) {
		struct explain_page *p = facts->page + i;

		p->look = r->folio[i];
		explain_place(facts->kernel, snapshot, p);
		/* On the list of what is moved, it is isolated from its own. */
		count(facts->kernel, p, true);
		look_again(e, p, !i);
		if (i < 3)
			p->addr = snapshot_address(r->tgid, p->look.pfn,
						 1ull << p->look.order, addr, len);
	}
}

void explain_look(struct explain *e, const struct trace_record *record,
		  struct explain_facts *facts)
{
	struct snapshot snapshot;

	memset(facts, 0, sizeof(*facts));
	facts->record = record;
	facts->kernel = trace_kernel(e->session.trace);
	facts->spent = record->ended - record->began;
	facts->faults = record->faults[1] - record->faults[0];
	facts->cpu_ns = record->cpu_ns[1] - record->cpu_ns[0];
	look_at_host(facts, &snapshot);
	look_at_pages(e, facts, &snapshot);
	find_holders(e, facts);
	explain_search(e, facts);
	explain_gpus(facts, "");
}
