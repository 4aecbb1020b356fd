// SPDX-License-Identifier: GPL-2.0
/* usage: rxe-link NAME NETDEV: one RDMA NEWLINK message, as "rdma link add NAME type rxe netdev NETDEV". */
#include <errno.h>
#include <linux/netlink.h>
#include <rdma/rdma_netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
	struct nlmsghdr head;
	char attributes[256];
};

static void add_string(struct request *req, unsigned short type, const char *text)
{
	struct nlattr *attr = (void *)((char *)req + NLMSG_ALIGN(req->head.nlmsg_len));
	size_t len = strlen(text) + 1;

	attr->nla_type = type;
	attr->nla_len = NLA_HDRLEN + len;
	memcpy((char *)attr + NLA_HDRLEN, text, len);
	req->head.nlmsg_len = NLMSG_ALIGN(req->head.nlmsg_len) + NLA_ALIGN(attr->nla_len);
}

/* The kernel's answer to the message: 0 or a negative errno. */
static int ask(struct request *req)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
		char rest[512];
	} answer;
	ssize_t len;
	int error;
	int fd;

	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_RDMA);
	if (fd < 0)
		return -errno;
	len = send(fd, req, req->head.nlmsg_len, 0);
	if (len >= 0)
		len = recv(fd, &answer, sizeof(answer), 0);
	error = errno;
	close(fd);
	if (len < 0)
		return -error;
	if (len < (ssize_t)(sizeof(answer.head) + sizeof(answer.error.error)) ||
	    answer.head.nlmsg_type != NLMSG_ERROR)
		return -EPROTO;
	return answer.error.error;
}

int main(int argc, char **argv)
{
	struct request req = {
		.head = {
			.nlmsg_len = NLMSG_HDRLEN,
			.nlmsg_type = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_NEWLINK),
			.nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK,
		},
	};
	int error;

	if (argc != 3 || strlen(argv[1]) > 63 || strlen(argv[2]) > 63) {
		fprintf(stderr, "usage: %s NAME NETDEV\n", argv[0]);
		return 2;
	}
	add_string(&req, RDMA_NLDEV_ATTR_DEV_NAME, argv[1]);
	add_string(&req, RDMA_NLDEV_ATTR_LINK_TYPE, "rxe");
	add_string(&req, RDMA_NLDEV_ATTR_NDEV_NAME, argv[2]);
	error = ask(&req);
	if (error) {
		fprintf(stderr, "%s\n", strerror(-error));
		return 1;
	}
	return 0;
}
