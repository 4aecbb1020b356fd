/* SPDX-License-Identifier: GPL-2.0 */
/* Who holds a page, as far as it can be known without having watched. */
#ifndef PINPROBE_HOLDERS_H
#define PINPROBE_HOLDERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "account.h"
#include "source.h"
#include "text.h"

/**
 * enum holder_certainty - how far a holder is known
 * @HOLDER_CERTAIN:	the kernel names it for this page; or for its address, and
 *			there are as many pins as are named so
 * @HOLDER_LIKELY:	for its address, and references were not or cannot be
 *			counted; or it is the only one found that could be it
 * @HOLDER_POSSIBLE:	it holds some pages, and these may be among them
 * @HOLDER_EXCLUDED:	the page has no reference that it could have
 */
enum holder_certainty {
	HOLDER_CERTAIN,
	HOLDER_LIKELY,
	HOLDER_POSSIBLE,
	HOLDER_EXCLUDED,
};

enum holder_kind {
	HOLDER_MAPPING,		/* an address space */
	HOLDER_RING,		/* fixed buffers of io_uring, or requests on their way */
	HOLDER_REGION,		/* of an RDMA device */
	HOLDER_PIN,		/* of pinprobe.ko */
	HOLDER_IO,		/* a task that waits in a system call */
	HOLDER_DMABUF,
	HOLDER_DRIVER,		/* VFIO, iommufd, AF_XDP */
	HOLDER_PIPE,
	HOLDER_SOCKET,
};

/* What the kernel was heard to say of a holder, strongest first. */
enum holder_claim {
	HOLDER_CLAIM_FRAME,	/* this page frame */
	HOLDER_CLAIM_ADDRESS,	/* the address, as it was when it took the page */
	HOLDER_CLAIM_SIZE,	/* memory of its process, large enough */
	HOLDER_CLAIM_KIND,	/* nothing but that it holds pages of some kind */
};

#define HOLDER_TAKES_PIN	1	/* FOLL_PIN */
#define HOLDER_TAKES_REF	2	/* plain references */

/**
 * struct holder - somebody who holds the page, or may
 * @certainty:	how far that is known
 * @kind:	by what
 * @claim:	what @certainty was made of
 * @takes:	HOLDER_TAKES_*: the kinds of references it takes, one or both; 0 of a
 *		mapping, whose references are accounted for
 * @pid:	whose; 0: of the kernel
 * @comm:	name of that process
 * @fd:		the descriptor that holds it, or -1
 * @addr:	of the page there, for a mapping
 * @start:	address of what is held, if known, else 0
 * @bytes:	length of what is held, if known, else 0
 * @file:	inode of the file behind @fd, or 0
 * @what:	"io_uring buffer 3", "region 7 of rxe0"
 * @evidence:	how it is known, in words
 */
struct holder {
	enum holder_certainty certainty;
	enum holder_kind kind;
	enum holder_claim claim;
	unsigned int takes;
	pid_t pid;
	char comm[64];
	int fd;
	uint64_t addr;
	uint64_t start;
	uint64_t bytes;
	uint64_t file;
	char *what;
	char *evidence;
};

/**
 * struct holders_query - which page, and how far to look
 * @source:	where /proc is; only of a live one descriptors can be asked
 * @pid:	a process that has the page, or 0
 * @addr:	of the page there
 * @pfn:	of the page; 0: not known
 * @head:	of the first page of its folio; 0: not known
 * @order:	of its folio
 * @mapped:	how often the page is mapped; -1: not known
 * @anon:	it is anonymous
 * @account:	of its references
 * @all:	look at all processes, not only at those that map it
 * @scan:	search address spaces for @pfn until @mapped were found
 * @seconds:	give up @scan after so many; 0: never
 * @ask:	ask RDMA devices for the addresses of their regions, through
 *		descriptors of their owners
 * @missing:	gets what could not be looked at, a sentence a line
 */
struct holders_query {
	const struct source *source;
	pid_t pid;
	uint64_t addr;
	uint64_t pfn;
	uint64_t head;
	unsigned int order;
	int64_t mapped;
	bool anon;
	const struct account *account;
	bool all;
	bool scan;
	unsigned int seconds;
	bool ask;
	struct text *missing;
};

/**
 * holders_find() - looks for all who hold a page
 * @query:	which page
 * @holders:	gets them, by certainty; for holders_free()
 * @nr:		how many
 *
 * Return: 0, or -ESRCH if there is no process @query->pid.
 */
int holders_find(const struct holders_query *query, struct holder **holders,
		 size_t *nr);
void holders_free(struct holder *holders, size_t nr);

const char *holder_certainty_name(enum holder_certainty certainty);
const char *holder_kind_name(enum holder_kind kind);

#endif
