/* SPDX-License-Identifier: GPL-2.0 */
/* Shared by the files of trace.h, no others. */
#ifndef PINPROBE_TRACE_INTERNAL_H
#define PINPROBE_TRACE_INTERNAL_H

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "trace.h"

#define TRACE_LINKS	128
#define TRACE_HOOKS	64

struct trace {
	struct trace_options options;
	struct trace_kernel kernel;
	struct btf *btf;		/* of the kernel */
	struct bpf_object *object;
	struct bpf_link *link[TRACE_LINKS];
	unsigned int links;
	struct ring_buffer *ring;
	uint64_t read_at;		/* ms of CLOCK_MONOTONIC */
	struct trace_slot *slots;	/* of the map with this name, TRACE_SLOTS */
	bool probes;			/* no fentry: probes everywhere */
	bool probed[TRACE_HOOKS];	/* probes for this hook */
	uint32_t there[TRACE_HOOKS];	/* bits: which of its symbols there are */
	bool ranges;			/* HOOK_RANGES, too */
	uint32_t struct_page;		/* bytes */
	struct trace_pages pages;	/* made from addresses of struct page */
	int looker;			/* program's descriptor, -1: none */
};

/* Finds out what the kernel calls its values; false without BTF. */
bool trace_kernel_read(struct trace *trace, struct text *why);

/* Tells the programs; after bpf_object__open(), before it is loaded. */
bool trace_set_values(struct trace *trace, struct text *why);

/* Fills in probed and there. */
void trace_find_functions(struct trace *trace);

/* Chooses the functions, before the programs are loaded, and hooks them after. */
void trace_choose_hooks(struct trace *trace, struct text *why);
int trace_attach_hooks(struct trace *trace, struct text *why);

/* Address of a symbol of the kernel or a module; 0: there is none. */
uint64_t trace_symbol(const char *name);

#endif
