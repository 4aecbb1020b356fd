// SPDX-License-Identifier: GPL-2.0
/* Brings two queue pairs up and sends one request from one to the other. */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "rc_pair.h"

#define PORT		1
#define ANSWER_SECONDS	20

/* 4.096 us << this: how long a lost packet is waited for. */
#define ACK_TIMEOUT	16

static struct ibv_qp *create(struct rc_pair *pair, struct ibv_pd *pd)
{
	struct ibv_qp_init_attr init = {
		.send_cq = pair->cq,
		.recv_cq = pair->cq,
		.qp_type = IBV_QPT_RC,
		.cap = {
			.max_send_wr = 1, .max_recv_wr = 1,
			.max_send_sge = 1, .max_recv_sge = 1,
		},
	};

	return ibv_create_qp(pd, &init);
}

static int make_ready(struct ibv_qp *qp, const struct ibv_qp *peer,
		      int gid, unsigned int access)
{
	struct ibv_qp_attr attr = {
		.qp_state = IBV_QPS_INIT,
		.port_num = PORT,
		.qp_access_flags = access,
	};
	int err;

	err = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX |
			    IBV_QP_PORT | IBV_QP_ACCESS_FLAGS);
	if (err)
		return -err;
	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.dest_qp_num = peer->qp_num;
	attr.max_dest_rd_atomic = 1;
	attr.min_rnr_timer = 12;
	attr.ah_attr.port_num = PORT;
	attr.ah_attr.is_global = 1;
	attr.ah_attr.grh.hop_limit = 1;
	attr.ah_attr.grh.sgid_index = gid;
	if (ibv_query_gid(qp->context, PORT, gid, &attr.ah_attr.grh.dgid))
		return -EADDRNOTAVAIL;
	err = ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_AV |
			    IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
			    IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
	if (err)
		return -err;
	attr.qp_state = IBV_QPS_RTS;
	attr.timeout = ACK_TIMEOUT;
	attr.retry_cnt = 7;
	attr.rnr_retry = 7;
	attr.max_rd_atomic = 1;
	return -ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_TIMEOUT |
			      IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
			      IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC);
}

/* The first that is an IPv4 address of the port's, else any that is one. */
static int choose_gid(struct ibv_context *context)
{
	static const unsigned char mapped[12] = { [10] = 0xff, [11] = 0xff };
	static const union ibv_gid none;
	struct ibv_port_attr port;
	union ibv_gid gid;
	int i, any = -1;

	if (ibv_query_port(context, PORT, &port))
		return -1;
	for (i = 0; i < port.gid_tbl_len; i++) {
		if (ibv_query_gid(context, PORT, i, &gid) ||
		    !memcmp(&gid, &none, sizeof(gid)))
			continue;
		if (!memcmp(&gid, mapped, sizeof(mapped)))
			return i;
		if (any < 0)
			any = i;
	}
	return any;
}

int rc_pair_open(struct rc_pair *pair, struct ibv_pd *pd, unsigned int access)
{
	int gid = choose_gid(pd->context), err;

	memset(pair, 0, sizeof(*pair));
	if (gid < 0)
		return -EADDRNOTAVAIL;
	pair->cq = ibv_create_cq(pd->context, 4, NULL, NULL, 0);
	if (!pair->cq)
		return -errno;
	pair->requester = create(pair, pd);
	pair->responder = pair->requester ? create(pair, pd) : NULL;
	err = pair->responder ? 0 : -errno;
	if (!err)
		err = make_ready(pair->responder, pair->requester, gid, access);
	if (!err)
		err = make_ready(pair->requester, pair->responder, gid, 0);
	if (err)
		rc_pair_close(pair);
	return err;
}

void rc_pair_close(struct rc_pair *pair)
{
	if (pair->requester)
		ibv_destroy_qp(pair->requester);
	if (pair->responder)
		ibv_destroy_qp(pair->responder);
	if (pair->cq)
		ibv_destroy_cq(pair->cq);
	memset(pair, 0, sizeof(*pair));
}

int rc_pair_run(struct rc_pair *pair, struct ibv_send_wr *wr)
{
	struct timespec now, begun;
	struct ibv_send_wr *bad;
	struct ibv_wc wc;
	int ret;

	wr->send_flags |= IBV_SEND_SIGNALED;
	ret = ibv_post_send(pair->requester, wr, &bad);
	if (ret)
		return -ret;
	clock_gettime(CLOCK_MONOTONIC, &begun);
	do {
		ret = ibv_poll_cq(pair->cq, 1, &wc);
		if (ret < 0)
			return -EIO;
		if (ret && wc.qp_num == pair->requester->qp_num)
			return wc.status;
		usleep(200);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while (now.tv_sec - begun.tv_sec < ANSWER_SECONDS);
	return -ETIME;
}
