/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The oracle of long-term pins: a row is one cell of consumer x access x
 * backing x placement x earlier hold. What a row must do is written in tables
 * (expect, changes); which rows there are, in another (plan). Here are the
 * things that rows are made of.
 *
 * A row runs in a process of its own, which makes the memory, takes the hold and
 * looks; its consumer runs in a task that shares the address space and nothing
 * else that matters, so that one that never returns can be killed and asked
 * about.
 */
#ifndef CONTRACTS_CONTRACT_H
#define CONTRACTS_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include "../lib/look.h"

/* Functions below return this when what they need is not there; see row_skip(). */
#define ROW_SKIP	(-ENOTSUP)

/* What a program that runs rows has opened once, before it forks. */
struct world {
	struct look look;
	size_t page_size;
	size_t pmd_size;
	uint32_t unpinnable;	/* PINPROBE_UNPINNABLE_* this guest's profile is for */
	int version, patchlevel; /* of the running kernel */
	char why[192];		/* of the last ROW_SKIP */
};

/* "reason: what was found", a reason of vm/expected-skips. Returns ROW_SKIP. */
__printf(2, 3)
int row_skip(struct world *world, const char *format, ...);

/* Memory that a consumer is given. */
struct area {
	const struct backing *backing;
	char *addr;
	size_t len;
	size_t granule;		/* bytes that one entry maps, and that moves as one */
	size_t target;		/* offset of the page that the row is about */
	size_t given;		/* bytes from @addr that the consumer is given; 0: all */
	int prot;
	bool shared;
	int fd;			/* what is mapped, -1 if anonymous */
	void *private;		/* of the backing */
};

enum backing_kind {
	BACKING_OF_ANON,	/* the pages become the process's own */
	BACKING_OF_SHMEM,	/* memfd, tmpfs, shared anonymous */
	BACKING_OF_HUGETLB,
	BACKING_OF_FILE,	/* the page cache of a file system */
	BACKING_OF_DAX,
	BACKING_OF_DEVICE,	/* a driver's mapping */
	BACKING_OF_SECRET,
	BACKING_OF_NOTHING,	/* no page when it is mapped: zero page, untouched, past EOF */
};

/**
 * struct backing - a kind of memory
 * @name: as in row names: lower case, underscores
 * @what: for the documentation, a noun phrase
 * @kind: what sort of pages
 * @deadline_ms: what a consumer may take to move them; 0: as most
 * @here: 0, or ROW_SKIP where the guest cannot have it: there are no such rows
 *	then. NULL: in every guest.
 * @make: maps one @area, touched where the kind allows, @fd set; 0, ROW_SKIP or
 *	-errno; -ENODATA if it is not what was wanted, which another try may
 *	bring. Called again and again until one lies where a row wants it, while
 *	those before are kept.
 * @drop: unmaps; of an area that @make made
 * @prepare: what is done once in the row's process before the first @make
 *	(mount, pool); may be NULL
 * @done: undoes @prepare for what would outlive the process; may be NULL
 */
struct backing {
	const char *name;
	const char *what;
	enum backing_kind kind;
	unsigned int deadline_ms;
	int (*here)(struct world *world);
	int (*prepare)(struct world *world);
	int (*make)(struct world *world, struct area *area);
	void (*drop)(struct area *area);
	void (*done)(struct world *world);
};

/**
 * struct placement - where the target page lies
 * @name: as in row names
 * @what: for the documentation
 * @unpinnable: PINPROBE_UNPINNABLE_* that the page must have; 0: none of them
 * @here: 0, or ROW_SKIP if the guest's profile is not for it: there are no such
 *	rows then. NULL: in every guest.
 * @find: makes an area of @backing whose target lies there; 0, ROW_SKIP, -ENODATA
 *	if none came, or -errno
 * @arm: makes it so, or the rest of it, with the hold there and right before the
 *	consumer's call; 0, ROW_SKIP or -errno. May be NULL.
 * @disarm: ends what @arm began, right after that call; may be NULL
 * @done: undoes what @find and @arm did and would outlive the process, whether it succeeded
 *	or not; may be NULL
 */
struct placement {
	const char *name;
	const char *what;
	uint32_t unpinnable;
	int (*here)(struct world *world);
	int (*find)(struct world *world, const struct placement *placement,
		    const struct backing *backing, struct area *area);
	int (*arm)(struct world *world, struct area *area);
	void (*disarm)(struct world *world);
	void (*done)(struct world *world);
};

