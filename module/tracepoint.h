/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_TRACEPOINT_H
#define PINPROBE_TRACEPOINT_H

struct tracepoint;

struct tracepoint *pp_tracepoint_find(const char *name);

#endif /* PINPROBE_TRACEPOINT_H */
