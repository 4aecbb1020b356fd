/* SPDX-License-Identifier: GPL-2.0 */
/* dma-bufs made of memfds. */
#ifndef CONTRACTS_UDMABUF_H
#define CONTRACTS_UDMABUF_H

#include "contract.h"

/* /dev/udmabuf, ROW_SKIP or -errno. */
int udmabuf_open(struct world *world);

/* What makes @memfd one that it takes: its size is sealed. 0 or -errno. */
int udmabuf_seal(int memfd);

/* A dma-buf of the first @len bytes of @memfd, or -errno. No more than this call. */
int udmabuf_create(int dev, int memfd, size_t len);

#endif /* CONTRACTS_UDMABUF_H */
