// SPDX-License-Identifier: GPL-2.0
/* RDMA devices and their memory regions, by RDMA_NL_NLDEV. */
#include <errno.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region_dump.h"
#include "text.h"

#define RECEIVE	(1 << 16)	/* a message of a dump may be as large as that */

/* Attributes by their type. */
struct attributes {
	struct nlattr *at[RDMA_NLDEV_ATTR_MAX];
};

static bool of_message(struct attributes *a, struct nlmsghdr *message)
{
	return nlmsg_parse(message, 0, a->at, RDMA_NLDEV_ATTR_MAX - 1, NULL) >= 0;
}

static bool get_u32(const struct attributes *a, int type, uint32_t *value)
{
	if (!a->at[type] || nla_len(a->at[type]) < (int)sizeof(*value))
		return false;
	*value = nla_get_u32(a->at[type]);
	return true;
}

static bool get_u64(const struct attributes *a, int type, uint64_t *value)
{
	if (!a->at[type] || nla_len(a->at[type]) < (int)sizeof(*value))
		return false;
	*value = nla_get_u64(a->at[type]);
	return true;
}

static void get_name(const struct attributes *a, char *name, size_t room)
{
	struct nlattr *attr = a->at[RDMA_NLDEV_ATTR_DEV_NAME];

	if (attr)
		nla_strlcpy(name, attr, room);
	else
		snprintf(name, room, "?");
}

bool regions_add_device(struct regions *r, struct nlmsghdr *message)
{
	struct attributes a = { 0 };
	struct rdma_device *device;
	uint32_t index;

	if (!of_message(&a, message) ||
	    !get_u32(&a, RDMA_NLDEV_ATTR_DEV_INDEX, &index))
		return false;
	r->device = text_grow(r->device, r->devices, sizeof(*r->device));
	device = &r->device[r->devices++];
	memset(device, 0, sizeof(*device));
	device->index = index;
	get_name(&a, device->name, sizeof(device->name));
	return true;
}

static void add_entry(struct regions *r, const char *device,
		      struct nlattr *entry)
{
	struct attributes a = { 0 };
	struct region *region;
	uint32_t pid = 0;

	nla_parse_nested(a.at, RDMA_NLDEV_ATTR_MAX - 1, entry, NULL);
	r->region = text_grow(r->region, r->nr, sizeof(*r->region));
	region = &r->region[r->nr++];
	memset(region, 0, sizeof(*region));
	snprintf(region->device, sizeof(region->device), "%s", device);
	get_u32(&a, RDMA_NLDEV_ATTR_RES_MRN, &region->id);
	get_u32(&a, RDMA_NLDEV_ATTR_RES_PID, &pid);
	region->pid = pid;
	region->kernel = a.at[RDMA_NLDEV_ATTR_RES_KERN_NAME];
	region->has_lkey = get_u32(&a, RDMA_NLDEV_ATTR_RES_LKEY, &region->lkey);
	region->has_iova = get_u64(&a, RDMA_NLDEV_ATTR_RES_IOVA, &region->iova);
	get_u64(&a, RDMA_NLDEV_ATTR_RES_MRLEN, &region->bytes);
}

bool regions_add(struct regions *r, struct nlmsghdr *message)
{
	struct attributes a = { 0 };
	struct nlattr *entry;
	char device[64];
	int left;

	if (!of_message(&a, message) || !a.at[RDMA_NLDEV_ATTR_RES_MR])
		return false;
	get_name(&a, device, sizeof(device));
	nla_for_each_nested(entry, a.at[RDMA_NLDEV_ATTR_RES_MR], left)
		if (nla_type(entry) == RDMA_NLDEV_ATTR_RES_MR_ENTRY)
			add_entry(r, device, entry);
	return true;
}

static int device_message(struct nl_msg *message, void *data)
{
	regions_add_device(data, nlmsg_hdr(message));
	return NL_OK;
}

static int region_message(struct nl_msg *message, void *data)
{
	regions_add(data, nlmsg_hdr(message));
	return NL_OK;
}

static int driver_message(struct nl_msg *message, void *data)
{
	struct rdma_device *device = data;
	struct attributes a = { 0 };

	if (of_message(&a, nlmsg_hdr(message)))
		device->has_driver = get_u32(&a, RDMA_NLDEV_ATTR_UVERBS_DRIVER_ID,
					     &device->driver);
	return NL_OK;
}

/* NULL, with errno, where there is no RDMA in this kernel. */
static struct nl_sock *open_netlink(void)
{
	struct nl_sock *sock = nl_socket_alloc();
	int err;

	if (!sock)
		return NULL;
	errno = 0;
	if (!nl_connect(sock, NETLINK_RDMA)) {
		nl_socket_disable_auto_ack(sock);
		nl_socket_set_msg_buf_size(sock, RECEIVE);
		return sock;
	}
	err = errno;
	nl_socket_free(sock);
	errno = err;
	return NULL;
}

static struct nl_msg *request(int command, int flags)
{
	return nlmsg_alloc_simple(RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, command),
				  NLM_F_REQUEST | flags);
}

/* Takes @message. Return: 0 or a negative error of libnl. */
static int exchange(struct nl_sock *sock, struct nl_msg *message,
		    nl_recvmsg_msg_cb_t each, void *data)
{
	int err;

	if (!message)
		return -NLE_NOMEM;
	nl_socket_modify_cb(sock, NL_CB_VALID, NL_CB_CUSTOM, each, data);
	err = nl_send_auto(sock, message);
	nlmsg_free(message);
	if (err >= 0)
		err = nl_recvmsgs_default(sock);
	return err < 0 ? err : 0;
}

static int of_device(struct nl_sock *sock, struct regions *r, uint32_t index)
{
	struct nl_msg *message = request(RDMA_NLDEV_CMD_RES_MR_GET, NLM_F_DUMP);

	if (message)
		nla_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, index);
	return exchange(sock, message, region_message, r);
}

const char *regions_read(struct regions *r)
{
	struct nl_sock *sock = open_netlink();
	size_t i;
	int err;

	memset(r, 0, sizeof(*r));
	if (!sock)
		return errno == EPROTONOSUPPORT ? NULL : strerror(errno);
	err = exchange(sock, request(RDMA_NLDEV_CMD_GET, NLM_F_DUMP),
		       device_message, r);
	for (i = 0; !err && i < r->devices; i++)
		err = of_device(sock, r, r->device[i].index);
	nl_socket_free(sock);
	return err ? nl_geterror(err) : NULL;
}

bool regions_driver(struct rdma_device *device)
{
	struct nl_msg *message = request(RDMA_NLDEV_CMD_GET_CHARDEV, 0);
	struct nl_sock *sock = open_netlink();

	if (message && sock) {
		nla_put_u32(message, RDMA_NLDEV_ATTR_DEV_INDEX, device->index);
		nla_put_string(message, RDMA_NLDEV_ATTR_CHARDEV_TYPE, "uverbs");
		exchange(sock, message, driver_message, device);
	} else {
		nlmsg_free(message);
	}
	nl_socket_free(sock);
	return device->has_driver;
}

void regions_free(struct regions *r)
{
	free(r->device);
	free(r->region);
	memset(r, 0, sizeof(*r));
}
