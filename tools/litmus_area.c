// SPDX-License-Identifier: GPL-2.0
/* Memory of this process that providers register, unless they have their own. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "litmus.h"

/* Since Linux 5.18; older ones drop no locked memory. */
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED	24
#endif

#define STUCK_S			10

static void *pointer(const struct litmus_area *area)
{
	return (void *)(uintptr_t)area->addr;
}

int litmus_populate(void *addr, size_t len, bool write)
{
	const long page = sysconf(_SC_PAGESIZE);
	char *byte = addr;
	size_t i;

	if (!madvise(addr, len, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ))
		return 0;
	if (errno != EINVAL)
		return -errno;
	for (i = 0; i < len; i += page) {
		if (write)
			__atomic_fetch_or(byte + i, 0, __ATOMIC_RELAXED);
		else
			__atomic_load_n(byte + i, __ATOMIC_RELAXED);
	}
	return 0;
}

/* A file's pages are read: to write would make them dirty. */
static int touch(const struct litmus_area *area)
{
	return litmus_populate(pointer(area), area->len,
			       area->writable && area->kind != LITMUS_FILE);
}

static int map_here(struct litmus_area *area)
{
	int prot = PROT_READ | (area->writable ? PROT_WRITE : 0);
	int flags = area->shared ? MAP_SHARED : MAP_PRIVATE;
	void *addr;
	int err;

	if (area->kind == LITMUS_ANON)
		flags |= MAP_ANONYMOUS;
	addr = mmap(NULL, area->len, prot, flags, area->fd, 0);
	if (addr == MAP_FAILED)
		return -errno;
	area->addr = (uintptr_t)addr;
	/* Counts and places are those of small pages. Kernels without THP: EINVAL. */
	madvise(addr, area->len, MADV_NOHUGEPAGE);
	err = area->untouched ? 0 : touch(area);
	if (err)
		munmap(addr, area->len);
	return err;
}

int litmus_area_map(struct litmus_session *s, struct litmus_area *area)
{
	area->fd = area->kind == LITMUS_SHMEM ? s->memfd :
		   area->kind == LITMUS_FILE ? s->file : -1;
	if (area->kind == LITMUS_FILE && area->fd < 0)
		return litmus_fail(s, -ENOENT, "%s", s->file_why);
	if (s->provider->map)
		return s->provider->map(s, area);
	return map_here(area);
}

int litmus_area_drop(struct litmus_session *s, const struct litmus_area *area)
{
	if (s->provider->drop)
		return s->provider->drop(s, area);
	if (!madvise(pointer(area), area->len, MADV_DONTNEED) ||
	    !madvise(pointer(area), area->len, MADV_DONTNEED_LOCKED))
		return 0;
	return -errno;
}

int litmus_area_unmap(struct litmus_session *s, const struct litmus_area *area)
{
	int err = 0;

	if (s->provider->unmap)
		err = s->provider->unmap(s, area);
	else if (munmap(pointer(area), area->len))
		err = -errno;
	/* Give the memory back: a whole buffer may be in there. */
	if (area->kind == LITMUS_SHMEM)
		fallocate(area->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			  0, area->len);
	return err;
}

static void say_stuck(int signal)
{
	static const char text[] =
		"pinprobe: the call has not returned for 10 s; Ctrl-C gives up\n";

	(void)signal;
	if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		return;
}

/* Some of what the kernel waits for in a long-term pin never comes. */
int litmus_pin(struct litmus_session *s, const struct litmus_area *area,
	       bool write)
{
	const struct sigaction say = {
		.sa_handler = say_stuck,
		.sa_flags = SA_RESTART,
	};
	int err;

	s->why[0] = '\0';
	sigaction(SIGALRM, &say, NULL);
	alarm(STUCK_S);
	err = s->provider->pin(s, area, write);
	alarm(0);
	return err;
}

int litmus_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	s->why[0] = '\0';
	return s->provider->unpin(s, area);
}
