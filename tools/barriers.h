/* SPDX-License-Identifier: GPL-2.0 */
/* What keeps BPF programs from being loaded here. */
#ifndef PINPROBE_BARRIERS_H
#define PINPROBE_BARRIERS_H

#include <stdbool.h>

#include "source.h"
#include "text.h"

/* The part of barriers_find() for which the kernel need not be asked. */
bool barriers_certain(const struct source *source, struct text *why);

/**
 * barriers_find() - what is missing, once the kernel has refused
 * @source:	where /proc and /sys are
 * @why:	gets a sentence a line
 *
 * Return: false if nothing was found.
 */
bool barriers_find(const struct source *source, struct text *why);

/* What is not seen for want of a capability, though programs can be loaded. */
void barriers_partial(const struct source *source, struct text *why);

/*
 * Whether this is the initial PID namespace, by whose numbers the kernel calls
 * processes. True where that is not known.
 */
bool barriers_first_pids(const struct source *source);

#endif
