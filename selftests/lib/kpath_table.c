// SPDX-License-Identifier: GPL-2.0
/* What is probed, under which names. */
#include "kpath_internal.h"

#define RET_INT		"ret=$retval:s32"
#define RET_LONG	"ret=$retval:s64"

/* As they are when the function returns. */
#define COUNTS(folio)	"refs=" folio "->_refcount.counter:s32 " \
			"maps=" folio "->_mapcount.counter:s32 " \
			"pins=" folio "->_pincount.counter:s32 "

#define CALLED_BY(function)	"__probe_ret_ip.function == " function

const struct kpath_probe kpath_probes[KPATH_ID_COUNT] = {
	[KPATH_REG_ENTER] = {
		.type = 'p', .event = "kp_reg_enter",
		.shows = "the provider's registration",
		.symbols = { "rxe_reg_user_mr" },
		.args = { "addr=start nr=length", "" },
	},
	[KPATH_REG_RETURN] = {
		.type = 'r', .event = "kp_reg_return",
		.shows = "what the provider's registration returns",
		.symbols = { "rxe_reg_user_mr" },
		.args = { RET_LONG },
	},
	[KPATH_MR_RETURN] = {
		.type = 'r', .event = "kp_mr_return",
		.shows = "what the provider's set-up of the region returns",
		.symbols = { "rxe_mr_init_user" },
		.args = { RET_INT },
	},
	[KPATH_UMEM_ENTER] = {
		.type = 'p', .event = "kp_umem_enter",
		.shows = "the ib_umem asked for",
		.symbols = { "__ib_umem_get_va", "ib_umem_get_desc",
			     "ib_umem_get" },
		.args = { "addr=addr nr=size", "" },
	},
	[KPATH_UMEM_RETURN] = {
		.type = 'r', .event = "kp_umem_return",
		.shows = "the ib_umem returned",
		.symbols = { "__ib_umem_get_va", "ib_umem_get_desc",
			     "ib_umem_get" },
		.args = { RET_LONG },
	},
	[KPATH_PIN_ENTER] = {
		.type = 'p', .event = "kp_pin_enter",
		.shows = "the pin asked for",
		.symbols = { "pin_user_pages_fast" },
		.args = { "addr=start nr=nr_pages:s32 flags=gup_flags:x32 base=@vmemmap_base:x64",
			  "addr=start nr=nr_pages:s32 flags=gup_flags:x32",
			  "" },
	},
	[KPATH_PIN_RETURN] = {
		.type = 'r', .event = "kp_pin_return",
		.shows = "what the pin returns",
		.symbols = { "pin_user_pages_fast" },
		.args = { RET_INT },
	},
	[KPATH_TRY_ENTER] = {
		.type = 'p', .event = "kp_try_enter",
		.shows = "each try of the slow path",
		.symbols = { "__get_user_pages" },
		.args = { "addr=start nr=nr_pages flags=gup_flags:x32", "" },
	},
	[KPATH_TRY_RETURN] = {
		.type = 'r', .event = "kp_try_return",
		.shows = "what a try of the slow path returns",
		.symbols = { "__get_user_pages" },
		.args = { RET_LONG },
	},
	[KPATH_BLOCK] = {
		.type = 'r', .event = "kp_block",
		.per_page = true,
		/* Pages that are freed are looked at, too. */
		.only = CALLED_BY("collect_longterm_unpinnable_folios") " || "
			CALLED_BY("try_grab_folio_fast"),
		.shows = "the migratetype as the kernel reads it",
		.symbols = { "get_pfnblock_migratetype",
			     "get_pfnblock_flags_mask" },
		.args = { "page=page:x64 pfn=pfn:x64 flags=mask:x64 " RET_INT,
			  "page=page:x64 pfn=pfn:x64 " RET_INT },
	},
	[KPATH_COLLECTED] = {
		.type = 'r', .event = "kp_collected",
		.shows = "how many pages have to move",
		.symbols = { "collect_longterm_unpinnable_folios",
			     "collect_longterm_unpinnable_pages" },
		.args = { RET_LONG },
	},
	[KPATH_DROP] = {
		.type = 'p', .event = "kp_drop",
		.per_page = true,
		.shows = "the temporary pins dropped",
		.symbols = { "gup_put_folio", "unpin_folio" },
		.args = { "page=folio:x64 refs=folio->_refcount.counter:s32",
			  "page=folio:x64", "" },
	},
	[KPATH_TARGET] = {
		.type = 'r', .event = "kp_target",
		.per_page = true, .keep = "dst == 0",
		.shows = "the page to move to",
		.symbols = { "alloc_migration_target" },
		.args = { "page=src:x64 dst=$retval:x64" },
	},
	[KPATH_UNMAP] = {
		.type = 'r', .event = "kp_unmap",
		.per_page = true,
		/* An anonymous page that nobody else holds has 1 left. */
		.keep = "ret == 0 || refs > 1",
		.shows = "whether a page could be unmapped",
		.symbols = { "try_to_migrate_one" },
		.args = { "page=folio:x64 addr=address:x64 ret=$retval:u8 "
			  COUNTS("folio") "flags=folio->flags.f:x64",
			  "page=folio:x64 addr=address:x64 ret=$retval:u8 "
			  COUNTS("folio") "flags=folio->flags:x64",
			  "page=folio:x64 addr=address:x64 ret=$retval:u8" },
	},
	[KPATH_MOVE] = {
		.type = 'r', .event = "kp_move",
		.per_page = true, .keep = "ret != 0",
		.shows = "whether an unmapped page could be moved",
		.symbols = { "__migrate_folio", "__migrate_folio.isra.0",
			     "migrate_folio" },
		/*
		 * The compiler may have dropped parameters of the second. An
		 * event whose page is not one that has a target is not used.
		 */
		.args = { "page=src:x64 dst=dst:x64 " RET_INT,
			  "page=$arg3:x64 dst=$arg2:x64 " RET_INT },
	},
	[KPATH_PASS_START] = {
		.type = 't',
		.event = "mm_migrate_pages_start",
		.shows = "the start of a migration",
		.symbols = { "migrate" },
	},
	[KPATH_PASS_END] = {
		.type = 't', .event = "mm_migrate_pages",
		.shows = "the counts of a migration",
		.symbols = { "migrate" },
	},
	[KPATH_MIGRATED] = {
		.type = 'r', .event = "kp_migrated",
		.shows = "what the gate returns",
		.symbols = { "migrate_longterm_unpinnable_folios",
			     "migrate_longterm_unpinnable_pages" },
		.args = { RET_INT },
	},
};
