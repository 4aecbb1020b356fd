// SPDX-License-Identifier: GPL-2.0
/*
 * The verdict on a call that failed or hangs. What is common to all who look at
 * pins is decided by selftests/lib/verdict.c; here are the layers around it.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "explain.h"
#include "page_bytes.h"

#define VM_READ_		0x1ul
#define VM_WRITE_		0x2ul
#define VM_SHARED_		0x8ul
#define VM_PFNMAP_		0x400ul
#define VM_IO_			0x4000ul
#define VM_HUGETLB_		0x400000ul
#define S_DAX_			0x2000u

__printf(3, 4)
static void say(struct explain_verdict *v, const char *code, const char *fmt, ...)
{
	va_list args;

	v->code = code;
	va_start(args, fmt);
	vsnprintf(v->text, sizeof(v->text), fmt, args);
	va_end(args);
}

static int step_error(const struct trace_record *r, unsigned int layer)
{
	const struct trace_step *step = r->step + layer;

	return step->calls && step->ret < 0 && step->ret >= -4095 ?
	       -(int)step->ret : 0;
}

unsigned int explain_outermost(const struct trace_record *r)
{
	unsigned int i;

	for (i = 0; i < TRACE_LAYERS; i++)
		if (r->step[i].calls || r->step[i].entered)
			return i;
	return TRACE_LAYERS;
}

bool explain_failed(const struct trace_record *r)
{
	unsigned int outermost = explain_outermost(r);

	return outermost < TRACE_LAYERS && step_error(r, outermost);
}

void explain_account(const struct trace_look *look, const struct trace_kernel *k,
		     struct account_facts *f)
{
	long pages = 1l << look->order;
	long mapped = look->order ? look->mapcount : look->mapcount + 1;
	bool anon = look->mapping & 1;

	memset(f, 0, sizeof(*f));
	f->counted = look->have & TRACE_HAVE_PAGE;
	f->refs = look->refcount;
	f->order = look->order;
	f->pincount = look->order ? look->pincount : 0;
	f->user = look->mapping;
	f->lru = k->pg_lru >= 0 && (look->flags >> k->pg_lru & 1);
	/* Before v6.9 the count of a large folio is that of the whole, from -1. */
	f->mappings = mapped < 0 ? 0 : mapped;
	if (look->mapping && !anon)
		f->cache = pages;
	if (anon && k->pg_swapcache >= 0 && k->pg_swapbacked >= 0 &&
	    (look->flags >> k->pg_swapcache & 1) &&
	    (look->flags >> k->pg_swapbacked & 1))
		f->swap = pages;
	if (k->pg_private >= 0 && !anon && (look->flags >> k->pg_private & 1))
		f->private = 1;
}

long explain_extra(const struct trace_look *look, const struct trace_kernel *k,
		   bool isolated)
{
	struct account_facts f;

	explain_account(look, k, &f);
	if (!f.counted)
		return 0;
	return f.refs - f.mappings - f.cache - f.swap - f.private - isolated;
}

static enum verdict_file file_kind(const struct trace_mapping *m)
{
	if (!m->fs[0])
		return VERDICT_FILE_NONE;
	if (!strcmp(m->fs, "secretmem"))
		return VERDICT_FILE_SECRET;
	if (!strcmp(m->fs, "sysfs"))
		return VERDICT_FILE_SYSFS;
	if (!S_ISREG(m->mode))
		return VERDICT_FILE_DEVICE;
	if (m->inode_flags & S_DAX_)
		return VERDICT_FILE_DAX;
	if (!strcmp(m->fs, "tmpfs") || !strcmp(m->fs, "hugetlbfs") ||
	    !strcmp(m->fs, "devtmpfs") || !strcmp(m->fs, "ramfs"))
		return VERDICT_FILE_MEMORY;
	return VERDICT_FILE_DISK;
}

uint64_t explain_address(const struct trace_record *r)
{
	if (r->umem_len)
		return r->umem_addr;
	/* It pins buffer by buffer, others pin one in pieces. */
	return r->step[TRACE_IO_URING].calls || r->step[TRACE_IO_URING].entered ?
	       r->addr : r->first_addr;
}

