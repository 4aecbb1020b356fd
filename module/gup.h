/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_GUP_H
#define PINPROBE_GUP_H

#include <linux/types.h>

struct mm_struct;
struct page;

bool pp_gup_known(u32 call);
const char *pp_gup_name(u32 call);
bool pp_gup_pins(u32 call);
bool pp_gup_longterm(u32 call);
bool pp_gup_remote(u32 call);
long pp_gup_call(u32 call, struct mm_struct *mm, unsigned long addr,
		 unsigned long nr, bool write, bool longterm,
		 struct page **pages);

#endif /* PINPROBE_GUP_H */
