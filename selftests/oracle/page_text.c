// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <string.h>
#include "page_text.h"

#define OUTCOME_ROOM	96

struct outcome {
	char text[OUTCOME_ROOM];
	char change[EXPECT_CHANGE];	/* "-": none */
};

void text_title(FILE *out, const char *title, char underline)
{
	size_t i;

	fprintf(out, "\n%s\n", title);
	for (i = 0; i < strlen(title); i++)
		fputc(underline, out);
	fputs("\n\n", out);
}

void text_plain(FILE *out, const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		bool ends = i + 1 == len || !isalnum(text[i + 1]);

		if (strchr("*`|\\", text[i]) || (text[i] == '_' && ends))
			fputc('\\', out);
		fputc(text[i], out);
	}
}

void text_table(FILE *out, size_t columns, const char *widths)
{
	size_t i;

	fprintf(out, ".. list-table::\n   :header-rows: 1\n   :widths: %s",
		widths);
	for (i = 1; i < columns; i++)
		fprintf(out, " 20");
	fputs("\n\n", out);
}

void text_cell(FILE *out, bool first)
{
	fputs(first ? "   * - " : "     - ", out);
}

static void outcome_of(const struct row_key *key, const int kernel[2],
		       struct outcome *outcome)
{
	struct expectation found;

	snprintf(outcome->change, sizeof(outcome->change), "-");
	if (!table_expect(&contract_tables, key, kernel, &found)) {
		snprintf(outcome->text, sizeof(outcome->text), "?");
		return;
	}
	snprintf(outcome->text, sizeof(outcome->text), "%s%s%s%s%s",
		 verdict_name(found.verdict), found.error ? " " : "",
		 found.error ? strerrorname_np(found.error) : "",
		 found.effect == EFFECT_ANY ? "" : " ",
		 found.effect == EFFECT_ANY ? "" : effect_name(found.effect));
	snprintf(outcome->change, sizeof(outcome->change), "%s", found.change);
}

/* Links to the row, and to the commit that made it so. */
static void print_outcome(FILE *out, const struct outcome *outcome,
		  const struct row_key *key, bool linked)
{
	struct change change;
	char name[ROW_NAME];

	row_name(key, name);
	if (linked)
		fprintf(out, "`%s <%s_>`__", outcome->text, name);
	else
		fputs(outcome->text, out);
	if (table_change(&contract_tables, outcome->change, &change))
		fprintf(out, " (`%s <change %s_>`__)", change.since, change.name);
}

void text_outcome(FILE *out, const struct row_key *key, const int kernel[2],
		  bool linked)
{
	char reason[ROW_NAME];
	struct outcome outcome;

	if (!table_planned(&contract_tables, key, reason)) {
		fputs("no row", out);
		return;
	}
	outcome_of(key, kernel, &outcome);
	print_outcome(out, &outcome, key, linked);
}

static bool same(const struct outcome *a, const struct outcome *b)
{
	return !strcmp(a->text, b->text) && !strcmp(a->change, b->change);
}

void text_outcomes(FILE *out, const struct row_key *key,
		   const struct store *store, bool linked)
{
	struct outcome outcome[32];
	char reason[ROW_NAME];
	size_t i, first;

	if (!table_planned(&contract_tables, key, reason)) {
		fputs("no row", out);
		return;
	}
	for (i = 0; i < store->nr; i++)
		outcome_of(key, store->kernel[i], &outcome[i]);
	for (first = 0; first < store->nr; first = i) {
		for (i = first + 1; i < store->nr; i++)
			if (!same(&outcome[first], &outcome[i]))
				break;
		if (first || i < store->nr)
			fprintf(out, "%s%d.%d", first ? "; " : "",
				store->kernel[first][0], store->kernel[first][1]);
		if (i > first + 1 && (first || i < store->nr))
			fprintf(out, " to %d.%d", store->kernel[i - 1][0],
				store->kernel[i - 1][1]);
		if (first || i < store->nr)
			fputs(": ", out);
		print_outcome(out, &outcome[first], key, linked);
	}
}

void text_accesses(FILE *out, const struct row_key *key, unsigned int can,
		   const int kernel[2])
{
	struct row_key read = *key, write = *key;
	struct outcome reads, writes;
	char reason[ROW_NAME];

	read.access = "read";
	write.access = "write";
	outcome_of(&read, kernel, &reads);
	outcome_of(&write, kernel, &writes);
	if (table_planned(&contract_tables, &read, reason) &&
	    table_planned(&contract_tables, &write, reason) &&
	    can == (ACCESS_READ | ACCESS_WRITE) && same(&reads, &writes)) {
		print_outcome(out, &writes, &write, true);
		return;
	}
	if (can & ACCESS_WRITE) {
		fputs(can & ACCESS_READ ? "write: " : "", out);
		text_outcome(out, &write, kernel, true);
	}
	if (can & ACCESS_READ) {
		fputs(can & ACCESS_WRITE ? "; read: " : "", out);
		text_outcome(out, &read, kernel, true);
	}
}
