/* SPDX-License-Identifier: GPL-2.0 */
/* What a call that takes pages finds: limits and free memory. */
#ifndef SELFTESTS_SURROUNDINGS_H
#define SELFTESTS_SURROUNDINGS_H

#include "verdict.h"

/*
 * Bytes that an unmovable allocation of the calling process can have, by its
 * cpuset and by no policy; UINT64_MAX: cannot be told.
 */
uint64_t surroundings_pinnable_free(void);

/* Whether its cpuset leaves out nodes that have memory. */
bool surroundings_barred(void);

/* Of the calling process, which is about to have @wanted bytes charged. */
int surroundings_memlock(struct verdict_memlock *memlock, uint64_t wanted);

/* For a call that pins @len bytes. */
void surroundings_table(struct verdict_table *table, uint64_t len);

#endif /* SELFTESTS_SURROUNDINGS_H */
