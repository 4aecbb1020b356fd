// SPDX-License-Identifier: GPL-2.0
/* One call as a JSON object: all that the paragraph has, and more. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"
#include "json.h"

/* What is not known is an empty string here, and null there. */
static const char *known(const char *s)
{
	return s[0] ? s : NULL;
}

static json_object *errno_json(int error)
{
	const char *name = error ? strerrorname_np(error) : NULL;

	return name ? json_object_new_string(name) : NULL;
}

static json_object *layers_json(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	json_object *list = json_object_new_array();
	unsigned int i;

	for (i = 0; i < TRACE_LAYERS; i++) {
		const struct trace_step *step = r->step + i;
		bool error = step->ret < 0 && step->ret >= -4095;
		json_object *j;

		if (!step->calls && !step->entered)
			continue;
		j = json_object_new_object();
		json_add_string(j, "layer", trace_layer_name(i));
		json_add_int(j, "calls", step->calls);
		json_object_object_add(j, "errno",
				       error && step->calls ?
				       errno_json(-(int)step->ret) : NULL);
		json_add_int(j, "ns", step->entered ? facts->spent : step->spent);
		json_add_bool(j, "inside", step->entered);
		json_object_array_add(list, j);
	}
	return list;
}

static json_object *page_json(const struct explain_facts *facts,
			      const struct explain_page *p)
{
	json_object *j = json_object_new_object();

	json_add_hex(j, "pfn", p->look.pfn);
	if (p->addr)
		json_add_hex(j, "address", p->addr);
	json_add_int(j, "node", p->node);
	json_add_string(j, "zone", known(p->zone));
	json_add_string(j, "migratetype", p->look.have & TRACE_HAVE_BLOCK ?
		   trace_type_name(facts->kernel, p->look.migratetype) : NULL);
	json_add_int(j, "order", p->look.order);
	json_add_int(j, "refs", p->look.refcount);
	json_add_int(j, "extra_refs", p->extra);
	json_add_bool(j, "pinned", p->pinned);
	json_add_bool(j, "gone", p->gone);
	return j;
}

static json_object *holder_json(const struct explain_holder *h)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "kind", h->kind);
	json_add_int(j, "pid", h->pid);
	json_add_string(j, "comm", h->comm);
	json_add_string(j, "caller", known(h->caller));
	json_add_string(j, "module", known(h->module));
	json_add_bool(j, "longterm", h->longterm);
	json_add_bool(j, "seen", h->seen);
	json_add_string(j, "certainty", holder_certainty_name(h->certainty));
	/* Since when an unwatched one has it is not known. */
	json_object_object_add(j, "age_ns", h->seen ?
			       json_object_new_int64(h->age_ns) : NULL);
	json_add_string(j, "what", h->what);
	return j;
}

static json_object *memlock_json(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	int64_t kb = facts->kernel->page_bytes >> 10;
	json_object *j;

	if (!r->measured)
		return NULL;
	j = json_object_new_object();
	json_add_int(j, "pinned_kb", r->pinned_vm * kb);
	json_add_int(j, "locked_kb", r->locked_vm * kb);
	json_add_int(j, "user_locked_kb", r->user_locked * kb);
	json_object_object_add(j, "limit_kb", r->memlock == UINT64_MAX ? NULL :
			       json_object_new_int64(r->memlock >> 10));
	json_add_bool(j, "exempt", r->exempt);
	return j;
}

static json_object *gpu_json(const struct explain_gpu *gpu)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "address", gpu->address);
	json_add_int(j, "bar1_bytes", gpu->bar1);
	json_object_object_add(j, "bar1_used_bytes", gpu->used < 0 ? NULL :
			       json_object_new_int64(gpu->used));
	return j;
}

static json_object *gpus_json(const struct explain_facts *facts)
{
	json_object *list = json_object_new_array();
	size_t i;

	for (i = 0; i < facts->gpus; i++)
		json_object_array_add(list, gpu_json(facts->gpu + i));
	return list;
}

