// SPDX-License-Identifier: GPL-2.0
/*
 * A memory region is a translation plus a capability: what its owner's peer can
 * reach with its key, at which addresses, to do what. Two queue pairs of one
 * Soft-RoCE device talk to each other; a row is one request, the status of its
 * completion and what it changed. All of the memory around the region is
 * mapped, touched and the process's own: whatever is refused, no MMU did it.
 */
#include <errno.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "lib/kernel.h"
#include "lib/memory.h"
#include "lib/rc_pair.h"
#include "lib/record.h"
#include "lib/rxe.h"

/* The region does not begin or end with a page: its bounds are bytes. */
#define BEGIN		0x800
#define LENGTH		0x1000
#define AREA		0x4000
#define IOVA		0x10000000UL

#define REMOTE_BYTE	0xa5
#define LOCAL_BYTE	0x5a

#define READ		IBV_ACCESS_REMOTE_READ
#define WRITE		IBV_ACCESS_REMOTE_WRITE
#define ATOMIC		IBV_ACCESS_REMOTE_ATOMIC
#define LOCAL		IBV_ACCESS_LOCAL_WRITE
#define ALL		(READ | WRITE | ATOMIC | LOCAL)

/* What is wrong with the request's key, or with what it stands for. */
enum key {
	KEY_GOOD,
	KEY_OTHER_VARIANT,	/* the region's number, another key byte */
	KEY_OTHER_REGION,	/* a number that no region has */
	KEY_STALE,		/* of a region that was deregistered */
	KEY_OTHER_DOMAIN,	/* of a region in another protection domain */
};

FIXTURE(access)
{
	struct rxe rxe;
	struct ibv_pd *other;
	struct rc_pair pair;
	struct ibv_mr *region;		/* the responder's */
	struct ibv_mr *local;		/* the requester's */
	unsigned char *remote_area, *local_area;
};

FIXTURE_VARIANT(access)
{
	const char *name;
	enum ibv_wr_opcode request;
	long offset;			/* from where the region begins */
	uint32_t length;		/* 0: an empty request */
	unsigned int lacks;		/* access flags that the region is without */
	unsigned int peer_lacks;	/* that the responder's queue pair is without */
	unsigned int local_lacks;	/* that the requester's region is without */
	bool own_iova;			/* the region's addresses are not the process's */
	bool cpu_address;		/* of them the process's is asked for */
	bool local_key;			/* @key is about the requester's region */
	enum key key;
	int status;			/* IBV_WC_* */
	int since[2];			/* from this kernel on; 0: on all */
	int before;			/* the status before that */
	/* The rule, and which function of drivers/infiniband/sw/rxe has it. */
	const char *source;
};

#include "region_rows.h"

#define TOO_OLD	"not-this-kernel: the rules were looked up from v6.1 on"

/* Two of the same size, so that each row finds the same around its bytes. */
static unsigned char *area(int byte)
{
	unsigned char *area = memory_touched(AREA);

	if (area)
		memset(area, byte, AREA);
	return area;
}

FIXTURE_SETUP(access)
{
	int err = rxe_open(&self->rxe);

	if (err == -ENODEV)
		SKIP(return, "no-rxe");
	if (!kernel_at_least(6, 1))
		SKIP(return, TOO_OLD);
	ASSERT_EQ(0, err);
	self->other = ibv_alloc_pd(self->rxe.context);
	ASSERT_NE(NULL, self->other);
	self->remote_area = area(REMOTE_BYTE);
	self->local_area = area(LOCAL_BYTE);
	ASSERT_NE(NULL, self->remote_area);
	ASSERT_NE(NULL, self->local_area);
	self->region = ibv_reg_mr_iova(variant->key == KEY_OTHER_DOMAIN &&
				       !variant->local_key ? self->other :
							     self->rxe.pd,
				       self->remote_area + BEGIN, LENGTH,
				       variant->own_iova ? IOVA + BEGIN :
				       (uintptr_t)self->remote_area + BEGIN,
				       ALL & ~variant->lacks);
	ASSERT_NE(NULL, self->region) TH_LOG("%s", strerror(errno));
	self->local = ibv_reg_mr(variant->key == KEY_OTHER_DOMAIN &&
				 variant->local_key ? self->other : self->rxe.pd,
				 self->local_area, AREA,
				 ALL & ~variant->local_lacks);
	ASSERT_NE(NULL, self->local) TH_LOG("%s", strerror(errno));
	ASSERT_EQ(0, rc_pair_open(&self->pair, self->rxe.pd,
				  (READ | WRITE | ATOMIC) & ~variant->peer_lacks));
}

FIXTURE_TEARDOWN(access)
{
	rc_pair_close(&self->pair);
	if (self->local)
		EXPECT_EQ(0, ibv_dereg_mr(self->local));
	if (self->region)
		EXPECT_EQ(0, ibv_dereg_mr(self->region));
	if (self->other)
		EXPECT_EQ(0, ibv_dealloc_pd(self->other));
	rxe_close(&self->rxe);
}

/* The region's key as the row wants it. */
static uint32_t make_key(struct __test_metadata *_metadata,
			 struct _test_data_access *self,
			 const struct _fixture_variant_access *variant)
{
	uint32_t key = self->region->rkey;

	if (variant->local_key)
		return key;
	switch (variant->key) {
	case KEY_OTHER_VARIANT:
		return key ^ 1;
	case KEY_OTHER_REGION:
		return key + (1000 << 8);
	case KEY_STALE:
		EXPECT_EQ(0, ibv_dereg_mr(self->region));
		self->region = NULL;
		return key;
	default:
		return key;
	}
}

static bool all_are(const unsigned char *bytes, size_t len, int byte)
{
	size_t i;

	for (i = 0; i < len && bytes[i] == byte; i++)
		;
	return i == len;
}

