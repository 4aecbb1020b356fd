/* SPDX-License-Identifier: GPL-2.0 */
/* Two reliable connected queue pairs of one device, each the other's peer. */
#ifndef SELFTESTS_RC_PAIR_H
#define SELFTESTS_RC_PAIR_H

#include <infiniband/verbs.h>

struct rc_pair {
	struct ibv_cq *cq;
	struct ibv_qp *requester;
	struct ibv_qp *responder;
};

/*
 * Connects them: the responder's is of @pd and allows its peer @access
 * (IBV_ACCESS_REMOTE_*). 0 or -errno; -EADDRNOTAVAIL if the device's port has no
 * address that packets could come back to.
 */
int rc_pair_open(struct rc_pair *pair, struct ibv_pd *pd, unsigned int access);
void rc_pair_close(struct rc_pair *pair);

/*
 * Posts @wr to the requester, signalled, and waits for its completion: an
 * IBV_WC_*, or -errno; -ETIME if none came within seconds.
 */
int rc_pair_run(struct rc_pair *pair, struct ibv_send_wr *wr);

#endif /* SELFTESTS_RC_PAIR_H */
