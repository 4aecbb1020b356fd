// SPDX-License-Identifier: GPL-2.0
/* Finds memory that lies where a test needs it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "buffer.h"
#include "device.h"
#include "hugetlb.h"
#include "memory.h"

#define RANGE_SIZE	(16UL << 20)
#define ARENA_SIZE	(256UL << 20)
#define HUGETLB_ARENA	(32UL << 20)
/* Touched in one go; small enough to scatter, large enough for short records */
#define GROUP_PAGES	8UL

struct search {
	struct buffer *buffer;
	const struct look *look;
	enum backing backing;
	enum buffer_want want;
	size_t page_size;
	size_t window;			/* bytes */
	char *base;			/* of the first window */
	struct pinprobe_page *pages;	/* of one window */
	uint64_t cma, movable, ordinary, absent;
};

const char *backing_name(enum backing backing)
{
	static const char * const names[] = {
		[BACKING_ANON] = "anon",
		[BACKING_THP] = "thp",
		[BACKING_RANGE] = "range",
		[BACKING_HUGETLB] = "hugetlb",
		[BACKING_GIGANTIC] = "gigantic",
	};

	return names[backing];
}

/* A profile that promises none is believed after one window. */
static size_t search_len(const struct search *search)
{
	size_t left = search->buffer->arena + search->buffer->arena_len -
		      search->base;

	if (promise_made("none") && search->want == BUFFER_UNPINNABLE)
		return search->window;
	return left / search->window * search->window;
}

static size_t pool_page(enum backing backing)
{
	switch (backing) {
	case BACKING_HUGETLB:
		return pmd_size();
	case BACKING_GIGANTIC:
		return HUGETLB_GIGANTIC_SIZE;
	default:
		return 0;
	}
}

static int arena_from_pool(struct search *search, size_t page)
{
	size_t nr = page < HUGETLB_ARENA ? HUGETLB_ARENA / page : 1;
	struct buffer *buffer = search->buffer;
	int err;

	buffer->pool = page;
	err = hugetlb_pool_set(page, nr);
	if (err)
		return err;
	buffer->arena_len = page * nr;
	buffer->arena = hugetlb_map(page, nr);
	search->base = buffer->arena;
	return buffer->arena ? 0 : -errno;
}

static int arena_map(struct search *search)
{
	struct buffer *buffer = search->buffer;
	int advice = search->backing == BACKING_THP ? MADV_HUGEPAGE
						    : MADV_NOHUGEPAGE;
	size_t page = pool_page(search->backing);

	if (page)
		return arena_from_pool(search, page);
	buffer->arena_len = ARENA_SIZE + pmd_size();
	buffer->arena = mmap(NULL, buffer->arena_len, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			     0);
	if (buffer->arena == MAP_FAILED) {
		buffer->arena = NULL;
		return -errno;
	}
	search->base = (char *)(((uintptr_t)buffer->arena + pmd_size() - 1) &
				~(pmd_size() - 1));
	return madvise(buffer->arena, buffer->arena_len, advice) ? -errno : 0;
}

/* The same order each time, and no order that an allocator would give. */
static void shuffle(unsigned int *order, size_t nr)
{
	uint32_t state = 2463534242;
	size_t i, j;

	for (i = 0; i < nr; i++)
		order[i] = i;
	for (i = nr - 1; i; i--) {
		unsigned int swap = order[i];

		state ^= state << 13;
		state ^= state >> 17;
		state ^= state << 5;
		j = state % (i + 1);
		order[i] = order[j];
		order[j] = swap;
	}
}

static int touch_group(const struct search *search, char *group, size_t len)
{
	size_t offset;

	for (offset = 0; offset < len; offset += search->page_size)
		group[offset] = 1;
	return 0;
}

/*
 * Memory that a long-term pin faults in is allocated pinnable, and stays where
 * it is when the pin is gone.
 */
static int make_group(const struct search *search, char *group, size_t len)
{
	int fd = device_pin(search->look->dev, group, len,
			    PINPROBE_CALL_PIN_FAST,
			    PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, NULL);

	if (fd < 0)
		return fd;
	close(fd);
	return 0;
}

static int populate(const struct search *search, char *window,
		    int (*group_fn)(const struct search *search, char *group,
				    size_t len))
{
	size_t group = GROUP_PAGES * search->page_size, nr, i;
	unsigned int *order;
	int err = 0;

	if (search->backing != BACKING_RANGE)
		return group_fn(search, window, search->window);
	nr = search->window / group;
	order = calloc(nr, sizeof(*order));
	if (!order)
		return -ENOMEM;
	shuffle(order, nr);
	for (i = 0; i < nr && !err; i++)
		err = group_fn(search, window + order[i] * group, group);
	free(order);
	return err;
}

