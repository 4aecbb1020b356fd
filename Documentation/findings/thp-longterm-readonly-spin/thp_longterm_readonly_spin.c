// SPDX-License-Identifier: GPL-2.0
/*
 * A read-only long-term pin of a privately mapped huge page of the page cache:
 * does it return? And with what is known to avoid the loop?
 *
 * Needs root, an RDMA device ("rdma link add rxe0 type rxe netdev lo" makes one
 * of software) and libibverbs. Links with -libverbs.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <infiniband/verbs.h>

#define FOLDER	"/tmp/thp_longterm_readonly_spin"
#define SECONDS	5
#define NO_ERRNO	255	/* how a child ends that did not get that far */

struct variant {
	const char *name;
	int flags, prot, advice, access;
	size_t offset;		/* of the mapping from where a huge page would fit */
};

static const struct variant variants[] = {
	{ "private", MAP_PRIVATE, PROT_READ, MADV_NORMAL, 0 },
	{ "private_writable", MAP_PRIVATE, PROT_READ | PROT_WRITE, MADV_NORMAL, 0 },
	{ "nohugepage", MAP_PRIVATE, PROT_READ, MADV_NOHUGEPAGE, 0 },
	{ "unaligned", MAP_PRIVATE, PROT_READ, MADV_NORMAL, 0, 4096 },
	{ "shared", MAP_SHARED, PROT_READ, MADV_NORMAL, 0 },
	{ "write", MAP_PRIVATE, PROT_READ | PROT_WRITE, MADV_NORMAL,
	  IBV_ACCESS_LOCAL_WRITE },
};

static long number(const char *path, const char *name)
{
	FILE *file = fopen(path, "re");
	char key[64] = "";
	long value;

	if (!file)
		err(1, "%s", path);
	if (!name && fscanf(file, "%ld", &value) == 1) {
		fclose(file);
		return value;
	}
	while (name && fscanf(file, "%63s %ld", key, &value) == 2) {
		if (!strcmp(key, name)) {
			fclose(file);
			return value;
		}
	}
	fclose(file);
	return 0;
}

static char *map(const struct variant *variant, int fd, size_t size)
{
	char *room, *at;

	room = mmap(NULL, 3 * size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		err(NO_ERRNO, "mmap");
	at = room + size - (unsigned long)room % size + variant->offset;
	at = mmap(at, size, variant->prot, variant->flags | MAP_FIXED, fd, 0);
	if (at == MAP_FAILED)
		err(NO_ERRNO, "mmap");
	if (madvise(at, size, variant->advice))
		err(NO_ERRNO, "madvise");
	return at;
}

static int region(const struct variant *variant, int fd, size_t size)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context;
	struct ibv_pd *pd;
	char *at;

	context = list && *list ? ibv_open_device(*list) : NULL;
	pd = context ? ibv_alloc_pd(context) : NULL;
	if (!pd)
		err(NO_ERRNO, "no RDMA device");
	at = map(variant, fd, size);
	if (*at)
		errx(NO_ERRNO, "the file is not zero");
	return ibv_reg_mr(pd, at, size, variant->access) ? 0 : errno;
}

/* In a process of its own, which a fatal signal ends. */
static int try(const struct variant *variant, int number_of, int fd, size_t size)
{
	long splits = number("/proc/vmstat", "thp_split_pmd");
	int status, tenths;
	struct rusage usage;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid)
		_exit(region(variant, fd, size));
	for (tenths = 0; tenths < 10 * SECONDS; tenths++) {
		if (wait4(pid, &status, WNOHANG, &usage))
			break;
		usleep(100000);
	}
	if (tenths == 10 * SECONDS) {
		kill(pid, SIGKILL);
		wait4(pid, &status, 0, &usage);
	}
	splits = number("/proc/vmstat", "thp_split_pmd") - splits;
	printf("# %s: thp_split_pmd %ld, faults %ld, voluntary switches %ld\n",
	       variant->name, splits, usage.ru_minflt, usage.ru_nvcsw);
	if (WIFSIGNALED(status) || WEXITSTATUS(status) == NO_ERRNO) {
		printf("not ok %d %s.returns\n", number_of, variant->name);
		return 1;
	}
	printf("ok %d %s.returns # %s\n", number_of, variant->name,
	       strerror(WEXITSTATUS(status)));
	return 0;
}

int main(void)
{
	size_t nr = sizeof(variants) / sizeof(*variants), i;
	size_t size = number("/sys/kernel/mm/transparent_hugepage/hpage_pmd_size",
			     NULL);
	int failed = 0, fd;

	if (mkdir(FOLDER, 0700) && errno != EEXIST)
		err(1, FOLDER);
	if (mount("tmpfs", FOLDER, "tmpfs", 0, "huge=always"))
		err(1, "mount");
	fd = open(FOLDER, O_TMPFILE | O_RDWR, 0600);
	if (fd < 0 || ftruncate(fd, size) || pwrite(fd, "", 1, 0) != 1)
		err(1, "file");
	printf("TAP version 13\n1..%zu\n", nr);
	for (i = 0; i < nr; i++)
		failed += try(&variants[i], i + 1, fd, size);
	umount2(FOLDER, MNT_DETACH);
	rmdir(FOLDER);
	return failed != 0;
}