/* What a hold keeps to be able to let go. */
struct held {
	const struct hold *hold;
	int fd[4];		/* -1: none */
	pid_t pid;
	bool met;		/* the consumer comes while it is held */
	void *private;
};

enum hold_kind {
	HOLD_NOTHING,		/* no reference when the consumer looks */
	HOLD_REFERENCE,		/* FOLL_GET or the like */
	HOLD_FOLL_PIN,		/* without FOLL_LONGTERM */
	HOLD_LONGTERM_PIN,
	HOLD_WRITEBACK,		/* no reference: it is being written back */
	HOLD_ELSEWHERE,		/* by then the consumer finds another page there */
	HOLD_TRANSIENT,		/* again and again, a moment each */
};

/**
 * struct hold - what somebody did with the target page before
 * @name: as in row names; none is the one that does nothing
 * @what: for the documentation
 * @kind: what it leaves on the page; that it does is looked at
 * @kind_before, @since: what it did before this version of the kernel; 0: the same
 * @how: its own, to tell apart holds that share functions
 * @take: on the target page of @area; 0, ROW_SKIP or -errno, having undone what it
 *	did
 * @race: HOLD_TRANSIENT only: begins to, right before the consumer's call. May be
 *	NULL if it did in @take.
 * @drop: lets go, and returns when it has; the page is free of it then. Of a
 *	HOLD_TRANSIENT -ENODATA if it never was there.
 */
struct hold {
	const char *name;
	const char *what;
	enum hold_kind kind;
	enum hold_kind kind_before;
	int since[2];
	const void *how;
	int (*take)(struct world *world, struct area *area, struct held *held);
	int (*race)(struct world *world, struct area *area, struct held *held);
	int (*drop)(struct world *world, struct area *area, struct held *held);
};

#define ACCESS_READ	1U
#define ACCESS_WRITE	2U

/* One use of a consumer. */
struct use {
	struct world *world;
	const struct consumer *consumer;
	struct area *area;
	struct held *held;
	unsigned int access;	/* one of ACCESS_* */
	/* The target page before anybody did anything with it. */
	const struct pinprobe_page *before;
	int fd[4];		/* -1: none */
	void *private;
};

enum consumer_kind {
	CONSUMES_LONGTERM,	/* pins with FOLL_LONGTERM: leaves unpinnable memory */
	CONSUMES_SHORT,		/* pins, page stays where it is */
	CONSUMES_REFERENCE,	/* the same with references that are no pins */
	CONSUMES_NOTHING,	/* takes no page when called (on-demand paging) */
	CONSUMES_PLACE,		/* wants the page gone: migration, offline, cma_alloc */
};

/**
 * struct consumer - who comes for the page
 * @name: as in row names
 * @what: for the documentation
 * @kind: what it does with pages
 * @access: the ACCESS_* it can ask for, a mask
 * @how: its own, to tell apart consumers that share functions
 * @forced_until: the last kernel on which it asks the memory for write access
 *	when it means to read
 * @by_chance: of the pages that it may move it moves some, not the same each time
 * @here: 0, or ROW_SKIP if the guest's profile is not for it: there are no such
 *	rows then. NULL: in every guest.
 * @prepare: opens what it needs; 0, ROW_SKIP or -errno, having undone what it
 *	did. Not measured.
 * @ready: what it does right before @run, with the memory and the hold there; 0,
 *	ROW_SKIP or -errno. Not measured. May be NULL.
 * @run: the call that the row is about, in a task of its own; 0 or -errno.
 *	Nothing but that call: no allocation, no output.
 * @undo: what releases the pages again after a @run that succeeded; returns
 *	when they are released, 0 or -errno
 * @close: undoes @prepare and @ready, whether @run succeeded or not
 */
struct consumer {
	const char *name;
	const char *what;
	enum consumer_kind kind;
	unsigned int access;
	const void *how;
	int forced_until[2];
	bool by_chance;
	int (*here)(struct world *world);
	int (*prepare)(struct use *use);
	int (*ready)(struct use *use);
	int (*run)(struct use *use);
	int (*undo)(struct use *use);
	void (*close)(struct use *use);
};

/* Room for the models, which come before main(). */
#define HOLDS_ROOM	96
#define CONSUMERS_ROOM	96

/* The registries, each ended by NULL. */
extern const struct backing *const backings[];
extern const struct placement *const placements[];
extern const struct hold *holds[HOLDS_ROOM];
extern const struct consumer *consumers[CONSUMERS_ROOM];

#endif /* CONTRACTS_CONTRACT_H */
