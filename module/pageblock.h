/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PAGEBLOCK_H
#define PINPROBE_PAGEBLOCK_H

#include <linux/types.h>

struct page;

/**
 * struct pp_pageblock - what the pageblock bitmap says of a block
 * @migratetype: enum pinprobe_migratetype
 * @isolated: allocation from the block is stopped
 */
struct pp_pageblock {
	u8 migratetype;
	bool isolated;
};

struct pp_pageblock pp_pageblock_read(const struct page *page,
				      unsigned long pfn);
struct pp_pageblock pp_pageblock_decode(unsigned long bits);
u8 pp_pageblock_migratetype(unsigned int raw);
u32 pp_pageblock_migratetypes(void);

#endif /* PINPROBE_PAGEBLOCK_H */
