/* SPDX-License-Identifier: GPL-2.0 */
/* Follows what takes pages, by BPF: a stock kernel, no module of ours. */
#ifndef PINPROBE_TRACE_H
#define PINPROBE_TRACE_H

#include <linux/types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/events.h"
#include "text.h"

struct trace;

/* How much is written down of who takes pages. */
enum trace_ledger {
	TRACE_LEDGER_OFF,
	TRACE_LEDGER_PINS,	/* FOLL_PIN */
	TRACE_LEDGER_ALL,	/* references (FOLL_GET) too */
};

/**
 * struct trace_options - what to follow
 * @everybody:	calls of all tasks, not of those of trace_follow() alone
 * @ledger:	what is told to @pages
 * @looking:	nothing is hooked: trace_look() and trace_blocks() alone
 * @lag_ms:	how old what is told to @pages may be, if no call fails meanwhile
 * @record:	called for each followed call that had an error
 * @pages:	called for pages that were taken or let go
 * @ctx:	handed to both
 */
struct trace_options {
	bool everybody;
	enum trace_ledger ledger;
	bool looking;
	unsigned int lag_ms;
	void (*record)(void *ctx, const struct trace_record *record);
	void (*pages)(void *ctx, const struct trace_pages *pages);
	void *ctx;
};

/**
 * trace_open() - loads the programs and hooks them
 * @options:	what to follow; is copied
 * @why:	gets what is missing, a sentence each, whether it works or not
 *
 * Needs CAP_BPF and CAP_PERFMON (CAP_SYS_ADMIN before v5.8), BTF of the kernel, and
 * a lockdown mode below confidentiality.
 *
 * Return: NULL if nothing can be followed.
 */
struct trace *trace_open(const struct trace_options *options, struct text *why);
void trace_close(struct trace *trace);

/* Whether programs are built into this pinprobe at all. */
bool trace_built(void);

/* A process, and those that it will fork. Return: 0 or -errno. */
int trace_follow(struct trace *trace, pid_t pid);

/**
 * trace_poll() - calls back for what has happened
 * @trace:	which
 * @ms:		how long to wait for something
 *
 * Return: how many events there were, or -errno.
 */
int trace_poll(struct trace *trace, int ms);

/* The same for all that has happened up to now, without waiting. */
int trace_drain(struct trace *trace);

/* Calls that have not come back, as they are now. */
void trace_in_flight(struct trace *trace,
		     void (*each)(void *ctx, const struct trace_record *record),
		     void *ctx);

/* Takes one of these off the list that will not come back to it. */
void trace_forget(struct trace *trace, uint32_t tid);

uint64_t trace_count(struct trace *trace, enum trace_count what);

/* Programs that did not run because they were running already, in all. */
uint64_t trace_missed(struct trace *trace);

/* Whether iommufd came after the start: what it lets go is not seen. */
bool trace_came_late(const struct trace *trace);

/**
 * trace_stack() - who called
 * @trace:	which
 * @id:		of an event
 * @ip:		filled in, innermost first
 * @nr:		room in @ip
 *
 * Return: how many there are.
 */
size_t trace_stack(struct trace *trace, int id, uint64_t *ip, size_t nr);

/* Looks at a page frame, without taking a reference. False: not possible. */
bool trace_look(struct trace *trace, uint64_t pfn, struct trace_look *look);

/**
 * trace_blocks() - migratetypes of pageblocks
 * @trace:	which
 * @pfn:	of the first page of the first
 * @nr:		how many, TRACE_ASK_BLOCKS at most
 * @types:	as trace_look.migratetype; ~0: not known
 */
bool trace_blocks(struct trace *trace, uint64_t pfn, uint32_t nr,
		  uint32_t *types);

/**
 * struct trace_kernel - what the kernel calls its values
 *
 * Bits of page flags are numbers of bits, -1 where there is none.
 */
struct trace_kernel {
	uint32_t foll_write, foll_pin, foll_longterm;
	int pg_lru, pg_private, pg_swapcache, pg_swapbacked, pg_writeback,
	    pg_head;
	uint32_t migrate_cma, migrate_isolate;	/* ~0: there is none */
	uint32_t type_mask, isolate_bit;
	uint32_t mr_longterm, mr_contig, mr_hotplug;
	unsigned int block_order;
	uint64_t page_bytes;
};

const struct trace_kernel *trace_kernel(const struct trace *trace);

/* As /proc/pagetypeinfo has it; "?" for what was not read. */
const char *trace_type_name(const struct trace_kernel *k, uint32_t type);

/* Why pages were moved; NULL: for something else. */
const char *trace_reason_name(const struct trace_kernel *k, uint32_t reason);

const char *trace_api_name(uint32_t api);
const char *trace_layer_name(uint32_t layer);

#endif
