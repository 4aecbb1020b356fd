/* SPDX-License-Identifier: GPL-2.0 */
/* For the files that decide verdicts alone. */
#ifndef SELFTESTS_VERDICT_SAY_H
#define SELFTESTS_VERDICT_SAY_H

#include <stdarg.h>
#include <stdio.h>
#include "verdict.h"

__printf(3, 4)
static inline void say(struct verdict *verdict, enum verdict_code code,
		const char *format, ...)
{
	va_list args;

	verdict->code = code;
	va_start(args, format);
	vsnprintf(verdict->text, sizeof(verdict->text), format, args);
	va_end(args);
}

static inline const char *plural(uint64_t nr)
{
	return nr == 1 ? "" : "s";
}

/* What a call that ran into its deadline was at. */
void verdict_loop(const struct verdict_facts *facts, struct verdict *verdict);

#endif /* SELFTESTS_VERDICT_SAY_H */
