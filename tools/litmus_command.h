/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_LITMUS_COMMAND_H
#define PINPROBE_LITMUS_COMMAND_H

#include "command.h"

/* "pinprobe litmus" */
extern const struct command litmus_command;

#endif
