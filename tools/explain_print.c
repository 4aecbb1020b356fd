// SPDX-License-Identifier: GPL-2.0
/* One call as a paragraph. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "explain_gpu.h"
#include "out.h"

static const char *error_name(int error)
{
	const char *name = error ? strerrorname_np(error) : "0";

	return name ? name : "?";
}

static void add_time(struct text *t, uint64_t ns)
{
	if (ns >= 10000000000ull)
		text_printf(t, "%" PRIu64 " s", ns / 1000000000);
	else if (ns >= 10000000)
		text_printf(t, "%" PRIu64 " ms", ns / 1000000);
	else
		text_printf(t, "%" PRIu64 " us", ns / 1000);
}

static void add_size(struct text *t, uint64_t bytes)
{
	if (bytes >= 1 << 20 && !(bytes & ((1 << 20) - 1)))
		text_printf(t, "%" PRIu64 " MiB", bytes >> 20);
	else if (bytes >= 1024)
		text_printf(t, "%" PRIu64 " KiB", bytes >> 10);
	else
		text_printf(t, "%" PRIu64 " bytes", bytes);
}

static void add_what(struct text *t, const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	const struct trace_kernel *k = facts->kernel;

	if (r->step[TRACE_OFFLINE].calls || r->step[TRACE_OFFLINE].entered ||
	    r->step[TRACE_CMA].calls || r->step[TRACE_CONTIG].calls) {
		text_printf(t, "%" PRIu64 " pages", (uint64_t)r->area_pages);
		if (r->area_start)
			text_printf(t, " from page frame 0x%" PRIx64,
				    (uint64_t)r->area_start);
		if (r->area[0])
			text_printf(t, " of %s", r->area);
		return;
	}
	if (!r->umem_len && !r->pages) {
		text_puts(t, "no page was asked for");
		if (r->device[0])
			text_printf(t, ", device %s", r->device);
		return;
	}
	text_printf(t, "0x%" PRIx64 ", ", explain_address(r));
	add_size(t, r->umem_len ? r->umem_len : r->pages * k->page_bytes);
	text_printf(t, ", %s", explain_class(r));
	if (r->mapping.found > 0 && r->mapping.fs[0])
		text_printf(t, " (%s on %s)", r->mapping.name, r->mapping.fs);
	if (r->exporter[0])
		text_printf(t, ", exported by %s", r->exporter);
	if (r->umem_len)
		text_printf(t, ", access 0x%x", r->umem_access);
	if (r->step[TRACE_TAKE].calls || r->step[TRACE_TAKE].entered)
		text_printf(t, ", %s%s%s", trace_api_name(r->api),
			    r->flags & k->foll_longterm ? " LONGTERM" : " without LONGTERM",
			    r->flags & k->foll_write ? " WRITE" : "");
	if (r->device[0])
		text_printf(t, ", device %s", r->device);
}

static void add_layers(struct text *t, const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	const char *between = "";
	unsigned int i;

	for (i = 0; i < TRACE_LAYERS; i++) {
		const struct trace_step *step = r->step + i;

		if (!step->calls && !step->entered)
			continue;
		text_printf(t, "%s%s ", between, trace_layer_name(i));
		between = " < ";
		if (step->entered)
			text_puts(t, "still there");
		else if (step->ret < 0 && step->ret >= -4095)
			text_puts(t, error_name(-(int)step->ret));
		else if (i == TRACE_MIGRATE)
			text_printf(t, "%" PRIu64 " moved, %" PRIu64 " failed",
				    (uint64_t)r->moved, (uint64_t)r->stuck);
		else if (i == TRACE_TAKE)
			text_printf(t, "%" PRId64 " of %" PRIu64,
				    (int64_t)step->ret, (uint64_t)r->pages);
		else
			text_puts(t, "ok");
		text_puts(t, " (");
		if (step->calls > 1)
			text_printf(t, "%u calls, ", step->calls);
		add_time(t, step->entered ? facts->spent : step->spent);
		text_puts(t, ")");
	}
}

static void add_page(struct text *t, const struct explain_facts *facts,
		     const struct explain_page *p)
{
	text_printf(t, "page frame 0x%" PRIx64, (uint64_t)p->look.pfn);
	if (p->addr)
		text_printf(t, " at 0x%" PRIx64, p->addr);
	text_printf(t, ": node %d, zone %s, pageblock %s", p->node,
		    p->zone[0] ? p->zone : "?",
		    p->look.have & TRACE_HAVE_BLOCK ?
		    trace_type_name(facts->kernel, p->look.migratetype) : "?");
	if (p->look.order)
		text_printf(t, ", order %u", p->look.order);
	if (p->extra > 0)
		text_printf(t, ", %ld reference%s beyond mappings and caches%s",
			    p->extra, p->extra == 1 ? "" : "s",
			    p->pinned ? ": pinned" : "");
	if (p->gone)
		text_puts(t, p->extra > 0 ? ", gone when looked at again" :
			     ", held by nobody when looked at");
}

static void line(const char *label, const char *s)
{
	printf("  %-9s ", label);
	fputs(s, stdout);
	putchar('\n');
}

static void memlock_line(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	uint64_t kb = facts->kernel->page_bytes >> 10;
	struct text t = {};

	if (!r->measured)
		return;
	text_printf(&t, "pinned %" PRIu64 " kB, locked %" PRIu64 " kB, of user %" PRIu64 " kB; limit ",
		    (uint64_t)r->pinned_vm * kb, (uint64_t)r->locked_vm * kb,
		    (uint64_t)r->user_locked * kb);
	if (r->memlock == UINT64_MAX)
		text_puts(&t, "unlimited");
	else
		text_printf(&t, "%" PRIu64 " kB", (uint64_t)r->memlock >> 10);
	if (r->exempt)
		text_puts(&t, ", CAP_IPC_LOCK: not applied");
	line("memlock", t.s);
	text_free(&t);
}

static void evidence(const struct explain_facts *facts,
		     const struct explain_verdict *v)
{
	struct text t = {};
	size_t i;

	add_what(&t, facts);
	line("what", t.s);
	text_clear(&t);
	add_layers(&t, facts);
	line("layers", t.s);
	for (i = 0; i < facts->pages && i < 3; i++) {
		text_clear(&t);
		add_page(&t, facts, facts->page + i);
		line("page", t.s);
	}
	for (i = 0; i < facts->holders; i++)
		line("held by", facts->holder[i].what);
	if (facts->pages && facts->page[0].extra > 0 && !facts->holders)
		line("held by", "somebody who was not seen taking it, and is not found in /proc");
	if (facts->unasked[0])
		line("not asked", facts->unasked);
	memlock_line(facts);
	for (i = 0; i < facts->gpus; i++) {
		text_clear(&t);
		explain_gpu_text(&t, facts->gpu + i);
		line("BAR1", t.s);
	}
	if (v->not_lock[0])
		printf("  %-9s %s\n", "not LOCK", v->not_lock);
	text_free(&t);
}

static const char *lasting_name(enum explain_lasting lasting)
{
	switch (lasting) {
	case EXPLAIN_TRANSIENT:
		return "transient: the same call may succeed now";
	case EXPLAIN_PERMANENT:
		return "permanent: it fails again until something changes";
	default:
		return "whether it lasts is not known";
	}
}

void explain_print(const struct explain_facts *facts,
		   const struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	const char *const *remedy = explain_remedies(v);
	char *job = explain_job(r->tgid);
	struct text t = {};

	out_progress_end();
	out_text(OUT_CRITICAL, "%s", v->code);
	printf("  %s[%u]", r->comm, r->tgid);
	if (facts->hanging) {
		add_time(&t, facts->spent);
		printf(" has not come back for %s", t.s);
	} else {
		printf(" got %s", error_name(v->error));
	}
	printf(": %s\n", v->text);
	text_free(&t);
	evidence(facts, v);
	if (v->blame_hidden)
		printf("  %-9s %" PRIu64 " MiB of pageblocks that belong to no registered area\n",
		       "hidden CMA", facts->hidden_cma >> 20);
	if (job)
		line("job", job);
	free(job);
	line("lasting", lasting_name(v->lasting));
	for (; *remedy; remedy++)
		line("remedy", *remedy);
	putchar('\n');
	fflush(stdout);
}
