/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pinprobe

#if !defined(PINPROBE_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define PINPROBE_TRACE_H

#include <linux/tracepoint.h>
#include "pin.h"

TRACE_EVENT(pinprobe_resolve,
	TP_PROTO(int pid, u64 addr, u64 len, u32 records),
	TP_ARGS(pid, addr, len, records),
	TP_STRUCT__entry(
		__field(int, pid)
		__field(u64, addr)
		__field(u64, len)
		__field(u32, records)
	),
	TP_fast_assign(
		__entry->pid = pid;
		__entry->addr = addr;
		__entry->len = len;
		__entry->records = records;
	),
	TP_printk("pid=%d addr=0x%llx len=0x%llx records=%u",
		  __entry->pid, __entry->addr, __entry->len, __entry->records)
);

TRACE_EVENT(pinprobe_pin_begin,
	TP_PROTO(const struct pp_pin *pin),
	TP_ARGS(pin),
	TP_STRUCT__entry(
		__field(unsigned long, addr)
		__field(unsigned long, nr_pages)
		__field(u32, call)
		__field(u32, flags)
	),
	TP_fast_assign(
		__entry->addr = pin->addr;
		__entry->nr_pages = pin->nr_pages;
		__entry->call = pin->call;
		__entry->flags = pin->flags;
	),
	TP_printk("addr=0x%lx nr_pages=%lu call=%u flags=0x%x",
		  __entry->addr, __entry->nr_pages, __entry->call,
		  __entry->flags)
);

TRACE_EVENT(pinprobe_pin_end,
	TP_PROTO(const struct pp_pin *pin),
	TP_ARGS(pin),
	TP_STRUCT__entry(
		__field(unsigned long, addr)
		__field(int, error)
		__field(u32, stage)
		__field(u32, calls)
		__field(u64, nr_pinned)
		__field(u64, moved)
		__field(u64, failed)
		__field(u64, duration_ns)
	),
	TP_fast_assign(
		__entry->addr = pin->addr;
		__entry->error = pin->outcome.error;
		__entry->stage = pin->outcome.stage;
		__entry->calls = pin->outcome.calls;
		__entry->nr_pinned = pin->outcome.nr_pinned;
		__entry->moved = pin->outcome.moved;
		__entry->failed = pin->outcome.failed;
		__entry->duration_ns = pin->outcome.duration_ns;
	),
	TP_printk("addr=0x%lx error=%d stage=%u calls=%u nr_pinned=%llu moved=%llu failed=%llu duration_ns=%llu",
		  __entry->addr, __entry->error, __entry->stage, __entry->calls,
		  __entry->nr_pinned, __entry->moved, __entry->failed,
		  __entry->duration_ns)
);

TRACE_EVENT(pinprobe_unpin,
	TP_PROTO(const struct pp_pin *pin),
	TP_ARGS(pin),
	TP_STRUCT__entry(
		__field(unsigned long, addr)
		__field(unsigned long, nr_pages)
		__field(u64, since)
	),
	TP_fast_assign(
		__entry->addr = pin->addr;
		__entry->nr_pages = pin->nr_pages;
		__entry->since = pin->since;
	),
	TP_printk("addr=0x%lx nr_pages=%lu since=%llu", __entry->addr,
		  __entry->nr_pages, __entry->since)
);

#endif /* PINPROBE_TRACE_H */

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
