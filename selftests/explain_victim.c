// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that registers memory and knows
 * nothing of pinprobe. Exit code 0 where the call ended as the scenario wants.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <linux/udmabuf.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/frames.h"
#include "lib/onlooker.h"

#define PAGE	4096UL
#define MIB	(1UL << 20)
#define LEN	(16 * PAGE)
#define AREA	(256 * MIB)

static struct ibv_pd *domain(void)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = list && list[0] ?
				      ibv_open_device(list[0]) : NULL;

	return context ? ibv_alloc_pd(context) : NULL;
}

/* errno of the registration, 0 if it succeeded; the region is let go. */
static int region(struct ibv_pd *pd, void *at, size_t len, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(pd, at, len, access);

	if (!mr)
		return errno;
	return ibv_dereg_mr(mr) ? errno : 0;
}

static char *map(size_t len, int prot)
{
	char *p = mmap(NULL, len, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return NULL;
	madvise(p, len, MADV_NOHUGEPAGE);
	return p;
}

static char *area(size_t len, int prot)
{
	char *p = map(len, prot);

	if (p && prot & PROT_WRITE)
		memset(p, 1, len);
	return p;
}

/* Of the process that follows this one: that of the shell. */
static pid_t follower(void)
{
	char path[32];
	pid_t pid = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", getppid());
	f = fopen(path, "re");
	if (f && fscanf(f, "%*d (%*[^)]) %*c %d", &pid) != 1)
		pid = 0;
	if (f)
		fclose(f);
	return pid;
}

static void note_frames(uint64_t *frame, const char *at)
{
	size_t i;

	for (i = 0; i < LEN / PAGE; i++)
		frame[i] = frame_of(at + i * PAGE);
}

/* Pages that have another frame than they had. */
static size_t moved(const uint64_t *frame, const char *at)
{
	size_t i, n = 0;

	for (i = 0; i < LEN / PAGE; i++)
		n += frame[i] && frame_of(at + i * PAGE) != frame[i];
	return n;
}

/*
 * A page in a pipe, somewhere where it must leave: not every page of the area
 * lies there ("moved": those that did leave). The pipe stays full until whoever
 * looks on has seen it or, for a @brief holder, until it may look.
 */
static int hold_in_a_pipe(struct ibv_pd *pd, bool brief)
{
	char *p = map(AREA, PROT_READ | PROT_WRITE);
	pid_t looking = brief ? follower() : 0;
	uint64_t frame[LEN / PAGE];
	int ends[2], error = 0;
	size_t at, lines, left;

	for (at = 0; p && at < AREA && error != ENOMEM; at += MIB) {
		struct iovec iov = { p + at + 5 * PAGE, PAGE };

		memset(p + at, 1, MIB);
		note_frames(frame, p + at);
		if (pipe(ends) || vmsplice(ends[1], &iov, 1, 0) != (ssize_t)PAGE ||
		    (brief && (!looking || kill(looking, SIGSTOP))))
			return 1;
		lines = onlooker_lines();
		error = region(pd, p + at, LEN, IBV_ACCESS_LOCAL_WRITE);
		if (error == ENOMEM && !brief) {
			left = moved(frame, p + at);
			onlooker_wait(lines + 1);
			printf("moved %zu\n", left);
			fflush(stdout);
		}
		close(ends[0]);
		close(ends[1]);
		if (brief)
			kill(looking, SIGCONT);
		/* A process that ends holds its pages for a moment, too. */
		if (brief && error == ENOMEM)
			onlooker_wait(lines + 1);
	}
	return error != ENOMEM;
}

static int in_a_pipe(struct ibv_pd *pd)
{
	return hold_in_a_pipe(pd, false);
}

/* /proc/meminfo of a kernel that released its kexec handover scratch as CMA. */
static bool hide_cma(const char *path)
{
	FILE *in = fopen("/proc/meminfo", "re"), *out = fopen(path, "we");
	char line[128];

	while (in && out && fgets(line, sizeof(line), in))
		if (!strncmp(line, "CmaTotal:", 9))
			fprintf(out, "CmaTotal:              0 kB\n");
		else
			fputs(line, out);
	if (in)
		fclose(in);
	return in && out && !fclose(out) &&
	       !mount(path, "/proc/meminfo", NULL, MS_BIND, NULL);
}

/* The blocks are those of a stock kernel's area; that nothing tells of it is made up. */
static int under_hidden_cma(struct ibv_pd *pd)
{
	int code;

	if (!hide_cma("/tmp/meminfo"))
		return 1;
	code = in_a_pipe(pd);
	return umount("/proc/meminfo") || code;
}

static int for_a_moment(struct ibv_pd *pd)
{
	return hold_in_a_pipe(pd, true);
}

/* The same, by another process, which has the memory too. */
static int by_another(struct ibv_pd *pd)
{
	char *p = mmap(NULL, AREA, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int go[2], ready[2], ends[2] = { -1, -1 }, error = 0;
	size_t at, lines = 0;
	pid_t pid;
	char c;

	if (p == MAP_FAILED || pipe(go) || pipe(ready))
		return 1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, "hoarder");
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (at = 0; read(go[0], &c, 1) == 1; at += MIB) {
			struct iovec iov = { p + at + 5 * PAGE, PAGE };

			close(ends[0]);
			close(ends[1]);
			if (pipe(ends) || vmsplice(ends[1], &iov, 1, 0) < 0 ||
			    write(ready[1], "", 1) != 1)
				_exit(1);
		}
		_exit(0);
	}
	for (at = 0; at < AREA && error != ENOMEM; at += MIB) {
		memset(p + at, 1, MIB);
		if (write(go[1], "", 1) != 1 || read(ready[0], &c, 1) != 1)
			return 1;
		lines = onlooker_lines();
		error = region(pd, p + at, LEN, IBV_ACCESS_LOCAL_WRITE);
	}
	onlooker_wait(lines + 1);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	return error != ENOMEM;
}

