/* SPDX-License-Identifier: GPL-2.0 */
/* A protection domain on the first rxe device. */
#ifndef SELFTESTS_RXE_H
#define SELFTESTS_RXE_H

#include <infiniband/verbs.h>

struct rxe {
	struct ibv_context *context;
	struct ibv_pd *pd;
};

/* 0, -ENODEV if there is no rxe device, or another -errno. */
int rxe_open(struct rxe *rxe);
void rxe_close(struct rxe *rxe);

/* What pinprobe cannot follow registrations without here, as a skip's reason; or NULL. */
const char *rxe_cannot_be_followed(void);

#endif /* SELFTESTS_RXE_H */
