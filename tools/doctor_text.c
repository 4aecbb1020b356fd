// SPDX-License-Identifier: GPL-2.0
/* One page for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "out.h"

#define LABEL	"  %-10s "

static const enum out_style styles[] = {
	[DOCTOR_NOTE] = OUT_NOTE,
	[DOCTOR_WARNING] = OUT_WARNING,
	[DOCTOR_CRITICAL] = OUT_CRITICAL,
};

static void part(const char *label, const char *s)
{
	char *all = text_format("%s %s", label, s);

	out_paragraph("    ", all);
	free(all);
}

static void print_finding(const struct doctor_finding *f)
{
	out_text(styles[f->severity], "%-8s", doctor_severity_name(f->severity));
	printf(" %s%s%s%s: ", f->id, f->verdict ? " (" : "",
	       f->verdict ? f->verdict : "", f->verdict ? ")" : "");
	printf("%s\n", f->summary);
	if (f->severity == DOCTOR_NOTE)
		return;
	part("why:", f->reason);
	part("remedy:", f->remedy);
	part("fact:", f->fact);
	part("known:", f->rule);
}

static void print_head(const struct doctor *d)
{
	out_text(OUT_TITLE, "pinprobe doctor: Linux %s%s%s",
		 d->release ? d->release : "?", d->machine ? " " : "",
		 d->machine ? d->machine : "");
	printf(": %zu critical, %zu warnings, %zu notes\n\n",
	       doctor_count(d, DOCTOR_CRITICAL),
	       doctor_count(d, DOCTOR_WARNING), doctor_count(d, DOCTOR_NOTE));
}

static void print_blocks(const struct doctor_memory *m,
			 const struct doctor_zone *z)
{
	const char *between = "";
	int i;

	if (!z->has_blocks)
		return;
	for (i = 0; i < m->types; i++) {
		if (!z->blocks[i])
			continue;
		printf("%s%lld %s", between, z->blocks[i], m->type[i]);
		between = ", ";
	}
}

static void print_memory(const struct doctor *d)
{
	const struct doctor_memory *m = &d->memory;
	size_t i;

	if (!m->zones)
		return;
	out_text(OUT_TITLE, "Memory, MiB\n");
	printf("  node zone      managed     free pinnable  movable      CMA  %s\n",
	       m->pagetypeinfo ? "" : "pageblocks");
	for (i = 0; i < m->zones; i++) {
		const struct doctor_zone *z = &m->zone[i];

		if (!z->managed)
			continue;
		printf("  %4d %-8s %8lld %8lld %8lld %8lld %8lld  ", z->node,
		       z->name, z->managed * m->page_kb >> 10,
		       z->free * m->page_kb >> 10,
		       doctor_zone_pinnable_free(z) * m->page_kb >> 10,
		       doctor_zone_movable(z) ?
		       z->managed * m->page_kb >> 10 : 0,
		       doctor_zone_cma(m, z) * m->page_kb >> 10);
		print_blocks(m, z);
		putchar('\n');
	}
	out_text(OUT_FAINT, "  pinnable: free, and where a long-term pin may stay\n");
}

static void print_process(const struct doctor *d,
			  const struct doctor_process *p)
{
	char *name = p->pid ? text_format("pid %lld", p->pid) : text_dup("self");

	printf(LABEL, name);
	free(name);
	if (p->memlock == DOCTOR_UNLIMITED)
		printf("memlock unlimited");
	else if (p->memlock >= 0)
		printf("memlock %lld KiB", p->memlock >> 10);
	else
		printf("memlock unknown");
	printf(", CAP_IPC_LOCK %s", p->ipc_lock == 1 ? "yes" :
	       p->ipc_lock ? "unknown" : "no");
	if (p->pinned_kb >= 0)
		printf(", pinned %lld kB, locked %lld kB", p->pinned_kb,
		       p->locked_kb);
	if (p->map_count >= 0)
		printf(", %lld of %lld mappings", p->map_count,
		       d->max_map_count);
	if (p->rdma_max)
		printf(", rdma.max \"%s\", in use \"%s\"", p->rdma_max,
		       p->rdma_current ? p->rdma_current : "");
	putchar('\n');
}

static void print_settings(const struct doctor *d)
{
	const char *between = "";
	size_t i;

	printf(LABEL, "settings");
	for (i = 0; i < d->settings; i++) {
		if (!d->setting[i].value)
			continue;
		printf("%s%s %s", between, d->setting[i].name,
		       d->setting[i].value);
		between = i % 4 == 3 ? ",\n             " : ", ";
	}
	putchar('\n');
	printf(LABEL "%s\n", "iommu", d->iommu);
}

static void print_origins(const struct doctor *d)
{
	size_t i;

	printf(LABEL, "set aside");
	for (i = 0; i < d->origins.count; i++)
		printf("%s%s", i ? ", " : "", d->origins.origin[i].text);
	if (!d->origins.count)
		printf("nothing on the command line or in a device tree");
	if (d->origins.online_policy)
		printf("; hot-added memory: %s", d->origins.online_policy);
	putchar('\n');
}

static void print_use(const struct doctor_rdma *r)
{
	size_t i;

	for (i = 0; i < r->uses; i++) {
		printf("%s%lld", i ? ", " : "             in use: ",
		       r->use[i].used);
		if (r->use[i].max >= 0)
			printf(" of %lld", r->use[i].max);
		printf(" %s", r->use[i].name);
	}
	if (r->uses)
		putchar('\n');
}

static void print_rdma(const struct doctor *d)
{
	size_t i;

	if (!d->rdmas)
		printf(LABEL "no device\n", "rdma");
	for (i = 0; i < d->rdmas; i++) {
		const struct doctor_rdma *r = &d->rdma[i];

		printf(LABEL "%s%s%s, ports: %s%s\n", "rdma", r->name,
		       *r->driver ? " by " : "", r->driver,
		       *r->ports ? r->ports : "none",
		       r->verbs ? "" : ", no uverbs device");
		print_use(r);
	}
}

static void print_nvidia(const struct doctor_nvidia *n)
{
	static const char *const pins[] = {
		"not known", "PIN without LONGTERM", "PIN+LONGTERM"
	};
	size_t i;

	if (!n->gates)
		return;
	printf(LABEL "%s%s; host memory: %s\n", "gpu",
	       n->version ? "NVIDIA " : "no driver",
	       n->version ? n->version : "", pins[n->pins]);
	for (i = 0; i < n->gates; i++)
		printf("             %-15s %-7s %s\n", n->gate[i].name,
		       n->gate[i].open > 0 ? "open" :
		       n->gate[i].open ? "unknown" : "closed", n->gate[i].why);
}

static void print_rules(const struct doctor *d)
{
	const struct doctor_rule *r;

	if (!d->release)
		return;
	out_text(OUT_TITLE, "\nThis kernel, by its version");
	out_text(OUT_FAINT, " (what was backported is not seen)\n");
	for (r = doctor_rules; r->name; r++) {
		bool since = doctor_kernel_since(d, r->since);

		printf("  %s v%-5s %s\n", since ? "since" : "until",
		       r->since, since ? r->with : r->before);
	}
}

static void print_missing(const struct doctor *d)
{
	size_t i;

	if (!d->missings)
		return;
	out_text(OUT_TITLE, "\nNot seen\n");
	for (i = 0; i < d->missings; i++)
		printf("  %s (%s): %s\n", d->missing[i].path,
		       source_why(d->missing[i].state), d->missing[i].tells);
}

void doctor_print(const struct doctor *d)
{
	size_t i;
	int k;

	print_head(d);
	for (i = 0; i < d->findings; i++)
		print_finding(&d->finding[i]);
	if (!d->findings)
		out_text(OUT_GOOD, "nothing found\n");
	putchar('\n');
	print_memory(d);
	out_text(OUT_TITLE, "\nHost\n");
	print_origins(d);
	for (k = 0; k < d->processes; k++)
		print_process(d, &d->process[k]);
	print_settings(d);
	print_rdma(d);
	print_nvidia(&d->nvidia);
	print_rules(d);
	print_missing(d);
}
