// SPDX-License-Identifier: GPL-2.0
/* For the textfile collector of node_exporter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

static void head(struct text *t, const char *name, const char *help)
{
	text_printf(t, "# HELP pinprobe_%s %s\n# TYPE pinprobe_%s gauge\n",
		    name, help, name);
}

static void label(struct text *t, const char *s)
{
	for (; *s; s++) {
		if (*s == '\\' || *s == '"')
			text_add(t, "\\", 1);
		if (*s == '\n')
			text_puts(t, "\\n");
		else
			text_add(t, s, 1);
	}
}

/* One line for each, as a host may have two of an id: their number. */
static void findings(struct text *t, const struct doctor *d)
{
	enum doctor_severity s;
	size_t i, k, same;

	head(t, "doctor_findings", "Findings of pinprobe doctor by severity.");
	for (s = DOCTOR_NOTE; s <= DOCTOR_CRITICAL; s++)
		text_printf(t, "pinprobe_doctor_findings{severity=\"%s\"} %zu\n",
			    doctor_severity_name(s), doctor_count(d, s));
	head(t, "doctor_finding", "How many findings there are of this id.");
	for (i = 0; i < d->findings; i++) {
		const struct doctor_finding *f = &d->finding[i];
		bool seen = false;

		for (k = 0, same = 0; k < d->findings; k++) {
			if (strcmp(d->finding[k].id, f->id) ||
			    d->finding[k].severity != f->severity)
				continue;
			seen |= k < i;
			same++;
		}
		if (!seen)
			text_printf(t, "pinprobe_doctor_finding{id=\"%s\",severity=\"%s\",verdict=\"%s\"} %zu\n",
				    f->id, doctor_severity_name(f->severity),
				    f->verdict ? f->verdict : "", same);
	}
}

static void cma(struct text *t, const struct doctor_memory *m)
{
	long long blocks = doctor_cma_blocks(m);
	bool sure;

	if (!m->meminfo) {
		head(t, "cma_registered_bytes", "CmaTotal, 0 without CMA.");
		text_printf(t, "pinprobe_cma_registered_bytes %lld\n",
			    m->cma_total_kb < 0 ? 0 : m->cma_total_kb << 10);
		head(t, "cma_hidden_bytes",
		     "CMA that belongs to no registered area, as far as can be seen.");
		text_printf(t, "pinprobe_cma_hidden_bytes %lld\n",
			    doctor_hidden_kb(m, &sure) << 10);
	}
	if (blocks < 0)
		return;
	head(t, "cma_pageblock_bytes", "Memory in MIGRATE_CMA pageblocks.");
	text_printf(t, "pinprobe_cma_pageblock_bytes %lld\n",
		    (blocks * m->page_kb) << 10);
}

static void zones(struct text *t, const struct doctor_memory *m)
{
	static const struct {
		const char *name, *help;
		int which;
	} values[] = {
		{ "zone_managed_bytes", "Memory of the zone.", 0 },
		{ "zone_free_bytes", "Free memory of the zone.", 1 },
		{ "zone_pinnable_free_bytes",
		  "Free memory a long-term pin may keep.", 2 },
		{ "zone_unpinnable_bytes",
		  "Memory no long-term pin may keep.", 3 },
	};
	size_t i, k;

	for (k = 0; m->zones && k < ARRAY_SIZE(values); k++) {
		head(t, values[k].name, values[k].help);
		for (i = 0; i < m->zones; i++) {
			const struct doctor_zone *z = &m->zone[i];
			const long long pages[] = {
				z->managed, z->free,
				doctor_zone_pinnable_free(z),
				doctor_zone_unpinnable(m, z),
			};

			text_printf(t, "pinprobe_%s{node=\"%d\",zone=\"%s\"} %lld\n",
				    values[k].name, z->node, z->name,
				    (pages[values[k].which] * m->page_kb) << 10);
		}
	}
}

static void blocks_of(struct text *t, const struct doctor_memory *m)
{
	size_t i;
	int k;

	if (m->pagetypeinfo)
		return;
	head(t, "pageblocks", "Pageblocks by node, zone and migratetype.");
	for (i = 0; i < m->zones; i++)
		for (k = 0; m->zone[i].has_blocks && k < m->types; k++)
			text_printf(t, "pinprobe_pageblocks{node=\"%d\",zone=\"%s\",migratetype=\"%s\"} %lld\n",
				    m->zone[i].node, m->zone[i].name,
				    m->type[k], m->zone[i].blocks[k]);
}

static void gates(struct text *t, const struct doctor_nvidia *n)
{
	size_t i;

	if (!n->gates)
		return;
	head(t, "gpu_gate_open", "Gates of GPU registration: 1 open, 0 closed, -1 unknown.");
	for (i = 0; i < n->gates; i++)
		text_printf(t, "pinprobe_gpu_gate_open{gate=\"%s\"} %d\n",
			    n->gate[i].name, n->gate[i].open);
	head(t, "gpu_bar1_bytes", "Size of BAR1.");
	for (i = 0; i < n->gpus; i++)
		if (n->gpu[i].bar1 >= 0)
			text_printf(t, "pinprobe_gpu_bar1_bytes{gpu=\"%s\"} %lld\n",
				    n->gpu[i].address, n->gpu[i].bar1);
	head(t, "gpu_bar1_used_bytes", "What of BAR1 is in use.");
	for (i = 0; i < n->gpus; i++)
		if (n->gpu[i].bar1_used >= 0)
			text_printf(t, "pinprobe_gpu_bar1_used_bytes{gpu=\"%s\"} %lld\n",
				    n->gpu[i].address, n->gpu[i].bar1_used);
}

static void uses(struct text *t, const struct doctor *d, bool max)
{
	size_t i, k;
	bool any = false;

	for (i = 0; i < d->rdmas; i++) {
		for (k = 0; k < d->rdma[i].uses; k++) {
			const struct doctor_use *use = &d->rdma[i].use[k];

			if (max && use->max < 0)
				continue;
			if (!any)
				head(t, max ? "rdma_resources_max" : "rdma_resources_used",
				     max ? "What the device has of the kind." :
				     "Objects of the kind in use.");
			any = true;
			text_printf(t, "pinprobe_rdma_resources_%s{device=\"%s\",resource=\"%s\"} %lld\n",
				    max ? "max" : "used", d->rdma[i].name,
				    use->name, max ? use->max : use->used);
		}
	}
}

char *doctor_prometheus(const struct doctor *d)
{
	struct text t = { 0 };
	size_t i;

	findings(&t, d);
	cma(&t, &d->memory);
	zones(&t, &d->memory);
	blocks_of(&t, &d->memory);
	gates(&t, &d->nvidia);
	uses(&t, d, false);
	uses(&t, d, true);
	head(&t, "doctor_unread", "Files that could not be read: 1 each.");
	for (i = 0; i < d->missings; i++) {
		text_puts(&t, "pinprobe_doctor_unread{path=\"");
		label(&t, d->missing[i].path);
		text_puts(&t, "\",state=\"");
		label(&t, source_why(d->missing[i].state));
		text_puts(&t, "\"} 1\n");
	}
	return t.s;
}
