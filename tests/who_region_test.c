// SPDX-License-Identifier: GPL-2.0
/* RDMA devices and regions, from messages that guests' kernels sent. */
#include <stdio.h>
#include "unit.h"
#include "../tools/region_dump.c"

/* The bytes of a line "KEY HEX" of a recording. */
static struct nlmsghdr *message(const char *name, const char *key)
{
	char *path = text_format("%s/data/who/%s", unit_tests, name);
	char *s = unit_read(path, NULL), *at = strstr(s, key);
	unsigned char *bytes;
	unsigned int byte;
	size_t n = 0;

	CHECK(at);
	at += strlen(key) + 1;
	bytes = text_alloc(strlen(at));
	while (sscanf(at, "%2x", &byte) == 1 && *at != '\n') {
		bytes[n++] = byte;
		at += 2;
	}
	CHECK(n >= sizeof(struct nlmsghdr));
	CHECK_NUMBER(((struct nlmsghdr *)bytes)->nlmsg_len, n);
	free(path);
	free(s);
	return (void *)bytes;
}

static struct regions recorded(const char *name)
{
	struct regions r = { 0 };

	CHECK(regions_add_device(&r, message(name, "devices")));
	CHECK(regions_add(&r, message(name, "regions")));
	return r;
}

static void check(const char *name, pid_t pid, uint32_t id, uint32_t lkey)
{
	struct regions r = recorded(name);

	CHECK_NUMBER(r.devices, 1);
	CHECK_NUMBER(r.device[0].index, 0);
	CHECK_STRING(r.device[0].name, "rxe0");
	CHECK_NUMBER(r.nr, 1);
	CHECK_STRING(r.region[0].device, "rxe0");
	CHECK_NUMBER(r.region[0].pid, pid);
	CHECK_NUMBER(r.region[0].id, id);
	CHECK(!r.region[0].kernel);
	CHECK_NUMBER(r.region[0].bytes, 262144);
	CHECK(r.region[0].has_lkey);
	CHECK_NUMBER(r.region[0].lkey, lkey);
	CHECK(!r.region[0].has_iova);
	regions_free(&r);
}

TEST(who_regions_of_7_3)
{
	check("rdma-7.3", 176, 0, 0x2c5);
}

TEST(who_regions_of_6_1)
{
	check("rdma-6.1", 140, 0, 0x2c3);
}

static struct nlattr *begin(struct nl_msg *m)
{
	return nla_nest_start(m, RDMA_NLDEV_ATTR_RES_MR_ENTRY);
}

/* One message with what the kernel leaves out or puts in for others. */
TEST(who_regions_of_all_kinds)
{
	struct nl_msg *m = nlmsg_alloc_simple(0, 0);
	struct nlattr *table, *entry;
	struct regions r = { 0 };

	nla_put_u32(m, RDMA_NLDEV_ATTR_DEV_INDEX, 3);
	nla_put_string(m, RDMA_NLDEV_ATTR_DEV_NAME, "mlx5_0");
	table = nla_nest_start(m, RDMA_NLDEV_ATTR_RES_MR);
	entry = begin(m);
	nla_put_u64(m, RDMA_NLDEV_ATTR_RES_MRLEN, 1ULL << 40);
	nla_put_u64(m, RDMA_NLDEV_ATTR_RES_IOVA, 0x7f0000000000);
	nla_put_u32(m, RDMA_NLDEV_ATTR_RES_PID, 12);
	nla_nest_end(m, entry);
	entry = begin(m);
	nla_put_string(m, RDMA_NLDEV_ATTR_RES_KERN_NAME, "ib_core");
	nla_nest_end(m, entry);
	/* Too short to be what its type says. */
	entry = begin(m);
	nla_put_u16(m, RDMA_NLDEV_ATTR_RES_PID, 99);
	nla_put_u32(m, RDMA_NLDEV_ATTR_RES_MRLEN, 99);
	nla_nest_end(m, entry);
	nla_nest_end(m, table);
	CHECK(regions_add(&r, nlmsg_hdr(m)));
	CHECK_NUMBER(r.nr, 3);
	CHECK_STRING(r.region[0].device, "mlx5_0");
	CHECK_NUMBER(r.region[0].pid, 12);
	CHECK_NUMBER(r.region[0].bytes, 1LL << 40);
	CHECK(r.region[0].has_iova);
	CHECK_NUMBER(r.region[0].iova, 0x7f0000000000);
	CHECK(!r.region[0].has_lkey);
	CHECK(r.region[1].kernel);
	CHECK_NUMBER(r.region[1].pid, 0);
	CHECK_NUMBER(r.region[2].pid, 0);
	CHECK_NUMBER(r.region[2].bytes, 0);
	regions_free(&r);
}

TEST(who_regions_of_a_device_without)
{
	struct nl_msg *m = nlmsg_alloc_simple(0, 0);
	struct regions r = { 0 };

	CHECK(!regions_add_device(&r, nlmsg_hdr(m)));
	nla_put_u32(m, RDMA_NLDEV_ATTR_DEV_INDEX, 3);
	CHECK(!regions_add(&r, nlmsg_hdr(m)));
	CHECK_NUMBER(r.nr, 0);
}
