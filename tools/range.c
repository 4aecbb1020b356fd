// SPDX-License-Identifier: GPL-2.0
/* PID, address and length. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "range.h"
#include "text.h"

/* All of @s, in @base, up to @end. */
static bool number(const char *s, int base, char end, uint64_t *value,
		   const char **rest)
{
	char *stop;

	if (!isxdigit((unsigned char)*s))
		return false;
	errno = 0;
	*value = strtoull(s, &stop, base);
	if (errno || *stop != end)
		return false;
	*rest = stop;
	return true;
}

static bool parse_len(const char *s, uint64_t *len)
{
	static const char units[] = "KMGT";
	const char *unit;
	unsigned int shift;
	char *stop;

	if (!isdigit((unsigned char)*s))
		return false;
	errno = 0;
	*len = strtoull(s, &stop, 0);
	if (errno || !*len)
		return false;
	if (!*stop)
		return true;
	unit = strchr(units, toupper((unsigned char)*stop));
	if (!unit || stop[1])
		return false;
	shift = 10 * (unit - units + 1);
	if (*len > UINT64_MAX >> shift)
		return false;
	*len <<= shift;
	return true;
}

static bool parse_pid(const char *s, pid_t *pid)
{
	const char *rest;
	uint64_t value;

	if (!strcmp(s, "self")) {
		*pid = getpid();
		return true;
	}
	if (!number(s, 10, '\0', &value, &rest) || !value || value > INT32_MAX)
		return false;
	*pid = value;
	return true;
}

/* "START-END", or an address alone: one page then. */
static bool parse_addr(const char *s, uint64_t *addr, uint64_t *end)
{
	const char *rest;

	if (number(s, 16, '-', addr, &rest))
		return number(rest + 1, 16, '\0', end, &rest) && *end > *addr;
	*end = 0;
	return number(s, 16, '\0', addr, &rest);
}

char *range_parse(struct range *range, int argc, char **argv, bool whole)
{
	uint64_t page = sysconf(_SC_PAGESIZE), end = 0, len = 1;

	memset(range, 0, sizeof(*range));
	if (argc < 1 || (argc < 2 && !whole))
		return text_format("needs %s", whole ? "a PID" : "a PID and an address");
	if (argc > 3)
		return text_format("what is '%s'?", argv[3]);
	if (!parse_pid(argv[0], &range->pid))
		return text_format("'%s' is no PID", argv[0]);
	if (argc == 1)
		return NULL;
	if (!parse_addr(argv[1], &range->addr, &end))
		return text_format("'%s' is no address", argv[1]);
	if (argc == 3 && (end || !parse_len(argv[2], &len)))
		return text_format(end ? "'%s' has an end, what is '%s'?" :
				   "'%.0s%s' is no length", argv[1], argv[2]);
	if (!end && __builtin_add_overflow(range->addr, len, &end))
		return text_format("it ends behind all addresses");
	if (__builtin_add_overflow(end, page - 1, &end))
		return text_format("it ends behind all addresses");
	range->addr &= ~(page - 1);
	range->len = (end & ~(page - 1)) - range->addr;
	return NULL;
}