const char *explain_class(const struct trace_record *r)
{
	const struct trace_mapping *m = &r->mapping;

	if (r->exporter[0] || (m->found > 0 && !strcmp(m->fs, "dmabuf")))
		return "dma-buf";
	if (m->found <= 0)
		return "?";
	if (m->flags & (VM_IO_ | VM_PFNMAP_))
		return "device";
	if (m->flags & VM_HUGETLB_)
		return "hugetlb";
	return m->fs[0] ? "file" : "host anon";
}

static void mapping_facts(const struct explain_facts *facts, uint64_t addr,
			  bool write, struct verdict_facts *f)
{
	const struct trace_mapping *m = &facts->record->mapping;
	uint64_t page = facts->kernel->page_bytes, offset;

	f->denied = UINT64_MAX;
	if (m->found <= 0)
		return;
	f->mapping.measured = true;
	f->mapping.io = m->flags & (VM_IO_ | VM_PFNMAP_);
	f->mapping.shared = m->flags & VM_SHARED_;
	f->mapping.writable = m->flags & VM_WRITE_;
	f->mapping.file = file_kind(m);
	f->mapping.hugetlb = m->flags & VM_HUGETLB_ ?
			     page_huge_bytes(page) : 0;
	f->denied = write && !(m->flags & VM_WRITE_) ?
		    (m->end - m->start) / page : 0;
	offset = addr - m->start + m->pgoff * page;
	if (S_ISREG(m->mode) && m->fs[0] && addr >= m->start &&
	    offset >= ((m->size + page - 1) & ~(page - 1)))
		f->mapping.beyond = 1;
}

static uint64_t umem_pages(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	uint64_t page = facts->kernel->page_bytes;

	return ((r->umem_addr & (page - 1)) + r->umem_len + page - 1) / page;
}

/* Which counter the limit is compared with depends on who charges. */
static void memlock_facts(const struct explain_facts *facts,
			  struct verdict_memlock *m)
{
	const struct trace_record *r = facts->record;
	uint64_t page = facts->kernel->page_bytes;
	uint64_t used = r->pinned_vm, wanted = r->pages;

	m->measured = r->measured;
	if (r->step[TRACE_UMEM].calls)
		wanted = umem_pages(facts);
	else if (r->step[TRACE_IO_URING].calls || r->step[TRACE_XDP].calls)
		used = r->user_locked;
	else if (r->step[TRACE_VFIO].calls)
		used = r->locked_vm;
	m->exempt = r->exempt;
	m->limit = r->memlock;
	m->used = used * page;
	m->wanted = wanted * page;
}

static bool over(const struct verdict_memlock *m)
{
	return m->measured && !m->exempt && m->limit != UINT64_MAX &&
	       m->used + m->wanted > m->limit;
}

/* Folios that failed, and more than could be told are like those. */
static void stuck_facts(const struct explain_facts *facts, struct verdict_facts *f)
{
	const struct trace_record *r = facts->record;
	uint64_t held = 0, pages = 0;
	size_t i;

	f->refs_measured = facts->pages > 0;
	for (i = 0; i < facts->pages; i++) {
		const struct explain_page *p = facts->page + i;
		uint64_t n = 1ull << p->look.order;

		pages += n;
		f->change.stuck_folios++;
		if (p->extra <= 0)
			continue;
		held += n;
		f->change.stuck_pinned += p->pinned;
		f->change.stuck_referenced += !p->pinned;
	}
	f->change.stuck_pages = pages;
	f->change.held_pages = held == pages && r->failed == TRACE_FAILED &&
			       r->last_stuck > held ? r->last_stuck : held;
	f->before.unpinnable = r->moved + r->last_stuck;
	f->before.unpinnable_folios = facts->page[0].look.order ? 0 :
				      f->before.unpinnable;
}

/* Where the last call came to its end. */
static uint64_t hole(const struct explain_facts *facts)
{
	const int64_t got = facts->record->step[TRACE_TAKE].ret;

	return facts->record->addr +
	       (got > 0 ? got : 0) * facts->kernel->page_bytes;
}

static void gup_facts(const struct explain_facts *facts, int error,
		      struct verdict_facts *f)
{
	const struct trace_record *r = facts->record;

