// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include "hugetlb.h"

#ifndef MAP_HUGE_SHIFT
#define MAP_HUGE_SHIFT	26
#endif

static FILE *open_file(size_t size, const char *name, const char *mode)
{
	char path[96];

	snprintf(path, sizeof(path),
		 "/sys/kernel/mm/hugepages/hugepages-%zukB/%s", size >> 10,
		 name);
	return fopen(path, mode);
}

static int64_t read_number(size_t size, const char *name)
{
	FILE *file = open_file(size, name, "re");
	int64_t value = -EIO;

	if (!file)
		return errno == ENOENT ? -ENODEV : -errno;
	if (fscanf(file, "%" SCNd64, &value) != 1)
		value = -EIO;
	fclose(file);
	return value;
}

static int write_number(size_t size, const char *name, unsigned long value)
{
	FILE *file = open_file(size, name, "we");
	int ret = 0;

	if (!file)
		return errno == ENOENT ? -ENODEV : -errno;
	fprintf(file, "%lu\n", value);
	if (fclose(file))
		ret = -errno;
	return ret;
}

int hugetlb_overcommit_set(size_t size, unsigned long nr)
{
	return write_number(size, "nr_overcommit_hugepages", nr);
}

int hugetlb_pool_set(size_t size, unsigned long nr)
{
	int err = write_number(size, "nr_hugepages", nr);
	int64_t have;

	if (!err)
		err = hugetlb_overcommit_set(size, nr);
	if (err)
		return err;
	have = read_number(size, "nr_hugepages");
	if (have < 0)
		return have;
	return have < (int64_t)nr ? -ENOMEM : 0;
}

int64_t hugetlb_pool_free(size_t size)
{
	int64_t free = read_number(size, "free_hugepages");
	int64_t promised = read_number(size, "resv_hugepages");

	if (free < 0)
		return free;
	return promised < 0 ? promised : free - promised;
}

int64_t hugetlb_pool_reach(size_t size)
{
	int64_t free = hugetlb_pool_free(size);
	int64_t allowed = read_number(size, "nr_overcommit_hugepages");
	int64_t came = read_number(size, "surplus_hugepages");

	if (free < 0)
		return free;
	/* The kernel makes no gigantic page when it is asked for one. */
	if (size >= HUGETLB_GIGANTIC_SIZE)
		return free;
	if (allowed < 0 || came < 0)
		return allowed < 0 ? allowed : came;
	return free + (allowed > came ? allowed - came : 0);
}

char *hugetlb_map(size_t size, size_t nr)
{
	int log2 = __builtin_ctzl(size);
	char *map = mmap(NULL, size * nr, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
			 log2 << MAP_HUGE_SHIFT, -1, 0);

	return map == MAP_FAILED ? NULL : map;
}
