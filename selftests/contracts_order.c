// SPDX-License-Identifier: GPL-2.0
/*
 * No row of contracts depends on the rows before it: what each does in the order
 * of the plan, it does in another, and alone.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include "kselftest_harness.h"

/* Rows that are run alone, spread over all of them. */
#define ALONE	12
/* Seconds, in emulation; vm/suites has a shorter one. */
#define TIMEOUT	960

struct outcomes {
	char **line;
	size_t nr;
	int status;
};

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_lines(struct outcomes *outcomes, FILE *f)
{
	size_t room = 0, len = 0;
	char *line = NULL;

	outcomes->line = NULL;
	outcomes->nr = 0;
	while (getline(&line, &len, f) > 0) {
		if (outcomes->nr == room) {
			room = room ? 2 * room : 512;
			outcomes->line = realloc(outcomes->line,
						 room * sizeof(line));
		}
		outcomes->line[outcomes->nr++] = line;
		line = NULL;
	}
	free(line);
	qsort(outcomes->line, outcomes->nr, sizeof(line), compare);
}

/* "contracts --outcomes" with one more option, from where this program is. */
static void run(struct __test_metadata *_metadata, struct outcomes *outcomes,
		const char *option, const char *value)
{
	char path[PATH_MAX], program[PATH_MAX + 16];
	ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);
	int out[2];
	pid_t pid;

	ASSERT_LT(0, len);
	path[len] = '\0';
	snprintf(program, sizeof(program), "%s/contracts", dirname(path));
	ASSERT_EQ(0, pipe(out));
	pid = fork();
	ASSERT_LE(0, pid);
	if (!pid) {
		dup2(out[1], STDOUT_FILENO);
		close(out[0]);
		execl(program, "contracts", "--outcomes", option, value, NULL);
		_exit(127);
	}
	close(out[1]);
	read_lines(outcomes, fdopen(out[0], "r"));
	ASSERT_EQ(pid, waitpid(pid, &outcomes->status, 0));
	ASSERT_EQ(0, outcomes->status) TH_LOG("contracts %s %s", option, value);
	ASSERT_LT(0, outcomes->nr);
}

/* Each kernel has an order of its own, the same every day. */
static void make_seed(char text[16])
{
	int version = 0, patchlevel = 0;
	struct utsname name;

	if (!uname(&name))
		sscanf(name.release, "%d.%d", &version, &patchlevel);
	snprintf(text, 16, "%d", 100 * version + patchlevel);
}

static void name_of(const char *line, char *name, size_t room)
{
	snprintf(name, room, "%.*s", (int)strcspn(line, "\n "), line);
}

static void expect_shuffled(struct __test_metadata *_metadata,
			    const struct outcomes *planned)
{
	struct outcomes other;
	char order[16];
	size_t i;

	make_seed(order);
	run(_metadata, &other, "--shuffle", order);
	ASSERT_EQ(planned->nr, other.nr);
	for (i = 0; i < planned->nr; i++)
		EXPECT_STREQ(planned->line[i], other.line[i])
			TH_LOG("contracts --shuffle %s", order);
}

static void expect_alone(struct __test_metadata *_metadata,
			 const struct outcomes *planned)
{
	struct outcomes one;
	char name[256];
	size_t i, nr;

	for (nr = 0; nr < ALONE; nr++) {
		i = nr * (planned->nr - 1) / (ALONE - 1);
		name_of(planned->line[i], name, sizeof(name));
		run(_metadata, &one, "--row", name);
		ASSERT_EQ(1, one.nr);
		EXPECT_STREQ(planned->line[i], one.line[0])
			TH_LOG("contracts --row %s", name);
	}
}

FIXTURE(rows)
{
};

FIXTURE_SETUP(rows)
{
}

FIXTURE_TEARDOWN(rows)
{
}

/* One test, since all of it is compared with the same run. */
TEST_F_TIMEOUT(rows, independent, TIMEOUT)
{
	struct outcomes planned;

	run(_metadata, &planned, "--row", "*");
	expect_shuffled(_metadata, &planned);
	expect_alone(_metadata, &planned);
}

TEST_HARNESS_MAIN
