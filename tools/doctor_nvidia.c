// SPDX-License-Identifier: GPL-2.0
/* NVIDIA's driver: its version, how it pins, the devices and their BAR1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "version.h"

#define DRIVER		"/proc/driver/nvidia"
#define DEVICES		"/sys/bus/pci/devices"
#define PCI_BARS	6
#define RESOURCE_MEM	0x200
#define RESOURCE_PREFETCH 0x2000

/* "… Open Kernel Module for x86_64  580.159.04 …", "… x86_64 Kernel Module  535…" */
static void parse_version(struct doctor *d, const char *line)
{
	static const char module[] = "Kernel Module";
	struct doctor_nvidia *n = &d->nvidia;
	const char *at = strstr(line, module);
	char *word;

	if (!at)
		return;
	n->open_module = strstr(line, "Open Kernel Module");
	at += strlen(module);
	word = text_word(&at);
	if (word && !strcmp(word, "for")) {
		free(word);
		word = text_word(&at);
		if (!d->machine)
			d->machine = text_dup(word ? word : "");
		free(word);
		word = text_word(&at);
	} else if (!d->machine && strstr(line, "x86_64 Kernel Module")) {
		d->machine = text_dup("x86_64");
	}
	n->version = word;
}

static enum doctor_pins pins_of(const struct doctor *d)
{
	const char *version = d->nvidia.version;

	/* Of Tegra's own numbers, as 35.3.1, nothing is known. */
	if (!version || version_compare(version, "300") < 0)
		return DOCTOR_PINS_UNKNOWN;
	if (version_compare(version, "536") < 0)
		return DOCTOR_PINS_WEAK;
	if (version_compare(version, "555.42.02") < 0 || !d->machine)
		return DOCTOR_PINS_UNKNOWN;
	return strcmp(d->machine, "x86_64") ? DOCTOR_PINS_WEAK :
		DOCTOR_PINS_LONGTERM;
}

/* BAR1 is by far the largest, and where it is in the list differs. */
static long long bar1_of(const struct doctor *d, const char *address)
{
	unsigned long long start, end, flags, size;
	struct text t = { 0 };
	char *next, *line;
	long long bar = 0;
	int i;

	source_read(&d->source, &t, DEVICES "/%s/resource", address);
	next = t.s;
	for (i = 0; i < PCI_BARS && (line = strsep(&next, "\n")); i++) {
		if (sscanf(line, "%llx %llx %llx", &start, &end, &flags) != 3 ||
		    !(flags & RESOURCE_MEM) || !(flags & RESOURCE_PREFETCH))
			continue;
		size = end - start + 1;
		if ((long long)size > bar)
			bar = size;
	}
	text_free(&t);
	return bar ? bar : DOCTOR_UNKNOWN;
}

static char *model_of(const struct doctor *d, const char *address)
{
	static const char key[] = "Model:";
	struct text t = { 0 };
	char *at, *model;

	source_read(&d->source, &t, DRIVER "/gpus/%s/information", address);
	at = strstr(t.s, key);
	at = at ? at + strlen(key) : NULL;
	if (at)
		at += strspn(at, " \t");
	model = at ? text_dup_len(at, strcspn(at, "\n")) : text_dup("");
	text_free(&t);
	return model;
}

static void add_gpu(struct doctor *d, const char *address)
{
	struct doctor_nvidia *n = &d->nvidia;
	struct doctor_gpu *g;

	n->gpu = text_grow(n->gpu, n->gpus, sizeof(*n->gpu));
	g = &n->gpu[n->gpus++];
	g->address = text_dup(address);
	g->model = model_of(d, address);
	g->bar1 = bar1_of(d, address);
	g->bar1_used = DOCTOR_UNKNOWN;
}

static bool is_gpu(const struct doctor *d, const char *address)
{
	long long vendor, class;

	return !source_number(&d->source, &vendor, DEVICES "/%s/vendor",
			      address) && vendor == 0x10de &&
		!source_number(&d->source, &class, DEVICES "/%s/class",
			       address) && class >> 16 == 3;
}

static void read_gpus(struct doctor *d)
{
	struct source_names names;
	size_t i;

	source_list(&d->source, &names, DRIVER "/gpus");
	for (i = 0; i < names.count; i++)
		add_gpu(d, names.name[i]);
	source_names_free(&names);
	if (d->nvidia.gpus)
		return;
	source_list(&d->source, &names, DEVICES);
	for (i = 0; i < names.count; i++)
		if (is_gpu(d, names.name[i]))
			add_gpu(d, names.name[i]);
	source_names_free(&names);
}

