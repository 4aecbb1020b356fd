/* SPDX-License-Identifier: GPL-2.0 */
#ifndef SELFTESTS_KPATH_INTERNAL_H
#define SELFTESTS_KPATH_INTERNAL_H

#include <stdbool.h>
#include <sys/types.h>
#include "kpath.h"

#define KPATH_PRINTF(text, first)	__attribute__((	\
	__format__(__printf__, text, first)))

/* Names in tracefs that are ours to delete, also after a crash. */
#define KPATH_GROUP	"pinprobe_kpath"
#define KPATH_CALLS	"pinprobe_kpath"
#define KPATH_PAGES	"pinprobe_kpath_pages"

/* So many pages are told one by one; the rest is counted. */
#define KPATH_TOLD	3

/* In the order in which a pin goes through them. */
enum kpath_id {
	KPATH_REG_ENTER,
	KPATH_UMEM_ENTER,
	KPATH_PIN_ENTER,
	KPATH_TRY_ENTER,
	KPATH_TRY_RETURN,
	KPATH_BLOCK,
	KPATH_COLLECTED,
	KPATH_DROP,
	KPATH_PASS_START,
	KPATH_TARGET,
	KPATH_UNMAP,
	KPATH_MOVE,
	KPATH_PASS_END,
	KPATH_MIGRATED,
	KPATH_PIN_RETURN,
	KPATH_UMEM_RETURN,
	KPATH_MR_RETURN,
	KPATH_REG_RETURN,
	KPATH_ID_COUNT,
};

/*
 * One probe. Of @symbols and @args the first pair that the kernel accepts is
 * taken: functions and their parameters have other names in other versions,
 * and a parameter fetched by name is the right one or is refused.
 */
struct kpath_probe {
	char type;		/* 'p' entry, 'r' return, 't' tracepoint */
	bool per_page;		/* may come in thousands */
	const char *keep;	/* filter: those of them to keep in any case */
	const char *only;	/* filter: those of use, if it can be set */
	const char *event;
	const char *shows;	/* what is not seen without it */
	const char *symbols[4];
	const char *args[4];
};

extern const struct kpath_probe kpath_probes[KPATH_ID_COUNT];

/* The values of an event, each "name=" in its line. */
enum kpath_value {
	KPATH_V_ADDR,
	KPATH_V_NR,
	KPATH_V_FLAGS,
	KPATH_V_RET,
	KPATH_V_PAGE,
	KPATH_V_DST,
	KPATH_V_PFN,
	KPATH_V_REFS,
	KPATH_V_MAPS,
	KPATH_V_PINS,
	KPATH_V_BASE,
	KPATH_V_MOVED,
	KPATH_V_FAILED,
	KPATH_V_COUNT,
};

/* One line of a trace. */
struct kpath_event {
	enum kpath_id id;
	uint64_t ts_us;
	unsigned int present;		/* bit per value */
	int64_t value[KPATH_V_COUNT];
	char symbol[48];		/* the function */
	char caller[48];		/* of a return: who called it */
	char reason[24];
	char mode[24];
};

struct kpath_events {
	struct kpath_event *event;
	size_t nr;
	size_t room;
};

struct kpath_name {
	char name[32];
	int64_t value;
};

struct kpath_zone {
	char name[16];
	int node;
	uint64_t start;
	uint64_t pages;
};

/* What the running kernel says about itself, to read its numbers by. */
struct kpath_facts {
	struct kpath_name foll[32];
	size_t nr_foll;
	struct kpath_name migratetype[12];
	size_t nr_migratetypes;
	int head_bit;			/* PG_head, -1 if not known */
	unsigned int struct_page;	/* its size, 0 if not known */
	struct kpath_zone zone[32];
	size_t nr_zones;
};

/* kpath_facts.c */
void kpath_facts_btf(struct kpath_facts *facts, const char *path);
void kpath_facts_zones(struct kpath_facts *facts, const char *path);
const struct kpath_zone *kpath_zone_of(const struct kpath_facts *facts,
				       uint64_t pfn);
