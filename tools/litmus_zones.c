// SPDX-License-Identifier: GPL-2.0
/* Which PFNs a long-term pin must leave, as far as user space is told. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kmsg.h"
#include "litmus.h"

#define RANGES	ARRAY_SIZE(((struct litmus_zones *)0)->range)

static void add(struct litmus_zones *zones, uint64_t start, uint64_t pages)
{
	if (!pages || zones->nr == RANGES)
		return;
	zones->range[zones->nr].start = start;
	zones->range[zones->nr].end = start + pages;
	zones->nr++;
}

bool litmus_zones_has(const struct litmus_zones *zones, uint64_t pfn)
{
	size_t i;

	for (i = 0; i < zones->nr; i++)
		if (pfn >= zones->range[i].start && pfn < zones->range[i].end)
			return true;
	return false;
}

static void number_in(const char *line, const char *format, uint64_t *value)
{
	uint64_t number;

	if (sscanf(line, format, &number) == 1)
		*value = number;
}

/* "spanned" comes before "start_pfn" in each zone. */
void litmus_zones_movable(struct litmus_zones *zones, const char *zoneinfo)
{
	uint64_t spanned = 0, present = 0, start;
	bool movable = false;
	char name[32];

	for (; zoneinfo && *zoneinfo; zoneinfo = strchr(zoneinfo, '\n')) {
		zoneinfo += *zoneinfo == '\n';
		if (sscanf(zoneinfo, "Node %*d, zone %31s", name) == 1) {
			movable = !strcmp(name, "Movable");
			spanned = 0;
			present = 0;
		}
		number_in(zoneinfo, " spanned %" SCNu64, &spanned);
		number_in(zoneinfo, " present %" SCNu64, &present);
		if (movable && present &&
		    sscanf(zoneinfo, " start_pfn: %" SCNu64, &start) == 1)
			add(zones, start, spanned);
	}
}

/* "cma: Reserved 512 MiB at 0x0000000016000000 on node -1" */
void litmus_zones_cma_log(struct litmus_zones *zones, const char *line)
{
	uint64_t mib, at, page = sysconf(_SC_PAGESIZE);

	line = strstr(line, "cma: Reserved ");
	if (line && sscanf(line, "cma: Reserved %" SCNu64 " MiB at %" SCNx64,
			   &mib, &at) == 2)
		add(zones, at / page, (mib << 20) / page);
}

static void read_zoneinfo(struct litmus_zones *zones)
{
	static char text[1 << 20];
	FILE *file = fopen("/proc/zoneinfo", "re");
	size_t len;

	if (!file)
		return;
	len = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[len] = '\0';
	litmus_zones_movable(zones, text);
}

static uint64_t number(const char *dir, const char *name)
{
	uint64_t value = 0;
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%.400s/%s", dir, name);
	file = fopen(path, "re");
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64, &value) != 1)
		value = 0;
	fclose(file);
	return value;
}

/* Only kernels with CONFIG_CMA_DEBUGFS have that. */
static bool read_debugfs(struct litmus_zones *zones)
{
	size_t before = zones->nr, i;
	glob_t found;

	if (glob("/sys/kernel/debug/cma/*", 0, NULL, &found))
		return false;
	for (i = 0; i < found.gl_pathc; i++)
		if (number(found.gl_pathv[i], "base_pfn"))
			add(zones, number(found.gl_pathv[i], "base_pfn"),
			    number(found.gl_pathv[i], "count"));
	globfree(&found);
	return zones->nr > before;
}

static void one_record(void *zones, const char *record)
{
	litmus_zones_cma_log(zones, record);
}

/* The log of the boot, while it has not been overwritten. */
static bool read_log(struct litmus_zones *zones)
{
	size_t before = zones->nr;

	return !kmsg_each(one_record, zones) && zones->nr > before;
}

static const char *read_cma(struct litmus_zones *zones)
{
	if (read_debugfs(zones))
		return "debugfs";
	return read_log(zones) ? "the boot log" : "";
}

void litmus_zones_cma(struct litmus_zones *zones)
{
	memset(zones, 0, sizeof(*zones));
	snprintf(zones->how, sizeof(zones->how), "%s", read_cma(zones));
}

void litmus_zones_read(struct litmus_zones *zones)
{
	const char *cma;
	size_t movable;

	memset(zones, 0, sizeof(*zones));
	read_zoneinfo(zones);
	movable = zones->nr;
	cma = read_cma(zones);
	snprintf(zones->how, sizeof(zones->how), "%s%s%s",
		 movable ? "/proc/zoneinfo" : "", movable && *cma ? ", " : "", cma);
}
