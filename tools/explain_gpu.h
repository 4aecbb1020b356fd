/* SPDX-License-Identifier: GPL-2.0 */
/* BAR1 of GPUs, for calls that concern memory of a device. */
#ifndef PINPROBE_EXPLAIN_GPU_H
#define PINPROBE_EXPLAIN_GPU_H

#include "explain.h"
#include "text.h"

/* Whether the call is about a dma-buf or memory of a device. */
bool explain_gpu_matters(const struct trace_record *r);

/* NVIDIA's GPUs of the host below @root; none if it does not matter. */
void explain_gpus(struct explain_facts *facts, const char *root);

/* "GPU 0000:00:06.0: 262144 MiB, 3 MiB in use" */
void explain_gpu_text(struct text *t, const struct explain_gpu *gpu);

#endif
