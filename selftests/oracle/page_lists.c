// SPDX-License-Identifier: GPL-2.0
/* The lists at the end of the page: commits, rows, names, what is not run. */
#include <stdlib.h>
#include <string.h>
#include "../contracts/table_line.h"
#include "page.h"
#include "page_text.h"

void page_changes(FILE *out)
{
	struct change change;
	size_t i;

	text_title(out, "Commits that changed it", '=');
	if (!table_nth_change(&contract_tables, 0, &change))
		fputs("None is known to have changed any of this.\n", out);
	for (i = 0; table_nth_change(&contract_tables, i, &change); i++) {
		fprintf(out, "_`change %s`\n    %s", change.name, change.since);
		if (strcmp(change.commit, "-"))
			fprintf(out, ", commit %s", change.commit);
		fputs(", \"", out);
		text_plain(out, change.title, change.title_len);
		fputs("\"\n\n", out);
	}
}

int page_rows(const struct store *store, FILE *out)
{
	const struct consumer *last = NULL;
	struct row *rows;
	ssize_t nr = rows_plan(NULL, "*", &rows), i;

	if (nr < 0)
		return 1;
	text_title(out, "Rows", '=');
	fprintf(out, "All %zd, of which a guest runs those whose placement it has.\n", nr);
	for (i = 0; i < nr; i++) {
		if (rows[i].consumer != last) {
			last = rows[i].consumer;
			text_title(out, last->name, '-');
		}
		fprintf(out, "- _`%s`: ", rows[i].name);
		text_outcomes(out, &rows[i].key, store, false);
		fputc('\n', out);
	}
	free(rows);
	return 0;
}

void page_names(FILE *out)
{
	const struct entry *entry;
	enum dimension of;
	char title[32];
	size_t i;

	text_title(out, "Names", '=');
	fputs("A row is called consumer.access.backing.placement.hold, and .dropped if the hold\n"
	      "was let go of before.\n", out);
	for (of = 0; of < DIMENSIONS; of++) {
		snprintf(title, sizeof(title), "%s", dimension_name(of));
		text_title(out, title, '-');
		for (i = 0; (entry = dimension_entry(of, i)); i++) {
			fprintf(out, "_`%s %s`\n    ", dimension_name(of),
				entry->name);
			text_plain(out, entry->what, strlen(entry->what));
			fputs("\n\n", out);
		}
	}
}

void page_rules(FILE *out)
{
	const char *at = contract_tables.plan;
	struct table_line line = { 0 };
	size_t i;

	text_title(out, "What is not run", '=');
	fputs("By the first rule of ``selftests/contracts/plan`` that speaks of it.\n\n", out);
	while (table_next(&at, &line)) {
		if (line.nr <= RULE_RUN || !strcmp(line.field[RULE_RUN], "run"))
			continue;
		fputs("- ``", out);
		for (i = 0; i < RULE_RUN; i++)
			fprintf(out, "%s%s", i ? " " : "", line.field[i]);
		fputs("``: ", out);
		text_plain(out, line.text + (line.field[RULE_RUN] - line.copy),
			   line.len - (line.field[RULE_RUN] - line.copy));
		fputc('\n', out);
	}
}
