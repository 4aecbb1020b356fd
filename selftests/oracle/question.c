// SPDX-License-Identifier: GPL-2.0
/* Finds out what the words of a question are about. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "names.h"
#include "question.h"

#define SEPARATORS	" \t\n,;?!\"'"
static bool one_of(const char *word, const char *list)
{
	size_t len = strlen(word);
	const char *at = list;

	for (; (at = strcasestr(at, word)); at++)
		if ((at == list || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	return false;
}

/* Words that say nothing here. */
static bool is_noise(const char *word)
{
	return one_of(word, "a an and as at but by can does do for from has i if in into is it its kernel linux may memory must my of on or page pages pinned take that the then there this to what when which with");
}

bool question_version(const char *word, int version[2])
{
	static const char * const prefixes[] = { "debian-", "linux-", "v", "" };
	const char *number = word;
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
		size_t len = strlen(prefixes[i]);

		if (!strncasecmp(word, prefixes[i], len)) {
			number = word + len;
			break;
		}
	}
	return isdigit(*number) &&
	       sscanf(number, "%d.%d", &version[0], &version[1]) == 2;
}

/* The names of one dimension that @fits likes, each by how much. */
static void narrow(struct question *question, enum dimension of,
		   int (*fits)(const struct entry *entry, const char *word),
		   const char *word)
{
	struct choice *choice = &question->choice[of];
	const struct entry *entry;
	size_t i;

	for (i = 0; i < NAMES_MAX && (entry = dimension_entry(of, i)); i++) {
		int score = fits(entry, word);

		if (!score)
			choice->score[i] = 0;
		else if (choice->score[i])
			choice->score[i] += score;
	}
	choice->said = true;
}

static int best_score(enum dimension of, const char *word)
{
	const struct entry *entry;
	int best = 0, score;
	size_t i;

	for (i = 0; i < NAMES_MAX && (entry = dimension_entry(of, i)); i++) {
		score = name_score(entry, word);
		if (score > best)
			best = score;
	}
	return best;
}

static int fits_glob(const struct entry *entry, const char *glob)
{
	return fnmatch(glob, entry->name, 0) ? 0 : 16;
}

static bool takes_longterm(size_t i)
{
	return consumers[i]->kind == CONSUMES_LONGTERM;
}

static bool takes_short(size_t i)
{
	return consumers[i]->kind == CONSUMES_SHORT;
}

static bool must_move(size_t i)
{
	return placements[i]->unpinnable;
}

static bool may_stay(size_t i)
{
	return !placements[i]->unpinnable;
}

/* A kind is less than a name. */
static void narrow_kind(struct question *question, enum dimension of,
			bool (*is)(size_t i))
{
	struct choice *choice = &question->choice[of];
	size_t i;

	for (i = 0; i < NAMES_MAX && dimension_entry(of, i); i++)
		if (!is(i))
			choice->score[i] = 0;
	choice->said |= of != OF_CONSUMER;
}

/* Words that stand for something and are not, or not only, names. */
static bool read_special(struct question *question, const char *word)
{
	if (one_of(word, "longterm long-term lt foll_longterm"))
		narrow_kind(question, OF_CONSUMER, takes_longterm);
	else if (one_of(word, "short shortterm short-term"))
		narrow_kind(question, OF_CONSUMER, takes_short);
	else if (one_of(word, "unpinnable"))
		narrow_kind(question, OF_PLACEMENT, must_move);
	else if (one_of(word, "pinnable"))
		narrow_kind(question, OF_PLACEMENT, may_stay);
	else if (one_of(word, "r ro readable readonly read-only reading"))
		narrow(question, OF_ACCESS, fits_glob, "read");
	else if (one_of(word, "w rw writable writing read-write"))
		narrow(question, OF_ACCESS, fits_glob, "write");
	else if (one_of(word, "dropped released gone"))
		question->dropped = true;
	else if (one_of(word, "held hold holds holder after earlier"))
		question->next = OF_HOLD;
	else
		return false;
	return true;
}

/* consumer.access.backing.placement.hold, globs, as the oracle itself writes it. */
static bool read_row(struct question *question, const char *word)
{
	const char **part[DIMENSIONS];
	char copy[ROW_NAME];
	struct row_key key;
	enum dimension of;

	if (strlen(word) >= sizeof(copy))
		return false;
	snprintf(copy, sizeof(copy), "%s", word);
	if (!row_parse(copy, &key))
		return false;
	part[OF_CONSUMER] = &key.consumer;
	part[OF_ACCESS] = &key.access;
	part[OF_BACKING] = &key.backing;
	part[OF_PLACEMENT] = &key.placement;
	part[OF_HOLD] = &key.hold;
	for (of = 0; of < DIMENSIONS; of++)
		if (of != OF_PLACEMENT || strcmp(*part[of], "*"))
			narrow(question, of, fits_glob, *part[of]);
	question->dropped |= key.dropped;
	return true;
}

