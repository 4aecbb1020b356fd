// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that registers memory more than
 * once, and says how often. Exit code 0 where it ended as the scenario wants.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/io_uring.h>
#include <linux/sched.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/bar.h"
#include "lib/frames.h"
#include "lib/memory.h"
#include "lib/module.h"
#include "lib/onlooker.h"
#include "lib/rxe.h"

#define PAGES		16UL
#define PAGE		4096UL
#define LEN		(PAGES * PAGE)
#define AREA		(256UL << 20)
#define COUNTED		32
#define MANY		500
#define NOBODY		65534
#define PLACES		512	/* TRACE_SLOTS */
#define WAITED_MS	2000

static struct rxe rxe;

static int region(void *at, size_t len, int access)
{
	struct ibv_mr *mr = ibv_reg_mr(rxe.pd, at, len, access);

	if (!mr)
		return errno;
	return ibv_dereg_mr(mr) ? errno : 0;
}

static void compact(void)
{
	int fd = open("/proc/sys/vm/compact_memory", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "1", 1) < 0)
		perror("compact_memory");
	close(fd);
}

/* How many pages have another frame than in @frame, which gets the new ones. */
static size_t elsewhere(char *p, uint64_t *frame)
{
	size_t i, moved = 0;

	for (i = 0; i < PAGES; i++) {
		uint64_t now = frame_of(p + i * PAGE);

		moved += now != frame[i];
		frame[i] = now;
	}
	return moved;
}

/*
 * So many registrations that succeed, all over an area of which a part has to move;
 * and this process moves pages for something else, too.
 */
static int counted(void)
{
	char *p = memory_touched(AREA), *at;
	uint64_t frame[PAGES];
	size_t moved = 0;
	int i;

	for (i = 0; p && i < COUNTED; i++) {
		at = p + i * (AREA / COUNTED);
		if (i == COUNTED / 2)
			compact();
		elsewhere(at, frame);
		if (region(at, LEN, IBV_ACCESS_LOCAL_WRITE))
			return 1;
		moved += elsewhere(at, frame);
	}
	if (!p || munmap(p + LEN, AREA / 2))
		return 1;
	compact();
	printf("registrations %d\npages %lu\nmoved %zu\n", COUNTED,
	       COUNTED * PAGES, moved);
	return 0;
}

/* Fifteen pages are pinned, and let go, each time. */
static int many(void)
{
	char *p = memory_touched(LEN);
	int i;

	if (!p || munmap(p + LEN - PAGE, PAGE))
		return 1;
	for (i = 0; i < MANY; i++)
		if (region(p, LEN, IBV_ACCESS_LOCAL_WRITE) != EFAULT)
			return 1;
	printf("failures %d\n", MANY);
	return 0;
}

/* The same buffer once more, under a limit that is enough for it and a half. */
static int twice(void)
{
	struct rlimit limit = { LEN * 3 / 2, LEN * 3 / 2 };
	char *p = memory_touched(LEN);

	if (!p || setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(NOBODY) ||
	    !ibv_reg_mr(rxe.pd, p, LEN, IBV_ACCESS_LOCAL_WRITE))
		return 1;
	return region(p, LEN, IBV_ACCESS_LOCAL_WRITE) != ENOMEM;
}

static struct ibv_pd *domain_on(const char *name)
{
	struct ibv_device **list = ibv_get_device_list(NULL);
	struct ibv_context *context = NULL;

	for (; list && *list && !context; list++)
		if (!strcmp(ibv_get_device_name(*list), name))
			context = ibv_open_device(*list);
	return context ? ibv_alloc_pd(context) : NULL;
}

/* The same buffer on two devices, under that limit: each counts it again. */
static int on_both(void)
{
	struct rlimit limit = { LEN * 3 / 2, LEN * 3 / 2 };
	struct ibv_pd *other = domain_on("rxe1");
	char *p = memory_touched(LEN);

	if (!p || !other || setrlimit(RLIMIT_MEMLOCK, &limit) || setuid(NOBODY) ||
	    !ibv_reg_mr(rxe.pd, p, LEN, IBV_ACCESS_LOCAL_WRITE))
		return 1;
	return ibv_reg_mr(other, p, LEN, IBV_ACCESS_LOCAL_WRITE) ||
	       errno != ENOMEM;
}

/* Without its network device the second one goes too. */
static int devices(void)
{
	int status = 1;
	pid_t pid;

	if (module_load("dummy") || system("rxe-link rxe1 dummy0"))
		return 1;
	pid = fork();
	if (!pid)
		_exit(on_both());
	waitpid(pid, &status, 0);
	return syscall(SYS_delete_module, "dummy", O_NONBLOCK) || status;
}

/* The device goes while it is open: what fell off the bus is like that. */
static int dead(void)
{
	char *p = memory_touched(LEN);
	struct ibv_pd *pd;
	int i;

	if (!p || module_load("dummy") || system("rxe-link rxe1 dummy0"))
		return 1;
	pd = domain_on("rxe1");
	if (!pd || syscall(SYS_delete_module, "dummy", O_NONBLOCK))
		return 1;
	for (i = 0; i < 100 && !access("/sys/class/infiniband/rxe1", F_OK); i++)
		usleep(50000);
	return ibv_reg_mr(pd, p, LEN, IBV_ACCESS_LOCAL_WRITE) || errno != EIO;
}

/* Huge pages, says who registers a part of one; some drivers know no such flag. */
static int huge_flag(void)
{
	char *p = memory_touched(LEN);
	int error = p ? region(p + PAGE, LEN - PAGE, IBV_ACCESS_LOCAL_WRITE |
			       IBV_ACCESS_HUGETLB) : ENOMEM;

	printf("refused %d\n", !!error);
	return error && error != EOPNOTSUPP;
}

