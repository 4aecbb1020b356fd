// SPDX-License-Identifier: GPL-2.0
/* Who holds a page that nobody was seen taking: as pinprobe who finds it. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "drain.h"
#include "explain_session.h"

#define SEARCH_SECONDS	2
#define SEARCH_FREE_NS	5000000000ull
#define SEARCH_SHARE	10

/* Calls that fail by the thousand must not keep it from reading the events. */
bool explain_may_search(const struct explain *e)
{
	return e->searching < SEARCH_FREE_NS +
	       (session_now() - e->started) / SEARCH_SHARE;
}

static bool could_be(const struct holder *h)
{
	return h->kind != HOLDER_MAPPING && h->certainty != HOLDER_EXCLUDED;
}

static void add(struct explain_facts *facts, const struct holder *found)
{
	struct explain_holder *h = facts->holder + facts->holders++;
	char fd[32] = "";

	memset(h, 0, sizeof(*h));
	h->certainty = found->certainty;
	h->pid = found->pid;
	snprintf(h->comm, sizeof(h->comm), "%.*s", TRACE_COMM - 1, found->comm);
	snprintf(h->kind, sizeof(h->kind), "%s", holder_kind_name(found->kind));
	if (found->fd >= 0)
		snprintf(fd, sizeof(fd), "descriptor %d, ", found->fd);
	snprintf(h->what, sizeof(h->what), "%s[%u], %s%s; %s, not watched: %s",
		 h->pid ? h->comm : "the kernel", h->pid, fd,
		 found->what ? found->what : h->kind,
		 holder_certainty_name(h->certainty),
		 found->evidence ? found->evidence : "found in /proc");
}

void explain_candidates(struct explain_facts *facts, const struct holder *found,
			size_t nr)
{
	size_t i;

	for (i = 0; i < nr && facts->holders < EXPLAIN_HOLDERS; i++)
		if (could_be(found + i))
			add(facts, found + i);
}

static void search(struct explain_facts *facts, struct holders_query *query)
{
	struct holder *found = NULL;
	size_t nr = 0;

	/* It has ended since; the page may be held all the same. */
	if (holders_find(query, &found, &nr) == -ESRCH) {
		query->pid = 0;
		query->addr = 0;
		holders_find(query, &found, &nr);
	}
	explain_candidates(facts, found, nr);
	holders_free(found, nr);
}

static void keep_missing(struct explain_facts *facts, const struct text *missing)
{
	char *at;

	if (!missing->len)
		return;
	snprintf(facts->unasked, sizeof(facts->unasked), "%.*s",
		 (int)strcspn(missing->s, "\n"), missing->s);
	for (at = strchr(missing->s, '\n'); at && at[1]; at = strchr(at + 1, '\n'))
		snprintf(facts->unasked + strlen(facts->unasked),
			 sizeof(facts->unasked) - strlen(facts->unasked), "; %.*s",
			 (int)strcspn(at + 1, "\n"), at + 1);
}

/* A page that did not move goes back to its list through a batch. */
static bool count(struct explain *e, const struct explain_page *p,
		  struct account *account)
{
	const struct trace_kernel *k = trace_kernel(e->session.trace);
	bool drained = drain_lru();
	struct account_facts counted;
	struct trace_look now;

	if (!trace_look(e->session.trace, p->look.pfn, &now))
		return false;
	explain_account(&now, k, &counted);
	counted.drained = drained;
	account_make(account, &counted);
	return true;
}

static void search_page(struct explain_facts *facts, const struct explain_page *p,
			const struct account *account)
{
	const struct source here = { .root = "" };
	struct text missing = {};
	struct holders_query query = {
		.source = &here,
		.pid = p->addr ? facts->record->tgid : 0,
		.addr = p->addr,
		.pfn = p->look.pfn,
		.head = p->look.pfn,
		.order = p->look.order,
		.anon = p->look.mapping & 1,
		.account = account,
		/* Of a large folio it is the mappings of all its pages together. */
		.mapped = p->look.order ? -1 : account->facts.mappings,
		.scan = !p->addr,
		.seconds = SEARCH_SECONDS,
		.missing = &missing,
	};

	search(facts, &query);
	if (!facts->holders && !query.all) {
		query.all = true;
		text_clear(&missing);
		search(facts, &query);
	}
	if (!facts->holders)
		keep_missing(facts, &missing);
	text_free(&missing);
}

void explain_search(struct explain *e, struct explain_facts *facts)
{
	const struct explain_page *p = facts->page;
	uint64_t began = session_now();
	struct account account;

	if (facts->holders || !facts->pages || p->extra <= 0 || p->gone)
		return;
	if (!explain_may_search(e)) {
		snprintf(facts->unasked, sizeof(facts->unasked),
			 "/proc, since too many calls fail: pinprobe who --pfn 0x%llx",
			 (unsigned long long)p->look.pfn);
		return;
	}
	if (count(e, p, &account))
		search_page(facts, p, &account);
	e->searching += session_now() - began;
}
