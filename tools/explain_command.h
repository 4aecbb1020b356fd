/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_EXPLAIN_COMMAND_H
#define PINPROBE_EXPLAIN_COMMAND_H

extern const struct command explain_command;

#endif
