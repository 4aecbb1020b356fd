// SPDX-License-Identifier: GPL-2.0
/* The table as one page that needs nothing beside it. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "grid_style.h"
#include "xml.h"

#define DOT	" \xc2\xb7 "

static const char *cell_class(enum cell c)
{
	static const char * const classes[] = {
		[CELL_NOT_RUN] = "none",
		[CELL_MISSING] = "fail",
		[CELL_PASSED] = "pass",
		[CELL_SKIPPED] = "skip",
		[CELL_FAILED] = "fail",
	};

	return classes[c];
}

static void add_head(xmlTextWriterPtr w)
{
	xml_start(w, "head");
	xml_start(w, "meta");
	xml_attribute(w, "charset", "utf-8");
	xmlTextWriterEndElement(w);
	xml_start(w, "meta");
	xml_attribute(w, "name", "viewport");
	xml_attribute(w, "content", "width=device-width, initial-scale=1");
	xmlTextWriterEndElement(w);
	xml_element(w, "title", NULL, "pinprobe results");
	xml_element(w, "style", NULL, GRID_STYLE);
	xml_end(w);
}

static void add_column_head(xmlTextWriterPtr w, const struct grid_column *c)
{
	const struct grid_run *r = c->runs[0];
	char *s;

	xml_start(w, "th");
	xml_attribute(w, "scope", "col");
	xml_attribute(w, "class", c->counts.failed ||
		      c->rank > OUTCOME_SKIPPED ? "fail" : "pass");
	xml_element(w, "b", NULL, c->name);
	xml_element(w, "small", NULL, r->release);
	s = text_format("%s%s%s%s%s", r->note, *r->note ? DOT : "", r->accel,
			DOT, c->began);
	xml_element(w, "small", NULL, s);
	free(s);
	s = text_format("%s: %lu passed, %lu failed, %lu skipped", c->outcome,
			c->counts.passed, c->counts.failed, c->counts.skipped);
	xml_element(w, "small", NULL, s);
	free(s);
	xml_end(w);
}

static void add_table_head(xmlTextWriterPtr w, const struct grid *g)
{
	size_t i;

	xml_start(w, "thead");
	xml_start(w, "tr");
	xml_start(w, "th");
	xml_attribute(w, "scope", "col");
	xml_text(w, "test");
	xml_end(w);
	for (i = 0; i < g->nr_columns; i++)
		add_column_head(w, &g->columns[i]);
	xml_end(w);
	xml_end(w);
}

static void add_cell(xmlTextWriterPtr w, const struct grid *g, size_t row,
		     size_t column)
{
	const struct grid_test *test = g->rows[row].cells[column];
	const struct grid_column *c = &g->columns[column];
	enum cell state = grid_cell(g, row, column);
	char *title;

	title = text_format("%s: %s%s%s%s%s%s%s", g->rows[row].name, c->name,
			    DOT, c->runs[0]->release, DOT, c->runs[0]->accel,
			    DOT, c->began);
	xml_start(w, "td");
	xml_attribute(w, "class", cell_class(state));
	xml_attribute(w, "title", title);
	xml_text(w, grid_cell_word(state));
	if (test && test->cases)
		xml_element(w, "small", NULL, test->cases);
	if (test && test->reason && test->status != STATUS_PASSED)
		xml_element(w, "small", NULL, test->reason);
	xml_end(w);
	free(title);
}

static void add_row(xmlTextWriterPtr w, const struct grid *g, const char *name,
		    size_t row, size_t count)
{
	char *number;
	size_t i;

	xml_start(w, "tr");
	if (g->rows[row].differs)
		xml_attribute(w, "class", "differs");
	xml_start(w, "th");
	xml_attribute(w, "scope", "row");
	xml_text(w, name);
	if (count > 1) {
		number = text_format(" %zu tests", count);
		xml_element(w, "i", NULL, number);
		free(number);
	}
	if (g->rows[row].differs)
		xml_element(w, "em", NULL, " differs");
	xml_end(w);
	for (i = 0; i < g->nr_columns; i++)
		add_cell(w, g, row, i);
	xml_end(w);
}

static void table_begin(xmlTextWriterPtr w, const struct grid *g)
{
	xml_start(w, "div");
	xml_attribute(w, "class", "scroll");
	xml_attribute(w, "tabindex", "0");
	xml_start(w, "table");
	add_table_head(w, g);
	xml_start(w, "tbody");
}

static void table_end(xmlTextWriterPtr w)
{
	xml_end(w);
	xml_end(w);
	xml_end(w);
}

static void add_summary(xmlTextWriterPtr w, const struct grid *g)
{
	struct counts n = { 0 };
	size_t i, differ = 0;
	char *s;

	for (i = 0; i < g->nr_columns; i++) {
		n.passed += g->columns[i].counts.passed;
		n.failed += g->columns[i].counts.failed;
		n.skipped += g->columns[i].counts.skipped;
	}
	for (i = 0; i < g->nr_rows; i++)
		differ += g->rows[i].differs;
	s = text_format("%lu passed, %lu failed, %lu skipped. %zu rows, of which %zu differ between the kernels and profiles that ran them.",
			n.passed, n.failed, n.skipped, g->nr_rows, differ);
	xml_element(w, "h1", NULL, "pinprobe results");
	xml_element(w, "p", NULL, s);
	free(s);
}

static void add_body(xmlTextWriterPtr w, const struct grid *g)
{
	struct grid_lines lines;
	size_t i;

	grid_lines_make(&lines, g);
	xml_start(w, "body");
	add_summary(w, g);
	table_begin(w, g);
	for (i = 0; i < lines.count; i++)
		add_row(w, g, lines.all[i].name, lines.all[i].row,
			lines.all[i].count);
	table_end(w);
	if (lines.count != g->nr_rows) {
		xml_start(w, "details");
		xml_element(w, "summary", NULL, "every row");
		table_begin(w, g);
		for (i = 0; i < g->nr_rows; i++)
			add_row(w, g, g->rows[i].name, i, 1);
		table_end(w);
		xml_end(w);
	}
	xml_end(w);
	grid_lines_free(&lines);
}

char *grid_html_write(const struct grid *g, const char *path)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	char *error;

	if (!w)
		return text_format("%s: out of memory", path);
	/* No XML declaration: browsers take it for a comment before the DTD. */
	xmlTextWriterWriteDTD(w, BAD_CAST "html", NULL, NULL, NULL);
	xmlTextWriterWriteString(w, BAD_CAST "\n");
	xml_start(w, "html");
	xml_attribute(w, "lang", "en");
	add_head(w);
	add_body(w, g);
	xml_end(w);
	xmlTextWriterEndDocument(w);
	xmlFreeTextWriter(w);
	error = text_file_write(path, (const char *)xmlBufferContent(buffer));
	xmlBufferFree(buffer);
	return error;
}
