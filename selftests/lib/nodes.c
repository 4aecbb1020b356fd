// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "nodes.h"

#define NODES	"/sys/devices/system/node/"

/* "0-2,5" */
static uint64_t parse_list(const char *list)
{
	uint64_t nodes = 0;
	char *end;

	for (;;) {
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return nodes;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last && first < NODES_MAX; first++)
			nodes |= 1ULL << first;
		if (*end != ',')
			return nodes;
		list = end + 1;
	}
}

static uint64_t read_list(const char *path)
{
	FILE *file = fopen(path, "re");
	uint64_t nodes = 0;
	char line[256];

	if (!file)
		return 0;
	if (fgets(line, sizeof(line), file))
		nodes = parse_list(line);
	fclose(file);
	return nodes;
}

uint64_t nodes_with_memory(void)
{
	return read_list(NODES "has_memory");
}

uint64_t nodes_all_movable(void)
{
	return nodes_with_memory() & ~read_list(NODES "has_normal_memory");
}

uint64_t nodes_allowed(void)
{
	static const char key[] = "Mems_allowed_list:";
	FILE *file = fopen("/proc/self/status", "re");
	uint64_t nodes = UINT64_MAX;
	char line[256];

	if (!file)
		return nodes;
	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			nodes = parse_list(line + strlen(key) +
					   strspn(line + strlen(key), " \t"));
	fclose(file);
	return nodes;
}
