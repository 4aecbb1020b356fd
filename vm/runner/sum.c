// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <json-c/json.h>

#include "outcome.h"
#include "results.h"
#include "sum.h"
#include "text.h"

struct sum {
	struct counts counts;
	enum outcome worst;
	int exit_code;
	bool any_passed;
};

static void sum_outcome(struct sum *s, enum outcome o, int exit_code)
{
	if (o <= s->worst)
		return;
	s->worst = o;
	s->exit_code = exit_code;
}

static long long sum_number(json_object *o, const char *key)
{
	json_object *value;

	if (!o || !json_object_object_get_ex(o, key, &value) ||
	    !json_object_is_type(value, json_type_int) ||
	    json_object_get_int64(value) < 0)
		return -1;
	return json_object_get_int64(value);
}

static bool sum_counts(struct sum *s, json_object *counts)
{
	long long passed = sum_number(counts, "passed");
	long long failed = sum_number(counts, "failed");
	long long skipped = sum_number(counts, "skipped");

	if (passed < 0 || failed < 0 || skipped < 0)
		return false;
	s->counts.passed += passed;
	s->counts.failed += failed;
	s->counts.skipped += skipped;
	return true;
}

/* A folder without a result is a lost run, and counts as a failure. */
static void sum_dir(struct sum *s, const char *dir)
{
	char *path = text_format("%s/result.json", dir);
	json_object *j = json_object_from_file(path), *name, *counts = NULL;
	long long code = sum_number(j, "exit_code");
	enum outcome o;

	if (j)
		json_object_object_get_ex(j, "counts", &counts);
	if (j && json_object_object_get_ex(j, "outcome", &name) &&
	    outcome_parse(json_object_get_string(name), &o) &&
	    code >= 0 && code < 256 && (o == OUTCOME_PASSED) == !code &&
	    sum_counts(s, counts)) {
		s->any_passed |= o == OUTCOME_PASSED;
		sum_outcome(s, o, code);
		if (o != OUTCOME_PASSED)
			printf("%s: %s\n", dir, json_object_get_string(name));
	} else {
		printf("%s: no result of a finished run\n", dir);
		s->counts.failed++;
		sum_outcome(s, OUTCOME_LOST, 126);
	}
	json_object_put(j);
	free(path);
}

static bool sum_extra(struct sum *s, const char *arg)
{
	unsigned long passed, failed, skipped;
	int end = 0;

	if (sscanf(arg, "%9lu,%9lu,%9lu%n", &passed, &failed, &skipped, &end) != 3 ||
	    arg[end] || strchr(arg, '-'))
		return false;
	s->counts.passed += passed;
	s->counts.failed += failed;
	s->counts.skipped += skipped;
	s->any_passed |= passed;
	if (failed || (!passed && !skipped))
		sum_outcome(s, OUTCOME_FAILED, 1);
	return true;
}

int sum_main(int argc, char **argv)
{
	struct sum s = { 0 };
	int i, dirs = 0;

	for (i = 2; i < argc; i++) {
		if (!strcmp(argv[i], "--extra")) {
			if (++i == argc || !sum_extra(&s, argv[i])) {
				fputs("vmrun: --extra takes PASSED,FAILED,SKIPPED\n",
				      stderr);
				return 2;
			}
			continue;
		}
		if (argv[i][0] == '-') {
			fprintf(stderr, "vmrun: --sum: unknown option %s\n",
				argv[i]);
			return 2;
		}
		sum_dir(&s, argv[i]);
		dirs++;
	}
	if (!dirs) {
		fputs("vmrun: --sum needs run folders\n", stderr);
		return 2;
	}
	/* All of one kernel skipped is no fault while another one passed. */
	if (s.worst == OUTCOME_SKIPPED && s.any_passed)
		s.exit_code = 0;
	printf("%lu passed, %lu failed, %lu skipped\n", s.counts.passed,
	       s.counts.failed, s.counts.skipped);
	return s.exit_code;
}