/* "backing=anon" */
static bool read_explicit(struct question *question, const char *word)
{
	size_t len = strcspn(word, "=:");
	enum dimension of;

	if (!word[len] || !word[len + 1])
		return false;
	for (of = 0; of < DIMENSIONS; of++) {
		if (strlen(dimension_name(of)) != len ||
		    strncasecmp(word, dimension_name(of), len))
			continue;
		word += len + 1;
		if (strpbrk(word, "*?["))
			narrow(question, of, fits_glob, word);
		else if (best_score(of, word))
			narrow(question, of, name_score, word);
		else
			return false;
		return true;
	}
	return false;
}

/* Where it fits best; of equals the first of this order. */
static enum dimension best_place(const char *word)
{
	static const enum dimension order[DIMENSIONS] = {
		OF_BACKING, OF_PLACEMENT, OF_ACCESS, OF_HOLD, OF_CONSUMER,
	};
	enum dimension best = DIMENSIONS;
	int score = 0, found;
	size_t i;

	for (i = 0; i < DIMENSIONS; i++) {
		found = best_score(order[i], word);
		if (found > score) {
			score = found;
			best = order[i];
		}
	}
	return best;
}

static bool read_name(struct question *question, const char *word)
{
	enum dimension of = question->next;

	if (of == DIMENSIONS || !best_score(of, word))
		of = best_place(word);
	if (of == DIMENSIONS)
		return false;
	narrow(question, of, name_score, word);
	return true;
}

static void read_word(struct question *question, char *word)
{
	int version[2];

	if (question_version(word, version)) {
		memcpy(question->kernel, version, sizeof(version));
		question->kernel_said = true;
	} else if (question->next == OF_HOLD && best_score(OF_HOLD, word)) {
		narrow(question, OF_HOLD, name_score, word);
	} else if (!is_noise(word) && !read_row(question, word) &&
		   !read_explicit(question, word) &&
		   !read_special(question, word) && !read_name(question, word)) {
		if (question->nr_unknown < UNKNOWN_MAX)
			question->unknown[question->nr_unknown++] = word;
	}
}

/* What is asked about when nothing was said. */
static bool by_default(enum dimension of, size_t i)
{
	const struct entry *entry = dimension_entry(of, i);

	switch (of) {
	case OF_CONSUMER:
		return !strcmp(entry->name, "rxe_mr");
	case OF_ACCESS:
		return !strcmp(entry->name, "write");
	case OF_BACKING:
		return !strcmp(entry->name, "anon");
	case OF_HOLD:
		return holds[i]->kind == HOLD_NOTHING;
	default:
		return true;
	}
}

/* The defaults if they are among those that are left. */
static void prefer(struct choice *choice, enum dimension of, bool other)
{
	bool any = false;
	size_t i;

	for (i = 0; dimension_entry(of, i); i++)
		any |= choice->chosen[i] && by_default(of, i) != other;
	for (i = 0; any && dimension_entry(of, i); i++)
		choice->chosen[i] &= by_default(of, i) != other;
}

static void choose(struct question *question, enum dimension of)
{
	struct choice *choice = &question->choice[of];
	int best = 0;
	size_t i;

	for (i = 0; i < NAMES_MAX && dimension_entry(of, i); i++)
		if (choice->score[i] > best)
			best = choice->score[i];
	for (i = 0; i < NAMES_MAX && dimension_entry(of, i); i++)
		choice->chosen[i] = best && choice->score[i] == best;
	if (!best)
		snprintf(question->contradiction, sizeof(question->contradiction),
			 "no %s is all that was said of it", dimension_name(of));
	if (!choice->said)
		prefer(choice, of, of == OF_HOLD && question->dropped);
	for (i = 0; i < NAMES_MAX && dimension_entry(of, i); i++)
		choice->nr += choice->chosen[i];
}

/* Who can only read is not asked about writing unless somebody says so. */
static void suit_access(struct question *question)
{
	struct choice *access = &question->choice[OF_ACCESS];
	unsigned int can = 0;
	size_t i;

	for (i = 0; i < NAMES_MAX && consumers[i]; i++)
		if (question->choice[OF_CONSUMER].chosen[i])
			can |= consumers[i]->access;
	if (access->said || can & ACCESS_WRITE)
		return;
	access->chosen[0] = true;
	access->chosen[1] = false;
}

void question_read(struct question *question, int nr, char *const *words)
{
	enum dimension of;
	char *word, *rest;
	size_t i;
	int n;

	memset(question, 0, sizeof(*question));
	question->next = DIMENSIONS;
	for (of = 0; of < DIMENSIONS; of++)
		for (i = 0; i < NAMES_MAX; i++)
			question->choice[of].score[i] = 1;
	for (n = 0; n < nr; n++)
		for (rest = words[n]; (word = strsep(&rest, SEPARATORS));)
			if (*word)
				read_word(question, word);
	for (of = 0; of < DIMENSIONS; of++)
		choose(question, of);
	suit_access(question);
}