static int over_memlock(struct ibv_pd *pd)
{
	struct rlimit limit = { 32 * 1024, 32 * 1024 };
	char *p = area(LEN, PROT_READ | PROT_WRITE);

	if (!p || setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(65534))
		return 1;
	return region(pd, p, LEN, IBV_ACCESS_LOCAL_WRITE) != ENOMEM;
}

static int not_writable(struct ibv_pd *pd)
{
	char *p = area(LEN, PROT_READ);

	return !p || region(pd, p, LEN, IBV_ACCESS_LOCAL_WRITE) != EFAULT;
}

/* Remote writing without local writing is refused before anything else. */
static int bad_access(struct ibv_pd *pd)
{
	char *p = area(LEN, PROT_READ | PROT_WRITE);

	return !p || region(pd, p, LEN, IBV_ACCESS_REMOTE_WRITE) != EINVAL;
}

static int bad_address(struct ibv_pd *pd)
{
	char *p = area(LEN, PROT_READ | PROT_WRITE);

	if (!p || munmap(p, LEN))
		return 1;
	return region(pd, p, LEN, IBV_ACCESS_LOCAL_WRITE) != EFAULT;
}

static int healthy(struct ibv_pd *pd)
{
	char *p = area(LEN, PROT_READ | PROT_WRITE);

	return !p || region(pd, p, LEN, IBV_ACCESS_LOCAL_WRITE);
}

/* Read-only, of a huge page of a file, mapped privately: until it is killed. */
static int endless(struct ibv_pd *pd)
{
	char *p, folder[] = "/tmp/victim.XXXXXX", path[64];
	size_t huge = 2 * MIB, lines = onlooker_lines();
	int fd, status, i;
	pid_t pid;

	if (!mkdtemp(folder) || mount("victim", folder, "tmpfs", 0, "huge=always"))
		return 1;
	snprintf(path, sizeof(path), "%s/file", folder);
	fd = open(path, O_CREAT | O_RDWR, 0600);
	if (fd < 0 || ftruncate(fd, huge))
		return 1;
	p = mmap(NULL, huge, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return 1;
	memset(p, 1, huge);
	p = mmap(NULL, 2 * huge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return 1;
	p = (char *)(((unsigned long)p + huge - 1) & ~(huge - 1));
	p = mmap(p, huge, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0);
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(region(domain(), p, huge, 0));
	}
	/* It comes back by itself where there is no such loop. */
	for (i = 0; i < 40 && !waitpid(pid, &status, WNOHANG); i++) {
		if (onlooker_lines() > lines)
			break;
		usleep(100000);
	}
	if (!kill(pid, SIGKILL))
		waitpid(pid, &status, 0);
	close(fd);
	umount2(folder, MNT_DETACH);
	return !WIFSIGNALED(status) && (!WIFEXITED(status) || WEXITSTATUS(status));
}

/* All pages are pinned, and then there is no descriptor for the result. */
static int behind_the_pin(void)
{
	int fd = memfd_create("victim", MFD_ALLOW_SEALING);
	int dev = open("/dev/udmabuf", O_RDWR);
	struct udmabuf_create create = { .size = LEN };
	struct rlimit limit = { 0, 0 };

	if (dev < 0 || fd < 0 || ftruncate(fd, LEN) ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK))
		return 1;
	create.memfd = fd;
	if (setrlimit(RLIMIT_NOFILE, &limit))
		return 1;
	return ioctl(dev, UDMABUF_CREATE, &create) >= 0 || errno != EMFILE;
}

/* Memory for others to pin, of which some lies where a long-term pin must not. */
static int lend(void)
{
	char *p = area(64 * MIB, PROT_READ | PROT_WRITE);

	if (!p)
		return 1;
	printf("%d %lx\n", getpid(), (unsigned long)p);
	fflush(stdout);
	pause();
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct ibv_pd *pd);
	} all[] = {
		{ "pipe", in_a_pipe }, { "brief", for_a_moment },
		{ "hidden", under_hidden_cma },
		{ "another", by_another },
		{ "memlock", over_memlock }, { "readonly", not_writable },
		{ "access", bad_access }, { "address", bad_address },
		{ "healthy", healthy }, { "endless", endless },
	};
	struct ibv_pd *pd;
	size_t i;

	/* By which it is found in what is told. */
	if (argc == 2)
		prctl(PR_SET_NAME, argv[1]);
	if (argc == 2 && !strcmp(argv[1], "behind"))
		return behind_the_pin();
	if (argc == 2 && !strcmp(argv[1], "lend"))
		return lend();
	pd = domain();
	if (!pd)
		return 2;
	for (i = 0; argc == 2 && i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, argv[1]))
			return all[i].run(pd);
	return 3;
}
