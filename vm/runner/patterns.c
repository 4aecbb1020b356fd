// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "patterns.h"
#include "text.h"

struct loading {
	struct patterns *patterns;
	struct text joined;
	const char *path;
	const char *release;
	unsigned int line;
	char *error;
};

static void patterns_add(struct loading *l, const char *regex,
			 const char *reason)
{
	struct patterns *p = l->patterns;
	struct pattern new = { 0 };
	char why[128];
	int err;

	err = regcomp(&new.regex, regex, REG_EXTENDED);
	if (err) {
		regerror(err, &new.regex, why, sizeof(why));
		l->error = text_format("%s:%u: bad pattern \"%s\": %s",
				       l->path, l->line, regex, why);
		return;
	}
	new.source = text_dup(regex);
	new.reason = reason ? text_dup(reason) : NULL;
	p->all = text_grow(p->all, p->count, sizeof(new));
	p->all[p->count++] = new;
	text_printf(&l->joined, "%s(%s)", l->joined.len ? "|" : "", regex);
}

static void deny_line(void *ctx, char *line)
{
	struct loading *l = ctx;

	l->line++;
	if (l->error || line[0] == '#' || !line[strspn(line, " \t")])
		return;
	patterns_add(l, line, NULL);
}

/* kernel release glob, TAB, pattern, TAB, reason */
static void allow_line(void *ctx, char *line)
{
	struct loading *l = ctx;
	char *glob = line, *regex, *reason;

	l->line++;
	if (l->error || line[0] == '#' || !line[strspn(line, " \t")])
		return;
	regex = strchr(line, '\t');
	reason = regex ? strchr(regex + 1, '\t') : NULL;
	if (!reason || !reason[1 + strspn(reason + 1, " \t")]) {
		l->error = text_format("%s:%u: an entry is a kernel release glob, a pattern and a reason, separated by tabs",
				       l->path, l->line);
		return;
	}
	*regex++ = '\0';
	*reason++ = '\0';
	if (!*glob || !*regex) {
		l->error = text_format("%s:%u: empty glob or pattern",
				       l->path, l->line);
		return;
	}
	if (!l->release || !fnmatch(glob, l->release, 0))
		patterns_add(l, regex, text_skip_space(reason));
}

static char *patterns_load(struct loading *l, void (*line)(void *, char *))
{
	struct patterns *p = l->patterns;

	if (!text_file_lines(l->path, line, l) && !l->error)
		l->error = text_format("%s: %s", l->path, strerror(errno));
	if (!l->error && p->count) {
		if (regcomp(&p->any, l->joined.s, REG_EXTENDED | REG_NOSUB))
			l->error = text_format("%s: the patterns do not go together",
					       l->path);
		else
			p->have_any = true;
	}
	text_free(&l->joined);
	return l->error;
}

char *patterns_load_deny(struct patterns *p, const char *path)
{
	struct loading l = { .patterns = p, .path = path };
	char *error;

	memset(p, 0, sizeof(*p));
	error = patterns_load(&l, deny_line);
	if (!error && !p->count)
		error = text_format("%s: no pattern in the deny list: every console would pass for clean",
				    path);
	return error;
}

char *patterns_load_allow(struct patterns *p, const char *path,
			  const char *release)
{
	struct loading l = { .patterns = p, .path = path, .release = release };

	memset(p, 0, sizeof(*p));
	return patterns_load(&l, allow_line);
}

void patterns_free(struct patterns *p)
{
	size_t i;

	for (i = 0; i < p->count; i++) {
		regfree(&p->all[i].regex);
		free(p->all[i].source);
		free(p->all[i].reason);
	}
	free(p->all);
	if (p->have_any)
		regfree(&p->any);
	memset(p, 0, sizeof(*p));
}

bool patterns_any(const struct patterns *p, const char *s, int eflags)
{
	return p->have_any && !regexec(&p->any, s, 0, NULL, eflags);
}

const struct pattern *patterns_find(const struct patterns *p, const char *s,
				    int eflags, size_t *end)
{
	regmatch_t match;
	size_t i;

	for (i = 0; i < p->count; i++) {
		if (regexec(&p->all[i].regex, s, 1, &match, eflags))
			continue;
		if (end)
			*end = match.rm_eo;
		return &p->all[i];
	}
	return NULL;
}