/* Memory of a device, if there is one, by its own mapping. */
static int of_a_device(void)
{
	int fd = bar_open(PAGE);
	char *p;

	if (fd < 0)
		return 0;
	p = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	printf("bars 1\n");
	return p == MAP_FAILED ||
	       region(p, PAGE, IBV_ACCESS_LOCAL_WRITE) != EFAULT;
}

/* Buffers of a ring, of which the second is not there. */
static int buffers(void)
{
	struct io_uring_params params = { 0 };
	char *p = memory_touched(LEN);
	struct iovec iov[] = { { p, PAGE }, { p + 8 * PAGE, 2 * PAGE } };
	int ring = syscall(SYS_io_uring_setup, 1, &params);

	if (!p || ring < 0 || munmap(p + 9 * PAGE, PAGE))
		return 1;
	printf("iovec %#lx\n", (unsigned long)iov[1].iov_base);
	return !syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS,
			iov, 2) || errno != EFAULT;
}

/* One that registers the same memory at the same time, as a ring's. */
static void other_racer(char *p, int go, int done)
{
	struct io_uring_params params = { 0 };
	int ring = syscall(SYS_io_uring_setup, 1, &params);
	size_t at;
	char c;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (at = 0; ring >= 0 && read(go, &c, 1) == 1; at += LEN) {
		struct iovec iov = { p + at, LEN };

		c = syscall(SYS_io_uring_register, ring,
			    IORING_REGISTER_BUFFERS, &iov, 1) ? errno : 0;
		if (!c)
			syscall(SYS_io_uring_register, ring,
				IORING_UNREGISTER_BUFFERS, NULL, 0);
		if (write(done, &c, 1) != 1)
			break;
	}
	_exit(0);
}

/* Until one of the two got in the other's way, or all of the area was tried. */
static int racing(void)
{
	char *p = mmap(NULL, AREA, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0), c;
	int go[2], done[2], failed = 0;
	size_t at, lines = 0;
	pid_t pid;

	if (p == MAP_FAILED || pipe(go) || pipe(done))
		return 1;
	pid = fork();
	if (!pid)
		other_racer(p, go[0], done[1]);
	for (at = 0; at < AREA && !failed; at += LEN) {
		memset(p + at, 1, LEN);
		lines = onlooker_lines();
		if (write(go[1], "", 1) != 1)
			return 1;
		failed = region(p + at, LEN, IBV_ACCESS_LOCAL_WRITE) == ENOMEM;
		if (read(done[0], &c, 1) != 1)
			return 1;
		failed += c == ENOMEM;
	}
	/* Processes that end hold their pages for a moment, too. */
	if (failed)
		onlooker_wait(lines + failed);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	printf("raced %d\n", failed);
	return 0;
}

/* A page that is there when its owner's handler puts one there. */
static int handled(char *p)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register page = {
		.range = { (uintptr_t)p, PAGE },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int fd = syscall(SYS_userfaultfd, O_CLOEXEC);

	return fd >= 0 && !ioctl(fd, UFFDIO_API, &api) &&
	       !ioctl(fd, UFFDIO_REGISTER, &page) ? fd : -1;
}

/* A process whose number is that of this one, modulo the places explain has for threads. */
static pid_t fork_congruent(void)
{
	pid_t number, pid = -1;

	for (number = getpid() + PLACES; pid < 0 && number < 32768; number += PLACES) {
		struct clone_args args = {
			.exit_signal = SIGCHLD, .set_tid = (uintptr_t)&number,
			.set_tid_size = 1,
		};

		pid = syscall(SYS_clone3, &args, sizeof(args));
		if (pid < 0 && errno != EEXIST)
			break;
	}
	return pid;
}

/*
 * While the other is in a registration: one that fails, and the other may go on. 6.1
 * refuses to wait for a page there, and then they are one after the other.
 */
static void call_meanwhile(int fd, char *p)
{
	struct uffdio_zeropage zero = { .range = { (uintptr_t)p, PAGE } };
	struct pollfd asked = { .fd = fd, .events = POLLIN };
	struct rxe mine;
	int good;

	prctl(PR_SET_NAME, "congruent");
	good = !rxe_open(&mine) && poll(&asked, 1, WAITED_MS) >= 0 &&
	       !ibv_reg_mr(mine.pd, p, PAGE, IBV_ACCESS_REMOTE_WRITE) &&
	       errno == EINVAL;
	_exit((asked.revents && ioctl(fd, UFFDIO_ZEROPAGE, &zero)) || !good);
}

/* Two at a time, whom explain has one place for: each has a failure of its own. */
static int crowded(void)
{
	char *p = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = p == MAP_FAILED ? -1 : handled(p), status = 1;
	pid_t pid;

	if (fd < 0 || munmap(p + PAGE, PAGE))
		return 1;
	pid = fork_congruent();
	if (!pid)
		call_meanwhile(fd, p);
	if (pid < 0 || region(p, 2 * PAGE, IBV_ACCESS_LOCAL_WRITE) != EFAULT)
		return 1;
	return waitpid(pid, &status, 0) != pid || status;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = {
		{ "counted", counted }, { "many", many }, { "twice", twice },
		{ "device", of_a_device }, { "buffers", buffers },
		{ "racing", racing }, { "devices", devices },
		{ "dead", dead }, { "hugeflag", huge_flag },
		{ "crowded", crowded },
	};
	int ret = 3;
	size_t i;

	if (argc != 2 || rxe_open(&rxe))
		return 2;
	/* By which it is found in what is told. */
	prctl(PR_SET_NAME, argv[1]);
	for (i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (!strcmp(all[i].name, argv[1]))
			ret = all[i].run();
	fflush(stdout);
	return ret;
}
