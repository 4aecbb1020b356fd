/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pinprobe map: physical memory by pageblock. Sources fill the blocks one after
 * the other; what none of them knows stays unknown, and is said to be.
 */
#ifndef PINPROBE_MAP_H
#define PINPROBE_MAP_H

#include <json-c/json.h>
#include <linux/pinprobe.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "source.h"
#include "text.h"

struct command;

extern const struct command map_command;

/**
 * struct map_block - one pageblock that has memory
 * @pfn: of its first page, whether that is memory or not
 * @ram: pages of it that are memory
 * @process: pages that the process has mapped, each counted once a mapping
 * @held: of these, pages that somebody holds beyond mappings and caches
 * @unpinnable: of @process, those that a long-term pin has to move
 * @stuck: held and unpinnable
 * @node: -1: not known
 * @area: index of a CMA area that it is part of, -1: none that is known
 * @zone: enum pinprobe_zone
 * @migratetype: enum pinprobe_migratetype
 */
struct map_block {
	uint64_t pfn;
	uint32_t ram;
	uint32_t process;
	uint32_t held;
	uint32_t unpinnable;
	uint32_t stuck;
	int16_t node;
	int16_t area;
	uint8_t zone;
	uint8_t migratetype;
};

/* From the first page on, up to one behind the last. */
struct map_range {
	uint64_t start;
	uint64_t end;
};

struct map_zone {
	int node;
	uint8_t zone;
	struct map_range span;
	uint64_t present;
};

struct map_area {
	char *name;
	struct map_range range;
};

/* Where something is known from, and what it would tell if it is not. */
struct map_note {
	char *source;
	enum source_state state;
	const char *tells;
};

/**
 * struct map - physical memory
 * @source: where files come from
 * @pid: process whose pages are drawn, 0: none
 * @comm: its name, NULL if unknown
 * @release: of the kernel
 * @page_size: bytes
 * @block_pages: pages in a pageblock
 * @block_from: where that is known from
 * @block: in order of @pfn
 * @ram: where memory is
 * @holds_seen: the module was asked who holds pages
 * @pages_seen: where the pages of the process lie is known
 */
struct map {
	struct source source;
	pid_t pid;
	char *comm;
	char *release;
	uint64_t page_size;
	uint64_t block_pages;
	const char *block_from;
	struct map_block *block;
	size_t blocks;
	struct map_range *ram;
	size_t rams;
	struct map_zone *zone;
	size_t zones;
	struct map_area *area;
	size_t areas;
	struct map_note *note;
	size_t notes;
	bool holds_seen;
	bool pages_seen;
};

/* map_memory.c: zones, where memory is, how large a block is. */

/* False if nothing can be told, which has been said on stderr. */
bool map_read_memory(struct map *m);
void map_parse_zoneinfo(struct map *m, const char *s);
/* Top-level "System RAM" of /proc/iomem; false: its addresses are hidden. */
bool map_parse_iomem(struct map *m, const char *s);
void map_note(struct map *m, enum source_state state, const char *source,
	      const char *tells);
/* Cuts @ram into blocks, and gives each the zone that has all of it. */
void map_make_blocks(struct map *m);
/* The block with this page, NULL if that is no memory. */
struct map_block *map_find(const struct map *m, uint64_t pfn);
void map_free(struct map *m);

/* map_cma.c: registered CMA areas; after map_make_blocks(). */
void map_read_cma(struct map *m);
/* "cma: Reserved N MiB at ADDR" of the boot log. */
void map_parse_cma_log(struct map *m, const char *line);
void map_mark_cma(struct map *m);

/* map_types.c: migratetypes; after map_make_blocks(). */
void map_read_types(struct map *m);

/* map_process.c: pages of the process; 0 or -errno, having said so. */
int map_read_process(struct map *m);
void map_add_page(struct map *m, const struct pinprobe_page *page);

/* What a picture shows of blocks that lie side by side and are alike. */
struct map_sum {
	uint64_t blocks;
	uint64_t by_type[6];		/* enum pinprobe_migratetype */
	uint64_t unknown_type;
	uint64_t process;
	uint64_t held;
	uint64_t unpinnable;
	uint64_t stuck;
};

/* map_json.c */
void map_sum(const struct map *m, struct map_sum *sum);
json_object *map_json(const struct map *m);

/* map_svg.c: @per_cell blocks make a cell, 0: as many as it takes. */
void map_svg(const struct map *m, uint64_t per_cell, struct text *out);

#endif
