/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_PINFD_H
#define PINPROBE_PINFD_H

struct file;
struct pp_pin;

struct file *pp_pinfd_open(struct pp_pin *pin);

#endif /* PINPROBE_PINFD_H */
