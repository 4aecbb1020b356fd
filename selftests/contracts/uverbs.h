/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CONTRACTS_UVERBS_H
#define CONTRACTS_UVERBS_H

#include <stdint.h>

/*
 * Command @command (IB_USER_VERBS_CMD_*) of Soft-RoCE with the structure @body,
 * of more than 8 bytes. 0 or -errno.
 */
int uverbs_invoke(int fd, uint32_t command, const void *body, uint16_t len,
		  void *answer, uint16_t room);

#endif /* CONTRACTS_UVERBS_H */
