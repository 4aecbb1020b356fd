// SPDX-License-Identifier: GPL-2.0
/* How far those found are known to hold the page. */
#include "unit.h"
#include "../tools/holders_judge.c"

static const struct account unknown = { .state = ACCOUNT_UNKNOWN };
static const struct account none = { .state = ACCOUNT_FREE };
static const struct account pinned = { .state = ACCOUNT_HELD, .pins = 1 };
static const struct account held = { .state = ACCOUNT_HELD, .rest = 1 };
static const struct account both = { .state = ACCOUNT_HELD, .pins = 1, .rest = 1 };

static const struct holder mapping = {
	.kind = HOLDER_MAPPING, .claim = HOLDER_CLAIM_FRAME, .pid = 1,
};
static const struct holder ring = {
	.kind = HOLDER_RING, .claim = HOLDER_CLAIM_ADDRESS, .pid = 2,
	.takes = HOLDER_TAKES_PIN,
};
static const struct holder own_pin = {
	.kind = HOLDER_PIN, .claim = HOLDER_CLAIM_FRAME, .pid = 3,
	.takes = HOLDER_TAKES_PIN,
};
static const struct holder region = {
	.kind = HOLDER_REGION, .claim = HOLDER_CLAIM_SIZE, .pid = 4,
	.takes = HOLDER_TAKES_PIN,
};
static const struct holder vfio = {
	.kind = HOLDER_DRIVER, .claim = HOLDER_CLAIM_KIND, .pid = 5,
	.takes = HOLDER_TAKES_PIN,
};
static const struct holder pipe_of = {
	.kind = HOLDER_PIPE, .claim = HOLDER_CLAIM_KIND, .pid = 6,
	.takes = HOLDER_TAKES_REF,
};
static const struct holder queue = {
	.kind = HOLDER_SOCKET, .claim = HOLDER_CLAIM_KIND, .pid = 7,
	.takes = HOLDER_TAKES_REF,
};
static const struct holder io = {
	.kind = HOLDER_IO, .claim = HOLDER_CLAIM_ADDRESS, .pid = 8,
	.takes = HOLDER_TAKES_PIN | HOLDER_TAKES_REF,
};

/* "certain 1, likely 2": by certainty, each with its pid. */
static char *judged(const struct account *a, size_t nr, const struct holder *all)
{
	static const char *const names[] = { "certain", "likely", "possible", "excluded" };
	static struct text t;
	struct holder list[4];
	size_t i;

	memcpy(list, all, nr * sizeof(*list));
	holders_judge(list, nr, a);
	text_clear(&t);
	for (i = 0; i < nr; i++)
		text_printf(&t, "%s%s %d", i ? ", " : "",
			    names[list[i].certainty], list[i].pid);
	return t.s;
}

#define JUDGED(want, a, ...) do {					\
	const struct holder list[] = { __VA_ARGS__ };			\
									\
	CHECK_STRING(judged(a, ARRAY_SIZE(list), list), want);		\
} while (0)

TEST(who_judge_of_nobody)
{
	holders_judge(NULL, 0, &held);
}

/* What has the frame itself has it, whatever was counted. */
TEST(who_judge_of_frames)
{
	JUDGED("certain 1", &unknown, mapping);
	JUDGED("certain 1, certain 3", &unknown, own_pin, mapping);
	JUDGED("certain 1, certain 3", &none, own_pin, mapping);
}

TEST(who_judge_of_addresses)
{
	JUDGED("likely 2", &unknown, ring);
	JUDGED("certain 2", &pinned, ring);
	JUDGED("certain 1, certain 2", &pinned, ring, mapping);
	/* The page that was there when it was taken is another one. */
	JUDGED("excluded 2", &none, ring);
	JUDGED("excluded 2", &held, ring);
	/* One pin for two of them. */
	JUDGED("likely 2, likely 2", &pinned, ring, ring);
	/* Its pin is known to be another's. */
	JUDGED("certain 3, excluded 2", &pinned, ring, own_pin);
	JUDGED("certain 8", &held, io);
	JUDGED("certain 8", &pinned, io);
	JUDGED("excluded 8", &none, io);
	/* The pin may be the I/O's, and then the ring has another page. */
	JUDGED("certain 8, likely 2", &both, ring, io);
}

TEST(who_judge_of_candidates)
{
	JUDGED("possible 4", &unknown, region);
	JUDGED("possible 6", &unknown, pipe_of);
	JUDGED("likely 6", &held, pipe_of);
	JUDGED("likely 4", &pinned, region);
	JUDGED("excluded 6", &none, pipe_of);
	JUDGED("excluded 6", &pinned, pipe_of);
	JUDGED("excluded 4", &held, region);
	JUDGED("possible 6, possible 7", &held, queue, pipe_of);
	/* What was sized fits better than what merely pins. */
	JUDGED("likely 4, possible 5", &pinned, vfio, region);
	JUDGED("possible 4, possible 4", &pinned, region, region);
}

/* Those who are named leave nothing for those who only could be it. */
TEST(who_judge_of_what_is_left)
{
	JUDGED("certain 2, possible 4", &pinned, region, ring);
	JUDGED("certain 2, likely 6", &both, pipe_of, ring);
	JUDGED("certain 2, excluded 6", &pinned, pipe_of, ring);
}

/* A reference that a batch may have may be a pipe's as well. */
TEST(who_judge_of_a_batch)
{
	const struct account batch = { .state = ACCOUNT_BATCH, .batch = 1 };

	JUDGED("possible 6, possible 7", &batch, queue, pipe_of);
	JUDGED("excluded 2", &batch, ring);
}
