/* SPDX-License-Identifier: GPL-2.0 */
/* Files on MOUNT_POINT that have no name: they are gone with what maps them. */
#ifndef CONTRACTS_FILES_H
#define CONTRACTS_FILES_H

#include "contract.h"

/* A file of @len bytes, written to, as @area->fd. 0 or -errno. */
int file_make(struct area *area, size_t len);

/*
 * For @make of backings: some pages of such a file, mapped shared and written to;
 * shared, only to be read; private, so far only read; shared, with its second half
 * behind the end of the file.
 */
int file_shared(struct world *world, struct area *area);
int file_readonly(struct world *world, struct area *area);
int file_private(struct world *world, struct area *area);
int file_past_end(struct world *world, struct area *area);

#endif /* CONTRACTS_FILES_H */
