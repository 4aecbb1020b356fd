/* SPDX-License-Identifier: GPL-2.0 */
/* pinprobe litmus: which contract a driver's pin call declares. */
#ifndef PINPROBE_LITMUS_H
#define PINPROBE_LITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "litmus_decide.h"
#include "text.h"

/* pin() of a provider whose interface does not hand the errno on. */
#define LITMUS_EHIDDEN		4096

#define LITMUS_PAGES_FIRST	4096
#define LITMUS_PAGES_MAX	65536
#define LITMUS_TRY_PAGES	16
#define LITMUS_FILE_PAGES	64

/**
 * enum litmus_kind - what memory is made of
 * @LITMUS_ANON: anonymous
 * @LITMUS_SHMEM: a memfd
 * @LITMUS_FILE: a file on a disk
 */
enum litmus_kind {
	LITMUS_ANON,
	LITMUS_SHMEM,
	LITMUS_FILE,
};

/**
 * struct litmus_area - memory to be registered
 * @kind: what it is made of
 * @shared: MAP_SHARED, else MAP_PRIVATE
 * @writable: PROT_WRITE beside PROT_READ
 * @untouched: leave its pages absent
 * @len: length, bytes
 * @addr: where it is mapped in the process that registers it
 * @fd: what it maps from offset 0 on, -1 if anonymous
 */
struct litmus_area {
	enum litmus_kind kind;
	bool shared;
	bool writable;
	bool untouched;
	size_t len;
	uint64_t addr;
	int fd;
};

/**
 * struct litmus_options - what the command line says
 * @device: which of the provider's devices, NULL for the first
 * @program: words of the program of --exec, ended by NULL
 * @dir: folder for the file, NULL to look for one
 */
struct litmus_options {
	const char *device;
	char **program;
	const char *dir;
};

struct litmus_provider;

/**
 * struct litmus_session - one provider, opened
 * @provider: which
 * @options: how it was asked for
 * @state: the provider's own
 * @what: device, version and the like, for people
 * @why: what went wrong last, "" if the errno says it all
 * @pid: process whose pages they are, 0 for this one
 * @memfd: shared memory of %LITMUS_PAGES_MAX pages, sealed against shrinking
 * @file: %LITMUS_FILE_PAGES pages in a file that is written back, or -1
 * @file_why: why there is none; else where it is
 * @page: page size, bytes
 */
struct litmus_session {
	const struct litmus_provider *provider;
	const struct litmus_options *options;
	void *state;
	char what[160];
	char why[160];
	pid_t pid;
	int memfd;
	int file;
	char file_why[128];
	size_t page;
};

/* A memfd is handed over, not an address. */
#define LITMUS_TAKES_MEMFD	(1U << 0)
/* One kind of access only: @write is ignored. */
#define LITMUS_ONE_ACCESS	(1U << 1)
/* Not in the list of what to try, since it needs --exec. */
#define LITMUS_ON_REQUEST	(1U << 2)

/**
 * struct litmus_provider - a way to have memory pinned
 * @name: the word on the command line
 * @summary: one line for people
 * @flags: LITMUS_TAKES_MEMFD, LITMUS_ONE_ACCESS, LITMUS_ON_REQUEST
 * @max_pages: most that one call takes, 0 if there is no such limit
 * @expect: the rung it is known to have; UNKNOWN if finding out is the point
 * @open: makes ready; 0 or -errno with @why, and nothing left open then
 * @map: maps an area where it will be registered; NULL: in this process
 * @drop: takes its pages out of the page table; NULL: in this process
 * @unmap: unmaps it; NULL: in this process
 * @pin: the call under test; 0, -errno or -LITMUS_EHIDDEN with @why. One area
 *	is registered at a time.
 * @unpin: takes it back; 0 or -errno
 * @close: ends what @open began; NULL if nothing
 */
struct litmus_provider {
	const char *name;
	const char *summary;
	unsigned int flags;
	size_t max_pages;
	enum litmus_rung expect;
	int (*open)(struct litmus_session *s);
	int (*map)(struct litmus_session *s, struct litmus_area *area);
	int (*drop)(struct litmus_session *s, const struct litmus_area *area);
	int (*unmap)(struct litmus_session *s, const struct litmus_area *area);
	int (*pin)(struct litmus_session *s, const struct litmus_area *area,
		   bool write);
	int (*unpin)(struct litmus_session *s, const struct litmus_area *area);
	void (*close)(struct litmus_session *s);
};

