// SPDX-License-Identifier: GPL-2.0
/* What the evidence says, piece by piece, and together. */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "litmus_decide.h"

static void say(struct litmus_finding *f, enum litmus_question question,
		const char *name, enum litmus_answer answer,
		const char *fmt, ...) __printf(5, 6);

static void say(struct litmus_finding *f, enum litmus_question question,
		const char *name, enum litmus_answer answer,
		const char *fmt, ...)
{
	struct litmus_reason *reason;
	va_list args;

	if (f->nr == LITMUS_REASONS)
		return;
	reason = &f->reason[f->nr++];
	reason->question = question;
	reason->name = name;
	reason->answer = answer;
	va_start(args, fmt);
	vsnprintf(reason->text, sizeof(reason->text), fmt, args);
	va_end(args);
}

/* Refused as the memory manager refuses, as far as one is told. */
static bool refused_by_gup(const struct litmus_try *t)
{
	return t->outcome == LITMUS_REFUSED && (!t->err || t->err == EFAULT);
}

bool litmus_count_sure(const struct litmus_count *c)
{
	uint64_t slack = c->pages / LITMUS_SLACK;

	return c->lag <= slack && c->quiet_max <= (int64_t)slack;
}

/*
 * Others can only add to the counter. So one round without a rise says that the
 * call does not pin, however noisy the rest was; that it does pin takes a rise in
 * every round, and quiet between them.
 */
static enum litmus_answer count_answer(const struct litmus_count *c)
{
	int64_t pages = c->pages, lag = c->lag;

	if (!pages || c->rounds < LITMUS_ROUNDS || lag > pages / LITMUS_SLACK)
		return LITMUS_UNKNOWN;
	if (c->call_min <= pages / LITMUS_SLACK)
		return LITMUS_NO;
	if (c->call_min >= pages - lag && litmus_count_sure(c))
		return LITMUS_YES;
	return LITMUS_UNKNOWN;
}

static void weigh_count(const struct litmus_evidence *e,
			struct litmus_finding *f)
{
	const struct litmus_count *c = &e->count;
	enum litmus_answer answer;

	if (c->why_not[0]) {
		say(f, LITMUS_PINS, "count", LITMUS_UNKNOWN,
		    "the kernel's count of pins: %s", c->why_not);
		return;
	}
	answer = count_answer(c);
	say(f, LITMUS_PINS, "count", answer,
	    "nr_foll_pin_acquired: %+" PRId64 " to %+" PRId64 " over each of %u calls for %"
	    PRIu64 " pages, at most %+" PRId64 " without one, lag at most %" PRIu64 "%s",
	    c->call_min, c->call_max, c->rounds, c->pages, c->quiet_max, c->lag,
	    answer ? "" : c->lag > c->pages / LITMUS_SLACK || !litmus_count_sure(c) ?
	    ": too few pages to be sure" : ": neither all nor none of them");
}

static void weigh_fork(const struct litmus_evidence *e, struct litmus_finding *f)
{
	const struct litmus_share *fork = &e->fork;
	enum litmus_answer answer = LITMUS_UNKNOWN;

	if (fork->why_not[0] || !fork->pages) {
		say(f, LITMUS_PINS, "fork", LITMUS_UNKNOWN, "fork: %s",
		    fork->why_not[0] ? fork->why_not : "no page looked at");
		return;
	}
	if (fork->so == fork->pages)
		answer = LITMUS_YES;
	else if (!fork->so)
		answer = LITMUS_NO;
	say(f, LITMUS_PINS, "fork", answer,
	    "fork copied %zu of %zu registered pages at once, which it does with pinned ones only",
	    fork->so, fork->pages);
}

static void weigh_evict(const struct litmus_evidence *e, struct litmus_finding *f)
{
	const struct litmus_share *evict = &e->evict;
	enum litmus_answer answer = LITMUS_UNKNOWN;

	if (evict->why_not[0] || !evict->pages) {
		say(f, LITMUS_HOLDS, "evict", LITMUS_UNKNOWN,
		    "dropping page cache: %s",
		    evict->why_not[0] ? evict->why_not : "no page looked at");
		return;
	}
	if (evict->so == evict->pages)
		answer = LITMUS_YES;
	else if (!evict->so)
		answer = LITMUS_NO;
	say(f, LITMUS_HOLDS, "evict", answer,
	    "%zu of %zu registered pages of a file stayed in the page cache against POSIX_FADV_DONTNEED, which a reference does",
	    evict->so, evict->pages);
}

