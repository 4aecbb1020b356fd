/* SPDX-License-Identifier: GPL-2.0 */
/* Who pins what must stay movable, without FOLL_LONGTERM, and for how long. */
#ifndef PINPROBE_AUDIT_H
#define PINPROBE_AUDIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUDIT_CALLERS	256
#define AUDIT_BUCKETS	16	/* below 1 ms, 2 ms, 4 ms, ... and beyond */

/**
 * struct audit_caller - a function that pins pages without FOLL_LONGTERM
 * @name:	of the function, "?" if it is not known
 * @module:	"" for the kernel itself
 * @calls:	pins of it that have ended
 * @held:	of these, by how long they were held: bucket i is below 2^i ms
 * @violations:	calls that held pages in CMA or ZONE_MOVABLE for too long
 * @pages:	such pages of these
 * @longest:	ns, of these
 * @pid:	of the first
 * @comm:	of the first
 * @pfn:	of the first
 */
struct audit_caller {
	char name[64], module[32];
	uint64_t calls, held[AUDIT_BUCKETS];
	uint64_t violations, pages, longest;
	uint32_t pid;
	char comm[16];
	uint64_t pfn;
};

struct audit_table {
	struct audit_caller caller[AUDIT_CALLERS];
	unsigned int callers;
	uint64_t unlisted;	/* calls of callers that had no room */
};

/* The one by that name, a new one if need be; NULL: no room. */
struct audit_caller *audit_caller(struct audit_table *t, const char *name,
				  const char *module);

/* Which bucket a time belongs to. */
unsigned int audit_bucket(uint64_t ns);

/* Callers with violations, first those with the most pages, then the others. */
void audit_sort(struct audit_table *t);

uint64_t audit_violations(const struct audit_table *t);

#endif