static json_object *call_json(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	bool gup = r->step[TRACE_TAKE].calls || r->step[TRACE_TAKE].entered;
	json_object *j = json_object_new_object();

	json_add_hex(j, "address", explain_address(r));
	json_add_int(j, "length", r->umem_len ? r->umem_len :
		     r->pages * facts->kernel->page_bytes);
	json_add_string(j, "class", explain_class(r));
	json_add_string(j, "file_system", known(r->mapping.fs));
	json_add_string(j, "file", known(r->mapping.name));
	json_add_string(j, "exporter", known(r->exporter));
	json_add_string(j, "api", gup ? trace_api_name(r->api) : NULL);
	if (r->umem_len)
		json_add_hex(j, "access", r->umem_access);
	json_add_bool(j, "longterm", r->flags & facts->kernel->foll_longterm);
	json_add_bool(j, "write", r->flags & facts->kernel->foll_write);
	json_add_string(j, "device", known(r->device));
	json_add_int(j, "pinned", r->taken);
	if (r->area_pages) {
		json_add_hex(j, "area_pfn", r->area_start);
		json_add_int(j, "area_pages", r->area_pages);
		json_add_string(j, "area", known(r->area));
	}
	return j;
}

static json_object *migrations_json(const struct explain_facts *facts)
{
	const struct trace_record *r = facts->record;
	json_object *j = json_object_new_object();

	json_add_int(j, "calls", r->step[TRACE_MIGRATE].calls);
	json_add_int(j, "moved", r->moved);
	json_add_int(j, "failed", r->stuck);
	json_add_int(j, "last_failed", r->last_stuck);
	json_add_string(j, "reason", r->step[TRACE_MIGRATE].calls ?
			trace_reason_name(facts->kernel, r->reason) : NULL);
	return j;
}

static const char *lasting_word(enum explain_lasting lasting)
{
	return lasting == EXPLAIN_TRANSIENT ? "transient" :
	       lasting == EXPLAIN_PERMANENT ? "permanent" : NULL;
}

static json_object *process_json(const struct trace_record *r)
{
	json_object *j = json_object_new_object();
	char *job = explain_job(r->tgid);

	json_add_int(j, "pid", r->tgid);
	json_add_int(j, "tid", r->tid);
	json_add_string(j, "comm", r->comm);
	json_add_string(j, "job", job);
	free(job);
	return j;
}

json_object *explain_json(const struct explain_facts *facts,
			  const struct explain_verdict *v)
{
	const struct trace_record *r = facts->record;
	const char *const *remedy = explain_remedies(v);
	json_object *j = json_object_new_object();
	json_object *pages = json_object_new_array();
	json_object *holders = json_object_new_array();
	json_object *remedies = json_object_new_array();
	size_t i;

	json_add_string(j, "verdict", v->code);
	json_add_string(j, "text", v->text);
	json_add_string(j, "not_lock", known(v->not_lock));
	json_object_object_add(j, "errno", errno_json(v->error));
	json_add_bool(j, "hanging", facts->hanging);
	json_add_int(j, "ns", facts->spent);
	json_add_string(j, "lasting", lasting_word(v->lasting));
	json_object_object_add(j, "process", process_json(r));
	json_object_object_add(j, "call", call_json(facts));
	json_object_object_add(j, "layers", layers_json(facts));
	json_object_object_add(j, "migrations", migrations_json(facts));
	json_object_object_add(j, "memlock", memlock_json(facts));
	for (i = 0; i < facts->pages; i++)
		json_object_array_add(pages, page_json(facts, facts->page + i));
	json_object_object_add(j, "pages", pages);
	for (i = 0; i < facts->holders; i++)
		json_object_array_add(holders, holder_json(facts->holder + i));
	json_object_object_add(j, "holders", holders);
	json_add_string(j, "holders_unasked", known(facts->unasked));
	json_object_object_add(j, "gpus", gpus_json(facts));
	json_add_int(j, "hidden_cma_kb", v->blame_hidden ? facts->hidden_cma >> 10 : 0);
	for (; *remedy; remedy++)
		json_object_array_add(remedies, json_object_new_string(*remedy));
	json_object_object_add(j, "remedies", remedies);
	return j;
}