const char *kpath_migratetype(const struct kpath_facts *facts, int64_t value);
void kpath_gup_flags(const struct kpath_facts *facts, uint64_t flags,
		     char *text, size_t size);

/* kpath_parse.c */
int kpath_parse(char *text, struct kpath_events *events);
/*
 * @pages has everything up to the moment it was full, @calls has the calls and
 * what is always kept. Makes @calls the whole as far as it is known.
 */
int kpath_merge(struct kpath_events *calls, const struct kpath_events *pages);

/* A folio in one migrate_pages() call. */
struct kpath_folio {
	int64_t src;
	int64_t dst;
	uint64_t addr;
	uint64_t ts_us;
	unsigned int no_target;
	unsigned int not_unmapped;	/* refusals */
	unsigned int not_moved;
	bool moved;
	int move_ret;
	bool counted;			/* the next four were read */
	int64_t refs;
	int64_t maps;
	int64_t pins;
	bool large;
};

struct kpath_walk {
	struct kpath *kp;
	const struct kpath_facts *facts;
	const struct kpath_events *events;
	bool partial;			/* events of single pages are missing */
	size_t at;			/* the event under way */
	uint64_t start_us;
	int64_t base;			/* vmemmap_base, 0 if not known */
	int err;

	/* this pin call */
	struct kpath_event pin;
	unsigned int tries;
	bool pinning;			/* it has not returned */
	bool again;			/* the gate said -EAGAIN */
	uint64_t moved;
	uint64_t failed;

	/* pageblocks looked at since the last step */
	const struct kpath_event **block;
	size_t nr_blocks;

	/* this migrate_pages() call */
	struct kpath_folio *folio;
	size_t nr_folios;
	size_t room;
	bool move_known;		/* its parameters are what they seem */

	/* calls alike, told as one step */
	unsigned int calls;
	size_t mark;			/* first step of this call */
	size_t folded;			/* the step, 0 if there is none */
	unsigned int folded_calls;
	uint64_t folded_pages;
	uint64_t folded_moved;
};

static inline const struct kpath_event *kpath_now(const struct kpath_walk *walk)
{
	return &walk->events->event[walk->at];
}

/* kpath_steps.c */
KPATH_PRINTF(4, 5)
struct kpath_step *kpath_add(struct kpath *kp, enum kpath_kind kind,
			     uint64_t ts_us, const char *format, ...);
const char *kpath_error(int64_t err);
int kpath_steps(struct kpath *kp, const struct kpath_facts *facts,
		const struct kpath_events *events, bool partial);

/* kpath_pages.c: where pages lie */
struct kpath_text {
	char line[KPATH_TEXT];
	size_t len;
};

KPATH_PRINTF(2, 3)
void kpath_say(struct kpath_text *text, const char *format, ...);
void kpath_say_page(const struct kpath_walk *walk, struct kpath_text *text,
		    int64_t page);
uint64_t kpath_pfn(const struct kpath_walk *walk, int64_t page);
void kpath_blocks_told(struct kpath_walk *walk, const char *where);
void kpath_must_move(struct kpath_walk *walk);
void kpath_dropped(struct kpath_walk *walk);

/* kpath_folios.c: what became of them */
void kpath_folio_event(struct kpath_walk *walk);
void kpath_folios_told(struct kpath_walk *walk);

/* kpath_read.c */
struct kpath_lost {
	uint64_t pages;		/* events of single pages that did not fit */
	uint64_t calls;		/* early others, overwritten by later ones */
};

int kpath_read(struct kpath_events *events, struct kpath_lost *lost);

/* kpath_setup.c */
struct kpath_armed {
	bool ready;
	pid_t owner;			/* who is to take it out again */
	bool no_cma;			/* the kernel has none */
	unsigned int seen;		/* bit per probe: it is armed */
	struct kpath_facts facts;
};

extern struct kpath_armed kpath_armed;

int kpath_record(bool on);

#endif /* SELFTESTS_KPATH_INTERNAL_H */
