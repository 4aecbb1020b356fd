/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_AUDIT_COMMAND_H
#define PINPROBE_AUDIT_COMMAND_H

extern const struct command audit_command;

#endif
