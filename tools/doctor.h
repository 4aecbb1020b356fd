/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pinprobe doctor: what is read of a host, and what is found in it. Reading and
 * judging are apart: doctor_read_*() only fill struct doctor, doctor_judge_*()
 * only look at it.
 */
#ifndef PINPROBE_DOCTOR_H
#define PINPROBE_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "source.h"
#include "text.h"

#define DOCTOR_TYPES	16
#define DOCTOR_UNKNOWN	(-1LL)
/* RLIM_INFINITY, as far as this is concerned. */
#define DOCTOR_UNLIMITED (-2LL)

enum doctor_severity {
	DOCTOR_NOTE,
	DOCTOR_WARNING,
	DOCTOR_CRITICAL,
};

/**
 * struct doctor_finding - something that was found
 * @severity:	how bad it is
 * @id:		stable name, with dashes
 * @verdict:	of Documentation/verdicts.rst, what it ends in; NULL if in none
 * @summary:	one line
 * @reason:	why it matters
 * @remedy:	what to do, the least invasive first
 * @fact:	what was read here, and where
 * @rule:	what is known that makes the fact matter
 *
 * All but @id, @verdict and @rule are freed with it.
 */
struct doctor_finding {
	enum doctor_severity severity;
	const char *id;
	const char *verdict;
	char *summary;
	char *reason;
	char *remedy;
	char *fact;
	const char *rule;
};

/* What could not be read, and what it would have told. */
struct doctor_missing {
	char *path;
	enum source_state state;
	const char *tells;
};

/* Counts are pages; DOCTOR_UNKNOWN where the kernel does not say. */
struct doctor_zone {
	int node;
	char name[16];
	long long free;
	long long min;
	long long managed;
	long long cma;		/* of registered areas */
	long long free_cma;
	long long threshold;	/* by which a CPU's counters may lag */
	long long cpus;
	bool has_blocks;
	long long blocks[DOCTOR_TYPES];
};

struct doctor_area {
	char *name;
	long long total;
	long long available;
};

struct doctor_memory {
	enum source_state zoneinfo, pagetypeinfo, meminfo, cma_sysfs;
	struct doctor_zone *zone;
	size_t zones;
	char type[DOCTOR_TYPES][16];
	int types;
	long long block_pages;
	long long page_kb;
	long long total_kb, free_kb, cma_total_kb, cma_free_kb;
	long long huge_pages;
	struct doctor_area *area;
	size_t areas;
};

/* Where unpinnable memory comes from: a parameter, a device tree node. */
struct doctor_origin {
	const char *kind;	/* "cma", "hugetlb", "kho", "movable", "policy" */
	char *text;
};

struct doctor_origins {
	char *command_line;
	struct doctor_origin *origin;
	size_t count;
	char *online_policy;	/* of hot-added memory; NULL if unknown */
	bool kho_default;	/* the kernel's configuration has it on */
};

struct doctor_process {
	long long pid;		/* 0: this one */
	char *comm;
	enum source_state limits, status, maps;
	long long memlock, memlock_hard;	/* bytes */
	long long pinned_kb, locked_kb;
	int ipc_lock;		/* CAP_IPC_LOCK where it counts; -1 unknown */
	long long map_count;
	char *cgroup;
	char *rdma_max, *rdma_current;		/* of its cgroup */
};

/* Objects of one kind that an RDMA device has. */
struct doctor_use {
	char name[16];		/* "mr", "qp", … */
	long long used;
	long long max;		/* DOCTOR_UNKNOWN: the kernel does not say */
};

struct doctor_rdma {
	char *name;
	char *driver;		/* "" for one without a device below it */
	char *ports;		/* "1 ACTIVE, 2 DOWN" */
	char *firmware;
	bool verbs;		/* has a uverbs device */
	int dmabuf;		/* regions over dma-buf; -1 unknown */
	struct doctor_use *use;
	size_t uses;
};

struct doctor_gpu {
	char *address;		/* PCI */
	char *model;
	long long bar1;		/* bytes */
	long long bar1_used;
};

/* What has to be so before GPU memory can be registered. */
struct doctor_gate {
	const char *name;
	int open;		/* -1: cannot be told */
	char *why;
};

enum doctor_pins {
	DOCTOR_PINS_UNKNOWN,
	DOCTOR_PINS_WEAK,
	DOCTOR_PINS_LONGTERM,
};

struct doctor_nvidia {
	bool loaded;
	char *version;
	bool open_module;
	enum doctor_pins pins;
	struct doctor_gpu *gpu;
	size_t gpus;
	struct doctor_gate *gate;
	size_t gates;
	bool dmabuf_way, peermem_way;
};

struct doctor_setting {
	const char *name;
	char *value;		/* NULL: this kernel has no such thing */
};

