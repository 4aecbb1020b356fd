/* SPDX-License-Identifier: GPL-2.0 */
/* From what was traced of one call to what a person is told of it. */
#ifndef PINPROBE_EXPLAIN_H
#define PINPROBE_EXPLAIN_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../selftests/lib/verdict.h"
#include "account.h"
#include "holders.h"
#include "ledger.h"
#include "trace.h"

#define EXPLAIN_HOLDERS	16
#define EXPLAIN_TEXT	320

/* One folio that did not move, or is in the way. */
struct explain_page {
	struct trace_look look;
	uint64_t addr;		/* of the process, 0: not known */
	int node;		/* -1: not known */
	char zone[16];
	bool movable_zone;
	bool cma;
	long extra;		/* references that nothing explains */
	bool pinned;		/* enough of them, or counted */
	bool gone;		/* looked at again, and nobody held it any more */
};

/* Who holds that folio. */
struct explain_holder {
	char what[EXPLAIN_TEXT];	/* in words, one sentence */
	char kind[24];			/* pin, reference, pipe, ring, ... */
	char caller[64];		/* symbol, "" if not known */
	char module[32];
	char comm[TRACE_COMM];
	uint32_t pid;
	bool longterm;
	bool seen;			/* by the ledger, rather than inferred */
	enum holder_certainty certainty;
	uint64_t age_ns;		/* 0: not known */
};

#define EXPLAIN_GPUS	16

/* A GPU, and the window through which others reach its memory. */
struct explain_gpu {
	char address[32];		/* PCI */
	long long bar1;			/* bytes */
	long long used;			/* bytes; < 0: not known */
};

/**
 * struct explain_facts - all that is known of one call
 * @record:		what was traced
 * @kernel:		names of the kernel's values
 * @hanging:		it has not come back; @spent is how long, in ns
 * @interrupted:	it was ended by a signal, and had been seen on its way before
 * @cpu_ns:		of @spent, on a CPU
 * @faults:		of the task, meanwhile
 * @thp_splits:		of the whole system, meanwhile
 * @migrate_failed:	of the whole system, meanwhile
 * @pinnable_free:	bytes free for what is not movable; UINT64_MAX: not known
 * @barred:	the cpuset of the process leaves out nodes with memory
 * @hidden_cma:		bytes of CMA pageblocks that belong to no registered area
 * @pool_free:		hugetlb pages of the mapping's size that are free
 * @page:		folios that could not be moved
 * @pages:		how many of these
 * @holder:		of the first of them
 * @holders:		how many
 * @gpu:		NVIDIA's, where the memory is a device's or a dma-buf
 * @gpus:		how many
 * @unasked:		where else a holder may be, that could not be looked at
 */
struct explain_facts {
	const struct trace_record *record;
	const struct trace_kernel *kernel;
	bool hanging, interrupted;
	uint64_t spent, cpu_ns, faults, thp_splits, migrate_failed;
	uint64_t pinnable_free, hidden_cma, pool_free;
	bool barred;
	uint64_t off_list;	/* pages that must move and are on no list */
	uint64_t written;	/* pages that must move and are being written back */
	struct explain_page page[TRACE_FAILED];
	size_t pages;
	struct explain_holder holder[EXPLAIN_HOLDERS];
	size_t holders;
	struct explain_gpu gpu[EXPLAIN_GPUS];
	size_t gpus;
	char unasked[EXPLAIN_TEXT];
};

enum explain_lasting {
	EXPLAIN_TRANSIENT,	/* the same call may succeed now */
	EXPLAIN_PERMANENT,	/* it will fail again until something changes */
	EXPLAIN_UNKNOWN,
};

/**
 * struct explain_verdict - the answer
 * @code:	of Documentation/verdicts.rst
 * @text:	why, one sentence
 * @not_lock:	why it is not LOCK; "" if it may be
 * @error:	errno that the caller got; 0 for a call that hangs
 * @lasting:	whether trying again helps
 * @blame_hidden: hidden CMA is why the page had to move
 */
struct explain_verdict {
	const char *code;
	char text[EXPLAIN_TEXT];
	char not_lock[VERDICT_TEXT];
	int error;
	enum explain_lasting lasting;
	bool blame_hidden;
};

/* Outermost layer that returned; TRACE_LAYERS: none. */
unsigned int explain_outermost(const struct trace_record *r);

/* Whether the record is of a call that failed in the end, or hangs. */
bool explain_failed(const struct trace_record *r);

/* Pure: decides from the facts alone. */
void explain_decide(const struct explain_facts *facts,
		    struct explain_verdict *verdict);

/* Remedies in order, the least invasive first; ends in NULL. */
const char *const *explain_remedies(const struct explain_verdict *verdict);

/* What explains the references of a folio looked at. */
void explain_account(const struct trace_look *look, const struct trace_kernel *k,
		     struct account_facts *f);

/* References that mappings and caches do not explain, of a folio looked at. */
long explain_extra(const struct trace_look *look, const struct trace_kernel *k,
		   bool isolated);

/* Where the memory of the call begins; of several buffers the one that failed. */
uint64_t explain_address(const struct trace_record *r);

/* "host anon", "file", "hugetlb", "dma-buf", "device", "?". */
const char *explain_class(const struct trace_record *r);

/* A paragraph for people, and a record for programs. */
void explain_print(const struct explain_facts *facts,
		   const struct explain_verdict *verdict);
json_object *explain_json(const struct explain_facts *facts,
			  const struct explain_verdict *verdict);

/* NCCL_COMM_ID=..., RANK=... of a process, to be freed; NULL: nothing. */
char *explain_job(uint32_t pid);

#endif
