// SPDX-License-Identifier: GPL-2.0
/*
 * What "pinprobe explain" is tried on: a program that registers a page that has to
 * move, while another has it off its list or it is being written back. Exit code 0
 * where the call was on its way until it was told.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/io_uring.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>
#include "lib/disks.h"
#include "lib/fault_trap.h"
#include "lib/frames.h"
#include "lib/memory.h"
#include "lib/mounts.h"
#include "lib/nodes.h"
#include "lib/onlooker.h"
#include "lib/rxe.h"
#include "lib/stalled.h"

#define DISK		"/dev/ram0"
#define TRAP_MS		5000

static size_t page;
static const char *scenario;

/* What this process touches next lies there; 0: anywhere. */
static bool allocate_from(uint64_t nodes)
{
	unsigned long mask[2] = { nodes, 0 };

	return !syscall(SYS_set_mempolicy, nodes ? MPOL_BIND : MPOL_DEFAULT,
			nodes ? mask : NULL, nodes ? NODES_MAX : 0);
}

static int as_a_buffer(char *at)
{
	struct io_uring_params params = { 0 };
	struct iovec buffer = { at, page };
	int ring = syscall(SYS_io_uring_setup, 1, &params);

	return ring < 0 ||
	       syscall(SYS_io_uring_register, ring, IORING_REGISTER_BUFFERS,
		       &buffer, 1);
}

static int as_a_region(char *at)
{
	struct rxe rxe;

	return rxe_open(&rxe) || !ibv_reg_mr(rxe.pd, at, page, 0);
}

/* By a child, until that has been told; which page it is about. */
static pid_t hang(int (*registers)(char *at), char *at)
{
	size_t lines;
	pid_t pid;

	printf("%s %#lx\n", scenario, (unsigned long)frame_of(at));
	fflush(stdout);
	lines = onlooker_lines();
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(registers(at));
	}
	onlooker_wait(lines + 1);
	return pid;
}

static void *isolate(void *list)
{
	int nodes[2] = { 0, 0 }, status[2];

	syscall(SYS_move_pages, 0, 2UL, list, nodes, status, MPOL_MF_MOVE);
	return NULL;
}

/*
 * move_pages() takes each page off its list as it reads the list of them, and is
 * stopped before the second.
 */
static int isolated(uint64_t nodes)
{
	char *list = memory_map(2 * page), *at;
	void **entry = (void **)(list + page) - 1;
	struct fault_trap trap;
	pthread_t thread;
	size_t lines;
	int status;
	pid_t pid;

	if (!list || !allocate_from(nodes))
		return 1;
	at = memory_shared(page);
	*entry = at;
	if (!at || !allocate_from(0) || fault_trap_set(&trap, list + page, page) ||
	    pthread_create(&thread, NULL, isolate, entry) ||
	    fault_trap_wait(&trap, TRAP_MS))
		return 1;
	pid = hang(as_a_buffer, at);
	lines = onlooker_lines();
	/* It does not end by itself. */
	if (kill(pid, SIGKILL) || waitpid(pid, &status, 0) != pid)
		return 1;
	onlooker_wait(lines + 1);
	fault_trap_fill(&trap, list + page);
	pthread_join(thread, NULL);
	return !WIFSIGNALED(status);
}

static bool mount_disk(struct stalled *disk)
{
	uint64_t bytes;
	int fd;

	if (disks_find(DISK))
		return false;
	fd = open(DISK, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &bytes) ||
	    stalled_open_disk(disk, DISK, bytes / 512))
		return false;
	close(fd);
	return !disks_mount(disk->path, "ext4", NULL);
}

/* A page of a file, all of whose blocks are there. */
static char *page_of_a_file(int *fd)
{
	char text[4096] = "", *at;

	*fd = open(MOUNT_POINT, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (*fd < 0 || pwrite(*fd, text, page, 0) != (ssize_t)page || fsync(*fd))
		return NULL;
	at = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (at == MAP_FAILED)
		return NULL;
	*at = 'w';
	return at;
}

/* The disk does not answer until the call was told; nothing else ends it. */
static int written(uint64_t nodes)
{
	struct stalled disk;
	int fd, status;
	char *at;
	pid_t pid;

	if (!mount_disk(&disk) || !allocate_from(nodes))
		return 1;
	at = page_of_a_file(&fd);
	if (!at || !allocate_from(0) || stalled_suspend(&disk))
		return 1;
	if (sync_file_range(fd, 0, page, SYNC_FILE_RANGE_WRITE)) {
		stalled_resume(&disk);
		return 1;
	}
	pid = hang(as_a_region, at);
	status = waitpid(pid, NULL, WNOHANG);
	if (stalled_resume(&disk) || status || waitpid(pid, &status, 0) != pid)
		return 1;
	munmap(at, page);
	close(fd);
	umount2(MOUNT_POINT, 0);
	return stalled_close(&disk) || status;
}

int main(int argc, char **argv)
{
	uint64_t nodes = nodes_all_movable();

	page = page_size();
	if (argc != 2 || !nodes)
		return 2;
	/* By which it is found in what is told. */
	scenario = argv[1];
	prctl(PR_SET_NAME, scenario);
	if (!strcmp(scenario, "isolated"))
		return isolated(nodes);
	return strcmp(scenario, "written") ? 3 : written(nodes);
}
