/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Offsets and sizes of the user ABI, written down once more: what an old binary
 * was built with. Compiled for 64-bit and for 32-bit callers.
 */
#ifndef SELFTESTS_ABI_LAYOUT_H
#define SELFTESTS_ABI_LAYOUT_H

#include <stddef.h>
#include <linux/pinprobe.h>

#define SIZE_IS(type, bytes)						\
	_Static_assert(sizeof(struct type) == (bytes), #type)
#define MEMBER_IS(type, member, offset, bytes)				\
	_Static_assert(offsetof(struct type, member) == (offset) &&	\
		       sizeof(((struct type *)0)->member) == (bytes),	\
		       #type "." #member)
#define VALUE_IS(name, value)						\
	_Static_assert((name) == (value), #name)

SIZE_IS(pinprobe_page, 64);
MEMBER_IS(pinprobe_page, addr, 0, 8);
MEMBER_IS(pinprobe_page, pfn, 8, 8);
MEMBER_IS(pinprobe_page, nr_pages, 16, 8);
MEMBER_IS(pinprobe_page, flags, 24, 8);
MEMBER_IS(pinprobe_page, node, 32, 4);
MEMBER_IS(pinprobe_page, state, 36, 1);
MEMBER_IS(pinprobe_page, zone, 37, 1);
MEMBER_IS(pinprobe_page, migratetype, 38, 1);
MEMBER_IS(pinprobe_page, order, 39, 1);
MEMBER_IS(pinprobe_page, refs, 40, 4);
MEMBER_IS(pinprobe_page, refs_expected, 44, 4);
MEMBER_IS(pinprobe_page, mapcount, 48, 4);
MEMBER_IS(pinprobe_page, pins, 52, 4);
MEMBER_IS(pinprobe_page, unpinnable, 56, 4);
MEMBER_IS(pinprobe_page, reserved, 60, 4);

SIZE_IS(pinprobe_info, 48);
MEMBER_IS(pinprobe_info, size, 0, 4);
MEMBER_IS(pinprobe_info, flags, 4, 4);
MEMBER_IS(pinprobe_info, abi_version, 8, 4);
MEMBER_IS(pinprobe_info, page_size, 12, 4);
MEMBER_IS(pinprobe_info, block_order, 16, 4);
MEMBER_IS(pinprobe_info, migratetypes, 20, 4);
MEMBER_IS(pinprobe_info, zones, 24, 4);
MEMBER_IS(pinprobe_info, unpinnable, 28, 4);
MEMBER_IS(pinprobe_info, features, 32, 8);
MEMBER_IS(pinprobe_info, max_pin_pages, 40, 8);

SIZE_IS(pinprobe_resolve, 56);
MEMBER_IS(pinprobe_resolve, size, 0, 4);
MEMBER_IS(pinprobe_resolve, flags, 4, 4);
MEMBER_IS(pinprobe_resolve, addr, 8, 8);
MEMBER_IS(pinprobe_resolve, len, 16, 8);
MEMBER_IS(pinprobe_resolve, records, 24, 8);
MEMBER_IS(pinprobe_resolve, nr_records, 32, 4);
MEMBER_IS(pinprobe_resolve, record_size, 36, 4);
MEMBER_IS(pinprobe_resolve, pid, 40, 4);
MEMBER_IS(pinprobe_resolve, filled, 44, 4);
MEMBER_IS(pinprobe_resolve, next, 48, 8);

SIZE_IS(pinprobe_migrate, 48);
MEMBER_IS(pinprobe_migrate, calls, 0, 8);
MEMBER_IS(pinprobe_migrate, succeeded, 8, 8);
MEMBER_IS(pinprobe_migrate, failed, 16, 8);
MEMBER_IS(pinprobe_migrate, thp_succeeded, 24, 8);
MEMBER_IS(pinprobe_migrate, thp_failed, 32, 8);
MEMBER_IS(pinprobe_migrate, thp_split, 40, 8);

SIZE_IS(pinprobe_outcome, 280);
MEMBER_IS(pinprobe_outcome, error, 0, 4);
MEMBER_IS(pinprobe_outcome, stage, 4, 4);
MEMBER_IS(pinprobe_outcome, flags, 8, 4);
MEMBER_IS(pinprobe_outcome, calls, 12, 4);
MEMBER_IS(pinprobe_outcome, nr_pages, 16, 8);
MEMBER_IS(pinprobe_outcome, nr_pinned, 24, 8);
MEMBER_IS(pinprobe_outcome, moved, 32, 8);
MEMBER_IS(pinprobe_outcome, stayed, 40, 8);
MEMBER_IS(pinprobe_outcome, absent, 48, 8);
MEMBER_IS(pinprobe_outcome, failed, 56, 8);
MEMBER_IS(pinprobe_outcome, fail_addr, 64, 8);
MEMBER_IS(pinprobe_outcome, faults, 72, 8);
MEMBER_IS(pinprobe_outcome, duration_ns, 80, 8);
MEMBER_IS(pinprobe_outcome, migrate, 88, 192);

SIZE_IS(pinprobe_pin, 320);
MEMBER_IS(pinprobe_pin, size, 0, 4);
MEMBER_IS(pinprobe_pin, flags, 4, 4);
MEMBER_IS(pinprobe_pin, addr, 8, 8);
MEMBER_IS(pinprobe_pin, len, 16, 8);
MEMBER_IS(pinprobe_pin, call, 24, 4);
MEMBER_IS(pinprobe_pin, pid, 28, 4);
MEMBER_IS(pinprobe_pin, timeout_ms, 32, 4);
MEMBER_IS(pinprobe_pin, fd, 36, 4);
MEMBER_IS(pinprobe_pin, outcome, 40, 280);

SIZE_IS(pinprobe_pin_state, 320);
MEMBER_IS(pinprobe_pin_state, size, 0, 4);
MEMBER_IS(pinprobe_pin_state, flags, 4, 4);
MEMBER_IS(pinprobe_pin_state, addr, 8, 8);
MEMBER_IS(pinprobe_pin_state, len, 16, 8);
MEMBER_IS(pinprobe_pin_state, call, 24, 4);
MEMBER_IS(pinprobe_pin_state, pin_flags, 28, 4);
MEMBER_IS(pinprobe_pin_state, age_ns, 32, 8);
MEMBER_IS(pinprobe_pin_state, outcome, 40, 280);

SIZE_IS(pinprobe_pin_pages, 48);
MEMBER_IS(pinprobe_pin_pages, size, 0, 4);
MEMBER_IS(pinprobe_pin_pages, flags, 4, 4);
MEMBER_IS(pinprobe_pin_pages, index, 8, 8);
MEMBER_IS(pinprobe_pin_pages, records, 16, 8);
MEMBER_IS(pinprobe_pin_pages, nr_records, 24, 4);
MEMBER_IS(pinprobe_pin_pages, record_size, 28, 4);
MEMBER_IS(pinprobe_pin_pages, when, 32, 4);
MEMBER_IS(pinprobe_pin_pages, filled, 36, 4);
MEMBER_IS(pinprobe_pin_pages, next, 40, 8);

VALUE_IS(PINPROBE_INFO_SIZE_V1, 48);
VALUE_IS(PINPROBE_RESOLVE_SIZE_V1, 56);
VALUE_IS(PINPROBE_PIN_SIZE_V1, 320);
VALUE_IS(PINPROBE_PIN_STATE_SIZE_V1, 320);
VALUE_IS(PINPROBE_PIN_PAGES_SIZE_V1, 48);
VALUE_IS(PINPROBE_PAGE_SIZE_V1, 64);

VALUE_IS(PINPROBE_IOC_INFO, 0xe180);
VALUE_IS(PINPROBE_IOC_RESOLVE, 0xe181);
VALUE_IS(PINPROBE_IOC_PIN, 0xe182);
VALUE_IS(PINPROBE_IOC_PIN_STATE, 0xe183);
VALUE_IS(PINPROBE_IOC_PIN_PAGES, 0xe184);

VALUE_IS(PINPROBE_ZONE_MOVABLE, 4);
VALUE_IS(PINPROBE_ZONE_UNKNOWN, 255);
VALUE_IS(PINPROBE_MT_CMA, 4);
VALUE_IS(PINPROBE_MT_ISOLATE, 5);
VALUE_IS(PINPROBE_MT_UNKNOWN, 255);
VALUE_IS(PINPROBE_STATE_OFFLINE, 5);
VALUE_IS(PINPROBE_CALL_PIN_REMOTE, 7);
VALUE_IS(PINPROBE_REASON_COUNT, 4);
VALUE_IS(PINPROBE_STAGE_MIGRATE, 6);
VALUE_IS(PINPROBE_WHEN_NOW, 2);

#endif /* SELFTESTS_ABI_LAYOUT_H */
