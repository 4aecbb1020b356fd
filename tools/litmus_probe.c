// SPDX-License-Identifier: GPL-2.0
/* The registrations that are tried, and what this kernel does with them. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

#include "litmus.h"
#include "litmus_uring.h"
#include "out.h"

static void keep(struct litmus_session *s, struct litmus_try *t, int err)
{
	const char *why = litmus_why(s, err);

	t->outcome = err ? LITMUS_REFUSED : LITMUS_TAKEN;
	if (!err)
		return;
	t->err = err != -LITMUS_EHIDDEN ? -err : 0;
	if (!t->err)
		snprintf(t->said, sizeof(t->said), "refused, %.80s", why);
	else if (strcmp(why, strerror(t->err)))
		snprintf(t->said, sizeof(t->said), "refused, %s: %.64s",
			 strerrorname_np(t->err), why);
	else
		snprintf(t->said, sizeof(t->said), "refused, %s",
			 strerrorname_np(t->err));
}

static void try_one(struct litmus_session *s, struct litmus_try *t,
		    enum litmus_kind kind, bool shared, bool writable, bool write)
{
	struct litmus_area area = {
		.kind = kind,
		.shared = shared,
		.writable = writable,
		.len = LITMUS_TRY_PAGES * s->page,
	};
	int64_t before, after;
	int err;

	t->pins = -1;
	s->why[0] = '\0';
	err = litmus_area_map(s, &area);
	if (err) {
		snprintf(t->said, sizeof(t->said), "not mapped: %.80s",
			 litmus_why(s, err));
		return;
	}
	before = litmus_acquired();
	err = litmus_pin(s, &area, write);
	after = litmus_acquired();
	if (before >= 0 && after >= 0)
		t->pins = after - before;
	keep(s, t, err);
	if (!err)
		litmus_unpin(s, &area);
	litmus_area_unmap(s, &area);
}

static void not_tried(struct litmus_try *t, const char *why)
{
	t->outcome = LITMUS_NOT_TRIED;
	snprintf(t->said, sizeof(t->said), "not tried, %s", why);
}

static void try_all(struct litmus_session *s, struct litmus_evidence *e)
{
	const char *reads = "it cannot be asked to read only";

	try_one(s, &e->anon_write, LITMUS_ANON, false, true, true);
	try_one(s, &e->shmem_write, LITMUS_SHMEM, true, true, true);
	try_one(s, &e->private_file_write, LITMUS_FILE, false, true, true);
	try_one(s, &e->file_write, LITMUS_FILE, true, true, true);
	try_one(s, &e->readonly_shared_write, LITMUS_SHMEM, true, false, true);
	/* With one kind of access it is the same call, and says whether it forces. */
	try_one(s, &e->readonly_private, LITMUS_ANON, false, false, false);
	if (e->one_access) {
		not_tried(&e->anon_read, reads);
		not_tried(&e->readonly_shared, reads);
		return;
	}
	try_one(s, &e->anon_read, LITMUS_ANON, false, true, false);
	try_one(s, &e->readonly_shared, LITMUS_SHMEM, true, false, false);
}

static void try_memfd(struct litmus_session *s, struct litmus_evidence *e)
{
	const char *why = "the call takes a memfd only";

	try_one(s, &e->shmem_write, LITMUS_SHMEM, true, true, true);
	not_tried(&e->anon_write, why);
	not_tried(&e->anon_read, why);
	not_tried(&e->private_file_write, why);
	not_tried(&e->file_write, why);
	not_tried(&e->readonly_private, why);
	not_tried(&e->readonly_shared, why);
	not_tried(&e->readonly_shared_write, "the call is given no mapping");
}

bool litmus_kernel_has(int major, int minor)
{
	struct utsname name;

	return !uname(&name) && litmus_release_has(name.release, major, minor);
}

/*
 * io_uring is known to take FOLL_LONGTERM and FOLL_WRITE: what it is refused,
 * the kernel refuses to all who do.
 */
static int ask_io_uring(struct litmus_session *s, bool file)
{
	int flags = file ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS;
	size_t len = LITMUS_TRY_PAGES * s->page;
	void *addr;
	int err;

	addr = mmap(NULL, len, PROT_READ | PROT_WRITE, flags,
		    file ? s->file : -1, 0);
	if (addr == MAP_FAILED)
		return -errno;
	err = litmus_uring_try(addr, len);
	munmap(addr, len);
	return err;
}

static void find_file_rule(struct litmus_session *s, struct litmus_evidence *e)
{
	int err;

	if (s->file < 0) {
		snprintf(e->file_rule_how, sizeof(e->file_rule_how), "%s",
			 s->file_why);
		return;
	}
	err = ask_io_uring(s, false);
	if (!err) {
		err = ask_io_uring(s, true);
		snprintf(e->file_rule_how, sizeof(e->file_rule_how),
			 "fixed buffers of io_uring in it: %s",
			 err ? strerrorname_np(-err) : "taken");
		if (!err)
			e->file_rule = LITMUS_NO;
		else if (err == -EFAULT)
			e->file_rule = LITMUS_YES;
		if (e->file_rule)
			return;
	}
	/*
	 * Before Linux kernel commit 8ac268436e6d ("mm/gup: disallow FOLL_LONGTERM
	 * GUP-nonfast writing to file-backed mappings") (in v6.5), nobody was
	 * refused.
	 */
	e->file_rule = litmus_kernel_has(6, 5) ? LITMUS_YES : LITMUS_NO;
	snprintf(e->file_rule_how, sizeof(e->file_rule_how),
		 "by the kernel's version, since io_uring says %s",
		 strerrorname_np(-err));
}

static void find_rules(struct litmus_session *s, struct litmus_evidence *e)
{
	find_file_rule(s, e);
	/*
	 * Before Linux kernel commit 84209e87c696 ("mm/gup: reliable R/O long-term
	 * pinning in COW mappings") (in v6.2), it got the zero page.
	 */
	e->cow_rule = litmus_kernel_has(6, 2) ? LITMUS_YES : LITMUS_NO;
}

/* Without that one there is nothing to find out. */
static int first_try(struct litmus_session *s, struct litmus_evidence *e)
{
	bool memfd = s->provider->flags & LITMUS_TAKES_MEMFD;
	struct litmus_try *t = memfd ? &e->shmem_write : &e->anon_write;

	try_one(s, t, memfd ? LITMUS_SHMEM : LITMUS_ANON, memfd, true, true);
	if (t->outcome == LITMUS_TAKEN)
		return 0;
	return litmus_fail(s, t->err ? -t->err : -LITMUS_EHIDDEN,
			   "%d pages of plain memory: %s", LITMUS_TRY_PAGES,
			   t->said);
}

int litmus_gather(struct litmus_session *s, struct litmus_evidence *e)
{
	int err;

	memset(e, 0, sizeof(*e));
	e->one_access = s->provider->flags & LITMUS_ONE_ACCESS;
	err = first_try(s, e);
	if (err)
		return err;
	find_rules(s, e);
	if (s->provider->flags & LITMUS_TAKES_MEMFD)
		try_memfd(s, e);
	else
		try_all(s, e);
	litmus_probe_fork(s, e);
	litmus_probe_evict(s, e);
	litmus_probe_orphan(s, e);
	litmus_probe_untouched(s, e);
	litmus_probe_places(s, e);
	litmus_probe_count(s, e);
	out_progress_end();
	s->why[0] = '\0';
	return 0;
}
