// SPDX-License-Identifier: GPL-2.0
/* Threads that wait for a device, and what for. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "holders_internal.h"

/**
 * struct call - the system call that a thread is in
 * @nr:		its number
 * @arg:	its arguments
 */
struct call {
	long nr;
	uint64_t arg[6];
};

static char state_of(const char *stat)
{
	const char *end = strrchr(stat, ')');

	return end && end[1] == ' ' ? end[2] : '?';
}

static bool call_of(const char *line, struct call *c)
{
	uint64_t *a = c->arg;

	return sscanf(line, "%ld 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64
		      " 0x%" SCNx64 " 0x%" SCNx64 " 0x%" SCNx64, &c->nr, &a[0],
		      &a[1], &a[2], &a[3], &a[4], &a[5]) == 7;
}

/* Transfers from or to one buffer: fd, address, length. */
static bool is_plain(long nr)
{
	return nr == SYS_read || nr == SYS_write || nr == SYS_pread64 ||
	       nr == SYS_pwrite64;
}

static bool is_vector(long nr)
{
	return nr == SYS_readv || nr == SYS_writev || nr == SYS_preadv ||
	       nr == SYS_pwritev || nr == SYS_preadv2 || nr == SYS_pwritev2;
}

static bool direct(struct holders *h, pid_t pid, uint64_t fd)
{
	struct text info = { 0 };
	const char *flags;
	bool is;

	source_read(h->query->source, &info, "/proc/%d/fdinfo/%d", pid, (int)fd);
	flags = fdinfo_value(info.s, "flags");
	is = flags && strtoul(flags, NULL, 8) & O_DIRECT;
	text_free(&info);
	return is;
}

/* From or to another process: its number, vector here, vector there. */
static bool is_copy(long nr)
{
	return nr == SYS_process_vm_readv || nr == SYS_process_vm_writev;
}

/* The vector is @pid's, and has addresses of @whose. */
static bool vector_covers(struct holders *h, pid_t pid, const uint64_t *arg,
			  pid_t whose, struct iovec *hit)
{
	struct iovec vector[64];
	struct iovec local = { vector, sizeof(vector) };
	struct iovec remote = { (void *)(uintptr_t)arg[0],
				arg[1] * sizeof(*vector) };
	ssize_t got, i;

	if (!source_live(h->query->source))
		return false;
	got = process_vm_readv(pid, &local, 1, &remote, 1, 0);
	for (i = 0; i < got / (ssize_t)sizeof(*vector); i++)
		if (holders_covers(h, whose, (uintptr_t)vector[i].iov_base,
				   vector[i].iov_len)) {
			*hit = vector[i];
			return true;
		}
	return false;
}

static bool covers(struct holders *h, pid_t pid, const struct call *c,
		   struct iovec *hit)
{
	hit->iov_base = (void *)(uintptr_t)c->arg[1];
	hit->iov_len = c->arg[2];
	if (is_plain(c->nr))
		return holders_covers(h, pid, c->arg[1], c->arg[2]);
	return is_vector(c->nr) && vector_covers(h, pid, c->arg + 1, pid, hit);
}

/* Direct I/O takes pins or references, which depends on kernel and file system. */
static void add(struct holders *h, pid_t pid, const char *tid,
		const struct call *c, bool told)
{
	char *wchan = NULL;
	struct holder *holder;
	struct iovec hit;

	source_line(h->query->source, &wchan, "/proc/%d/task/%s/wchan", pid, tid);
	holder = holders_add(h, HOLDER_IO, pid, -1);
	holder->takes = HOLDER_TAKES_PIN | HOLDER_TAKES_REF;
	holder->claim = HOLDER_CLAIM_KIND;
	holder->what = text_format("thread %s, waiting in %s", tid,
				   wchan && *wchan != '0' ? wchan : "the kernel");
	if (told && direct(h, pid, c->arg[0]) && covers(h, pid, c, &hit)) {
		holder->claim = HOLDER_CLAIM_ADDRESS;
		holder->fd = c->arg[0];
		holder->start = (uintptr_t)hit.iov_base;
		holder->bytes = hit.iov_len;
		holder->evidence = text_dup("it is in a system call that transfers from or to this address, and the file is O_DIRECT");
	} else {
		holder->evidence = text_dup("it sleeps uninterruptibly (state D); direct I/O holds pages, and others that wait do not");
	}
	free(wchan);
}

/* What it copies from or to is pinned meanwhile; that it can be for long is rare. */
static void add_copy(struct holders *h, pid_t pid, const char *tid,
		     const struct call *c)
{
	struct holder *holder;
	struct iovec hit;

	if (!vector_covers(h, pid, c->arg + 3, c->arg[0], &hit))
		return;
	holder = holders_add(h, HOLDER_IO, pid, -1);
	holder->takes = HOLDER_TAKES_PIN;
	holder->claim = HOLDER_CLAIM_ADDRESS;
	holder->start = (uintptr_t)hit.iov_base;
	holder->bytes = hit.iov_len;
	holder->what = text_format("thread %s, in %s()", tid,
				   c->nr == SYS_process_vm_readv ?
				   "process_vm_readv" : "process_vm_writev");
	holder->evidence = text_dup("it copies from or to this address, and waits for memory of its own");
}

void holders_tasks(struct holders *h, pid_t pid)
{
	struct source_names names;
	size_t i;

	if (!h->query->all && !holders_maps_it(h, pid))
		return;
	source_list(h->query->source, &names, "/proc/%d/task", pid);
	for (i = 0; i < names.count; i++) {
		struct text stat = { 0 }, line = { 0 };
		struct call c = { 0 };
		bool told;

		source_read(h->query->source, &stat, "/proc/%d/task/%s/stat",
			    pid, names.name[i]);
		source_read(h->query->source, &line, "/proc/%d/task/%s/syscall",
			    pid, names.name[i]);
		told = call_of(line.s, &c);
		if (told && is_copy(c.nr))
			add_copy(h, pid, names.name[i], &c);
		else if (state_of(stat.s) == 'D')
			add(h, pid, names.name[i], &c, told);
		text_free(&stat);
		text_free(&line);
	}
	source_names_free(&names);
}