/* A freed page may be somebody else's before it is looked at: a few prove nothing. */
static void weigh_orphan(const struct litmus_evidence *e,
			 struct litmus_finding *f)
{
	const struct litmus_share *o = &e->orphan;
	enum litmus_answer answer = LITMUS_UNKNOWN;

	if (o->why_not[0] || !o->pages) {
		say(f, LITMUS_HOLDS, "orphan", LITMUS_UNKNOWN,
		    "pages without their mapping: %s",
		    o->why_not[0] ? o->why_not : "no page looked at");
		return;
	}
	if (o->so == o->pages)
		answer = LITMUS_YES;
	else if (o->so <= o->pages / LITMUS_SLACK)
		answer = LITMUS_NO;
	say(f, LITMUS_HOLDS, "orphan", answer,
	    "%zu of %zu registered anonymous pages outlived their mapping, which those do that somebody has a reference to",
	    o->so, o->pages);
}

/* One answer of all pieces on a question; *clash if they contradict. */
static enum litmus_answer together(const struct litmus_finding *f,
				   enum litmus_question question, bool *clash)
{
	enum litmus_answer all = LITMUS_UNKNOWN;
	size_t i;

	for (i = 0; i < f->nr; i++) {
		if (f->reason[i].question != question || !f->reason[i].answer)
			continue;
		if (all && all != f->reason[i].answer) {
			*clash = true;
			return LITMUS_UNKNOWN;
		}
		all = f->reason[i].answer;
	}
	return all;
}

/* Does the call that is asked to write need the right to? */
static enum litmus_answer writes_when_asked(const struct litmus_evidence *e)
{
	if (e->shmem_write.outcome != LITMUS_TAKEN)
		return LITMUS_UNKNOWN;
	if (e->readonly_shared_write.outcome == LITMUS_TAKEN)
		return LITMUS_NO;
	return refused_by_gup(&e->readonly_shared_write) ? LITMUS_YES :
		LITMUS_UNKNOWN;
}

/* And the one that is not? */
static enum litmus_answer writes_unasked(const struct litmus_evidence *e)
{
	if (e->anon_read.outcome != LITMUS_TAKEN)
		return LITMUS_UNKNOWN;
	if (e->readonly_shared.outcome == LITMUS_TAKEN)
		return LITMUS_NO;
	return e->shmem_write.outcome == LITMUS_TAKEN &&
	       refused_by_gup(&e->readonly_shared) ? LITMUS_YES :
		LITMUS_UNKNOWN;
}

static const char *outcome(const struct litmus_try *t)
{
	switch (t->outcome) {
	case LITMUS_TAKEN:
		return "taken";
	case LITMUS_REFUSED:
		return t->said;
	default:
		return t->said[0] ? t->said : "not tried";
	}
}

static void weigh_write(const struct litmus_evidence *e, struct litmus_finding *f)
{
	enum litmus_answer asked = writes_when_asked(e);
	enum litmus_answer unasked = writes_unasked(e);
	bool forced = e->readonly_private.outcome == LITMUS_TAKEN;

	say(f, LITMUS_WRITES, "readonly_shared_write", asked,
	    "%s shared memory without PROT_WRITE: %s",
	    e->one_access ? "the call on" : "asked to write to",
	    outcome(&e->readonly_shared_write));
	if (!e->one_access) {
		say(f, LITMUS_WRITES, "readonly_shared", unasked,
		    "asked to read shared memory without PROT_WRITE: %s; private: %s",
		    outcome(&e->readonly_shared), outcome(&e->readonly_private));
	}
	if (e->one_access)
		f->write = asked == LITMUS_YES ? forced ? LITMUS_WRITE_FORCED :
			LITMUS_WRITE_ALWAYS : asked == LITMUS_NO ?
			LITMUS_WRITE_NEVER : LITMUS_WRITE_UNKNOWN;
	else if (unasked == LITMUS_YES)
		f->write = forced ? LITMUS_WRITE_FORCED : LITMUS_WRITE_ALWAYS;
	else if (asked == LITMUS_NO)
		f->write = LITMUS_WRITE_NEVER;
	else if (asked == LITMUS_YES)
		f->write = unasked == LITMUS_NO ? LITMUS_WRITE_ASKED :
			LITMUS_WRITE_WHEN_ASKED;
	else
		f->write = unasked == LITMUS_NO ? LITMUS_WRITE_NOT_UNASKED :
			LITMUS_WRITE_UNKNOWN;
}

