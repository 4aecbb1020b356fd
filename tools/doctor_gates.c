// SPDX-License-Identifier: GPL-2.0
/* What must be so before an RDMA device can register GPU memory. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

#define BAR1_SMALL	(256LL << 20)

static int gate(struct doctor *d, const char *name, int open, char *why)
{
	struct doctor_nvidia *n = &d->nvidia;

	n->gate = text_grow(n->gate, n->gates, sizeof(*n->gate));
	n->gate[n->gates].name = name;
	n->gate[n->gates].open = open;
	n->gate[n->gates++].why = why;
	return open;
}

static int gate_module(struct doctor *d)
{
	const struct doctor_nvidia *n = &d->nvidia;

	if (!n->version)
		return gate(d, "open-module", -1,
			    text_dup("no version of the driver to tell it from"));
	if (n->open_module)
		return gate(d, "open-module", 1,
			    text_format("open kernel module %s", n->version));
	return gate(d, "open-module", 0,
		    text_dup("proprietary kernel module: it exports no dma-buf of CUDA memory"));
}

static int gate_kernel(struct doctor *d)
{
	if (!d->release)
		return gate(d, "kernel-dmabuf", -1,
			    text_dup("kernel version unknown"));
	return gate(d, "kernel-dmabuf", doctor_kernel_since(d, "5.12"),
		    text_format("kernel %s, regions over dma-buf since 5.12",
				d->release));
}

static int gate_provider(struct doctor *d)
{
	struct text t = { 0 };
	int open = 0;
	size_t i;

	for (i = 0; i < d->rdmas; i++) {
		const struct doctor_rdma *r = &d->rdma[i];

		text_printf(&t, "%s%s (%s) %s", t.len ? ", " : "", r->name,
			    *r->driver ? r->driver : "no device below it",
			    r->dmabuf > 0 ? "yes" : r->dmabuf ? "unknown" : "no");
		if (r->dmabuf == 1 || (r->dmabuf < 0 && !open))
			open = r->dmabuf;
	}
	return gate(d, "dmabuf-provider", open,
		    t.s ? t.s : text_dup("no RDMA device"));
}

static int gate_peermem(struct doctor *d)
{
	const struct source *s = &d->source;

	if (source_exists(s, "/sys/module/nvidia_peermem"))
		return gate(d, "peermem", 1, text_dup("nvidia_peermem is loaded"));
	if (source_exists(s, "/sys/module/mlx_compat"))
		return gate(d, "peermem", 0,
			    text_dup("not loaded: modprobe nvidia-peermem"));
	if (!source_exists(s, "/sys/module"))
		return gate(d, "peermem", -1, text_dup("no /sys/module"));
	return gate(d, "peermem", 0,
		    text_dup("impossible: the kernel's own RDMA drivers know no peer memory clients; the vendor's do (MLNX_OFED, DOCA)"));
}

static void gate_bar1(struct doctor *d)
{
	const struct doctor_nvidia *n = &d->nvidia;
	struct text t = { 0 };
	int open = -1;
	size_t i;

	for (i = 0; i < n->gpus; i++) {
		const struct doctor_gpu *g = &n->gpu[i];

		if (g->bar1 < 0)
			continue;
		text_printf(&t, "%s%s: %lld MiB", t.len ? ", " : "",
			    g->address, g->bar1 >> 20);
		if (g->bar1_used >= 0)
			text_printf(&t, ", %lld MiB used", g->bar1_used >> 20);
		if (open)
			open = g->bar1 > BAR1_SMALL;
	}
	gate(d, "bar1", open, t.s ? t.s : text_dup("size unknown"));
	if (open || !d->rdmas)
		return;
	doctor_find(d, (struct doctor_finding) {
		DOCTOR_WARNING, "bar1-small", "BAR",
		text_dup("BAR1 is a small window on the GPU's memory"),
		text_dup("All registrations of GPU memory share it: what does not fit fails, though the GPU has memory to spare."),
		text_dup("Turn on Resizable BAR and Above 4G Decoding in the firmware; or register less at a time."),
		text_dup(n->gate[n->gates - 1].why),
		"256 MiB is what a BAR1 has that was never resized" });
}

void doctor_read_gates(struct doctor *d)
{
	struct doctor_nvidia *n = &d->nvidia;
	bool way;

	if (!n->gpus && !n->loaded)
		return;
	way = gate(d, "driver", n->loaded,
		   n->version ? text_format("NVIDIA %s", n->version) :
		   text_dup(n->loaded ? "version not understood" :
			    "NVIDIA's driver is not loaded")) == 1;
	way &= gate_module(d) == 1;
	way &= gate_kernel(d) == 1;
	way &= gate_provider(d) == 1;
	n->dmabuf_way = way;
	n->peermem_way = n->loaded && gate_peermem(d) == 1;
	gate_bar1(d);
}
