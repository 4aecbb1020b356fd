/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PIN_H
#define PINPROBE_PIN_H

struct command;

extern const struct command pin_command;

#endif