/*
 * A driver may refuse files for reasons of its own. The kernel's rule for
 * long-term pins refuses this one mapping of a file, and not the others.
 */
static void weigh_file(const struct litmus_evidence *e, struct litmus_finding *f)
{
	const struct litmus_try *t = &e->file_write;
	enum litmus_answer answer = LITMUS_UNKNOWN;
	const char *but = "";

	if (t->outcome == LITMUS_NOT_TRIED)
		but = "";
	else if (e->file_rule == LITMUS_NO)
		but = "; this kernel refuses it to nobody";
	else if (e->file_rule == LITMUS_UNKNOWN)
		but = "; whether this kernel refuses it to long-term pins is not known";
	else if (writes_when_asked(e) != LITMUS_YES)
		but = "; that the call may write is not certain";
	else if (t->outcome == LITMUS_TAKEN)
		answer = LITMUS_NO;
	else if (!refused_by_gup(t))
		but = "; not the errno of the kernel's rule";
	else if (e->private_file_write.outcome != LITMUS_TAKEN)
		but = "; other mappings of the file are not taken either";
	else
		answer = LITMUS_YES;
	say(f, LITMUS_LONGTERM, "file_write", answer,
	    "shared writable mapping of a file that is written back: %s%s",
	    outcome(t), but);
}

static void weigh_untouched(const struct litmus_evidence *e,
			    struct litmus_finding *f)
{
	const struct litmus_share *u = &e->untouched;
	enum litmus_answer answer = LITMUS_UNKNOWN;
	const char *but = "";

	if (u->why_not[0] || !u->pages) {
		say(f, LITMUS_LONGTERM, "untouched", LITMUS_UNKNOWN,
		    "untouched memory, to read: %s",
		    u->why_not[0] ? u->why_not : "no page looked at");
		return;
	}
	if (e->cow_rule != LITMUS_YES)
		but = "; this kernel does not give a long-term pin its own";
	else if (writes_unasked(e) == LITMUS_YES)
		but = "; it asks to write anyway, which says the same";
	else if (!u->so)
		answer = LITMUS_NO;
	else if (u->so == u->pages && writes_unasked(e) == LITMUS_NO)
		answer = LITMUS_YES;
	say(f, LITMUS_LONGTERM, "untouched", answer,
	    "untouched memory, to read: %zu of %zu got pages of their own, not the zero page%s",
	    u->so, u->pages, but);
}

static void weigh_places(const struct litmus_evidence *e,
			 struct litmus_finding *f)
{
	const struct litmus_places *p = &e->places;
	enum litmus_answer answer = LITMUS_UNKNOWN;
	const char *but = "";

	if (p->why_not[0]) {
		say(f, LITMUS_LONGTERM, "places", LITMUS_UNKNOWN,
		    "where the pages lie: %s", p->why_not);
		return;
	}
	if (p->unpinnable < LITMUS_PLACES_MIN)
		answer = LITMUS_UNKNOWN;
	else if (p->stayed >= LITMUS_PLACES_MIN && p->rule == LITMUS_NO)
		but = "; this kernel lets long-term pins stay there";
	else if (p->stayed >= LITMUS_PLACES_MIN)
		answer = LITMUS_NO;
	else if (!p->stayed && p->left == p->unpinnable &&
		 p->quiet <= p->left / LITMUS_SLACK)
		answer = LITMUS_YES;
	say(f, LITMUS_LONGTERM, "places", answer,
	    "of %zu pages, %zu lay in ZONE_MOVABLE or CMA: %zu had left when the call returned, %zu stayed; %zu moved without a call%s",
	    p->pages, p->unpinnable, p->left, p->stayed, p->quiet, but);
}

static void bounds(struct litmus_finding *f)
{
	f->low = LITMUS_RUNG_NONE;
	f->high = LITMUS_RUNG_LONGTERM;
	if (f->holds == LITMUS_YES)
		f->low = LITMUS_RUNG_GET;
	if (f->pins == LITMUS_YES)
		f->low = LITMUS_RUNG_PIN;
	if (f->longterm == LITMUS_YES)
		f->low = LITMUS_RUNG_LONGTERM;
	if (f->longterm == LITMUS_NO)
		f->high = LITMUS_RUNG_PIN;
	if (f->pins == LITMUS_NO)
		f->high = LITMUS_RUNG_GET;
	if (f->holds == LITMUS_NO)
		f->high = LITMUS_RUNG_NONE;
	f->rung = f->low == f->high ? f->low : LITMUS_RUNG_UNKNOWN;
}

