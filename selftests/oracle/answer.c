// SPDX-License-Identifier: GPL-2.0
/* Answers a question from the tables. */
#include <string.h>
#include "answer.h"

#define TEXT_ROOM	512
#define PLACES_MAX	32
/* More rows than anybody reads. */
#define LINES_MAX	60

struct answers {
	const struct question *question;
	const struct store *store;
	int kernel[2];
	FILE *out;
	size_t printed, more, open;
};

static const char *effect_text(enum effect effect)
{
	switch (effect) {
	case EFFECT_STAYS:
		return ", the page stays";
	case EFFECT_MOVES:
		return ", the page moves";
	case EFFECT_APPEARS:
		return ", a page appears";
	case EFFECT_ABSENT:
		return ", no page is there";
	case EFFECT_GOES:
		return ", the page goes";
	default:
		return "";
	}
}

static int compare(const int a[2], const int b[2])
{
	return a[0] != b[0] ? a[0] - b[0] : a[1] - b[1];
}

/* Which side of the change this is, the tables know by its first version. */
static size_t change_text(const struct expectation *expectation,
			  const int kernel[2], char *text, size_t room)
{
	struct change change;
	int since[2];

	if (!table_change(&contract_tables, expectation->change, &change) ||
	    !question_version(change.since, since))
		return 0;
	return snprintf(text, room, ", %s %s (%s%s\"%.*s\")",
			compare(kernel, since) < 0 ? "until" : "since",
			change.since,
			strcmp(change.commit, "-") ? change.commit : "",
			strcmp(change.commit, "-") ? " " : "",
			(int)change.title_len, change.title);
}

void answer_text(const struct expectation *expectation, const int kernel[2],
		 char *text, size_t room)
{
	size_t len;

	len = snprintf(text, room, "%s%s%s%s", verdict_name(expectation->verdict),
		       expectation->error ? ", " : "",
		       expectation->error ? strerrorname_np(expectation->error) : "",
		       effect_text(expectation->effect));
	change_text(expectation, kernel, text + len, room - len);
}

/* What is to be said of one row. */
static void row_text(struct answers *answers, const struct row_key *key,
		     char text[TEXT_ROOM])
{
	struct expectation expectation;
	char reason[ROW_NAME];
	bool planned = table_planned(&contract_tables, key, reason);
	size_t len;

	if (table_expect(&contract_tables, key, answers->kernel, &expectation)) {
		answer_text(&expectation, answers->kernel, text, TEXT_ROOM);
	} else {
		snprintf(text, TEXT_ROOM, "the tables do not say");
		answers->open++;
	}
	len = strlen(text);
	if (!planned)
		snprintf(text + len, TEXT_ROOM - len, "; no row, never run%s%s",
			 *reason ? ": " : "", reason);
}

static bool in_store(const struct store *store, const int kernel[2])
{
	size_t i;

	for (i = 0; i < store->nr; i++)
		if (!compare(store->kernel[i], kernel))
			return true;
	return false;
}

static void print(struct answers *answers, const struct row_key *key,
		  const char *text)
{
	char name[ROW_NAME];

	if (answers->printed == LINES_MAX) {
		answers->more++;
		return;
	}
	answers->printed++;
	row_name(key, name);
	fprintf(answers->out, "%s on %d.%d: %s%s\n", name, answers->kernel[0],
		answers->kernel[1], text,
		in_store(answers->store, answers->kernel) ? "" :
		"; by rule, rows are not run on this version");
}

struct places {
	size_t place[PLACES_MAX];
	char text[PLACES_MAX][TEXT_ROOM];
	size_t nr;
};

/* The places asked about; @planned: those of them that rows are run for. */
static void gather(struct answers *answers, struct row_key *key, bool planned,
		   struct places *places)
{
	const struct choice *choice = &answers->question->choice[OF_PLACEMENT];
	char reason[ROW_NAME];
	size_t i;

	places->nr = 0;
	for (i = 0; placements[i] && places->nr < PLACES_MAX; i++) {
		key->placement = placements[i]->name;
		if (!choice->chosen[i] ||
		    (planned && !table_planned(&contract_tables, key, reason)))
			continue;
		row_text(answers, key, places->text[places->nr]);
		places->place[places->nr++] = i;
	}
}

/* One line if it is the same wherever the page lies. */
static void answer_places(struct answers *answers, struct row_key *key)
{
	const struct choice *choice = &answers->question->choice[OF_PLACEMENT];
	struct places places;
	size_t same, i;

	gather(answers, key, !choice->said, &places);
	if (!places.nr)
		gather(answers, key, false, &places);
	for (same = 1; same < places.nr; same++)
		if (strcmp(places.text[0], places.text[same]))
			break;
	if (same == places.nr && places.nr > 1) {
		key->placement = "*";
		print(answers, key, places.text[0]);
		return;
	}
	for (i = 0; i < places.nr; i++) {
		key->placement = placements[places.place[i]]->name;
		print(answers, key, places.text[i]);
	}
}

static void answer_holds(struct answers *answers, struct row_key *key)
{
	const struct choice *choice = &answers->question->choice[OF_HOLD];
	size_t i;

	for (i = 0; i < NAMES_MAX && holds[i]; i++) {
		if (!choice->chosen[i])
			continue;
		key->hold = holds[i]->name;
		key->dropped = answers->question->dropped &&
			       holds[i]->kind != HOLD_NOTHING;
		answer_places(answers, key);
	}
}

static void answer_memory(struct answers *answers, struct row_key *key,
			  unsigned int can)
{
	const struct choice *choice = answers->question->choice;
	size_t access, i;

	for (access = 0; access < 2; access++) {
		if (!choice[OF_ACCESS].chosen[access] || !(can & 1U << access))
			continue;
		key->access = dimension_entry(OF_ACCESS, access)->name;
		for (i = 0; i < NAMES_MAX && backings[i]; i++) {
			if (!choice[OF_BACKING].chosen[i])
				continue;
			key->backing = backings[i]->name;
			answer_holds(answers, key);
		}
	}
}

static int misunderstood(const struct question *question, FILE *complaints)
{
	size_t i;

	for (i = 0; i < question->nr_unknown; i++) {
		const char *guess = question_guess(question->unknown[i]);

		fprintf(complaints, "oracle: \"%s\" means nothing here%s%s%s\n",
			question->unknown[i], guess ? " (" : "",
			guess ? guess : "", guess ? "?)" : "");
	}
	if (*question->contradiction)
		fprintf(complaints, "oracle: %s\n", question->contradiction);
	return question->nr_unknown || *question->contradiction ? 2 : 0;
}

int answer(const struct question *question, const struct store *store,
	   FILE *out, FILE *complaints)
{
	struct answers answers = {
		.question = question, .store = store, .out = out,
	};
	struct row_key key = { 0 };
	size_t i;

	if (misunderstood(question, complaints))
		return 2;
	memcpy(answers.kernel,
	       question->kernel_said ? question->kernel : store->kernel[0],
	       sizeof(answers.kernel));
	for (i = 0; i < NAMES_MAX && consumers[i]; i++) {
		if (!question->choice[OF_CONSUMER].chosen[i])
			continue;
		key.consumer = consumers[i]->name;
		answer_memory(&answers, &key, consumers[i]->access);
	}
	if (answers.more)
		fprintf(out, "... and %zu more: say more of it\n", answers.more);
	if (!answers.printed)
		fprintf(complaints, "oracle: it never asks for that access\n");
	return answers.open || !answers.printed;
}
