/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of region.c, variants of its fixture access: what each is for. */
#ifndef SELFTESTS_REGION_ROWS_H
#define SELFTESTS_REGION_ROWS_H

#define WRITES		.request = IBV_WR_RDMA_WRITE
#define READS		.request = IBV_WR_RDMA_READ
#define ADDS		.request = IBV_WR_ATOMIC_FETCH_AND_ADD

/* Within the bounds, with all that is asked for. */
#define GRANTED		.status = IBV_WC_SUCCESS, .source = "granted"
FIXTURE_VARIANT_ADD(access, write_in_bounds)
{
	.name = "write_in_bounds", WRITES, .offset = 64, .length = 64, GRANTED,
};

FIXTURE_VARIANT_ADD(access, read_in_bounds)
{
	.name = "read_in_bounds", READS, .offset = 64, .length = 64, GRANTED,
};

FIXTURE_VARIANT_ADD(access, add_in_bounds)
{
	.name = "add_in_bounds", ADDS, .offset = 64, .length = 8, GRANTED,
};

FIXTURE_VARIANT_ADD(access, write_all)
{
	.name = "write_all", WRITES, .length = LENGTH, GRANTED,
};

FIXTURE_VARIANT_ADD(access, read_all)
{
	.name = "read_all", READS, .length = LENGTH, GRANTED,
};

FIXTURE_VARIANT_ADD(access, write_first_byte)
{
	.name = "write_first_byte", WRITES, .length = 1, GRANTED,
};

FIXTURE_VARIANT_ADD(access, write_last_byte)
{
	.name = "write_last_byte", WRITES, .offset = LENGTH - 1, .length = 1,
	GRANTED,
};

FIXTURE_VARIANT_ADD(access, read_last_byte)
{
	.name = "read_last_byte", READS, .offset = LENGTH - 1, .length = 1,
	GRANTED,
};

/* The translation: addresses are the region's, whatever the process calls them. */
#define BY_IOVA		.status = IBV_WC_SUCCESS, \
			.source = "addresses are I/O virtual: rxe_mr_copy()"
#define NO_ADDRESS	.status = IBV_WC_REM_ACCESS_ERR, \
			.source = "remote access error, not an address of the region: mr_check_range()"
FIXTURE_VARIANT_ADD(access, write_by_iova)
{
	.name = "write_by_iova", WRITES, .offset = 64, .length = 64,
	.own_iova = true, BY_IOVA,
};

FIXTURE_VARIANT_ADD(access, read_by_iova)
{
	.name = "read_by_iova", READS, .offset = 64, .length = 64,
	.own_iova = true, BY_IOVA,
};

FIXTURE_VARIANT_ADD(access, write_last_byte_by_iova)
{
	.name = "write_last_byte_by_iova", WRITES, .offset = LENGTH - 1,
	.length = 1, .own_iova = true, BY_IOVA,
};

FIXTURE_VARIANT_ADD(access, write_by_cpu_address)
{
	.name = "write_by_cpu_address", WRITES, .offset = 64, .length = 64,
	.own_iova = true, .cpu_address = true, NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, read_by_cpu_address)
{
	.name = "read_by_cpu_address", READS, .offset = 64, .length = 64,
	.own_iova = true, .cpu_address = true, NO_ADDRESS,
};

/* The bounds, to the byte. */
FIXTURE_VARIANT_ADD(access, write_byte_before)
{
	.name = "write_byte_before", WRITES, .offset = -1, .length = 1,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, read_byte_before)
{
	.name = "read_byte_before", READS, .offset = -1, .length = 1,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_byte_past)
{
	.name = "write_byte_past", WRITES, .offset = LENGTH, .length = 1,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, read_byte_past)
{
	.name = "read_byte_past", READS, .offset = LENGTH, .length = 1,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_across_begin)
{
	.name = "write_across_begin", WRITES, .offset = -1, .length = 2,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_across_end)
{
	.name = "write_across_end", WRITES, .offset = LENGTH - 1, .length = 2,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, read_across_end)
{
	.name = "read_across_end", READS, .offset = LENGTH - 1, .length = 2,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_byte_past_iova)
{
	.name = "write_byte_past_iova", WRITES, .offset = LENGTH, .length = 1,
	.own_iova = true, NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_more_than_all)
{
	.name = "write_more_than_all", WRITES, .length = LENGTH + 1,
	NO_ADDRESS,
};

FIXTURE_VARIANT_ADD(access, write_nothing_anywhere)
{
	.name = "write_nothing_anywhere", WRITES, .offset = -0x400,
	.key = KEY_OTHER_REGION, .status = IBV_WC_SUCCESS,
	.source = "an empty request needs neither address nor key: check_rkey()",
};

/* The key. */
#define NO_KEY		.status = IBV_WC_REM_ACCESS_ERR, \
			.source = "remote access error, no such key in this domain: lookup_mr()"
FIXTURE_VARIANT_ADD(access, write_other_variant_of_key)
{
	.name = "write_other_variant_of_key", WRITES, .length = 64,
	.key = KEY_OTHER_VARIANT, NO_KEY,
};

