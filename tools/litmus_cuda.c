// SPDX-License-Identifier: GPL-2.0
/*
 * Host memory registered with an NVIDIA GPU. libcuda is loaded when it is asked
 * for; the numbers below are of its ABI, so that its headers are not needed.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus.h"

#define REGISTER_READ_ONLY		0x08
#define ATTRIBUTE_READ_ONLY_REGISTER	113

struct cuda {
	void *library;
	int device;
	void *context;
	bool reads;
	int (*init)(unsigned int flags);
	int (*get_version)(int *version);
	int (*device_get)(int *device, int ordinal);
	int (*device_name)(char *name, int len, int device);
	int (*device_attribute)(int *value, int attribute, int device);
	int (*retain)(void **context, int device);
	int (*release)(int device);
	int (*set_current)(void *context);
	int (*host_register)(void *addr, size_t len, unsigned int flags);
	int (*host_unregister)(void *addr);
	int (*error_name)(int error, const char **name);
};

static int load(struct litmus_session *s, struct cuda *c)
{
	const struct {
		void **to;
		const char *name;
	} symbols[] = {
		{ (void **)&c->init, "cuInit" },
		{ (void **)&c->get_version, "cuDriverGetVersion" },
		{ (void **)&c->device_get, "cuDeviceGet" },
		{ (void **)&c->device_name, "cuDeviceGetName" },
		{ (void **)&c->device_attribute, "cuDeviceGetAttribute" },
		{ (void **)&c->retain, "cuDevicePrimaryCtxRetain" },
		{ (void **)&c->release, "cuDevicePrimaryCtxRelease_v2" },
		{ (void **)&c->set_current, "cuCtxSetCurrent" },
		{ (void **)&c->host_register, "cuMemHostRegister_v2" },
		{ (void **)&c->host_unregister, "cuMemHostUnregister" },
		{ (void **)&c->error_name, "cuGetErrorName" },
	};
	size_t i;

	c->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!c->library)
		return litmus_fail(s, -ENOENT, "libcuda: %.120s", dlerror());
	for (i = 0; i < ARRAY_SIZE(symbols); i++) {
		*symbols[i].to = dlsym(c->library, symbols[i].name);
		if (!*symbols[i].to)
			return litmus_fail(s, -ENOENT, "libcuda has no %s",
					   symbols[i].name);
	}
	return 0;
}

/* libcuda has errors of its own, and keeps the kernel's to itself. */
static int hidden(struct litmus_session *s, struct cuda *c, const char *call,
		  int error)
{
	const char *name = NULL;

	if (!error)
		return 0;
	if (c->error_name(error, &name) || !name)
		name = "unknown error";
	return litmus_fail(s, -LITMUS_EHIDDEN, "%s%s%s", call, *call ? ": " : "",
			   name);
}

/* NVIDIA's kernel module says its own version and build. */
static void describe(struct litmus_session *s, struct cuda *c)
{
	FILE *file = fopen("/proc/driver/nvidia/version", "re");
	char name[64] = "GPU", line[176] = "";
	int version = 0;

	c->device_name(name, sizeof(name), c->device);
	c->get_version(&version);
	if (file) {
		if (!fgets(line, sizeof(line) - 16, file))
			line[0] = '\0';
		fclose(file);
	}
	/* "NVRM version: NVIDIA UNIX … x86_64  580.159.04  Release Build  (…)" */
	*strstr(strcat(line, "  Release"), "  Release") = '\0';
	snprintf(s->what, sizeof(s->what), "%s, CUDA %d.%d%s%.80s", name,
		 version / 1000, version % 1000 / 10, *line ? ", " : "",
		 strncmp(line, "NVRM version: ", 14) ? line : line + 14);
}

static int start(struct litmus_session *s, struct cuda *c)
{
	int ordinal = s->options->device ? atoi(s->options->device) : 0;
	int err, reads = 0;

	err = hidden(s, c, "cuInit", c->init(0));
	if (!err)
		err = hidden(s, c, "cuDeviceGet", c->device_get(&c->device, ordinal));
	if (!err)
		err = hidden(s, c, "cuDevicePrimaryCtxRetain",
			     c->retain(&c->context, c->device));
	if (!err)
		err = hidden(s, c, "cuCtxSetCurrent", c->set_current(c->context));
	if (err)
		return err;
	c->device_attribute(&reads, ATTRIBUTE_READ_ONLY_REGISTER, c->device);
	c->reads = reads;
	describe(s, c);
	return 0;
}

static void cuda_close(struct litmus_session *s)
{
	struct cuda *c = s->state;

	if (c->context)
		c->release(c->device);
	/* Not unloaded: it has threads. */
	free(c);
}

static int cuda_open(struct litmus_session *s)
{
	struct cuda *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	s->state = c;
	err = load(s, c);
	if (!err)
		err = start(s, c);
	if (err)
		cuda_close(s);
	return err;
}

static int cuda_pin(struct litmus_session *s, const struct litmus_area *area,
		    bool write)
{
	struct cuda *c = s->state;

	if (!write && !c->reads)
		return litmus_fail(s, -EOPNOTSUPP,
				   "this device registers nothing to read only");
	return hidden(s, c, "", c->host_register((void *)(uintptr_t)area->addr,
						 area->len,
						 write ? 0 : REGISTER_READ_ONLY));
}

static int cuda_unpin(struct litmus_session *s, const struct litmus_area *area)
{
	struct cuda *c = s->state;

	return hidden(s, c, "cuMemHostUnregister",
		      c->host_unregister((void *)(uintptr_t)area->addr));
}

const struct litmus_provider litmus_cuda = {
	.name = "cuda",
	.summary = "cuMemHostRegister() on an NVIDIA GPU (--device ORDINAL)",
	.open = cuda_open,
	.pin = cuda_pin,
	.unpin = cuda_unpin,
	.close = cuda_close,
};
