// SPDX-License-Identifier: GPL-2.0
/* Makes a page fault sleep. */
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "fault_trap.h"

int fault_trap_set(struct fault_trap *trap, void *addr, size_t len)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = {
		.range = { .start = (unsigned long)addr, .len = len },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int err;

	trap->len = sysconf(_SC_PAGESIZE);
	trap->fd = -1;
	trap->fill = aligned_alloc(trap->len, trap->len);
	if (!trap->fill)
		return -ENOMEM;
	memset(trap->fill, 0x5a, trap->len);
	trap->fd = syscall(SYS_userfaultfd, O_CLOEXEC);
	if (trap->fd < 0) {
		fault_trap_free(trap);
		return -EOPNOTSUPP;
	}
	if (ioctl(trap->fd, UFFDIO_API, &api) ||
	    ioctl(trap->fd, UFFDIO_REGISTER, &area)) {
		err = -errno;
		fault_trap_free(trap);
		return err;
	}
	return 0;
}

int fault_trap_wait(struct fault_trap *trap, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = trap->fd, .events = POLLIN };
	struct uffd_msg msg;

	if (poll(&poll_fd, 1, timeout_ms) != 1)
		return -ETIME;
	if (read(trap->fd, &msg, sizeof(msg)) != sizeof(msg))
		return -errno;
	return msg.event == UFFD_EVENT_PAGEFAULT ? 0 : -EPROTO;
}

int fault_trap_fill(struct fault_trap *trap, void *addr)
{
	struct uffdio_copy copy = {
		.dst = (unsigned long)addr,
		.src = (unsigned long)trap->fill,
		.len = trap->len,
	};

	return ioctl(trap->fd, UFFDIO_COPY, &copy) ? -errno : 0;
}

void fault_trap_free(struct fault_trap *trap)
{
	if (trap->fd >= 0)
		close(trap->fd);
	free(trap->fill);
	trap->fd = -1;
	trap->fill = NULL;
}
