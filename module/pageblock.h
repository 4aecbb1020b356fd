/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PAGEBLOCK_H
#define PINPROBE_PAGEBLOCK_H

#include <linux/types.h>
#include "pageblock_layout.h"

struct page;

struct pp_pageblock pp_pageblock_read(const struct page *page,
				      unsigned long pfn);
u32 pp_pageblock_migratetypes(void);

#endif /* PINPROBE_PAGEBLOCK_H */
