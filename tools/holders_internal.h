/* SPDX-License-Identifier: GPL-2.0 */
/* The places where holders are looked for. */
#ifndef PINPROBE_HOLDERS_INTERNAL_H
#define PINPROBE_HOLDERS_INTERNAL_H

#include "holders.h"

/**
 * struct holders_target - addresses of the page's folio in one process
 * @pid:	whose
 * @addr:	of the page
 * @start:	of the first byte
 * @end:	behind the last one
 */
struct holders_target {
	pid_t pid;
	uint64_t addr;
	uint64_t start;
	uint64_t end;
};

/**
 * struct holders - the search
 * @query:	what for
 * @page:	bytes of a page
 * @holder:	found so far
 * @nr:		how many
 * @target:	where the page is mapped
 * @targets:	how many
 * @denied_maps, @denied_files: processes of which that may not be read
 */
struct holders {
	const struct holders_query *query;
	size_t page;
	struct holder *holder;
	size_t nr;
	struct holders_target *target;
	size_t targets;
	size_t denied_maps;
	size_t denied_files;
};

/* One more, filled with zeroes but @pid, @comm and @fd. */
struct holder *holders_add(struct holders *h, enum holder_kind kind, pid_t pid,
			   int fd);

/* A sentence for what could not be looked at; once, however often it is so. */
void holders_missing(struct holders *h, const char *fmt, ...) __printf(2, 3);

/* Whether a process maps the page. */
bool holders_maps_it(const struct holders *h, pid_t pid);

/* Whether memory of a process has part of the page's folio. */
bool holders_covers(const struct holders *h, pid_t pid, uint64_t start,
		    uint64_t bytes);

/* holders_maps.c: those who map it. 0 or -ESRCH */
int holders_maps(struct holders *h);

/* holders_files.c: descriptors of a process, each by its kind */
void holders_files(struct holders *h, pid_t pid);
/* A copy of a descriptor of @pid, or -errno. */
int holders_borrow(struct holders *h, pid_t pid, int fd);

/* holders_ring.c */
void holders_ring(struct holders *h, pid_t pid, int fd, uint64_t inode);

/* holders_queue.c */
void holders_pipe(struct holders *h, pid_t pid, int fd, uint64_t inode);
void holders_socket(struct holders *h, pid_t pid, int fd, uint64_t inode);

/* holders_device.c */
void holders_pin(struct holders *h, pid_t pid, int fd);
void holders_dmabuf(struct holders *h, pid_t pid, int fd);
void holders_vfio(struct holders *h, pid_t pid, int fd, const char *link);

/* holders_region.c: regions of RDMA devices */
void holders_regions(struct holders *h);

/* holders_task.c: threads that wait */
void holders_tasks(struct holders *h, pid_t pid);

/* holders_judge.c */
void holders_judge(struct holder *holders, size_t nr, const struct account *a);

/* A line "KEY:	VALUE" of an fdinfo file; NULL if it has none. Not ended by NUL. */
const char *fdinfo_value(const char *fdinfo, const char *key);

#endif