/**
 * struct doctor_rule - what a version of the kernel does that another does not
 * @name:	as in selftests/contracts/changes, which has commit and title
 * @since:	the first version that does it
 * @with:	what is so from then on
 * @before:	what was so until then
 */
struct doctor_rule {
	const char *name;
	const char *since;
	const char *with;
	const char *before;
};

struct doctor {
	struct source source;
	long long pid;		/* --pid, or 0 */
	char *release;
	char *machine;
	struct doctor_memory memory;
	struct doctor_origins origins;
	struct doctor_process process[2];
	int processes;
	long long max_map_count;
	struct doctor_setting *setting;
	size_t settings;
	char *iommu;
	char *huge_tmpfs;	/* mount points with huge pages, NULL if none */
	struct doctor_rdma *rdma;
	size_t rdmas;
	struct doctor_nvidia nvidia;
	struct doctor_finding *finding;
	size_t findings;
	struct doctor_missing *missing;
	size_t missings;
};

/* doctor.c */
void doctor_find(struct doctor *d, struct doctor_finding f);
/* Notes down what was not read; nothing where it was. */
void doctor_miss(struct doctor *d, enum source_state state, const char *path,
		 const char *tells);

/* doctor_memory.c, doctor_zones.c */
void doctor_read_memory(struct doctor *d);
void doctor_parse_zoneinfo(struct doctor_memory *m, const char *s);
void doctor_parse_pagetypeinfo(struct doctor_memory *m, const char *s);
/* Pages of the zone that no long-term pin may keep; and of CMA pageblocks. */
long long doctor_zone_unpinnable(const struct doctor_memory *m,
				 const struct doctor_zone *z);
long long doctor_zone_cma(const struct doctor_memory *m,
			  const struct doctor_zone *z);
bool doctor_zone_movable(const struct doctor_zone *z);
long long doctor_zone_pinnable_free(const struct doctor_zone *z);
/* Pages of CMA pageblocks, DOCTOR_UNKNOWN without pagetypeinfo. */
long long doctor_cma_blocks(const struct doctor_memory *m);
/* kB of CMA that belong to no registered area; *sure is false within the lag. */
long long doctor_hidden_kb(const struct doctor_memory *m, bool *sure);
/* kB by which CmaFree may be off. */
long long doctor_lag_kb(const struct doctor_memory *m);
/* Whether memory that no long-term pin may keep is here at all. */
bool doctor_has_unpinnable(const struct doctor_memory *m);
/* The zone whose free CMA is taken first, NULL if there is none. */
const struct doctor_zone *doctor_cma_first(const struct doctor_memory *m);
/* Whether new buffers are likely to lie in such memory. */
bool doctor_lands_unpinnable(const struct doctor_memory *m);
void doctor_free_memory(struct doctor_memory *m);

/* doctor_judge.c */
void doctor_judge_memory(struct doctor *d);

/* doctor_origins.c */
void doctor_read_origins(struct doctor *d);
/* "cma=512M, device tree node x", to be freed; "" if there is none. */
char *doctor_origins_of(const struct doctor_origins *o, const char *kinds);
void doctor_free_origins(struct doctor_origins *o);

/* doctor_process.c */
void doctor_read_processes(struct doctor *d);
void doctor_judge_processes(struct doctor *d);
void doctor_free_processes(struct doctor *d);

/* doctor_settings.c */
void doctor_read_settings(struct doctor *d);
void doctor_judge_settings(struct doctor *d);
void doctor_free_settings(struct doctor *d);

/* doctor_kernel.c */
bool doctor_kernel_since(const struct doctor *d, const char *version);
/* In order of @since, ended by one without a name. */
extern const struct doctor_rule doctor_rules[];
void doctor_judge_kernel(struct doctor *d);

/* doctor_rdma.c */
void doctor_read_rdma(struct doctor *d);
void doctor_judge_rdma(struct doctor *d);
void doctor_free_rdma(struct doctor *d);

/* doctor_use.c */
void doctor_read_use(struct doctor *d);
void doctor_judge_use(struct doctor *d, const struct doctor_rdma *r);

/* doctor_nvidia.c, doctor_gates.c, doctor_nvml.c */
void doctor_read_nvidia(struct doctor *d);
void doctor_read_gates(struct doctor *d);
void doctor_read_nvml(struct doctor *d);
void doctor_judge_nvidia(struct doctor *d);
/* All that was read and found. */
void doctor_free(struct doctor *d);
void doctor_free_nvidia(struct doctor_nvidia *n);

/* doctor_text.c, doctor_json.c, doctor_prometheus.c */
const char *doctor_severity_name(enum doctor_severity severity);
size_t doctor_count(const struct doctor *d, enum doctor_severity severity);
void doctor_print(const struct doctor *d);
json_object *doctor_json(const struct doctor *d);
char *doctor_prometheus(const struct doctor *d);

#endif