/* How many bytes differ from what they were. */
static size_t changed(const unsigned char *bytes, int byte)
{
	size_t i, nr = 0;

	for (i = 0; i < AREA; i++)
		nr += bytes[i] != byte;
	return nr;
}

static void expect_written(struct __test_metadata *_metadata,
			   struct _test_data_access *self,
			   const struct _fixture_variant_access *variant)
{
	const unsigned char *at = self->remote_area + BEGIN + variant->offset;
	uint64_t sum;

	EXPECT_EQ(variant->length, changed(self->remote_area, REMOTE_BYTE));
	if (variant->request == IBV_WR_RDMA_WRITE) {
		EXPECT_TRUE(all_are(at, variant->length, LOCAL_BYTE));
		EXPECT_EQ(0, changed(self->local_area, LOCAL_BYTE));
		return;
	}
	/* Adding brings back what there was. */
	EXPECT_EQ(variant->length, changed(self->local_area, LOCAL_BYTE));
	EXPECT_TRUE(all_are(self->local_area, variant->length, REMOTE_BYTE));
	memcpy(&sum, at, sizeof(sum));
	EXPECT_EQ(0xa5a5a5a5a5a5a5a5ULL + 0x0101010101010101ULL, sum);
}

static void expect_read(struct __test_metadata *_metadata,
			struct _test_data_access *self,
			const struct _fixture_variant_access *variant)
{
	EXPECT_EQ(0, changed(self->remote_area, REMOTE_BYTE));
	EXPECT_EQ(variant->length, changed(self->local_area, LOCAL_BYTE));
	EXPECT_TRUE(all_are(self->local_area, variant->length, REMOTE_BYTE));
}

static void expect_untouched(struct __test_metadata *_metadata,
			     struct _test_data_access *self)
{
	EXPECT_EQ(0, changed(self->remote_area, REMOTE_BYTE));
	EXPECT_EQ(0, changed(self->local_area, LOCAL_BYTE));
}

static int expected(const struct _fixture_variant_access *variant)
{
	if (variant->since[0] &&
	    !kernel_at_least(variant->since[0], variant->since[1]))
		return variant->before;
	return variant->status;
}

static void report(struct __test_metadata *_metadata,
		   struct _test_data_access *self,
		   const struct _fixture_variant_access *variant, int status)
{
	const char *text = status < 0 ? strerror(-status) :
					ibv_wc_status_str(status);

	record_write("\"type\":\"region\",\"row\":\"%s\",\"status\":%d,\"status_text\":\"%s\",\"remote_changed\":%zu,\"local_changed\":%zu,\"expected\":%d,\"source\":\"%s\"",
		     variant->name, status, text,
		     changed(self->remote_area, REMOTE_BYTE),
		     changed(self->local_area, LOCAL_BYTE), expected(variant),
		     variant->source);
	if (status != expected(variant))
		TH_LOG("got %s (%d), expected %s (%d): %s", text, status,
		       ibv_wc_status_str(expected(variant)), expected(variant),
		       variant->source);
}

TEST_F(access, outcome)
{
	uint64_t at = variant->own_iova && !variant->cpu_address ? IOVA :
		      (uintptr_t)self->remote_area;
	uint32_t key = make_key(_metadata, self, variant);
	struct ibv_sge sge = {
		.addr = (uintptr_t)self->local_area,
		.length = variant->length,
		.lkey = self->local->lkey,
	};
	struct ibv_send_wr wr = {
		.opcode = variant->request,
		.sg_list = &sge,
		.num_sge = 1,
	};
	int status;

	at += BEGIN + variant->offset;
	if (variant->request == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		wr.wr.atomic.remote_addr = at;
		wr.wr.atomic.rkey = key;
		wr.wr.atomic.compare_add = 0x0101010101010101ULL;
	} else {
		wr.wr.rdma.remote_addr = at;
		wr.wr.rdma.rkey = key;
	}
	status = rc_pair_run(&self->pair, &wr);
	report(_metadata, self, variant, status);
	ASSERT_EQ(expected(variant), status);
	if (status != IBV_WC_SUCCESS)
		expect_untouched(_metadata, self);
	else if (variant->request == IBV_WR_RDMA_READ)
		expect_read(_metadata, self, variant);
	else
		expect_written(_metadata, self, variant);
}

FIXTURE(registration)
{
	struct rxe rxe;
	unsigned char *area;
};

FIXTURE_SETUP(registration)
{
	int err = rxe_open(&self->rxe);

	if (err == -ENODEV)
		SKIP(return, "no-rxe");
	if (!kernel_at_least(6, 1))
		SKIP(return, TOO_OLD);
	ASSERT_EQ(0, err);
	self->area = area(REMOTE_BYTE);
	ASSERT_NE(NULL, self->area);
}

FIXTURE_TEARDOWN(registration)
{
	rxe_close(&self->rxe);
}

/*
 * Who may not write itself may let nobody else do it: ib_check_mr_access() of
 * include/rdma/ib_verbs.h.
 */
static void expect_refused(struct __test_metadata *_metadata,
			   struct _test_data_registration *self, int access)
{
	struct ibv_mr *region;

	errno = 0;
	region = ibv_reg_mr(self->rxe.pd, self->area, AREA, access);
	EXPECT_EQ(NULL, region);
	EXPECT_EQ(EINVAL, errno);
	if (region)
		ibv_dereg_mr(region);
}

TEST_F(registration, remote_write_without_local_write)
{
	expect_refused(_metadata, self, WRITE);
	expect_refused(_metadata, self, WRITE | READ);
}

TEST_F(registration, remote_atomic_without_local_write)
{
	expect_refused(_metadata, self, ATOMIC);
}

TEST_HARNESS_MAIN
