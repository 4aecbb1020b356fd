// SPDX-License-Identifier: GPL-2.0
/*
 * The documentation that is made of the tables. However many names there are: of
 * all dimensions two are shown at a time, the others as most people have them.
 */
#include <stdlib.h>
#include <string.h>
#include "page.h"
#include "page_text.h"

/* What is meant where a table does not say. */
#define USUAL_CONSUMER	"rxe_mr"
#define USUAL_BACKING	"anon"
#define USUAL_HOLD	"none"

static void write_head(FILE *out)
{
	/* Of the page, not of this file. */
	fprintf(out, ".. %s%s\n", "SPDX-License-",
		"Identifier: GPL-2.0");
	fputs(".. Made of selftests/contracts/ by \"make contracts-page\": not to be edited.\n\n"
	      "==================\n"
	      "What may be pinned\n"
	      "==================\n\n"
	      "What a pin must do on which memory, by kernel, as ``selftests/contracts/`` has\n"
	      "it and ``make test TEST=contracts`` measures it. contracts.rst says how to read\n"
	      "this page and how rows are added; verdicts.rst what the verdicts mean.\n\n"
	      "A cell is the verdict, the errno, and what becomes of the page: it stays, moves,\n"
	      "appears, is absent or goes. It leads to its row, and the version behind it to the\n"
	      "commit that made it so; what is before that version is what it changed. Where\n"
	      "there is no row, the end of the page says why.\n", out);
}

static void head_row(FILE *out, const char *first,
		     enum dimension of)
{
	const struct entry *entry;
	size_t i;

	text_cell(out, true);
	fprintf(out, "%s\n", first);
	for (i = 0; (entry = dimension_entry(of, i)); i++) {
		text_cell(out, false);
		fprintf(out, "%s\n", entry->name);
	}
}

static size_t columns(enum dimension of)
{
	size_t nr = 0;

	while (dimension_entry(of, nr))
		nr++;
	return nr + 1;
}

static const struct consumer *usual_consumer(void)
{
	size_t i;

	for (i = 0; consumers[i]; i++)
		if (!strcmp(consumers[i]->name, USUAL_CONSUMER))
			return consumers[i];
	return consumers[0];
}

static void name_cell(FILE *out, enum dimension of, const char *name,
		      const char *suffix)
{
	text_cell(out, true);
	fprintf(out, "`%s%s <%s %s_>`__\n", name, suffix, dimension_name(of),
		name);
}

static void write_backings(FILE *out, const int kernel[2])
{
	const struct consumer *consumer = usual_consumer();
	struct row_key key = { .consumer = consumer->name, .hold = USUAL_HOLD };
	char title[32];
	size_t i, j;

	snprintf(title, sizeof(title), "Linux %d.%d", kernel[0], kernel[1]);
	text_title(out, title, '-');
	text_table(out, columns(OF_PLACEMENT), "18");
	head_row(out, "backing", OF_PLACEMENT);
	for (i = 0; backings[i]; i++) {
		key.backing = backings[i]->name;
		name_cell(out, OF_BACKING, key.backing, "");
		for (j = 0; placements[j]; j++) {
			key.placement = placements[j]->name;
			text_cell(out, false);
			text_accesses(out, &key, consumer->access, kernel);
			fputc('\n', out);
		}
	}
}

static void write_holds(FILE *out, const struct store *store)
{
	struct row_key key = {
		.consumer = usual_consumer()->name, .access = "write",
		.backing = USUAL_BACKING,
	};
	size_t i, j, dropped;

	text_table(out, columns(OF_PLACEMENT), "24");
	head_row(out, "hold", OF_PLACEMENT);
	for (i = 0; holds[i]; i++) {
		key.hold = holds[i]->name;
		for (dropped = 0; dropped < 2; dropped++) {
			key.dropped = dropped;
			if (dropped && holds[i]->kind == HOLD_NOTHING)
				continue;
			name_cell(out, OF_HOLD, key.hold,
				  dropped ? ".dropped" : "");
			for (j = 0; placements[j]; j++) {
				key.placement = placements[j]->name;
				text_cell(out, false);
				text_outcomes(out, &key, store, true);
				fputc('\n', out);
			}
		}
	}
}

static void write_consumers(FILE *out, const struct store *store,
			    const char *hold)
{
	struct row_key key = { .backing = USUAL_BACKING, .hold = hold };
	size_t i, j;

	text_table(out, columns(OF_PLACEMENT), "24");
	head_row(out, "consumer", OF_PLACEMENT);
	for (i = 0; consumers[i]; i++) {
		key.consumer = consumers[i]->name;
		key.access = consumers[i]->access & ACCESS_WRITE ? "write" :
								   "read";
		name_cell(out, OF_CONSUMER, key.consumer, "");
		for (j = 0; placements[j]; j++) {
			key.placement = placements[j]->name;
			text_cell(out, false);
			text_outcomes(out, &key, store, true);
			fputc('\n', out);
		}
	}
}

static int by_version(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return x[0] != y[0] ? x[0] - y[0] : x[1] - y[1];
}

int page_write(const struct store *given, FILE *out)
{
	struct store store = *given;
	size_t i;

	qsort(store.kernel, store.nr, sizeof(store.kernel[0]), by_version);
	write_head(out);
	text_title(out, "By kind of memory", '=');
	fputs("``" USUAL_CONSUMER "``, and nobody has touched the page before.\n", out);
	for (i = 0; i < store.nr; i++)
		write_backings(out, store.kernel[i]);
	text_title(out, "By earlier hold", '=');
	fputs("``" USUAL_CONSUMER "`` for writing, on ``" USUAL_BACKING "``.\n"
	      "What was let go of before is *dropped*.\n\n", out);
	write_holds(out, &store);
	text_title(out, "By consumer", '=');
	fputs("On ``" USUAL_BACKING "``, for writing where it can, and nobody has touched the page\n"
	      "before.\n\n", out);
	write_consumers(out, &store, USUAL_HOLD);
	fputs("\nThe same after ``pin_user_pages_fast()`` without FOLL_LONGTERM (``pin``), still\n"
	      "held.\n\n", out);
	write_consumers(out, &store, "pin");
	page_changes(out);
	if (page_rows(&store, out))
		return 1;
	page_names(out);
	page_rules(out);
	return ferror(out) || fflush(out) ? 1 : 0;
}
