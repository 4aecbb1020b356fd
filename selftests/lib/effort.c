// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include "effort.h"

bool effort_slow(void)
{
	const char *slow = getenv("PINPROBE_SLOW");

	return slow && atoi(slow) > 1;
}

int effort_turns(int turns)
{
	return effort_slow() ? turns / 10 : turns;
}
