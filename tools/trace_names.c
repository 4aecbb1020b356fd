// SPDX-License-Identifier: GPL-2.0
/* Words for what the BPF programs tell as numbers. */
#include "trace.h"

const char *trace_api_name(uint32_t api)
{
	static const char *const names[TRACE_APIS] = {
		[TRACE_PIN] = "pin_user_pages",
		[TRACE_PIN_FAST] = "pin_user_pages_fast",
		[TRACE_PIN_REMOTE] = "pin_user_pages_remote",
		[TRACE_PIN_UNLOCKED] = "pin_user_pages_unlocked",
		[TRACE_PIN_MEMFD] = "memfd_pin_folios",
		[TRACE_GET] = "get_user_pages",
		[TRACE_GET_FAST] = "get_user_pages_fast",
		[TRACE_GET_REMOTE] = "get_user_pages_remote",
		[TRACE_GET_UNLOCKED] = "get_user_pages_unlocked",
	};

	return api < TRACE_APIS ? names[api] : "?";
}

const char *trace_layer_name(uint32_t layer)
{
	static const char *const names[TRACE_LAYERS] = {
		[TRACE_SYSCALL] = "system call",
		[TRACE_UVERBS] = "uverbs",
		[TRACE_PROVIDER] = "RDMA driver",
		[TRACE_UMEM] = "ib_umem_get",
		[TRACE_IO_URING] = "io_uring",
		[TRACE_VFIO] = "VFIO",
		[TRACE_XDP] = "AF_XDP",
		[TRACE_UDMABUF] = "udmabuf",
		[TRACE_OFFLINE] = "offline_pages",
		[TRACE_CMA] = "cma_alloc",
		[TRACE_CONTIG] = "alloc_contig_range",
		[TRACE_TAKE] = "pin",
		[TRACE_MIGRATE] = "migrate_pages",
	};

	return layer < TRACE_LAYERS ? names[layer] : "?";
}

const char *trace_reason_name(const struct trace_kernel *k, uint32_t reason)
{
	if (reason == k->mr_longterm)
		return "longterm_pin";
	if (reason == k->mr_contig)
		return "contig_range";
	return reason == k->mr_hotplug ? "memory_hotplug" : NULL;
}

const char *trace_type_name(const struct trace_kernel *k, uint32_t type)
{
	static const char *const names[] = {
		"Unmovable", "Movable", "Reclaimable", "HighAtomic"
	};

	if (type == ~0u)
		return "?";
	if (k->isolate_bit && (type & k->isolate_bit))
		return "Isolate";
	type &= k->type_mask;
	if (type == k->migrate_cma)
		return "CMA";
	if (type == k->migrate_isolate)
		return "Isolate";
	return type < sizeof(names) / sizeof(*names) ? names[type] : "?";
}
