// SPDX-License-Identifier: GPL-2.0
/*
 * How much of each RDMA device is in use and how much there can be, by RDMA
 * netlink. A recorded tree has the kernel's messages in netlink/rdma-res.
 */
#include <errno.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define RECORDED	"/netlink/rdma-res"
#define GET_TYPE	RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_RES_GET)
/* RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_MAX, which headers have from v7.3 on. */
#define SUMMARY_ENTRY_MAX	118
/* Percent from which on a device is nearly used up. */
#define NEAR		80

static struct doctor_rdma *device_of(struct doctor *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->rdmas; i++)
		if (!strcmp(d->rdma[i].name, name))
			return &d->rdma[i];
	return NULL;
}

static long long number_of(struct nlattr *attr)
{
	return nla_len(attr) < (int)sizeof(uint64_t) ? DOCTOR_UNKNOWN :
		(long long)nla_get_u64(attr);
}

static void parse_entry(struct doctor_rdma *r, struct nlattr *nest)
{
	struct doctor_use use = { .used = DOCTOR_UNKNOWN, .max = DOCTOR_UNKNOWN };
	struct nlattr *attr;
	int left;

	nla_for_each_nested(attr, nest, left) {
		switch (nla_type(attr)) {
		case RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_NAME:
			nla_strlcpy(use.name, attr, sizeof(use.name));
			break;
		case RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY_CURR:
			use.used = number_of(attr);
			break;
		case SUMMARY_ENTRY_MAX:
			use.max = number_of(attr);
			break;
		}
	}
	if (!*use.name || use.used < 0)
		return;
	r->use = text_grow(r->use, r->uses, sizeof(*r->use));
	r->use[r->uses++] = use;
}

static void parse_message(struct doctor *d, struct nlmsghdr *message)
{
	struct nlattr *attr, *summary = NULL;
	struct doctor_rdma *r = NULL;
	char name[64];
	int left;

	if (message->nlmsg_type != GET_TYPE)
		return;
	nlmsg_for_each_attr(attr, message, 0, left) {
		if (nla_type(attr) == RDMA_NLDEV_ATTR_DEV_NAME) {
			nla_strlcpy(name, attr, sizeof(name));
			r = device_of(d, name);
		} else if (nla_type(attr) == RDMA_NLDEV_ATTR_RES_SUMMARY) {
			summary = attr;
		}
	}
	if (!r || !summary)
		return;
	nla_for_each_nested(attr, summary, left)
		if (nla_type(attr) == RDMA_NLDEV_ATTR_RES_SUMMARY_ENTRY)
			parse_entry(r, attr);
}

static int one_message(struct nl_msg *message, void *ctx)
{
	parse_message(ctx, nlmsg_hdr(message));
	return NL_OK;
}

static enum source_state state_of(int error)
{
	switch (-error) {
	case 0:
		return SOURCE_OK;
	case NLE_PERM:
	case NLE_NOACCESS:
		return SOURCE_DENIED;
	case NLE_PROTO_MISMATCH:
	case NLE_AF_NOSUPPORT:
	case NLE_OPNOTSUPP:
	case NLE_INVAL:
		return SOURCE_ABSENT;
	default:
		return SOURCE_FAILED;
	}
}

/* 0 or a negative error of libnl. */
static int dump(struct nl_sock *socket, struct doctor *d)
{
	int err = nl_connect(socket, NETLINK_RDMA);

	if (err)
		return err;
	nl_socket_modify_cb(socket, NL_CB_VALID, NL_CB_CUSTOM, one_message, d);
	err = nl_send_simple(socket, GET_TYPE, NLM_F_DUMP, NULL, 0);
	if (err < 0)
		return err;
	err = nl_recvmsgs_default(socket);
	return err < 0 ? err : 0;
}

static enum source_state read_live(struct doctor *d)
{
	struct nl_sock *socket = nl_socket_alloc();
	int err;

	if (!socket)
		return SOURCE_FAILED;
	err = dump(socket, d);
	nl_socket_free(socket);
	return state_of(err);
}

static enum source_state read_recorded(struct doctor *d)
{
	struct text t = { 0 };
	enum source_state state = source_read(&d->source, &t, RECORDED);
	struct nlmsghdr *message = (void *)t.s;
	int left = t.len;

	for (; nlmsg_ok(message, left); message = nlmsg_next(message, &left))
		parse_message(d, message);
	text_free(&t);
	return state;
}

/*
 * Only where there are devices: a socket of that protocol would have the kernel
 * load ib_core.
 */
void doctor_read_use(struct doctor *d)
{
	if (!d->rdmas)
		return;
	doctor_miss(d, source_live(&d->source) ? read_live(d) : read_recorded(d),
		    source_live(&d->source) ? "RDMA netlink" : RECORDED,
		    "how many memory regions and queues of a device are in use");
}

static const char *plural(const struct doctor_use *use)
{
	static const char *const names[][2] = {
		{ "mr", "memory regions" },
		{ "pd", "protection domains" },
		{ "qp", "queue pairs" },
		{ "cq", "completion queues" },
		{ "srq", "shared receive queues" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(names[i][0], use->name))
			return names[i][1];
	return use->name;
}

void doctor_judge_use(struct doctor *d, const struct doctor_rdma *r)
{
	const struct doctor_use *use;
	size_t i;

	for (i = 0; i < r->uses; i++) {
		use = &r->use[i];
		if (use->max <= 0 || use->used < use->max / 100.0 * NEAR)
			continue;
		doctor_find(d, (struct doctor_finding) {
			DOCTOR_WARNING, "rdma-nearly-used", "DEV",
			text_format("%s has %lld of %lld %s in use", r->name,
				    use->used, use->max, plural(use)),
			text_dup("At the device's limit the next one fails with ENOMEM, with memory to spare and whatever the limits of the process are."),
			text_format("Let go of those that are not needed (rdma resource show %s link %s tells who has them); register larger pieces, fewer of them.",
				    use->name, r->name),
			text_format("%s of %s: %lld in use, max_%s %lld (RDMA netlink)",
				    use->name, r->name, use->used, use->name,
				    use->max),
			"a device has a fixed number of each (struct ib_device_attr); ib_core tells it from v7.3 on" });
	}
}
