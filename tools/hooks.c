// SPDX-License-Identifier: GPL-2.0
/* Where the BPF programs go, by the names that functions have had. */
#include <stddef.h>

#include "hooks.h"

#ifdef __aarch64__
#define SYSCALL(name)	"__arm64_sys_" name
#define COMPAT(name)	"__arm64_compat_sys_" name
#define PLAIN32(name)	"__arm64_sys_" name
#else
#define SYSCALL(name)	"__x64_sys_" name
#define COMPAT(name)	"__ia32_compat_sys_" name
#define PLAIN32(name)	"__ia32_sys_" name
#endif

const struct hook hooks[] = {
	{ "pin", "pin_user_pages()", true, true, HOOK_ALWAYS, false,
	  { "pin_user_pages" } },
	{ "pin_fast", "pin_user_pages_fast()", true, true, HOOK_ALWAYS, false,
	  { "pin_user_pages_fast" } },
	{ "pin_remote", "pin_user_pages_remote()", true, true, HOOK_ALWAYS, false,
	  { "pin_user_pages_remote" } },
	{ "pin_unlocked", "pin_user_pages_unlocked()", true, true, HOOK_ALWAYS,
	  false, { "pin_user_pages_unlocked" } },
	/* Since v6.11. */
	{ "pin_memfd", "memfd_pin_folios()", true, true, HOOK_ALWAYS, true,
	  { "memfd_pin_folios" } },
	{ "get", "get_user_pages()", true, true, HOOK_LEDGER, false,
	  { "get_user_pages" } },
	{ "get_fast", "get_user_pages_fast()", true, true, HOOK_LEDGER, false,
	  { "get_user_pages_fast" } },
	{ "get_remote", "get_user_pages_remote()", true, true, HOOK_LEDGER, false,
	  { "get_user_pages_remote" } },
	{ "get_unlocked", "get_user_pages_unlocked()", true, true, HOOK_LEDGER,
	  false, { "get_user_pages_unlocked" } },
	{ "unpin_pages", "unpin_user_pages()", true, false, HOOK_LEDGER, false,
	  { "unpin_user_pages" } },
	{ "unpin_dirty", "unpin_user_pages_dirty_lock()", true, true, HOOK_LEDGER,
	  false, { "unpin_user_pages_dirty_lock" } },
	{ "unpin_range", "unpin_user_page_range_dirty_lock()", true, false,
	  HOOK_RANGES, false, { "unpin_user_page_range_dirty_lock" } },
	{ "unpin_page", "unpin_user_page()", true, false, HOOK_LEDGER, false,
	  { "unpin_user_page" } },
	/* Both since v6.11. */
	{ "unpin_folio", "unpin_user_folio()", true, false, HOOK_LEDGER, true,
	  { "unpin_user_folio" } },
	{ "unpin_folios", "unpin_folios()", true, false, HOOK_LEDGER, true,
	  { "unpin_folios" } },
	/* Not ib_uverbs_ioctl(): most of its calls register nothing. */
	{ "uverbs", "the RDMA system call layer", true, true, HOOK_ALWAYS, true,
	  { "ib_uverbs_reg_mr" } },
	{ "uverbs_again", "changes of a region", true, true, HOOK_ALWAYS, true,
	  { "ib_uverbs_rereg_mr" } },
	{ "uverbs_method", "the RDMA system call layer", true, true, HOOK_ALWAYS,
	  true, { "ib_uverbs_handler_UVERBS_METHOD_REG_MR" } },
	{ "uverbs_dmabuf", "registration of a dma-buf", true, true, HOOK_ALWAYS,
	  true, { "ib_uverbs_handler_UVERBS_METHOD_REG_DMABUF_MR" } },
	{ "provider", "the RDMA driver's part", false, true, HOOK_ALWAYS, true,
	  { "mlx5_ib_reg_user_mr", "mlx4_ib_reg_user_mr", "bnxt_re_reg_user_mr",
	    "irdma_reg_user_mr", "efa_reg_mr", "erdma_reg_user_mr",
	    "ionic_reg_user_mr", "mana_ib_reg_user_mr", "hns_roce_reg_user_mr",
	    "c4iw_reg_user_mr", "rvt_reg_user_mr", "qedr_reg_user_mr",
	    "ocrdma_reg_user_mr", "pvrdma_reg_user_mr", "mthca_reg_user_mr",
	    "usnic_ib_reg_mr", "siw_reg_user_mr", "rxe_reg_user_mr" } },
	{ "umem", "ib_umem_get()", true, true, HOOK_ALWAYS, true,
	  { "__ib_umem_get_va", "ib_umem_get" } },
	{ "dmabuf", "who exports a dma-buf", false, true, HOOK_ALWAYS, true,
	  { "dma_buf_get" } },
	{ "umem_release", "ib_umem_release()", true, false, HOOK_LEDGER, true,
	  { "ib_umem_release" } },
	{ "umem_release", "the end of ib_umem_release()", false, true, HOOK_RANGES,
	  true, { "ib_umem_release" } },
	{ "io_uring", "registration of io_uring buffers", true, true, HOOK_ALWAYS,
	  true, { "io_sqe_buffers_register" } },
	{ "vfio", "VFIO's type 1 driver", true, true, HOOK_ALWAYS, true,
	  { "vfio_iommu_type1_ioctl" } },
	{ "xdp", "registration of AF_XDP memory", true, true, HOOK_ALWAYS, true,
	  { "xdp_umem_create" } },
	{ "udmabuf", "udmabuf", true, true, HOOK_ALWAYS, true,
	  { "udmabuf_ioctl" } },
	{ "offline", "memory offline", true, true, HOOK_ALWAYS, true,
	  { "offline_pages" } },
	{ "cma", "cma_alloc()", true, true, HOOK_ALWAYS, true,
	  { "__cma_alloc_frozen", "__cma_alloc", "cma_alloc" } },
	{ "contig", "contiguous allocation", true, true, HOOK_ALWAYS, true,
	  { "alloc_contig_frozen_range_noprof", "alloc_contig_range_noprof",
	    "alloc_contig_range" } },
	{ "migrate", "which pages could not be moved", true, true, HOOK_ALWAYS,
	  false, { "migrate_pages" } },
	{ "late_ioctl", "the errno of ioctl()", false, true, HOOK_ALWAYS, false,
	  { SYSCALL("ioctl") } },
	{ "late_io_uring", "the errno of io_uring_register()", false, true,
	  HOOK_ALWAYS, true, { SYSCALL("io_uring_register") } },
	{ "late_setsockopt", "the errno of setsockopt()", false, true,
	  HOOK_ALWAYS, false, { SYSCALL("setsockopt") } },
	{ "late_compat_ioctl", "the errno of ioctl() of 32-bit programs", false,
	  true, HOOK_ALWAYS, true, { COMPAT("ioctl") } },
	{ "late_compat_io_uring", "the errno of io_uring_register() of 32-bit programs",
	  false, true, HOOK_ALWAYS, true, { PLAIN32("io_uring_register") } },
};

const unsigned int hooks_nr = sizeof(hooks) / sizeof(*hooks);
