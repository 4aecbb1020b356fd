// SPDX-License-Identifier: GPL-2.0
/* The finding and what it rests on, for people and for programs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "litmus.h"
#include "out.h"

struct named_try {
	const char *name;
	const char *text;
	size_t at;
};

#define TRY(name_, text_)	\
	{ #name_, text_, offsetof(struct litmus_evidence, name_) }

static const struct named_try tries[] = {
	TRY(anon_write, "private anonymous memory, to write"),
	TRY(anon_read, "the same, to read"),
	TRY(readonly_private, "the same without PROT_WRITE, to read"),
	TRY(shmem_write, "shared memory, to write"),
	TRY(readonly_shared, "the same without PROT_WRITE, to read"),
	TRY(readonly_shared_write, "the same without PROT_WRITE, to write"),
	TRY(private_file_write, "private mapping of a file, to write"),
	TRY(file_write, "shared writable mapping of a file, to write"),
};

static const struct litmus_try *get_try(const struct litmus_evidence *e, size_t i)
{
	return (const void *)((const char *)e + tries[i].at);
}

static const char *outcome_name(enum litmus_outcome outcome)
{
	return outcome == LITMUS_TAKEN ? "taken" :
	       outcome == LITMUS_REFUSED ? "refused" : "not tried";
}

static enum out_style style_of(enum litmus_answer answer)
{
	return answer ? OUT_PLAIN : OUT_FAINT;
}

static void print_contract(const struct litmus_finding *f)
{
	if (f->rung) {
		out_text(OUT_GOOD, "%s", litmus_rung_name(f->rung));
		printf("   WRITE: %s\n", litmus_write_name(f->write));
		return;
	}
	out_text(OUT_WARNING, "cannot tell here");
	if (f->low < f->high)
		printf(": anything from '%s' to '%s'", litmus_rung_name(f->low),
		       litmus_rung_name(f->high));
	printf("   WRITE: %s\n", litmus_write_name(f->write));
	out_paragraph("  because ", f->why_not);
}

void litmus_print(const struct litmus_session *s,
		  const struct litmus_evidence *e,
		  const struct litmus_finding *f)
{
	size_t i;

	out_text(OUT_TITLE, "%s", s->provider->name);
	printf(": %s\n", *s->what ? s->what : s->provider->summary);
	print_contract(f);
	out_text(OUT_TITLE, "\nevidence\n");
	for (i = 0; i < f->nr; i++) {
		out_text(style_of(f->reason[i].answer), "  %-9s %s\n",
			 litmus_question_name(f->reason[i].question),
			 litmus_answer_name(f->reason[i].answer));
		out_paragraph("      ", f->reason[i].text);
	}
	out_text(OUT_TITLE, "\ntried, %d pages each\n", LITMUS_TRY_PAGES);
	for (i = 0; i < ARRAY_SIZE(tries); i++) {
		const struct litmus_try *t = get_try(e, i);

		printf("  %-46s %s", tries[i].text,
		       *t->said ? t->said : outcome_name(t->outcome));
		if (t->outcome && t->pins >= 0)
			printf(", %+lld pins", (long long)t->pins);
		putchar('\n');
	}
	out_text(OUT_TITLE, "\nbeside it\n");
	printf("  file: %s\n", s->file_why);
	printf("  the kernel's rule about files: %s (%s)\n",
	       litmus_answer_name(e->file_rule), e->file_rule_how);
	if (!e->count.why_not[0])
		printf("  held at once: %+lld to %+lld of %llu pages; VmPin %+lld kB\n",
		       (long long)e->count.held_min, (long long)e->count.held_max,
		       (unsigned long long)e->count.pages,
		       (long long)e->memlock_kb);
}

static void put(json_object *to, const char *key, const char *s)
{
	json_object_object_add(to, key, json_object_new_string(s));
}

static void put_number(json_object *to, const char *key, int64_t n)
{
	json_object_object_add(to, key, json_object_new_int64(n));
}

static json_object *json_count(const struct litmus_count *c)
{
	json_object *j = json_object_new_object();

	if (c->why_not[0]) {
		put(j, "why_not", c->why_not);
		return j;
	}
	put_number(j, "pages", c->pages);
	put_number(j, "lag", c->lag);
	put_number(j, "rounds", c->rounds);
	put_number(j, "call_min", c->call_min);
	put_number(j, "call_max", c->call_max);
	put_number(j, "quiet_max", c->quiet_max);
	put_number(j, "held_min", c->held_min);
	put_number(j, "held_max", c->held_max);
	return j;
}

static json_object *json_share(const struct litmus_share *share)
{
	json_object *j = json_object_new_object();

	if (share->why_not[0]) {
		put(j, "why_not", share->why_not);
		return j;
	}
	put_number(j, "pages", share->pages);
	put_number(j, "so", share->so);
	return j;
}

static json_object *json_places(const struct litmus_places *p)
{
	json_object *j = json_object_new_object();

	if (p->why_not[0]) {
		put(j, "why_not", p->why_not);
		return j;
	}
	put_number(j, "pages", p->pages);
	put_number(j, "unpinnable", p->unpinnable);
	put_number(j, "left", p->left);
	put_number(j, "stayed", p->stayed);
	put_number(j, "quiet", p->quiet);
	return j;
}

static json_object *json_try(const struct litmus_try *t)
{
	json_object *j = json_object_new_object();

	put(j, "outcome", outcome_name(t->outcome));
	if (t->outcome == LITMUS_REFUSED)
		put(j, "errno", t->err ? strerrorname_np(t->err) : "hidden");
	if (*t->said)
		put(j, "said", t->said);
	if (t->outcome && t->pins >= 0)
		put_number(j, "pins", t->pins);
	return j;
}

static json_object *json_measured(const struct litmus_session *s,
				  const struct litmus_evidence *e)
{
	json_object *all = json_object_new_object(), *tried;
	size_t i;

	json_object_object_add(all, "count", json_count(&e->count));
	json_object_object_add(all, "fork", json_share(&e->fork));
	json_object_object_add(all, "evict", json_share(&e->evict));
	json_object_object_add(all, "orphan", json_share(&e->orphan));
	json_object_object_add(all, "untouched", json_share(&e->untouched));
	json_object_object_add(all, "places", json_places(&e->places));
	tried = json_object_new_object();
	for (i = 0; i < ARRAY_SIZE(tries); i++)
		json_object_object_add(tried, tries[i].name,
				       json_try(get_try(e, i)));
	json_object_object_add(all, "tried", tried);
	put(all, "file", s->file_why);
	put(all, "file_rule", litmus_answer_name(e->file_rule));
	put(all, "file_rule_how", e->file_rule_how);
	put(all, "cow_rule", litmus_answer_name(e->cow_rule));
	put_number(all, "memlock_kb", e->memlock_kb);
	return all;
}

json_object *litmus_json(const struct litmus_session *s,
			 const struct litmus_evidence *e,
			 const struct litmus_finding *f)
{
	json_object *j = json_object_new_object(), *reasons, *reason;
	size_t i;

	put(j, "provider", s->provider->name);
	put(j, "what", s->what);
	put(j, "rung", litmus_rung_name(f->rung));
	put(j, "weakest", litmus_rung_name(f->low));
	put(j, "strongest", litmus_rung_name(f->high));
	put(j, "write", litmus_write_name(f->write));
	if (f->why_not[0])
		put(j, "why_not", f->why_not);
	reasons = json_object_new_array();
	for (i = 0; i < f->nr; i++) {
		reason = json_object_new_object();
		put(reason, "question", litmus_question_name(f->reason[i].question));
		put(reason, "evidence", f->reason[i].name);
		put(reason, "answer", litmus_answer_name(f->reason[i].answer));
		put(reason, "text", f->reason[i].text);
		json_object_array_add(reasons, reason);
	}
	json_object_object_add(j, "reasons", reasons);
	json_object_object_add(j, "measured", json_measured(s, e));
	return j;
}