	memset(f, 0, sizeof(*f));
	f->error = error;
	f->write = r->flags & facts->kernel->foll_write;
	f->shortterm = !(r->flags & facts->kernel->foll_longterm);
	f->reference = r->api >= TRACE_GET;
	f->migrate_measured = true;
	f->migrate.calls = r->step[TRACE_MIGRATE].calls +
			   !!r->step[TRACE_MIGRATE].entered;
	f->migrate.succeeded = r->moved;
	f->migrate.failed = r->stuck;
	f->last_failed = r->last_stuck;
	f->pinnable_free = facts->pinnable_free;
	f->barred = facts->barred;
	f->pool_free = f->pool_reach = facts->pool_free;
	f->before.pages = r->pages;
	mapping_facts(facts, hole(facts), f->write, f);
	/* A hugetlb mapping has no page where the fault fails. */
	f->after.unseen = f->mapping.hugetlb && !r->stuck ? 1 : 0;
	memlock_facts(facts, &f->memlock);
	stuck_facts(facts, f);
	f->spent_us = facts->spent / 1000;
	f->cpu_us = facts->cpu_ns / 1000;
	f->after.off_list = facts->off_list;
	f->after.written = facts->written;
	f->work.measured = true;
	f->work.thp_splits = facts->thp_splits;
	f->work.faults = facts->faults;
	f->work.migrate_failed = facts->migrate_failed;
}

/*
 * Pages that did not move, and whose holder had let go before they were looked at:
 * two that pin the same memory at a time do that to each other. Of larger folios
 * and of files on disks there are other reasons.
 */
static uint64_t let_go(const struct explain_facts *facts)
{
	uint64_t free = 0;
	size_t i;

	for (i = 0; i < facts->pages; i++) {
		const struct explain_page *p = facts->page + i;

		if (!(p->look.have & TRACE_HAVE_PAGE) || p->look.order ||
		    (p->extra <= 0 && !p->gone))
			return 0;
		free += p->extra <= 0;
	}
	return free;
}

static bool held_for_a_moment(const struct explain_facts *facts, int error,
			      const struct verdict_facts *f,
			      const struct verdict *verdict)
{
	return verdict->code == VERDICT_UNDECIDED && error == ENOMEM &&
	       f->last_failed && f->mapping.measured && let_go(facts) &&
	       (f->mapping.file == VERDICT_FILE_NONE ||
		f->mapping.file == VERDICT_FILE_MEMORY);
}

static void take_over(struct explain_verdict *v, const struct verdict *from)
{
	v->code = verdict_name(from->code);
	snprintf(v->text, sizeof(v->text), "%s", from->text);
	snprintf(v->not_lock, sizeof(v->not_lock), "%s", from->not_lock);
}

/* Which kernels have the rule: what worked before fails now, without a defect. */
static void add_rule(struct explain_verdict *v)
{
	size_t len = strlen(v->text);

	if (strcmp(v->code, "FILE"))
		return;
	snprintf(v->text + len, sizeof(v->text) - len,
		 ", which long-term pins may not write to since v6.5 (commit 8ac268436e6d); it was taken before");
}

/* The pin itself failed. */
static void decide_gup(const struct explain_facts *facts, int error,
		       struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	struct verdict_facts f;
	struct verdict verdict;

	gup_facts(facts, error, &f);
	/* Pages before the hole may have been moved. */
	if (error == EFAULT && r->mapping.found == 0 && !r->stuck) {
		say(v, "NOT-MEMORY", "no mapping at 0x%" PRIx64
		    ": the address or the length is wrong", hole(facts));
		return;
	}
	if (error == EFAULT && f.mapping.measured && !f.mapping.io && !f.write &&
	    !(r->mapping.flags & VM_READ_)) {
		say(v, "PERM", "the mapping may not be read");
		return;
	}
	verdict_decide(&f, &verdict);
	take_over(v, &verdict);
	if (held_for_a_moment(facts, error, &f, &verdict))
		say(v, "REFS", "%" PRIu64 " of %" PRIu64
		    " page%s failed to migrate; of those seen, %" PRIu64
		    " had been let go when looked at",
		    f.last_failed, f.before.unpinnable,
		    f.before.unpinnable == 1 ? "" : "s", let_go(facts));
	add_rule(v);
}

