// SPDX-License-Identifier: GPL-2.0
/*
 * The unit tests of pinprobe_kunit.ko, run in this kernel: its results in
 * debugfs become one KTAP document.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MODULES		"/m/kunit"
#define RESULTS		"/sys/kernel/debug/kunit"
#define SUITES		"pinprobe_"

#define KSFT_FAIL	1
#define KSFT_SKIP	4

/* Returns 0 or an errno; one that is there already counts as loaded. */
static int load(const char *name, const char *options)
{
	char path[256];
	int fd, ret;

	snprintf(path, sizeof(path), "%s/%s", MODULES, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	ret = syscall(SYS_finit_module, fd, options, 0) ? errno : 0;
	close(fd);
	return ret == EEXIST ? 0 : ret;
}

static bool load_all(void)
{
	/* Whatever CONFIG_KUNIT_DEFAULT_ENABLED and _AUTORUN_ENABLED say. */
	int err = load("kunit.ko", "enable=1 autorun=1");

	/* No such file: built in. */
	if (err && err != ENOENT) {
		printf("Bail out! kunit.ko does not load: %s\n", strerror(err));
		return false;
	}
	err = load("pinprobe_kunit.ko", "");
	if (err) {
		printf("Bail out! pinprobe_kunit.ko does not load: %s\n",
		       strerror(err));
		return false;
	}
	return true;
}

static int is_suite(const struct dirent *entry)
{
	return !strncmp(entry->d_name, SUITES, strlen(SUITES));
}

/*
 * The file is a document of its own with one test, whose children are indented:
 * they are passed on, and its result gets the number it has in ours.
 */
static bool show(const char *suite, int number)
{
	char path[512], line[4096];
	bool ok = false, seen = false;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/results", RESULTS, suite);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "ok ", 3) || !strncmp(line, "not ok ", 7)) {
			seen = true;
			ok = line[0] == 'o';
		} else if (*line == ' ' || *line == '#') {
			fputs(line, stdout);
		}
	}
	if (file)
		fclose(file);
	if (!seen)
		printf("# %s has no result\n", path);
	printf("%sok %d %s\n", ok ? "" : "not ", number, suite);
	return ok;
}

int main(void)
{
	struct dirent **suites;
	bool ok = true;
	int i, count;

	setlinebuf(stdout);
	puts("KTAP version 1");
	if (access(MODULES "/pinprobe_kunit.ko", F_OK)) {
		puts("1..0 # SKIP no-kunit: this kernel has no CONFIG_KUNIT");
		return KSFT_SKIP;
	}
	if (!load_all())
		return KSFT_FAIL;
	count = scandir(RESULTS, &suites, is_suite, alphasort);
	if (count <= 0) {
		printf("Bail out! no suite of ours in %s\n", RESULTS);
		return KSFT_FAIL;
	}
	printf("1..%d\n", count);
	for (i = 0; i < count; i++) {
		ok &= show(suites[i]->d_name, i + 1);
		free(suites[i]);
	}
	free(suites);
	return ok ? 0 : KSFT_FAIL;
}
