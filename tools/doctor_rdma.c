// SPDX-License-Identifier: GPL-2.0
/* RDMA devices, from sysfs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define CLASS	"/sys/class/infiniband"
#define VERBS	"/sys/class/infiniband_verbs"

/*
 * Regions over a dma-buf, by the driver of the device below: certainly not up
 * to the one version, certainly from the other on.
 */
static const struct {
	const char *driver;
	const char *not_in;
	const char *since;
} dmabuf[] = {
	{ "mlx5_core", "5.11", "5.12" },
	{ "efa", "5.11", "6.1" },
	{ "bnxt_en", "6.1", "6.12" },
	{ "ice", "6.1", "6.12" },
	{ "i40e", "6.1", "6.12" },
	{ "mana", "6.12", "7.2" },
	{ "ionic", "6.12", "7.2" },
};

static int knows_dmabuf(const struct doctor *d, const char *driver)
{
	size_t i;

	if (!doctor_kernel_since(d, "5.12"))
		return d->release ? 0 : -1;
	/* rxe and siw have no device that could attach. */
	if (!*driver)
		return 0;
	for (i = 0; i < ARRAY_SIZE(dmabuf); i++) {
		if (strcmp(dmabuf[i].driver, driver))
			continue;
		if (doctor_kernel_since(d, dmabuf[i].since))
			return 1;
		return text_starts(d->release, dmabuf[i].not_in) ? 0 : -1;
	}
	return -1;
}

static char *ports_of(const struct doctor *d, const char *name)
{
	struct source_names names;
	struct text t = { 0 };
	char *state, *colon;
	size_t i;

	text_add(&t, "", 0);
	source_list(&d->source, &names, CLASS "/%s/ports", name);
	for (i = 0; i < names.count; i++) {
		if (source_line(&d->source, &state, CLASS "/%s/ports/%s/state",
				name, names.name[i]))
			continue;
		colon = strchr(state, ':');
		text_printf(&t, "%s%s %s", t.len ? ", " : "", names.name[i],
			    colon ? text_skip_space(colon + 1) : state);
		free(state);
	}
	source_names_free(&names);
	return t.s;
}

static void read_device(struct doctor *d, const char *name)
{
	struct doctor_rdma *r;

	d->rdma = text_grow(d->rdma, d->rdmas, sizeof(*d->rdma));
	r = &d->rdma[d->rdmas++];
	memset(r, 0, sizeof(*r));
	r->name = text_dup(name);
	if (source_link(&d->source, &r->driver, CLASS "/%s/device/driver",
			name))
		r->driver = text_dup("");
	source_line(&d->source, &r->firmware, CLASS "/%s/fw_ver", name);
	r->ports = ports_of(d, name);
	r->dmabuf = knows_dmabuf(d, r->driver);
}

static void read_verbs(struct doctor *d)
{
	struct source_names names;
	char *device;
	size_t i, k;

	source_list(&d->source, &names, VERBS);
	for (i = 0; i < names.count; i++) {
		if (source_line(&d->source, &device, VERBS "/%s/ibdev",
				names.name[i]))
			continue;
		for (k = 0; k < d->rdmas; k++)
			if (!strcmp(d->rdma[k].name, device))
				d->rdma[k].verbs = true;
		free(device);
	}
	source_names_free(&names);
}

void doctor_read_rdma(struct doctor *d)
{
	struct source_names names;
	size_t i;

	source_list(&d->source, &names, CLASS);
	for (i = 0; i < names.count; i++)
		read_device(d, names.name[i]);
	source_names_free(&names);
	read_verbs(d);
	doctor_read_use(d);
}

void doctor_judge_rdma(struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->rdmas; i++) {
		doctor_judge_use(d, &d->rdma[i]);
		if (d->rdma[i].verbs)
			continue;
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_WARNING, "no-uverbs", "NOT-MEMORY",
			text_format("%s cannot be opened: no uverbs device",
				    d->rdma[i].name),
			text_dup("ibv_get_device_list() leaves it out, and nothing can be registered. From 7.2 on rdma_rxe no longer brings ib_uverbs along."),
			text_dup("modprobe ib_uverbs"),
			text_format("%s is in " CLASS " and in no ibdev of " VERBS,
				    d->rdma[i].name),
			"7.2 and 7.3: rxe0 without /dev/infiniband until ib_uverbs is loaded, seen" });
	}
}

void doctor_free_rdma(struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->rdmas; i++) {
		free(d->rdma[i].name);
		free(d->rdma[i].driver);
		free(d->rdma[i].ports);
		free(d->rdma[i].firmware);
		free(d->rdma[i].use);
	}
	free(d->rdma);
}