static bool wanted(const struct search *search, const struct pinprobe_page *page)
{
	if (page->state != PINPROBE_STATE_PRESENT)
		return false;
	if (search->want == BUFFER_ANY)
		return true;
	if (search->want == BUFFER_ORDINARY)
		return !page->unpinnable;
	return page->unpinnable & promise_unpinnable();
}

static bool whole_folio(const struct search *search)
{
	const struct pinprobe_page *pages = search->pages;
	size_t nr = search->window / search->page_size, i;

	for (i = 0; i < nr; i++)
		if (pages[i].state != PINPROBE_STATE_PRESENT ||
		    pages[i].pfn != pages[0].pfn + i ||
		    1UL << pages[i].order != nr)
			return false;
	return true;
}

static void take(struct search *search, char *addr, size_t len)
{
	search->buffer->addr = addr;
	search->buffer->len = len;
	search->buffer->nr_pages = len / search->page_size;
}

/* Whether @window has what is wanted, which is then taken. */
static bool pick(struct search *search, char *window)
{
	size_t nr = search->window / search->page_size, found = 0, first = 0, i;

	for (i = 0; i < nr; i++) {
		const struct pinprobe_page *page = &search->pages[i];

		if (page->state != PINPROBE_STATE_PRESENT)
			search->absent++;
		else if (page->unpinnable & PINPROBE_UNPINNABLE_CMA)
			search->cma++;
		else if (page->unpinnable & PINPROBE_UNPINNABLE_MOVABLE)
			search->movable++;
		else
			search->ordinary++;
		if (wanted(search, page) && !found++)
			first = i;
	}
	if (search->backing == BACKING_ANON && found) {
		take(search, window + first * search->page_size,
		     search->page_size);
		return true;
	}
	/* On a busy pageblock some pages of a range may lie elsewhere. */
	if (search->backing == BACKING_RANGE &&
	    found >= (search->want == BUFFER_UNPINNABLE ? nr / 2 : nr)) {
		take(search, window, search->window);
		return true;
	}
	if (search->backing != BACKING_ANON &&
	    search->backing != BACKING_RANGE && found == nr &&
	    whole_folio(search)) {
		take(search, window, search->window);
		return true;
	}
	return false;
}

static int try_window(struct search *search, char *window, bool make)
{
	int err = populate(search, window, make ? make_group : touch_group);

	if (!err)
		err = look_pages(search->look, window,
				 search->window / search->page_size,
				 search->pages);
	if (err)
		return err;
	if (!pick(search, window))
		return -ENODATA;
	search->buffer->origin = make ? "faulted in by a long-term pin, let go"
				      : "touched, picked by where it lies";
	return 0;
}

static int try_arena(struct search *search)
{
	bool make = search->want == BUFFER_ORDINARY && search->look->dev >= 0;
	size_t offset = 0;
	int err = -ENODATA;

	if (make && search->backing == BACKING_ANON) {
		err = try_window(search, search->base, false);
		offset = search->window;
	}
	for (; err == -ENODATA && offset < search_len(search);
	     offset += search->window)
		err = try_window(search, search->base + offset, make);
	return err;
}

int buffer_find(struct buffer *buffer, const struct look *look,
		enum backing backing, enum buffer_want want)
{
	struct search search = {
		.buffer = buffer,
		.look = look,
		.backing = backing,
		.want = want,
		.page_size = sysconf(_SC_PAGESIZE),
		.window = backing == BACKING_RANGE ? RANGE_SIZE : pmd_size(),
	};
	int err;

	if (backing == BACKING_GIGANTIC)
		search.window = HUGETLB_GIGANTIC_SIZE;

	memset(buffer, 0, sizeof(*buffer));
	search.pages = calloc(search.window / search.page_size,
			      sizeof(*search.pages));
	if (!search.pages)
		return -ENOMEM;
	err = arena_map(&search);
	if (!err)
		err = try_arena(&search);
	snprintf(buffer->histogram, sizeof(buffer->histogram),
		 "cma %ju, movable zone %ju, ordinary %ju, absent %ju",
		 (uintmax_t)search.cma, (uintmax_t)search.movable,
		 (uintmax_t)search.ordinary, (uintmax_t)search.absent);
	free(search.pages);
	return err;
}

void buffer_free(struct buffer *buffer)
{
	if (buffer->arena)
		munmap(buffer->arena, buffer->arena_len);
	if (buffer->pool)
		hugetlb_pool_set(buffer->pool, 0);
	memset(buffer, 0, sizeof(*buffer));
}
