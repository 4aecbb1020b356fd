// SPDX-License-Identifier: GPL-2.0
/* The names that rows have, and what they are like. */
#include <ctype.h>
#include <string.h>
#include <strings.h>
#include "names.h"

static const struct entry accesses[] = {
	{ "read", "read only" },
	{ "write", "write access" },
};

const char *dimension_name(enum dimension dimension)
{
	static const char * const names[DIMENSIONS] = {
		"consumer", "access", "backing", "placement", "hold",
	};

	return names[dimension];
}

const struct entry *dimension_entry(enum dimension dimension, size_t i)
{
	switch (dimension) {
	case OF_CONSUMER:
		return (const struct entry *)consumers[i];
	case OF_ACCESS:
		return i < 2 ? &accesses[i] : NULL;
	case OF_BACKING:
		return (const struct entry *)backings[i];
	case OF_PLACEMENT:
		return (const struct entry *)placements[i];
	case OF_HOLD:
		return (const struct entry *)holds[i];
	default:
		return NULL;
	}
}

/* The next run of letters, digits and @also of a text. */
static size_t next_word(const char **at, const char *also)
{
	size_t len = 0;

	while (**at && !isalnum(**at) && !strchr(also, **at))
		++*at;
	while ((*at)[len] && (isalnum((*at)[len]) || strchr(also, (*at)[len])))
		len++;
	return len;
}

/* Whether one of the words of @text is @word; @begins: begins with it. */
static bool has_word(const char *text, const char *also, const char *word,
		     bool begins)
{
	size_t len = strlen(word), found;

	for (; (found = next_word(&text, also)); text += found)
		if ((found == len || (begins && found > len)) &&
		    !strncasecmp(text, word, len))
			return true;
	return false;
}

/* "pin_fast" in "pin_fast_longterm", at the borders of its parts. */
static bool has_part(const char *name, const char *part)
{
	const char *at = strcasestr(name, part);

	for (; at; at = strcasestr(at + 1, part)) {
		char end = at[strlen(part)];

		if ((at == name || at[-1] == '_') && (!end || end == '_'))
			return true;
	}
	return false;
}

/* Letters and digits alone: "pin-fast", "PinFast". */
static bool same_letters(const char *name, const char *word)
{
	while (*name || *word) {
		if (*name && !isalnum(*name))
			name++;
		else if (*word && !isalnum(*word))
			word++;
		else if (tolower(*name++) != tolower(*word++))
			return false;
	}
	return true;
}

int name_score(const struct entry *entry, const char *word)
{
	if (!strcmp(entry->name, word))
		return 16;
	if (same_letters(entry->name, word))
		return 12;
	if (has_part(entry->name, word))
		return 8;
	if (entry->what && has_word(entry->what, "_-", word, false))
		return 4;
	if (entry->what && has_word(entry->what, "", word, false))
		return 3;
	if (strlen(word) >= 3 && has_word(entry->name, "", word, true))
		return 2;
	return 0;
}

/* Insertions, deletions and exchanges that make one of the other. */
static size_t distance(const char *a, const char *b)
{
	size_t row[64], len = strlen(b), i, left, above, cost;

	if (strlen(a) > 60 || len > 60)
		return 60;
	for (i = 0; i <= len; i++)
		row[i] = i;
	for (; *a; a++) {
		left = row[0]++;
		for (i = 1; i <= len; i++) {
			above = row[i];
			cost = left + (tolower(*a) != tolower(b[i - 1]));
			left = above;
			if (above + 1 < cost)
				cost = above + 1;
			if (row[i - 1] + 1 < cost)
				cost = row[i - 1] + 1;
			row[i] = cost;
		}
	}
	return row[len];
}

const char *question_guess(const char *word)
{
	size_t best = strlen(word) >= 5 ? 3 : 2, found, i;
	const struct entry *entry;
	const char *guess = NULL;
	enum dimension of;

	for (of = 0; of < DIMENSIONS; of++) {
		for (i = 0; (entry = dimension_entry(of, i)); i++) {
			found = distance(entry->name, word);
			if (found < best) {
				best = found;
				guess = entry->name;
			}
		}
	}
	return guess;
}
