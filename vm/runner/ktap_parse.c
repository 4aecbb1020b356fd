// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "ktap_parse.h"
#include "text.h"

enum directive ktap_parse_directive(const char *s, const char **text)
{
	static const struct {
		const char *word;
		enum directive directive;
	} all[] = {
		{ "SKIP", DIRECTIVE_SKIP },
		{ "XFAIL", DIRECTIVE_XFAIL },
		{ "XPASS", DIRECTIVE_XPASS },
		{ "TODO", DIRECTIVE_OTHER },
		{ "TIMEOUT", DIRECTIVE_OTHER },
		{ "ERROR", DIRECTIVE_OTHER },
	};
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(all); i++) {
		len = strlen(all[i].word);
		if (strncasecmp(s, all[i].word, len) ||
		    isalnum((unsigned char)s[len]))
			continue;
		*text = text_skip_space(s + len);
		return all[i].directive;
	}
	*text = s;
	return DIRECTIVE_NONE;
}

/* Names are used in dotted paths, tables and file names. */
char *ktap_parse_name(const char *s, size_t len)
{
	char *name;
	size_t i;

	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	name = text_printable(s, len);
	for (i = 0; name[i]; i++)
		if (isspace((unsigned char)name[i]))
			name[i] = '_';
	return name;
}

/* "ok 3 - name # SKIP reason" and its kin */
bool ktap_parse_result(const char *s, struct ktap_result *r)
{
	const char *hash, *text;
	size_t len;

	memset(r, 0, sizeof(*r));
	r->ok = !text_starts(s, "not ");
	if (!r->ok)
		s = text_skip_space(s + 4);
	if (!text_starts(s, "ok") || (s[2] && s[2] != ' ' && s[2] != '\t'))
		return false;
	s = text_skip_space(s + 2);
	len = strspn(s, "0123456789");
	if (len && len < 10 && (!s[len] || isspace((unsigned char)s[len]))) {
		r->number = strtol(s, NULL, 10);
		s = text_skip_space(s + len);
	}
	if (text_starts(s, "- "))
		s = text_skip_space(s + 2);
	for (hash = s; (hash = strchr(hash, '#')); hash++)
		if (hash == s || isspace((unsigned char)hash[-1]))
			break;
	r->name = ktap_parse_name(s, hash ? (size_t)(hash - s) : strlen(s));
	text = "";
	if (hash)
		r->directive = ktap_parse_directive(text_skip_space(hash + 1), &text);
	r->text = text_printable(text, strlen(text));
	return true;
}

bool ktap_parse_tells(const char *line)
{
	const char *s = text_skip_space(line);
	struct ktap_result r;

	if (text_starts(s, "Bail out!"))
		return true;
	if (!ktap_parse_result(s, &r))
		return false;
	free(r.name);
	free(r.text);
	return true;
}

/* The first thing it printed that is not the harness's frame around it. */
char *ktap_parse_reason(const char *diag)
{
	const char *s, *end;

	for (s = diag; s && *s; s = *end ? end + 1 : end) {
		end = strchrnul(s, '\n');
		while (*s == '#' || *s == ' ' || *s == '\t')
			s++;
		if (s < end && !text_starts(s, "RUN ") &&
		    !text_starts(s, "FAIL ") && !text_starts(s, "OK "))
			return text_dup_len(s, end - s);
	}
	return NULL;
}
