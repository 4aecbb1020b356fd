// SPDX-License-Identifier: GPL-2.0
/* BAR1 in what is told of a call, where it can matter. */
#include "unit.h"
#include "../tools/explain_gpu.c"

static struct doctor_gpu gpus[] = {
	{ .address = (char *)"0000:00:06.0", .bar1 = 256ll << 30, .bar1_used = 3ll << 20 },
	{ .address = (char *)"0000:00:07.0", .bar1 = 256ll << 20, .bar1_used = DOCTOR_UNKNOWN },
};

static unsigned int reads, frees;

void doctor_read_nvidia(struct doctor *d)
{
	reads++;
	d->nvidia.gpu = gpus;
	d->nvidia.gpus = 2;
}

void doctor_read_nvml(struct doctor *d)
{
	(void)d;
	reads++;
}

void doctor_free(struct doctor *d)
{
	(void)d;
	frees++;
}

TEST(explain_gpu_of_a_dmabuf)
{
	struct trace_record r = { .exporter = "nvidia" };
	struct explain_facts f = { .record = &r };
	struct text t = {};

	explain_gpus(&f, "");
	CHECK_NUMBER(f.gpus, 2);
	CHECK_NUMBER(frees, 1);
	explain_gpu_text(&t, f.gpu);
	CHECK_STRING(t.s, "GPU 0000:00:06.0: 262144 MiB, 3 MiB in use");
	text_clear(&t);
	explain_gpu_text(&t, f.gpu + 1);
	CHECK_STRING(t.s, "GPU 0000:00:07.0: 256 MiB, in use: not known");
}

TEST(explain_gpu_not_of_ordinary_memory)
{
	struct trace_record r = { .mapping = { .found = 1 } };
	struct explain_facts f = { .record = &r };

	explain_gpus(&f, "");
	CHECK_NUMBER(reads, 0);
	CHECK_NUMBER(f.gpus, 0);
	r.mapping.flags = 0x4000;
	explain_gpus(&f, "");
	CHECK_NUMBER(f.gpus, 2);
}