/* Nobody asked GUP for a page, and something said no before that. */
static void decide_before(const struct explain_facts *facts, int error,
			  struct explain_verdict *v)
{
	struct verdict_memlock m = {};

	memlock_facts(facts, &m);
	if (error == ENOMEM && over(&m))
		say(v, "LOCK", "%" PRIu64 " kB charged + %" PRIu64
		    " kB wanted > RLIMIT_MEMLOCK %" PRIu64 " kB, no page was tried",
		    m.used >> 10, m.wanted >> 10, m.limit >> 10);
	else if (error == EPERM && m.measured && !m.exempt && !m.limit)
		say(v, "LOCK", "RLIMIT_MEMLOCK is 0");
	else if (error == ENOMEM)
		say(v, "KALLOC", "the kernel ran out of memory of its own before any page was tried");
	else
		say(v, "NOT-MEMORY", "refused before any page was tried: %s",
		    strerror(error));
}

/* All pages were pinned, and then something said no. */
static void decide_behind(const struct explain_facts *facts, int error,
			  struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	struct verdict_memlock m = {};
	const char *stage = "the device's driver";

	memlock_facts(facts, &m);
	m.wanted = r->taken * facts->kernel->page_bytes;
	if (!r->step[TRACE_UMEM].calls && (error == ENOMEM || error == ENOBUFS) &&
	    over(&m)) {
		say(v, "LOCK", "%" PRIu64 " kB charged + %" PRIu64
		    " kB wanted > RLIMIT_MEMLOCK %" PRIu64
		    " kB; the pages were pinned first, and have been let go",
		    m.used >> 10, m.wanted >> 10, m.limit >> 10);
		return;
	}
	if (step_error(r, TRACE_IO_URING) == EOPNOTSUPP) {
		say(v, "FILE", "before v6.5 io_uring takes no buffer of a file, but of tmpfs and hugetlbfs; the pin succeeded, and was let go");
		return;
	}
	if (r->step[TRACE_PROVIDER].calls && step_error(r, TRACE_PROVIDER))
		stage = "the RDMA driver";
	else if (r->step[TRACE_UVERBS].calls)
		stage = "uverbs or the RDMA driver";
	else if (r->step[TRACE_VFIO].calls)
		stage = "VFIO or the IOMMU";
	say(v, r->step[TRACE_VFIO].calls ? "IOMMU" : "DEV",
	    "the pin succeeded (%" PRIu64 " pages); %s refused afterwards: %s",
	    (uint64_t)r->taken, stage, strerror(error));
}

static void blocker(const struct explain_facts *facts, char *s, size_t size)
{
	const struct explain_page *p = facts->page;

	if (!facts->pages) {
		snprintf(s, size, "no page was seen in the way");
		return;
	}
	snprintf(s, size, "page frame 0x%" PRIx64 " %s", (uint64_t)p->look.pfn,
		 p->extra > 0 ? p->pinned ? "is pinned" :
		 "is held by a reference" : "did not move");
}

static void decide_offline(const struct explain_facts *facts, int error,
			   struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	char what[96];

	blocker(facts, what, sizeof(what));
	if (facts->hanging && !r->stuck)
		say(v, "OFFLINE", "memory offline takes long, and no page has been seen in the way: %" PRIu64
		    " pages moved so far", (uint64_t)r->moved);
	else if (facts->hanging)
		say(v, "OFFLINE", "memory offline retries without end: %s, %" PRIu64
		    " migrations failed", what, (uint64_t)r->stuck);
	else if (error == EINTR)
		say(v, "OFFLINE", "memory offline was interrupted: %s", what);
	else if (!r->step[TRACE_MIGRATE].calls)
		say(v, "OFFLINE",
		    "memory offline: the block has memory that cannot be moved at all (%s)",
		    strerror(error));
	else
		say(v, "OFFLINE", "memory offline failed: %s", what);
}

