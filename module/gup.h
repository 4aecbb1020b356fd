/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_GUP_H
#define PINPROBE_GUP_H

#include <linux/types.h>

#include <linux/pinprobe.h>

struct mm_struct;
struct page;

const char *pp_gup_name(u32 call);
long pp_gup_call(u32 call, struct mm_struct *mm, unsigned long addr,
		 unsigned long nr, bool write, bool longterm,
		 struct page **pages);

/**
 * pp_gup_known - is this a call we know
 * @call: enum pinprobe_call
 */
static inline bool pp_gup_known(u32 call)
{
	return call <= PINPROBE_CALL_PIN_REMOTE;
}

/**
 * pp_gup_pins - does this call take FOLL_PIN
 * @call: enum pinprobe_call
 */
static inline bool pp_gup_pins(u32 call)
{
	return call >= PINPROBE_CALL_PIN;
}

/**
 * pp_gup_longterm - does this kernel's function take FOLL_LONGTERM
 * @call: enum pinprobe_call, one that pins
 */
static inline bool pp_gup_longterm(u32 call)
{
	return PP_UNLOCKED_TAKES_LONGTERM || call != PINPROBE_CALL_PIN_UNLOCKED;
}

/**
 * pp_gup_remote - does this call reach another process
 * @call: enum pinprobe_call
 */
static inline bool pp_gup_remote(u32 call)
{
	return call == PINPROBE_CALL_GET_REMOTE ||
	       call == PINPROBE_CALL_PIN_REMOTE;
}

#endif /* PINPROBE_GUP_H */
