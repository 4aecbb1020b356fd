// SPDX-License-Identifier: GPL-2.0
/* What the kernel itself counts about pins and memory. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "vmstat.h"

static int refresh(void)
{
	int fd, ret = 0;

	fd = open("/proc/sys/vm/stat_refresh", O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	if (write(fd, "1", 1) != 1)
		ret = -errno;
	close(fd);
	return ret;
}

int vmstat_pins(struct vmstat_pins *pins)
{
	char line[128];
	int found = 0;
	int64_t value;
	FILE *file;
	int ret;

	ret = refresh();
	if (ret)
		return ret;
	file = fopen("/proc/vmstat", "re");
	if (!file)
		return -errno;
	while (found != 3 && fgets(line, sizeof(line), file)) {
		if (strncmp(line, "nr_foll_pin_", 12))
			continue;
		if (sscanf(line, "nr_foll_pin_acquired %" SCNd64, &value) == 1) {
			pins->acquired = value;
			found |= 1;
		} else if (sscanf(line, "nr_foll_pin_released %" SCNd64, &value) == 1) {
			pins->released = value;
			found |= 2;
		}
	}
	fclose(file);
	return found == 3 ? 0 : -ENOENT;
}

int64_t vmstat_held(void)
{
	struct vmstat_pins pins;
	int ret;

	ret = vmstat_pins(&pins);
	return ret ? ret : pins.acquired - pins.released;
}

int vmstat_counters(const char *const *names, uint64_t *values, size_t nr)
{
	FILE *file = fopen("/proc/vmstat", "re");
	unsigned long long value;
	char name[64];
	size_t i;

	if (!file)
		return -errno;
	memset(values, 0, nr * sizeof(*values));
	while (fscanf(file, "%63s %llu", name, &value) == 2)
		for (i = 0; i < nr; i++)
			if (!strcmp(name, names[i]))
				values[i] = value;
	fclose(file);
	return 0;
}

int vmstat_wait_held(int64_t held, unsigned int timeout_ms)
{
	int64_t end = now_ms() + timeout_ms;
	struct vmstat_pins pins;
	int ret;

	for (;;) {
		ret = vmstat_pins(&pins);
		if (ret)
			return ret;
		if (pins.acquired - pins.released == held)
			return 0;
		if (now_ms() >= end)
			return -ETIMEDOUT;
		usleep(2000);
	}
}

static int64_t file_kb(const char *path, const char *key)
{
	size_t len = strlen(key);
	int64_t value = -ENOENT;
	char line[256];
	FILE *file;

	file = fopen(path, "re");
	if (!file)
		return -errno;
	while (fgets(line, sizeof(line), file)) {
		if (strncmp(line, key, len) || line[len] != ':')
			continue;
		if (sscanf(line + len + 1, "%" SCNd64, &value) != 1)
			value = -EINVAL;
		break;
	}
	fclose(file);
	return value;
}

int64_t status_kb(pid_t pid, const char *key)
{
	char path[64];

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/status", pid);
	else
		snprintf(path, sizeof(path), "/proc/self/status");
	return file_kb(path, key);
}

int64_t meminfo_kb(const char *key)
{
	return file_kb("/proc/meminfo", key);
}

int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}
