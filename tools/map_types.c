// SPDX-License-Identifier: GPL-2.0
/* Migratetypes of all pageblocks, as the kernel has them, read by BPF. */
#include <stdlib.h>

#include "look.h"
#include "map.h"
#include "out.h"

#define SOURCE	"pageblock_flags of the kernel, by BPF"
#define TELLS	"of which migratetype each block is"

/* How many blocks from this one on lie side by side. */
static size_t run_of(const struct map *m, size_t first, size_t most)
{
	size_t nr = 1;

	while (nr < most && first + nr < m->blocks &&
	       m->block[first + nr].pfn == m->block[first].pfn + nr * m->block_pages)
		nr++;
	return nr;
}

/* Whether the kernel was asked at all. */
static bool read_types(struct map *m)
{
	uint8_t types[PAGE_BLOCKS];
	size_t first, nr, i;

	for (first = 0; first < m->blocks; first += nr) {
		nr = run_of(m, first, PAGE_BLOCKS);
		if (!page_blocks(m->block[first].pfn, nr, m->block_pages, types))
			return false;
		for (i = 0; i < nr; i++)
			m->block[first + i].migratetype = types[i];
	}
	return m->blocks;
}

void map_read_types(struct map *m)
{
	enum source_state state = SOURCE_OK;

	if (!source_live(&m->source))
		return;
	out_progress("reading the types of pageblocks");
	if (!read_types(m))
		state = page_look_denied() ? SOURCE_DENIED : SOURCE_ABSENT;
	out_progress_end();
	map_note(m, state, SOURCE, TELLS);
}