/* The pieces that could have told, and why they do not. */
static void explain(struct litmus_finding *f, enum litmus_question question)
{
	size_t used = 0, i;
	int len;

	for (i = 0; i < f->nr; i++) {
		if (f->reason[i].question != question || f->reason[i].answer)
			continue;
		len = snprintf(f->why_not + used, sizeof(f->why_not) - used,
			       "%s%s", used ? "; " : "", f->reason[i].text);
		if (len < 0 || used + len >= sizeof(f->why_not))
			return;
		used += len;
	}
}

void litmus_decide(const struct litmus_evidence *e, struct litmus_finding *f)
{
	bool clash = false;

	memset(f, 0, sizeof(*f));
	weigh_count(e, f);
	weigh_fork(e, f);
	weigh_evict(e, f);
	weigh_orphan(e, f);
	weigh_file(e, f);
	weigh_untouched(e, f);
	weigh_places(e, f);
	weigh_write(e, f);

	f->pins = together(f, LITMUS_PINS, &clash);
	f->holds = together(f, LITMUS_HOLDS, &clash);
	f->longterm = together(f, LITMUS_LONGTERM, &clash);
	bounds(f);
	/* FOLL_LONGTERM is for FOLL_PIN only, and a pin is a reference. */
	if (clash || f->low > f->high) {
		f->rung = LITMUS_RUNG_UNKNOWN;
		snprintf(f->why_not, sizeof(f->why_not),
			 "the pieces of evidence contradict each other");
	} else if (!f->rung) {
		explain(f, f->high <= LITMUS_RUNG_GET ? LITMUS_HOLDS :
			   f->low >= LITMUS_RUNG_PIN ? LITMUS_LONGTERM :
			   LITMUS_PINS);
	}
}

bool litmus_release_has(const char *release, int major, int minor)
{
	int a, b;

	if (sscanf(release, "%d.%d", &a, &b) != 2)
		return false;
	return a > major || (a == major && b >= minor);
}

const struct litmus_reason *litmus_refuted(const struct litmus_finding *f,
					   enum litmus_rung rung)
{
	static const enum litmus_rung from[] = {
		[LITMUS_HOLDS] = LITMUS_RUNG_GET,
		[LITMUS_PINS] = LITMUS_RUNG_PIN,
		[LITMUS_LONGTERM] = LITMUS_RUNG_LONGTERM,
	};
	const struct litmus_reason *reason;
	enum litmus_answer truth;
	size_t i;

	for (i = 0; i < f->nr; i++) {
		reason = &f->reason[i];
		if (reason->question == LITMUS_WRITES || !reason->answer)
			continue;
		truth = rung >= from[reason->question] ? LITMUS_YES : LITMUS_NO;
		if (reason->answer != truth)
			return reason;
	}
	return NULL;
}

const char *litmus_rung_name(enum litmus_rung rung)
{
	static const char *const names[] = {
		[LITMUS_RUNG_UNKNOWN] = "unknown",
		[LITMUS_RUNG_NONE] = "takes no page",
		[LITMUS_RUNG_GET] = "GET",
		[LITMUS_RUNG_PIN] = "PIN",
		[LITMUS_RUNG_LONGTERM] = "PIN+LONGTERM",
	};

	return names[rung];
}

const char *litmus_write_name(enum litmus_write write)
{
	static const char *const names[] = {
		[LITMUS_WRITE_UNKNOWN] = "unknown",
		[LITMUS_WRITE_NEVER] = "never",
		[LITMUS_WRITE_ASKED] = "if asked",
		[LITMUS_WRITE_WHEN_ASKED] = "if asked, perhaps always",
		[LITMUS_WRITE_NOT_UNASKED] = "if asked, perhaps never",
		[LITMUS_WRITE_ALWAYS] = "always",
		[LITMUS_WRITE_FORCED] = "always, with FORCE",
	};

	return names[write];
}

const char *litmus_answer_name(enum litmus_answer answer)
{
	return answer == LITMUS_YES ? "yes" : answer == LITMUS_NO ? "no" :
		"unknown";
}

const char *litmus_question_name(enum litmus_question question)
{
	static const char *const names[] = {
		[LITMUS_HOLDS] = "holds",
		[LITMUS_PINS] = "pins",
		[LITMUS_LONGTERM] = "longterm",
		[LITMUS_WRITES] = "writes",
	};

	return names[question];
}
