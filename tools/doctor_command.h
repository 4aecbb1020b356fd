/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_DOCTOR_COMMAND_H
#define PINPROBE_DOCTOR_COMMAND_H

extern const struct command doctor_command;

#endif