extern const struct litmus_provider litmus_ibverbs;
extern const struct litmus_provider litmus_io_uring;
extern const struct litmus_provider litmus_xdp;
extern const struct litmus_provider litmus_vfio;
extern const struct litmus_provider litmus_udmabuf;
extern const struct litmus_provider litmus_cuda;
extern const struct litmus_provider litmus_exec;
extern const struct litmus_provider litmus_pinprobe_none;
extern const struct litmus_provider litmus_pinprobe_get;
extern const struct litmus_provider litmus_pinprobe_pin;
extern const struct litmus_provider litmus_pinprobe_longterm;
extern const struct litmus_provider litmus_mlock;
extern const struct litmus_provider litmus_vmsplice;
extern const struct litmus_provider litmus_process_vm;

/* litmus_session.c */

/**
 * litmus_session_open() - a provider, ready to register
 * @s: filled in
 * @provider: which
 * @options: the command line
 *
 * Return: 0, or -errno with @s->why; close it in either case.
 */
int litmus_session_open(struct litmus_session *s,
			const struct litmus_provider *provider,
			const struct litmus_options *options);
void litmus_session_close(struct litmus_session *s);

/* "why" or the text of the errno, whichever there is. */
const char *litmus_why(const struct litmus_session *s, int err);
/* Keeps what went wrong; returns @err. */
int litmus_fail(struct litmus_session *s, int err, const char *fmt, ...)
	__printf(3, 4);

/*
 * litmus_area.c: 0 or -errno. litmus_populate() touches each page; by hand before
 * v5.14, which brought MADV_POPULATE_READ.
 */
int litmus_populate(void *addr, size_t len, bool write);
int litmus_area_map(struct litmus_session *s, struct litmus_area *area);
int litmus_area_drop(struct litmus_session *s, const struct litmus_area *area);
int litmus_area_unmap(struct litmus_session *s, const struct litmus_area *area);
int litmus_pin(struct litmus_session *s, const struct litmus_area *area,
	       bool write);
int litmus_unpin(struct litmus_session *s, const struct litmus_area *area);

/* litmus_probe.c */

/**
 * litmus_gather() - all the evidence there is to be had
 * @s: an open session
 * @e: filled in
 *
 * Return: 0, or -errno with @s->why if not even plain memory can be registered.
 */
int litmus_gather(struct litmus_session *s, struct litmus_evidence *e);

/* litmus_count.c, litmus_fork.c, litmus_evict.c, litmus_places.c */
void litmus_probe_count(struct litmus_session *s, struct litmus_evidence *e);
/* nr_foll_pin_acquired now, -1 unless it is exact. */
int64_t litmus_acquired(void);
void litmus_probe_fork(struct litmus_session *s, struct litmus_evidence *e);
void litmus_probe_evict(struct litmus_session *s, struct litmus_evidence *e);
void litmus_probe_orphan(struct litmus_session *s, struct litmus_evidence *e);
void litmus_probe_untouched(struct litmus_session *s, struct litmus_evidence *e);
void litmus_probe_places(struct litmus_session *s, struct litmus_evidence *e);

/* litmus_pagemap.c */

/* Bits of /proc/PID/pagemap. */
#define LITMUS_PRESENT		(1ULL << 63)
#define LITMUS_EXCLUSIVE	(1ULL << 56)
#define LITMUS_PFN(entry)	((entry) & ((1ULL << 55) - 1))

/**
 * litmus_pagemap() - the entries of an area
 * @s: whose
 * @area: which
 * @entries: one for each page
 *
 * Return: 0 or -errno.
 */
int litmus_pagemap(const struct litmus_session *s,
		   const struct litmus_area *area, uint64_t *entries);

/* How many of them are present and mapped nowhere else; -errno. */
long litmus_exclusive(const struct litmus_session *s,
		      const struct litmus_area *area);

/* litmus_probe.c: whether this kernel is of that version, or later. */
bool litmus_kernel_has(int major, int minor);

/* litmus_zones.c */

/**
 * struct litmus_zones - where memory is that a long-term pin must leave
 * @nr: ranges
 * @range: first PFN, and first PFN behind
 * @how: where the ranges come from
 */
struct litmus_zones {
	size_t nr;
	struct {
		uint64_t start;
		uint64_t end;
	} range[64];
	char how[96];
};

/* Reads them; @zones->nr is 0 if none is known. */
void litmus_zones_read(struct litmus_zones *zones);
/* The same of CMA alone. */
void litmus_zones_cma(struct litmus_zones *zones);
/* Parts of it, for tests: what a file says, added to @zones. */
void litmus_zones_movable(struct litmus_zones *zones, const char *zoneinfo);
void litmus_zones_cma_log(struct litmus_zones *zones, const char *line);
bool litmus_zones_has(const struct litmus_zones *zones, uint64_t pfn);

/* litmus_print.c */

struct json_object;
void litmus_print(const struct litmus_session *s,
		  const struct litmus_evidence *e,
		  const struct litmus_finding *f);
struct json_object *litmus_json(const struct litmus_session *s,
				const struct litmus_evidence *e,
				const struct litmus_finding *f);

#endif
