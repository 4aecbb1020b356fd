// SPDX-License-Identifier: GPL-2.0
/* Rows that no line is about, and lines that are about no row. */
#include <errno.h>
#include <stdlib.h>
#include "coverage.h"

#define LINES	8192

struct coverage {
	const int (*kernels)[2];
	size_t nr_kernels;
	struct row *rows;
	size_t nr;
	bool used[LINES];	/* lines of the table expect */
	FILE *out;
	int complaints;
};

static void use(struct coverage *coverage, const struct row *row,
		const int kernel[2], bool must)
{
	struct expectation found;

	if (table_expect(&contract_tables, &row->key, kernel, &found)) {
		if (found.line < LINES)
			coverage->used[found.line] = true;
	} else if (must) {
		coverage->complaints++;
		fprintf(coverage->out, "%s: no line of expect is about it on %d.%d\n",
			row->name, kernel[0], kernel[1]);
	}
}

static void check_rows(struct coverage *coverage)
{
	size_t i, k;

	for (i = 0; i < coverage->nr; i++)
		for (k = 0; k < coverage->nr_kernels; k++)
			use(coverage, &coverage->rows[i], coverage->kernels[k],
			    true);
}

static void check_line(struct coverage *coverage,
		       const struct expectation *line)
{
	const int *ends[] = { line->kernels.from, line->kernels.to };
	size_t i, end;

	for (end = 0; end < 2; end++)
		for (i = 0; i < coverage->nr && ends[end][0]; i++)
			use(coverage, &coverage->rows[i], ends[end], false);
	if (coverage->used[line->line])
		return;
	coverage->complaints++;
	fprintf(coverage->out, "expect, line %d: never the first line that matches a row\n",
		line->line);
}

static void check_expect(struct coverage *coverage)
{
	struct expectation line = { 0 };

	while (table_next_expect(&contract_tables, &line))
		if (line.line < LINES && !coverage->used[line.line])
			check_line(coverage, &line);
}

static int check_plan(struct coverage *coverage)
{
	const char *plan = contract_tables.plan;
	unsigned int rule, nr = rules_count(plan);
	struct rule_set used;
	int err = rows_used_rules(&used);

	for (rule = 0; !err && rule < nr; rule++) {
		if (rules_has(&used, rule))
			continue;
		coverage->complaints++;
		fprintf(coverage->out, "plan, line %d: never the first line that matches\n",
			rules_line(plan, rule));
	}
	return err;
}

int coverage_check(const int (*kernels)[2], size_t nr, FILE *out)
{
	struct coverage *coverage = calloc(1, sizeof(*coverage));
	ssize_t rows;
	int ret;

	if (!coverage)
		return -ENOMEM;
	*coverage = (struct coverage){
		.kernels = kernels, .nr_kernels = nr, .out = out,
	};
	rows = rows_plan(NULL, "*", &coverage->rows);
	ret = rows < 0 ? rows : check_plan(coverage);
	if (!ret) {
		coverage->nr = rows;
		check_rows(coverage);
		check_expect(coverage);
		ret = coverage->complaints;
	}
	if (rows >= 0)
		free(coverage->rows);
	free(coverage);
	return ret;
}