FIXTURE_VARIANT_ADD(access, read_other_variant_of_key)
{
	.name = "read_other_variant_of_key", READS, .length = 64,
	.key = KEY_OTHER_VARIANT, NO_KEY,
};

FIXTURE_VARIANT_ADD(access, write_unknown_key)
{
	.name = "write_unknown_key", WRITES, .length = 64,
	.key = KEY_OTHER_REGION, NO_KEY,
};

FIXTURE_VARIANT_ADD(access, read_unknown_key)
{
	.name = "read_unknown_key", READS, .length = 64,
	.key = KEY_OTHER_REGION, NO_KEY,
};

FIXTURE_VARIANT_ADD(access, write_stale_key)
{
	.name = "write_stale_key", WRITES, .length = 64, .key = KEY_STALE,
	NO_KEY,
};

FIXTURE_VARIANT_ADD(access, read_stale_key)
{
	.name = "read_stale_key", READS, .length = 64, .key = KEY_STALE,
	NO_KEY,
};

FIXTURE_VARIANT_ADD(access, write_other_domain)
{
	.name = "write_other_domain", WRITES, .length = 64,
	.key = KEY_OTHER_DOMAIN, NO_KEY,
};

FIXTURE_VARIANT_ADD(access, read_other_domain)
{
	.name = "read_other_domain", READS, .length = 64,
	.key = KEY_OTHER_DOMAIN, NO_KEY,
};

/* What the region permits. */
#define NOT_PERMITTED	.status = IBV_WC_REM_ACCESS_ERR, \
			.source = "remote access error, not permitted by the region: lookup_mr()"
FIXTURE_VARIANT_ADD(access, read_without_remote_read)
{
	.name = "read_without_remote_read", READS, .length = 64, .lacks = READ,
	NOT_PERMITTED,
};

FIXTURE_VARIANT_ADD(access, write_without_remote_write)
{
	.name = "write_without_remote_write", WRITES, .length = 64,
	.lacks = WRITE, NOT_PERMITTED,
};

FIXTURE_VARIANT_ADD(access, write_read_only)
{
	.name = "write_read_only", WRITES, .length = 64,
	.lacks = WRITE | ATOMIC | LOCAL, NOT_PERMITTED,
};

FIXTURE_VARIANT_ADD(access, read_read_only)
{
	.name = "read_read_only", READS, .length = 64,
	.lacks = WRITE | ATOMIC | LOCAL, GRANTED,
};

FIXTURE_VARIANT_ADD(access, add_without_remote_atomic)
{
	.name = "add_without_remote_atomic", ADDS, .length = 8,
	.lacks = ATOMIC, NOT_PERMITTED,
};

/* What the responder's queue pair permits, whatever the region does. */
#define NOT_OF_PEER	.status = IBV_WC_REM_INV_REQ_ERR, \
			.source = "remote invalid request, not permitted by the queue pair: check_op_valid()"
FIXTURE_VARIANT_ADD(access, read_queue_without_remote_read)
{
	.name = "read_queue_without_remote_read", READS, .length = 64,
	.peer_lacks = READ, NOT_OF_PEER,
};

FIXTURE_VARIANT_ADD(access, write_queue_without_remote_write)
{
	.name = "write_queue_without_remote_write", WRITES, .length = 64,
	.peer_lacks = WRITE, NOT_OF_PEER,
};

FIXTURE_VARIANT_ADD(access, add_queue_without_remote_atomic)
{
	.name = "add_queue_without_remote_atomic", ADDS, .length = 8,
	.peer_lacks = ATOMIC, NOT_OF_PEER,
};

/* The requester's own region. */
FIXTURE_VARIANT_ADD(access, write_from_read_only)
{
	.name = "write_from_read_only", WRITES, .length = 64,
	.local_lacks = ALL, GRANTED,
};

FIXTURE_VARIANT_ADD(access, read_into_read_only)
{
	.name = "read_into_read_only", READS, .length = 64, .local_lacks = ALL,
	.status = IBV_WC_LOC_PROT_ERR,
	.source = "local protection error, no local write: do_read()",
};

FIXTURE_VARIANT_ADD(access, read_into_other_domain)
{
	.name = "read_into_other_domain", READS, .length = 64,
	.local_key = true, .key = KEY_OTHER_DOMAIN,
	.status = IBV_WC_LOC_PROT_ERR,
	.source = "local protection error, no such key in this domain: do_read()",
};

FIXTURE_VARIANT_ADD(access, write_from_other_domain)
{
	.name = "write_from_other_domain", WRITES, .length = 64,
	.local_key = true, .key = KEY_OTHER_DOMAIN,
	.status = IBV_WC_WR_FLUSH_ERR, .since = { 6, 4 },
	.before = IBV_WC_LOC_QP_OP_ERR,
	.source = "a local protection error elsewhere; rxe_requester() calls only EFAULT so, and since 'RDMA/rxe: Remove qp->comp.state' rxe_completer() flushes the request before it has told",
};

#endif /* SELFTESTS_REGION_ROWS_H */
