// SPDX-License-Identifier: GPL-2.0
/* BAR1 in use, which only NVIDIA's management library tells. */
#include <dlfcn.h>

#include "doctor.h"

struct nvml_bar1 {
	unsigned long long total, free, used;
};

struct nvml {
	int (*init)(void);
	int (*shutdown)(void);
	int (*by_address)(const char *address, void **device);
	int (*bar1)(void *device, struct nvml_bar1 *bar1);
};

static bool load(struct nvml *nvml, void *library)
{
	nvml->init = dlsym(library, "nvmlInit_v2");
	nvml->shutdown = dlsym(library, "nvmlShutdown");
	nvml->by_address = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
	nvml->bar1 = dlsym(library, "nvmlDeviceGetBAR1MemoryInfo");
	return nvml->init && nvml->shutdown && nvml->by_address && nvml->bar1;
}

void doctor_read_nvml(struct doctor *d)
{
	struct doctor_nvidia *n = &d->nvidia;
	struct nvml_bar1 bar1;
	struct nvml nvml;
	void *library, *device;
	size_t i;

	if (!n->loaded || !n->gpus || !source_live(&d->source))
		return;
	library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
	if (!library || !load(&nvml, library) || nvml.init()) {
		doctor_miss(d, library ? SOURCE_FAILED : SOURCE_ABSENT,
			    "libnvidia-ml.so.1", "how much of BAR1 is in use");
		return;
	}
	for (i = 0; i < n->gpus; i++) {
		if (nvml.by_address(n->gpu[i].address, &device) ||
		    nvml.bar1(device, &bar1))
			continue;
		n->gpu[i].bar1 = bar1.total;
		n->gpu[i].bar1_used = bar1.used;
	}
	nvml.shutdown();
}
