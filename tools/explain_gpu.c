// SPDX-License-Identifier: GPL-2.0
/* BAR1 of GPUs, through which others reach their memory. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "explain_gpu.h"

bool explain_gpu_matters(const struct trace_record *r)
{
	const char *class = explain_class(r);

	return !strcmp(class, "dma-buf") || !strcmp(class, "device");
}

static void take(struct explain_facts *facts, const struct doctor_gpu *from)
{
	struct explain_gpu *gpu = facts->gpu + facts->gpus++;

	snprintf(gpu->address, sizeof(gpu->address), "%s", from->address);
	gpu->bar1 = from->bar1;
	gpu->used = from->bar1_used;
}

void explain_gpus(struct explain_facts *facts, const char *root)
{
	struct doctor d = { .source.root = root };
	size_t i;

	if (!explain_gpu_matters(facts->record))
		return;
	doctor_read_nvidia(&d);
	if (d.nvidia.gpus)
		doctor_read_nvml(&d);
	for (i = 0; i < d.nvidia.gpus && facts->gpus < EXPLAIN_GPUS; i++)
		take(facts, d.nvidia.gpu + i);
	doctor_free(&d);
}

void explain_gpu_text(struct text *t, const struct explain_gpu *gpu)
{
	text_printf(t, "GPU %s: %lld MiB", gpu->address, gpu->bar1 >> 20);
	if (gpu->used == DOCTOR_UNKNOWN)
		text_puts(t, ", in use: not known");
	else
		text_printf(t, ", %lld MiB in use", gpu->used >> 20);
}