static void decide_contig(const struct explain_facts *facts, int error,
			  struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	char what[96];

	blocker(facts, what, sizeof(what));
	if (facts->pages && r->stuck)
		say(v, "CONTIG", "%" PRIu64 " consecutive pages%s%s: %s",
		    (uint64_t)r->area_pages, r->area[0] ? " of CMA area " : "",
		    r->area, what);
	else if (r->busy)
		say(v, "CONTIG", "%" PRIu64 " consecutive pages: %" PRIu64
		    " ranges were busy, and no page of them was seen failing to move",
		    (uint64_t)r->area_pages, (uint64_t)r->busy);
	else
		say(v, "CONTIG", "%" PRIu64 " consecutive pages%s%s were never tried: no hole is that large; not a pin problem (%s)",
		    (uint64_t)r->area_pages, r->area[0] ? " of CMA area " : "",
		    r->area, strerror(error));
}

static void decide_hang(const struct explain_facts *facts, struct explain_verdict *v)
{
	if (facts->record->step[TRACE_OFFLINE].entered)
		decide_offline(facts, 0, v);
	else
		decide_gup(facts, ETIMEDOUT, v);
}

static bool gup_failed(const struct trace_record *r)
{
	const struct trace_step *take = r->step + TRACE_TAKE;

	if (!take->calls)
		return false;
	/* Folios, of which there may be fewer than pages. */
	if (r->api == TRACE_PIN_MEMFD)
		return take->ret < 0;
	return take->ret < 0 || (uint64_t)take->ret != r->pages;
}

static void decide_layer(const struct explain_facts *facts, int error,
			 struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	int gup = step_error(r, TRACE_TAKE);

	/* Ended by a signal: what it was at is what counts. */
	if (gup_failed(r) && facts->interrupted) {
		decide_gup(facts, ETIMEDOUT, v);
		return;
	}
	if (r->step[TRACE_OFFLINE].calls)
		decide_offline(facts, error, v);
	else if (step_error(r, TRACE_CMA) || step_error(r, TRACE_CONTIG))
		decide_contig(facts, error, v);
	else if (gup_failed(r))
		/* Who demands the full count makes another errno of it. */
		decide_gup(facts, gup ? gup : error, v);
	else if (r->step[TRACE_TAKE].calls &&
		 (!r->step[TRACE_UMEM].calls || r->taken >= umem_pages(facts)))
		decide_behind(facts, error, v);
	else
		decide_before(facts, error, v);
}

static bool any_gone(const struct explain_facts *facts)
{
	size_t i;

	for (i = 0; i < facts->pages; i++)
		if (facts->page[i].extra > 0 && !facts->page[i].gone)
			return false;
	return facts->pages > 0;
}

static enum explain_lasting lasting(const struct explain_facts *facts,
				    const struct explain_verdict *v)
{
	static const char *const for_good[] = {
		"LOCK", "FILE", "DAX", "PFNMAP", "SECRET", "P2P", "PERM", "SIGBUS",
		"NOT-MEMORY", "KALLOC", "SPIN", NULL
	};
	unsigned int i;

	for (i = 0; for_good[i]; i++)
		if (!strcmp(v->code, for_good[i]))
			return EXPLAIN_PERMANENT;
	if (!strcmp(v->code, "REFS") || !strcmp(v->code, "CONTIG") ||
	    !strcmp(v->code, "OFFLINE")) {
		if (!facts->pages)
			return EXPLAIN_UNKNOWN;
		return any_gone(facts) ? EXPLAIN_TRANSIENT : EXPLAIN_PERMANENT;
	}
	if (!strcmp(v->code, "WAIT"))
		return EXPLAIN_TRANSIENT;
	return EXPLAIN_UNKNOWN;
}

void explain_decide(const struct explain_facts *facts, struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	unsigned int outermost = explain_outermost(r);

	memset(v, 0, sizeof(*v));
	v->code = "UNDECIDED";
	if (facts->hanging) {
		decide_hang(facts, v);
	} else if (outermost < TRACE_LAYERS) {
		v->error = step_error(r, outermost);
		decide_layer(facts, v->error, v);
	}
	v->lasting = lasting(facts, v);
	v->blame_hidden = facts->hidden_cma && facts->pages && facts->page[0].cma &&
			  (!strcmp(v->code, "REFS") || !strcmp(v->code, "TARGET"));
}
