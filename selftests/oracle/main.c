// SPDX-License-Identifier: GPL-2.0
/*
 * The oracle of long-term pins, asked: from the tables alone, on any machine.
 *
 * oracle --kernels FILE WORD...	what a pin must do there
 * oracle --kernels FILE --check	whether the tables are whole
 * oracle --kernels FILE --page		the documentation made of them
 */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include "../contracts/coverage.h"
#include "../contracts/table_line.h"
#include "answer.h"
#include "page.h"

static int misused(void)
{
	fprintf(stderr, "usage: oracle --kernels FILE WORD... | --check | --page\n");
	return 2;
}

/* The versions in the names of vm/kernels, each once, in its order. */
static int read_store(const char *path, struct store *store)
{
	struct table_line line = { 0 };
	static char text[1 << 16];
	const char *at = text;
	FILE *f = fopen(path, "re");
	int version[2];
	size_t len, i;

	if (!f)
		return -errno;
	len = fread(text, 1, sizeof(text) - 1, f);
	text[len] = '\0';
	fclose(f);
	while (store->nr < 32 && table_next(&at, &line)) {
		if (!question_version(line.field[0], version))
			continue;
		for (i = 0; i < store->nr; i++)
			if (!memcmp(store->kernel[i], version, sizeof(version)))
				break;
		if (i == store->nr)
			memcpy(store->kernel[store->nr++], version,
			       sizeof(version));
	}
	return store->nr ? 0 : -EINVAL;
}

static int check(const struct store *store)
{
	char why[256];
	int nr;

	if (table_check(&contract_tables, rows_known, why)) {
		fprintf(stderr, "%s\n", why);
		return 1;
	}
	nr = coverage_check(store->kernel, store->nr, stderr);
	if (nr < 0)
		fprintf(stderr, "oracle: %s\n", strerror(-nr));
	return nr != 0;
}

int main(int argc, char **argv)
{
	static const struct option known[] = {
		{ "kernels", required_argument, NULL, 'k' },
		{ "check", no_argument, NULL, 'c' },
		{ "page", no_argument, NULL, 'p' },
		{ }
	};
	struct question question;
	struct store store = { 0 };
	const char *kernels = NULL;
	int c, what = 0, err;

	while ((c = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (c == 'k')
			kernels = optarg;
		else if (c == 'c' || c == 'p')
			what = c;
		else
			return misused();
	}
	if (!kernels || (what == 0) == (optind == argc))
		return misused();
	err = read_store(kernels, &store);
	if (err) {
		fprintf(stderr, "oracle: %s: %s\n", kernels, strerror(-err));
		return 1;
	}
	if (what == 'c')
		return check(&store);
	if (what == 'p')
		return page_write(&store, stdout);
	question_read(&question, argc - optind, argv + optind);
	return answer(&question, &store, stdout, stderr);
}
