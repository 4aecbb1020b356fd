/* SPDX-License-Identifier: GPL-2.0 */
/* Page records from /dev/pinprobe, or without the module from procfs. */
#ifndef SELFTESTS_LOOK_H
#define SELFTESTS_LOOK_H

#include <stdbool.h>
#include "oracle.h"

struct look {
	int dev;		/* /dev/pinprobe, -1 without the module */
	struct oracle oracle;	/* open only without the module */
};

/* All return 0 or -errno. The caller looks at itself. */
int look_open(struct look *look);
void look_close(struct look *look);
int look_pages(const struct look *look, const void *addr, size_t nr,
	       struct pinprobe_page *pages);

/* Whether records have reference and pin counts. */
static inline bool look_refs(const struct look *look)
{
	return look->dev >= 0;
}

#endif /* SELFTESTS_LOOK_H */
