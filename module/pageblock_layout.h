/* SPDX-License-Identifier: GPL-2.0 */
/* How a kernel keeps migratetypes in the pageblock bitmap. Pure: kunit/ calls the same. */
#ifndef PINPROBE_PAGEBLOCK_LAYOUT_H
#define PINPROBE_PAGEBLOCK_LAYOUT_H

#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/types.h>

#include <linux/pinprobe.h>

/* The number of a migratetype that a kernel does not have. */
#define PP_PAGEBLOCK_NONE	0xff

/**
 * struct pp_pageblock - what the pageblock bitmap says of a block
 * @migratetype: enum pinprobe_migratetype
 * @isolated: allocation from the block is stopped
 */
struct pp_pageblock {
	u8 migratetype;
	bool isolated;
};

/**
 * struct pp_pageblock_layout - one kernel's way
 * @migratetype_mask: where in a block's bits its migratetype is
 * @isolate_mask: where they say that it is isolated; 0 if that is a migratetype
 *	stored in place of the block's own
 * @raw: this kernel's number by enum pinprobe_migratetype, or PP_PAGEBLOCK_NONE
 */
struct pp_pageblock_layout {
	unsigned long migratetype_mask;
	unsigned long isolate_mask;
	u8 raw[PINPROBE_MT_ISOLATE + 1];
};

/**
 * pp_pageblock_bits - the bits of one block
 * @map: the bitmap
 * @block: which block, counted from where the bitmap begins
 * @nr_bits: how many bits each has; a power of two
 */
static inline unsigned long pp_pageblock_bits(const unsigned long *map,
					      unsigned long block,
					      unsigned int nr_bits)
{
	unsigned long index = block * nr_bits;
	unsigned long bits = READ_ONCE(map[index / BITS_PER_LONG]);

	return (bits >> (index % BITS_PER_LONG)) & (BIT(nr_bits) - 1);
}

/**
 * pp_pageblock_decode - what the bits of one block mean
 * @layout: of the kernel that they come from
 * @bits: the bits
 *
 * Return: migratetype, and whether the block is isolated by whichever of the
 * two ways that kernel has.
 */
static inline struct pp_pageblock
pp_pageblock_decode(const struct pp_pageblock_layout *layout,
		    unsigned long bits)
{
	struct pp_pageblock block = { .migratetype = PINPROBE_MT_UNKNOWN };
	unsigned long raw = bits & layout->migratetype_mask;
	u8 type;

	for (type = 0; type < sizeof(layout->raw); type++) {
		if (layout->raw[type] == raw)
			block.migratetype = type;
	}
	block.isolated = block.migratetype == PINPROBE_MT_ISOLATE ||
			 (bits & layout->isolate_mask);
	return block;
}

/**
 * pp_pageblock_types - the migratetypes that a kernel has
 * @layout: of the kernel
 *
 * Return: 1 << enum pinprobe_migratetype for each.
 */
static inline u32 pp_pageblock_types(const struct pp_pageblock_layout *layout)
{
	u32 mask = 0;
	u8 type;

	for (type = 0; type < sizeof(layout->raw); type++) {
		if (layout->raw[type] != PP_PAGEBLOCK_NONE)
			mask |= BIT(type);
	}
	return mask;
}

#endif /* PINPROBE_PAGEBLOCK_LAYOUT_H */
