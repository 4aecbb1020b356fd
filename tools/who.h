/* SPDX-License-Identifier: GPL-2.0 */
/* pinprobe who: one page, its references, and who has them. */
#ifndef PINPROBE_WHO_H
#define PINPROBE_WHO_H

#include <linux/pinprobe.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "account.h"
#include "command.h"
#include "holders.h"
#include "range.h"
#include "source.h"

/* Where references were counted. */
enum who_counted {
	WHO_NOT_COUNTED,
	WHO_MODULE,
	WHO_LOOK,
};

/**
 * struct who_page - what the page is
 * @entry:	of pagemap; 0 if it was not read
 * @mapped_at:	@entry was read
 * @pfn:	of the page; 0: not known
 * @flags:	of /proc/kpageflags, bits KPF_*
 * @has_flags:	that was read
 * @mapcount:	of /proc/kpagecount; -1: it was not read
 * @order:	of the folio
 * @head:	its first page; 0: not known
 * @node:	NUMA node; -1: not known
 * @zone:	name of the zone, to be freed, or NULL
 * @migratetype: enum pinprobe_migratetype
 * @cma:	1: in a registered CMA area, 0: in none, -1: not known
 * @counted:	where the references were counted
 * @facts:	what is known for the account
 */
struct who_page {
	uint64_t entry;
	bool mapped_at;
	uint64_t pfn;
	uint64_t flags;
	bool has_flags;
	int64_t mapcount;
	unsigned int order;
	uint64_t head;
	int node;
	char *zone;
	uint8_t migratetype;
	int cma;
	enum who_counted counted;
	struct account_facts facts;
};

/**
 * struct who - a run of the command
 * @source:	where /proc and /sys are
 * @range:	PID and address; @range.pid is 0 for a frame alone
 * @pfn:	the frame, 0 with a PID
 * @all, @scan, @ask, @seconds: as in struct holders_query
 * @json:	output is JSON
 * @page:	what the page is
 * @account:	of its references
 * @holder:	who has them
 * @holders:	how many
 * @owner:	who allocated the page, of page_owner; or NULL
 * @missing:	what could not be seen
 * @gone:	the process ended meanwhile
 */
struct who {
	struct source source;
	struct range range;
	uint64_t pfn;
	bool all, scan, ask;
	unsigned int seconds;
	bool json;
	struct who_page page;
	struct account account;
	struct holder *holder;
	size_t holders;
	char *owner;
	struct text missing;
	bool gone;
};

extern const struct command who_command;

/* who_page.c: 0 or -ESRCH */
int who_page(struct who *w);
void who_zone(struct who_page *page, const char *zoneinfo);

/* who_count.c: references, from the module or by BPF */
void who_count(struct who *w);

/* who_owner.c */
char *who_owner(struct who *w);

/* who_print.c, who_json.c */
void who_print(const struct who *w);
void who_json(const struct who *w);
/* "anonymous, dirty, …" */
void who_flags(struct text *t, uint64_t flags);
/* When a process started, from /proc/PID/stat; 0 if it has ended. */
uint64_t who_started(const char *stat);
const char *who_state(const struct who *w);
int who_exit(const struct who *w);

#endif
