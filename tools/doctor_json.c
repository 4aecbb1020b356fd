// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "doctor.h"

static void put_string(json_object *o, const char *key, const char *value)
{
	if (value)
		json_object_object_add(o, key, json_object_new_string(value));
}

/* What is unknown is left out, rather than a number. */
static void put_number(json_object *o, const char *key, long long value)
{
	if (value != DOCTOR_UNKNOWN)
		json_object_object_add(o, key, json_object_new_int64(value));
}

static void put_limit(json_object *o, const char *key, long long value)
{
	if (value == DOCTOR_UNLIMITED)
		put_string(o, key, "unlimited");
	else
		put_number(o, key, value);
}

static void put_state(json_object *o, const char *key, int value)
{
	static const char *const names[] = { "no", "yes" };

	put_string(o, key, value < 0 ? "unknown" : names[!!value]);
}

static json_object *findings(const struct doctor *d)
{
	json_object *all = json_object_new_array(), *o;
	const struct doctor_finding *f;
	size_t i;

	for (i = 0; i < d->findings; i++) {
		f = &d->finding[i];
		o = json_object_new_object();
		put_string(o, "severity", doctor_severity_name(f->severity));
		put_string(o, "id", f->id);
		put_string(o, "verdict", f->verdict);
		put_string(o, "summary", f->summary);
		put_string(o, "reason", f->reason);
		put_string(o, "remedy", f->remedy);
		put_string(o, "fact", f->fact);
		put_string(o, "rule", f->rule);
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *zone(const struct doctor_memory *m,
			 const struct doctor_zone *z)
{
	json_object *o = json_object_new_object(), *blocks;
	int i;

	put_number(o, "node", z->node);
	put_string(o, "zone", z->name);
	put_number(o, "managed_kb", z->managed * m->page_kb);
	put_number(o, "free_kb", z->free * m->page_kb);
	put_number(o, "pinnable_free_kb",
		   doctor_zone_pinnable_free(z) * m->page_kb);
	put_number(o, "unpinnable_kb",
		   doctor_zone_unpinnable(m, z) * m->page_kb);
	put_number(o, "cma_kb", doctor_zone_cma(m, z) * m->page_kb);
	put_number(o, "cma_free_kb", z->free_cma * m->page_kb);
	if (!z->has_blocks)
		return o;
	blocks = json_object_new_object();
	for (i = 0; i < m->types; i++)
		put_number(blocks, m->type[i], z->blocks[i]);
	json_object_object_add(o, "pageblocks", blocks);
	return o;
}

static json_object *memory(const struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	json_object *o = json_object_new_object(), *all, *one;
	long long blocks = doctor_cma_blocks(m);
	bool sure;
	size_t i;

	put_number(o, "page_kb", m->page_kb);
	put_number(o, "total_kb", m->total_kb);
	put_number(o, "free_kb", m->free_kb);
	put_number(o, "cma_total_kb", m->cma_total_kb);
	put_number(o, "cma_free_kb", m->cma_free_kb);
	put_number(o, "cma_pageblocks_kb",
		   blocks < 0 ? blocks : blocks * m->page_kb);
	put_number(o, "cma_hidden_kb", doctor_hidden_kb(m, &sure));
	all = json_object_new_array();
	for (i = 0; i < m->areas; i++) {
		one = json_object_new_object();
		put_string(one, "name", m->area[i].name);
		put_number(one, "total_pages", m->area[i].total);
		put_number(one, "available_pages", m->area[i].available);
		json_object_array_add(all, one);
	}
	json_object_object_add(o, "cma_areas", all);
	all = json_object_new_array();
	for (i = 0; i < m->zones; i++)
		json_object_array_add(all, zone(m, &m->zone[i]));
	json_object_object_add(o, "zones", all);
	all = json_object_new_array();
	for (i = 0; i < d->origins.count; i++)
		json_object_array_add(all,
			json_object_new_string(d->origins.origin[i].text));
	json_object_object_add(o, "sources", all);
	put_string(o, "auto_online_blocks", d->origins.online_policy);
	return o;
}

static json_object *processes(const struct doctor *d)
{
	json_object *all = json_object_new_array(), *o;
	const struct doctor_process *p;
	int i;

	for (i = 0; i < d->processes; i++) {
		p = &d->process[i];
		o = json_object_new_object();
		if (p->pid)
			put_number(o, "pid", p->pid);
		put_string(o, "comm", p->comm);
		put_limit(o, "memlock_bytes", p->memlock);
		put_limit(o, "memlock_hard_bytes", p->memlock_hard);
		put_number(o, "pinned_kb", p->pinned_kb);
		put_number(o, "locked_kb", p->locked_kb);
		put_state(o, "cap_ipc_lock", p->ipc_lock);
		put_number(o, "mappings", p->map_count);
		put_number(o, "max_map_count", d->max_map_count);
		put_string(o, "cgroup", p->cgroup);
		put_string(o, "rdma_max", p->rdma_max);
		put_string(o, "rdma_current", p->rdma_current);
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *resources(const struct doctor_rdma *r)
{
	json_object *all = json_object_new_object(), *o;
	size_t i;

	for (i = 0; i < r->uses; i++) {
		o = json_object_new_object();
		put_number(o, "used", r->use[i].used);
		put_number(o, "max", r->use[i].max);
		json_object_object_add(all, r->use[i].name, o);
	}
	return all;
}

static json_object *rdma(const struct doctor *d)
{
	json_object *all = json_object_new_array(), *o;
	const struct doctor_rdma *r;
	size_t i;

	for (i = 0; i < d->rdmas; i++) {
		r = &d->rdma[i];
		o = json_object_new_object();
		put_string(o, "name", r->name);
		put_string(o, "driver", r->driver);
		put_string(o, "firmware", r->firmware);
		put_string(o, "ports", r->ports);
		put_state(o, "uverbs", r->verbs);
		put_state(o, "dmabuf", r->dmabuf);
		if (r->uses)
			json_object_object_add(o, "resources", resources(r));
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *nvidia(const struct doctor_nvidia *n)
{
	static const char *const pins[] = { "unknown", "PIN", "PIN+LONGTERM" };
	json_object *o = json_object_new_object(), *all, *one;
	size_t i;

	put_string(o, "version", n->version);
	put_state(o, "open_module", n->version ? n->open_module : -1);
	put_string(o, "host_pins", pins[n->pins]);
	all = json_object_new_array();
	for (i = 0; i < n->gpus; i++) {
		one = json_object_new_object();
		put_string(one, "address", n->gpu[i].address);
		put_string(one, "model", n->gpu[i].model);
		put_number(one, "bar1_bytes", n->gpu[i].bar1);
		put_number(one, "bar1_used_bytes", n->gpu[i].bar1_used);
		json_object_array_add(all, one);
	}
	json_object_object_add(o, "gpus", all);
	all = json_object_new_array();
	for (i = 0; i < n->gates; i++) {
		one = json_object_new_object();
		put_string(one, "name", n->gate[i].name);
		put_state(one, "open", n->gate[i].open);
		put_string(one, "why", n->gate[i].why);
		json_object_array_add(all, one);
	}
	json_object_object_add(o, "gates", all);
	return o;
}

static json_object *settings(const struct doctor *d)
{
	json_object *o = json_object_new_object();
	size_t i;

	for (i = 0; i < d->settings; i++)
		put_string(o, d->setting[i].name, d->setting[i].value);
	put_string(o, "iommu", d->iommu);
	put_string(o, "huge_tmpfs", d->huge_tmpfs);
	return o;
}

static json_object *rules(const struct doctor *d)
{
	json_object *all = json_object_new_array(), *o;
	const struct doctor_rule *r;

	for (r = doctor_rules; d->release && r->name; r++) {
		bool since = doctor_kernel_since(d, r->since);

		o = json_object_new_object();
		put_string(o, "name", r->name);
		put_string(o, "since", r->since);
		put_state(o, "applies", since);
		put_string(o, "is", since ? r->with : r->before);
		json_object_array_add(all, o);
	}
	return all;
}

static json_object *missing(const struct doctor *d)
{
	json_object *all = json_object_new_array(), *o;
	size_t i;

	for (i = 0; i < d->missings; i++) {
		o = json_object_new_object();
		put_string(o, "path", d->missing[i].path);
		put_string(o, "state", source_why(d->missing[i].state));
		put_string(o, "tells", d->missing[i].tells);
		json_object_array_add(all, o);
	}
	return all;
}

json_object *doctor_json(const struct doctor *d)
{
	json_object *o = json_object_new_object();

	put_string(o, "kernel", d->release);
	put_string(o, "machine", d->machine);
	json_object_object_add(o, "findings", findings(d));
	json_object_object_add(o, "memory", memory(d));
	json_object_object_add(o, "processes", processes(d));
	json_object_object_add(o, "settings", settings(d));
	json_object_object_add(o, "rdma", rdma(d));
	json_object_object_add(o, "nvidia", nvidia(&d->nvidia));
	json_object_object_add(o, "kernel_rules", rules(d));
	json_object_object_add(o, "missing", missing(d));
	return o;
}
