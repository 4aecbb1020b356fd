// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "skips.h"
#include "text.h"

/* Explained in vm/expected-skips; a test compares the two. */
const char * const skip_reasons[] = {
	"no-32bit",
	"no-bar",
	"no-btf",
	"no-cma",
	"no-cpuset",
	"no-device-mapper",
	"no-disk",
	"no-faults",
	"no-ftrace",
	"no-hugetlb",
	"no-io_uring",
	"no-kmemleak",
	"no-kunit",
	"no-lockdown",
	"no-memory",
	"no-memory-failure",
	"no-movable",
	"no-numa",
	"no-odp",
	"no-p2p",
	"no-packet",
	"no-rxe",
	"no-secretmem",
	"no-swap",
	"no-thp",
	"no-userfaultfd",
	"no-vfio",
	"no-vmsplice",
	"no-xdp",
	"not-this-kernel",
	"not-this-profile",
	NULL
};

struct loading {
	struct skips *skips;
	const char *path;
	unsigned int line;
	char *error;
};

static bool reason_known(const char *s, size_t len)
{
	size_t i;

	for (i = 0; skip_reasons[i]; i++)
		if (strlen(skip_reasons[i]) == len &&
		    !strncmp(skip_reasons[i], s, len))
			return true;
	return false;
}

/* kernel glob, profile glob, test glob, reason */
static void skips_line(void *ctx, char *line)
{
	struct loading *l = ctx;
	const char *p = line;
	struct skip_rule *new;

	l->line++;
	p = text_skip_space(p);
	if (l->error || !*p || *p == '#')
		return;
	l->skips->all = text_grow(l->skips->all, l->skips->count, sizeof(*new));
	new = &l->skips->all[l->skips->count++];
	memset(new, 0, sizeof(*new));
	new->kernel = text_word(&p);
	new->profile = text_word(&p);
	new->test = text_word(&p);
	new->reason = text_word(&p);
	if (!new->reason || *text_skip_space(p))
		l->error = text_format("%s:%u: a line is kernel, profile, test and reason",
				       l->path, l->line);
	else if (!reason_known(new->reason, strlen(new->reason)))
		l->error = text_format("%s:%u: \"%s\" is not a reason of the list",
				       l->path, l->line, new->reason);
}

char *skips_load(struct skips *s, const char *path)
{
	struct loading l = { .skips = s, .path = path };

	memset(s, 0, sizeof(*s));
	if (!text_file_lines(path, skips_line, &l) && !l.error)
		l.error = text_format("%s: %s", path, strerror(errno));
	return l.error;
}

void skips_free(struct skips *s)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		free(s->all[i].kernel);
		free(s->all[i].profile);
		free(s->all[i].test);
		free(s->all[i].reason);
	}
	free(s->all);
	memset(s, 0, sizeof(*s));
}

static bool skip_expected(struct skips *s, const struct result *r, size_t len,
			  const char *kernel, const char *profile)
{
	size_t i;

	for (i = 0; i < s->count; i++) {
		struct skip_rule *rule = &s->all[i];

		if (strlen(rule->reason) != len ||
		    strncmp(rule->reason, r->reason, len) ||
		    fnmatch(rule->kernel, kernel, 0) ||
		    fnmatch(rule->profile, profile, 0) ||
		    fnmatch(rule->test, r->name, 0))
			continue;
		rule->used++;
		return true;
	}
	return false;
}

static void skip_fail(struct result *r, const char *fmt)
{
	char *why = text_format("%s (it said: %s)", fmt,
				r->reason ? r->reason : "nothing");

	free(r->reason);
	r->reason = why;
	r->status = STATUS_FAILED;
}

/* Of "prog.page.*" the program ran; of "*" anything did. */
static bool rule_about(const struct skip_rule *rule, const struct results *r)
{
	size_t len = strcspn(rule->test, ".*?["), i;

	for (i = 0; i < r->count; i++)
		if (!r->all[i].check &&
		    !strncmp(rule->test, r->all[i].program, len) &&
		    (rule->test[len] != '.' || !r->all[i].program[len]))
			return true;
	return false;
}

static void rules_due(struct skips *s, const struct results *r,
		      const char *kernel, const char *profile)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		s->all[i].due = !fnmatch(s->all[i].kernel, kernel, 0) &&
				!fnmatch(s->all[i].profile, profile, 0) &&
				rule_about(&s->all[i], r);
}

void skips_apply(struct skips *s, struct results *r, const char *kernel,
		 const char *profile)
{
	size_t i, len;

	rules_due(s, r, kernel, profile);
	for (i = 0; i < r->count; i++) {
		struct result *t = &r->all[i];

		if (t->status != STATUS_SKIPPED)
			continue;
		len = t->reason ? strcspn(t->reason, ": \t") : 0;
		if (!len || !reason_known(t->reason, len))
			skip_fail(t, "skipped without a reason of the list");
		else if (!skip_expected(s, t, len, kernel, profile))
			skip_fail(t, "skipped, and it is not expected here");
	}
}
