/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What runs of the suite placement have recorded: where memory lay as a guest
 * filled up, one series for each run, all of one profile.
 */
#ifndef VMRUN_PLACEMENT_H
#define VMRUN_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

struct placement_step {
	long long touched_kb;		/* until now */
	long long pages;		/* of this step, and of these: */
	long long cma;
	long long movable;
	long long ordinary;
	long long mem_free_kb;		/* after it */
	long long cma_free_kb;
	/* Of the zones that have memory of the class; it itself. */
	long long zones_free_kb;
	long long class_free_kb;
};

struct placement_series {
	char *label;			/* kernel, for people */
	char *kernel;
	char *release;
	char *dir;
	struct placement_step *steps;	/* the first: nothing touched yet */
	size_t count;
};

struct placement {
	char *profile;
	bool movable;			/* ZONE_MOVABLE is asked about, not CMA */
	struct placement_series *series;
	size_t count;
};

/* NULL, or what is wrong with the run folder, to be freed. */
char *placement_load(struct placement *p, const char *dir);
void placement_free(struct placement *p);

const char *placement_class(const struct placement *p);	/* for people */
/* Percent of the step's pages that lie in memory of the class. */
double placement_share(const struct placement *p,
		       const struct placement_step *step);
/* Percent of what is free in the class's zones; -1 if nothing is. */
double placement_free_share(const struct placement_step *step);
/*
 * The first step after which CMA is no more than half of what is free in its
 * zones, so that the stock policy begins to choose; 0 if there is none.
 */
size_t placement_half(const struct placement *p,
		      const struct placement_series *s);

json_object *placement_json(const struct placement *p);
char *placement_table(const struct placement *p);

/* vmrun --chart OUT RUN-DIR...: OUT.txt, OUT.json, OUT.svg; the exit code. */
int placement_main(int argc, char **argv);

#endif
