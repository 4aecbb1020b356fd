// SPDX-License-Identifier: GPL-2.0
/*
 * Memory regions of an RDMA device. libibverbs is loaded when it is asked for, and
 * its functions take and return pointers only, so that its headers are not needed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

/* From <infiniband/verbs.h>; part of its ABI. */
#define ACCESS_LOCAL_WRITE	1

struct verbs {
	void *library;
	void *context;
	void *domain;
	void *region;
	void **(*get_devices)(int *nr);
	void (*free_devices)(void **list);
	const char *(*device_name)(void *device);
	void *(*open_device)(void *device);
	int (*close_device)(void *context);
	void *(*alloc_pd)(void *context);
	int (*dealloc_pd)(void *domain);
	void *(*reg_mr)(void *domain, void *addr, size_t len, int access);
	int (*dereg_mr)(void *region);
};

static int load(struct litmus_session *s, struct verbs *v)
{
	const struct {
		void **to;
		const char *name;
	} symbols[] = {
		{ (void **)&v->get_devices, "ibv_get_device_list" },
		{ (void **)&v->free_devices, "ibv_free_device_list" },
		{ (void **)&v->device_name, "ibv_get_device_name" },
		{ (void **)&v->open_device, "ibv_open_device" },
		{ (void **)&v->close_device, "ibv_close_device" },
		{ (void **)&v->alloc_pd, "ibv_alloc_pd" },
		{ (void **)&v->dealloc_pd, "ibv_dealloc_pd" },
		{ (void **)&v->reg_mr, "ibv_reg_mr" },
		{ (void **)&v->dereg_mr, "ibv_dereg_mr" },
	};
	size_t i;

	v->library = dlopen("libibverbs.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!v->library)
		return litmus_fail(s, -ENOENT, "libibverbs: %.120s", dlerror());
	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		*symbols[i].to = dlsym(v->library, symbols[i].name);
		if (!*symbols[i].to)
			return litmus_fail(s, -ENOENT, "libibverbs has no %s",
					   symbols[i].name);
	}
	return 0;
}

static int open_device(struct litmus_session *s, struct verbs *v)
{
	const char *wanted = s->options->device;
	void **list;
	int nr = 0, i;

	list = v->get_devices(&nr);
	if (!list)
		return litmus_fail(s, -errno, "list of RDMA devices: %s",
				   strerror(errno));
	for (i = 0; i < nr; i++)
		if (!wanted || !strcmp(v->device_name(list[i]), wanted))
			break;
	if (i < nr) {
		snprintf(s->what, sizeof(s->what), "%s", v->device_name(list[i]));
		v->context = v->open_device(list[i]);
	}
	v->free_devices(list);
	if (i == nr)
		return litmus_fail(s, -ENODEV, wanted ? "no RDMA device %s" :
				   "no RDMA device", wanted);
	if (!v->context)
		return litmus_fail(s, -errno, "%.60s: %s", s->what, strerror(errno));
	v->domain = v->alloc_pd(v->context);
	if (!v->domain)
		return litmus_fail(s, -errno, "ibv_alloc_pd(): %s", strerror(errno));
	return 0;
}

static void verbs_close(struct litmus_session *s)
{
	struct verbs *v = s->state;

	if (v->domain)
		v->dealloc_pd(v->domain);
	if (v->context)
		v->close_device(v->context);
	if (v->library)
		dlclose(v->library);
	free(v);
}

static int verbs_open(struct litmus_session *s)
{
	struct verbs *v = calloc(1, sizeof(*v));
	int err;

	if (!v)
		return -ENOMEM;
	s->state = v;
	err = load(s, v);
	if (!err)
		err = open_device(s, v);
	if (err)
		verbs_close(s);
	return err;
}

static int verbs_pin(struct litmus_session *s, const struct litmus_area *area,
		     bool write)
{
	struct verbs *v = s->state;

	errno = 0;
	v->region = v->reg_mr(v->domain, (void *)(uintptr_t)area->addr, area->len,
			      write ? ACCESS_LOCAL_WRITE : 0);
	if (v->region)
		return 0;
	return errno ? -errno : -LITMUS_EHIDDEN;
}

static int verbs_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	struct verbs *v = s->state;

	(void)area;
	return -v->dereg_mr(v->region);
}

const struct litmus_provider litmus_ibverbs = {
	.name = "ibverbs",
	.summary = "ibv_reg_mr() on an RDMA device (--device NAME)",
	.open = verbs_open,
	.pin = verbs_pin,
	.unpin = verbs_unpin,
	.close = verbs_close,
};
