/* SPDX-License-Identifier: GPL-2.0 */
/* Evidence made up for tests of the decision. */
#ifndef TESTS_LITMUS_EVIDENCE_H
#define TESTS_LITMUS_EVIDENCE_H

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "../tools/litmus_decide.h"

/* Why something was not measured. */
static inline void because(char why_not[128], const char *why)
{
	snprintf(why_not, 128, "%s", why);
}

static inline void taken(struct litmus_try *t)
{
	*t = (struct litmus_try){ .outcome = LITMUS_TAKEN };
}

static inline void refused(struct litmus_try *t, int err)
{
	*t = (struct litmus_try){
		.outcome = LITMUS_REFUSED,
		.err = err,
		.said = "no, for example",
	};
}

static inline struct litmus_count counted(int64_t min, int64_t max,
					  int64_t quiet, uint64_t lag)
{
	return (struct litmus_count){
		.pages = 4096,
		.rounds = LITMUS_ROUNDS,
		.call_min = min,
		.call_max = max,
		.quiet_max = quiet,
		.lag = lag,
	};
}

static inline struct litmus_share share(size_t so, size_t pages)
{
	return (struct litmus_share){ .pages = pages, .so = so };
}

/* FOLL_PIN | FOLL_LONGTERM, FOLL_WRITE when asked for, on a kernel of today. */
static inline struct litmus_evidence longterm(void)
{
	struct litmus_evidence e = {
		.count = counted(4096, 4096, 0, 0),
		.fork = share(64, 64),
		.evict = share(64, 64),
		.orphan = share(64, 64),
		.untouched = share(16, 16),
		.file_rule = LITMUS_YES,
		.cow_rule = LITMUS_YES,
	};

	because(e.places.why_not, "no such place");
	taken(&e.anon_write);
	taken(&e.anon_read);
	taken(&e.shmem_write);
	taken(&e.private_file_write);
	refused(&e.file_write, EFAULT);
	taken(&e.readonly_private);
	taken(&e.readonly_shared);
	refused(&e.readonly_shared_write, EFAULT);
	return e;
}

/* The same without FOLL_LONGTERM. */
static inline struct litmus_evidence short_pin(void)
{
	struct litmus_evidence e = longterm();

	taken(&e.file_write);
	e.untouched = share(0, 16);
	return e;
}

/* get_user_pages() */
static inline struct litmus_evidence reference(void)
{
	struct litmus_evidence e = short_pin();

	e.count = counted(0, 0, 0, 0);
	e.fork = share(0, 64);
	return e;
}

/* Nothing at all. */
static inline struct litmus_evidence nothing(void)
{
	struct litmus_evidence e = reference();

	e.evict = share(0, 64);
	e.orphan = share(2, 64);
	taken(&e.readonly_shared_write);
	return e;
}

static inline struct litmus_finding decide(const struct litmus_evidence *e)
{
	struct litmus_finding f;

	litmus_decide(e, &f);
	return f;
}

/* What one piece of evidence was taken to say. */
static inline const char *weighed(const struct litmus_finding *f,
				  const char *name)
{
	size_t i;

	for (i = 0; i < f->nr; i++)
		if (!strcmp(f->reason[i].name, name))
			return litmus_answer_name(f->reason[i].answer);
	return "absent";
}

#define CHECK_RUNG(e, rung_) do {					\
	struct litmus_finding found = decide(&(e));			\
	CHECK_STRING(litmus_rung_name(found.rung), rung_);		\
} while (0)

#define CHECK_BOUNDS(e, low_, high_) do {				\
	struct litmus_finding found = decide(&(e));			\
	CHECK_STRING(litmus_rung_name(found.rung), "unknown");		\
	CHECK_STRING(litmus_rung_name(found.low), low_);		\
	CHECK_STRING(litmus_rung_name(found.high), high_);		\
	CHECK(found.why_not[0]);					\
} while (0)

#define CHECK_WEIGHED(e, name_, answer_) do {				\
	struct litmus_finding found = decide(&(e));			\
	CHECK_STRING(weighed(&found, name_), answer_);			\
} while (0)

#define CHECK_WRITE(e, write_) do {					\
	struct litmus_finding found = decide(&(e));			\
	CHECK_STRING(litmus_write_name(found.write), write_);		\
} while (0)

#endif
