/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_RESOLVE_H
#define PINPROBE_RESOLVE_H

#include "pages.h"

struct command;

extern const struct command resolve_command;

/* One object, a member for each sum. */
json_object *pages_sum_json(const struct pages_sum *sum);

#endif