void doctor_read_nvidia(struct doctor *d)
{
	enum source_state state;
	char *line;

	state = source_line(&d->source, &line, DRIVER "/version");
	d->nvidia.loaded = state == SOURCE_OK;
	if (line)
		parse_version(d, line);
	if (state != SOURCE_ABSENT)
		doctor_miss(d, state, DRIVER "/version",
			    "the version of NVIDIA's driver");
	free(line);
	d->nvidia.pins = pins_of(d);
	read_gpus(d);
}

static char *driver_fact(const struct doctor *d)
{
	const struct doctor_nvidia *n = &d->nvidia;

	return text_format("%s kernel module %s, %s (" DRIVER "/version)",
			   n->open_module ? "open" : "proprietary",
			   n->version ? n->version : "of unknown version",
			   d->machine ? d->machine : "unknown machine");
}

#define PINS_RULE	"525 and 535 pin host memory without FOLL_LONGTERM, 555.42.02 and later with it on x86 only (nvidia_535 and nvidia_555 of selftests/contracts/models)"

/* Harmless until there is memory that must stay movable. */
static void judge_weak(struct doctor *d)
{
	enum doctor_severity severity = DOCTOR_NOTE;

	if (doctor_has_unpinnable(&d->memory))
		severity = DOCTOR_WARNING;
	if (doctor_lands_unpinnable(&d->memory))
		severity = DOCTOR_CRITICAL;
	doctor_find(d, (struct doctor_finding) {
		severity, "nvidia-weak-pin", "REFS",
		text_format("NVIDIA %s pins host memory without FOLL_LONGTERM",
			    d->nvidia.version),
		text_dup(severity ? "cudaHostRegister() or cudaHostAlloc() of a buffer in CMA or ZONE_MOVABLE leaves it there, immovable; the RDMA registration that follows fails with ENOMEM." :
			 "A buffer in CMA or ZONE_MOVABLE could not be registered with an RDMA device after it was with CUDA. Nothing here is CMA or ZONE_MOVABLE."),
		text_dup("Register with the RDMA device first and with CUDA afterwards; then a driver from 555.42.02 on (x86); then no CMA and no ZONE_MOVABLE."),
		driver_fact(d), PINS_RULE });
}

void doctor_judge_nvidia(struct doctor *d)
{
	struct doctor_nvidia *n = &d->nvidia;
	struct text closed = { 0 };
	size_t i;

	if (n->loaded && n->pins == DOCTOR_PINS_WEAK)
		judge_weak(d);
	if (n->loaded && n->pins == DOCTOR_PINS_UNKNOWN)
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_NOTE, "nvidia-pin-unknown", NULL,
			text_format("how NVIDIA %s pins host memory is not known here",
				    n->version ? n->version : "(version not understood)"),
			text_dup("Without FOLL_LONGTERM it would hold buffers in CMA and ZONE_MOVABLE."),
			text_dup("pinprobe litmus tells."),
			driver_fact(d), PINS_RULE });
	if (!n->gpus || !d->rdmas || n->dmabuf_way || n->peermem_way)
		return;
	for (i = 0; i < n->gates; i++)
		if (n->gate[i].open != 1)
			text_printf(&closed, "%s%s: %s", closed.len ? "; " : "",
				    n->gate[i].name, n->gate[i].why);
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "gpu-registration-closed", "EXPORTER",
		text_dup("no way to register GPU memory with an RDMA device is open"),
		text_dup("ibv_reg_dmabuf_mr() and ibv_reg_mr() of a GPU address fail, whatever the memory: libraries fall back to host buffers, or stop."),
		text_dup("Open the first closed gate of either way: open kernel module, kernel and RDMA driver with dma-buf; or the RDMA vendor's drivers and nvidia-peermem."),
		closed.s ? closed.s : text_dup("all gates open"),
		"two ways exist: a dma-buf of the GPU driver, or a peer memory client" });
}

void doctor_free_nvidia(struct doctor_nvidia *n)
{
	size_t i;

	for (i = 0; i < n->gpus; i++) {
		free(n->gpu[i].address);
		free(n->gpu[i].model);
	}
	for (i = 0; i < n->gates; i++)
		free(n->gate[i].why);
	free(n->gpu);
	free(n->gate);
	free(n->version);
}
