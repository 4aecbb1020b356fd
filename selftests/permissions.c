// SPDX-License-Identifier: GPL-2.0
/* Who may open, look and pin, and how much. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include "kselftest_harness.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/privilege.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4

FIXTURE(permissions)
{
	int dev;
	uint64_t page;
	char *area;
	int64_t held;
	struct pinprobe_outcome out;
	struct pinprobe_page recs[AREA_PAGES];
};

FIXTURE_SETUP(permissions)
{
	self->page = page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_touched(AREA_PAGES * self->page);
	ASSERT_NE(NULL, self->area);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(permissions)
{
	EXPECT_EQ(self->held, vmstat_held());
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

typedef void (*part)(struct __test_metadata *_metadata,
		     struct _test_data_permissions *self);

/* Runs one part of a test in a process that may then give privileges up. */
static void apart(struct __test_metadata *_metadata,
		  struct _test_data_permissions *self, part run)
{
	int status;
	pid_t pid;

	pid = fork();
	if (!pid) {
		run(_metadata, self);
		_exit(0);
	}
	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

static int take(struct _test_data_permissions *self, int nr, uint32_t call)
{
	memset(&self->out, 0xaa, sizeof(self->out));
	return device_pin(self->dev, self->area, nr * self->page, call, 0,
			  &self->out);
}

static int resolve(struct _test_data_permissions *self)
{
	return device_resolve(self->dev, 0, self->area, AREA_PAGES * self->page,
			      0, self->recs, AREA_PAGES, NULL);
}

TEST_F(permissions, mode)
{
	struct stat stat_buf;

	ASSERT_EQ(0, stat(PINPROBE_DEVICE, &stat_buf));
	EXPECT_TRUE(S_ISCHR(stat_buf.st_mode));
	EXPECT_EQ(0600, stat_buf.st_mode & 07777);
	EXPECT_EQ(0, stat_buf.st_uid);
	EXPECT_EQ(0, stat_buf.st_gid);
}

static void open_as_nobody(struct __test_metadata *_metadata,
			   struct _test_data_permissions *self)
{
	EXPECT_EQ(0, privilege_become_nobody());
	EXPECT_EQ(-EACCES, device_open());
}

TEST_F(permissions, nobody)
{
	apart(_metadata, self, open_as_nobody);
}

static void open_without_sys_admin(struct __test_metadata *_metadata,
				   struct _test_data_permissions *self)
{
	EXPECT_EQ(0, privilege_drop(CAP_SYS_ADMIN));
	EXPECT_EQ(-EPERM, device_open());
}

TEST_F(permissions, root_without_sys_admin)
{
	apart(_metadata, self, open_without_sys_admin);
}

/* A node with a more generous mode, as a careless udev rule makes one. */
static const char node[] = "/tmp/pinprobe-node";

static void open_node_as_nobody(struct __test_metadata *_metadata,
				struct _test_data_permissions *self)
{
	EXPECT_EQ(0, privilege_become_nobody());
	EXPECT_EQ(-1, open(node, O_RDWR));
	EXPECT_EQ(EPERM, errno);
	EXPECT_EQ(-1, open(node, O_RDONLY));
	EXPECT_EQ(EPERM, errno);
}

TEST_F(permissions, mode_is_not_all)
{
	struct stat stat_buf;
	int fd;

	ASSERT_EQ(0, stat(PINPROBE_DEVICE, &stat_buf));
	mkdir("/tmp", 01777);
	unlink(node);
	ASSERT_EQ(0, mknod(node, S_IFCHR | 0666, stat_buf.st_rdev));
	ASSERT_EQ(0, chmod(node, 0666));
	fd = open(node, O_RDWR | O_CLOEXEC);
	EXPECT_LE(0, fd);
	close(fd);
	apart(_metadata, self, open_node_as_nobody);
	unlink(node);
}

/* All capabilities, but in a user namespace of one's own. */
static void in_user_namespace(struct __test_metadata *_metadata,
			      struct _test_data_permissions *self)
{
	int fd = take(self, 1, PINPROBE_CALL_PIN_FAST);

	EXPECT_LE(0, fd);
	EXPECT_EQ(0, unshare(CLONE_NEWUSER));
	EXPECT_TRUE(privilege_has(CAP_SYS_ADMIN));
	EXPECT_TRUE(privilege_has(CAP_IPC_LOCK));
	EXPECT_EQ(-EPERM, device_open());
	EXPECT_EQ(-EPERM, resolve(self));
	EXPECT_EQ(-EPERM, take(self, 1, PINPROBE_CALL_PIN_FAST));
	EXPECT_EQ(-EPERM, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, self->recs, 1,
				    NULL));
	close(fd);
}

TEST_F(permissions, user_namespace)
{
	apart(_metadata, self, in_user_namespace);
}

/* What a descriptor is good for in the hands of one who may not look. */
static void expect_nothing_told(struct __test_metadata *_metadata,
				struct _test_data_permissions *self, int fd)
{
	static const char untouched[sizeof(self->recs)];
	struct pinprobe_pin_state state;
	struct pinprobe_info info;

	memset(self->recs, 0, sizeof(self->recs));
	EXPECT_EQ(0, device_info(self->dev, &info));
	EXPECT_EQ(-EPERM, resolve(self));
	for (uint32_t call = 0; call <= PINPROBE_CALL_PIN_REMOTE; call++)
		EXPECT_EQ(-EPERM, take(self, 1, call));
	EXPECT_EQ(0, pin_state(fd, &state));
	for (uint32_t when = 0; when <= PINPROBE_WHEN_NOW; when++)
		EXPECT_EQ(-EPERM, pin_pages(fd, when, 0, 0, self->recs, 1,
					    NULL));
	EXPECT_EQ(0, memcmp(untouched, self->recs, sizeof(untouched)));
}

static void use_as_nobody(struct __test_metadata *_metadata,
			  struct _test_data_permissions *self)
{
	int fd = device_pin(self->dev, self->area, self->page,
			    PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_SNAPSHOT, NULL);

	EXPECT_LE(0, fd);
	EXPECT_EQ(0, privilege_become_nobody());
	expect_nothing_told(_metadata, self, fd);
}

TEST_F(permissions, opened_before)
{
	apart(_metadata, self, use_as_nobody);
}

static void use_without_sys_admin(struct __test_metadata *_metadata,
				  struct _test_data_permissions *self)
{
	int fd = device_pin(self->dev, self->area, self->page,
			    PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_SNAPSHOT, NULL);

	EXPECT_LE(0, fd);
	EXPECT_EQ(0, privilege_drop(CAP_SYS_ADMIN));
	expect_nothing_told(_metadata, self, fd);
}

TEST_F(permissions, opened_before_by_root)
{
	apart(_metadata, self, use_without_sys_admin);
}

static int use_passed(int sock, void *arg)
{
	struct _test_data_permissions *self = arg;
	struct pinprobe_pin_state state;
	int value, fd;

	if (privilege_become_nobody() ||
	    child_hear(sock, &value, &self->dev) || self->dev < 0)
		return 1;
	if (child_hear(sock, &value, &fd) || fd < 0)
		return 1;
	if (resolve(self) != -EPERM ||
	    take(self, 1, PINPROBE_CALL_PIN_FAST) != -EPERM)
		return 2;
	if (pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, self->recs, 1, NULL) !=
	    -EPERM)
		return 3;
	return pin_state(fd, &state) ? 4 : 0;
}

TEST_F(permissions, passed_on)
{
	struct child child;
	int fd;

	ASSERT_EQ(0, child_start(&child, use_passed, self));
	fd = take(self, 1, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	EXPECT_EQ(0, child_say(child.sock, 0, self->dev));
	EXPECT_EQ(0, child_say(child.sock, 0, fd));
	EXPECT_EQ(0, child_wait(&child));
	close(child.sock);
	close(fd);
}

static void open_without_device(struct __test_metadata *_metadata,
				struct _test_data_permissions *self)
{
	EXPECT_EQ(0, unshare(CLONE_NEWNS));
	mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL);
	EXPECT_EQ(0, mount("none", "/dev", "tmpfs", 0, NULL));
	EXPECT_EQ(-ENOENT, device_open());
}

TEST_F(permissions, no_device)
{
	apart(_metadata, self, open_without_device);
}

static void limit_memlock(struct __test_metadata *_metadata, uint64_t bytes)
{
	struct rlimit limit = { .rlim_cur = bytes, .rlim_max = bytes };

	EXPECT_EQ(0, setrlimit(RLIMIT_MEMLOCK, &limit));
}

static void expect_over_limit(struct __test_metadata *_metadata,
			      struct _test_data_permissions *self, int nr, int error)
{
	for (uint32_t call = 0; call <= PINPROBE_CALL_PIN_REMOTE; call++) {
		int64_t pinned = status_kb(0, "VmPin");

		EXPECT_EQ(-error, take(self, nr, call));
		EXPECT_EQ(error, self->out.error);
		EXPECT_EQ(PINPROBE_STAGE_MEMLOCK, self->out.stage);
		EXPECT_EQ(nr, self->out.nr_pages);
		EXPECT_EQ(0, self->out.nr_pinned);
		EXPECT_EQ(0, self->out.calls);
		EXPECT_EQ(pinned, status_kb(0, "VmPin"));
	}
}

static void memlock_none(struct __test_metadata *_metadata,
			 struct _test_data_permissions *self)
{
	limit_memlock(_metadata, 0);
	EXPECT_EQ(0, privilege_drop(CAP_IPC_LOCK));
	expect_over_limit(_metadata, self, 1, EPERM);
}

TEST_F(permissions, memlock_of_zero)
{
	apart(_metadata, self, memlock_none);
}

static void memlock_some(struct __test_metadata *_metadata,
			 struct _test_data_permissions *self)
{
	int fd, more;

	limit_memlock(_metadata, 3 * self->page);
	EXPECT_EQ(0, privilege_drop(CAP_IPC_LOCK));
	expect_over_limit(_metadata, self, 4, ENOMEM);

	fd = take(self, 3, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	expect_over_limit(_metadata, self, 1, ENOMEM);
	close(fd);
	EXPECT_EQ(0, status_kb(0, "VmPin"));

	/* One after the other adds up, whatever the call. */
	fd = take(self, 2, PINPROBE_CALL_GET);
	EXPECT_LE(0, fd);
	expect_over_limit(_metadata, self, 2, ENOMEM);
	more = take(self, 1, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, more);
	EXPECT_EQ(3 * self->page / 1024, status_kb(0, "VmPin"));
	close(fd);
	close(more);
}

TEST_F(permissions, memlock_limit)
{
	apart(_metadata, self, memlock_some);
}

/* A part of a page is none. */
static void memlock_odd(struct __test_metadata *_metadata,
			struct _test_data_permissions *self)
{
	int fd;

	limit_memlock(_metadata, 2 * self->page - 1);
	EXPECT_EQ(0, privilege_drop(CAP_IPC_LOCK));
	expect_over_limit(_metadata, self, 2, ENOMEM);
	fd = take(self, 1, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(permissions, memlock_rounds_down)
{
	apart(_metadata, self, memlock_odd);
}

static void memlock_failed(struct __test_metadata *_metadata,
			   struct _test_data_permissions *self)
{
	int fd;

	limit_memlock(_metadata, AREA_PAGES * self->page);
	EXPECT_EQ(0, privilege_drop(CAP_IPC_LOCK));
	EXPECT_EQ(0, mprotect(self->area + self->page, self->page, PROT_NONE));
	for (uint32_t call = 0; call <= PINPROBE_CALL_PIN_REMOTE; call++) {
		EXPECT_EQ(-EFAULT, take(self, AREA_PAGES, call));
		EXPECT_EQ(0, status_kb(0, "VmPin"));
	}
	EXPECT_EQ(0, mprotect(self->area + self->page, self->page, PROT_READ));
	fd = take(self, AREA_PAGES, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(permissions, memlock_is_given_back_on_failure)
{
	apart(_metadata, self, memlock_failed);
}

/* mlock() has a counter of its own; RDMA does not look at it. */
static void memlock_and_mlock(struct __test_metadata *_metadata,
			      struct _test_data_permissions *self)
{
	int fd;

	limit_memlock(_metadata, AREA_PAGES * self->page);
	EXPECT_EQ(0, privilege_drop(CAP_IPC_LOCK));
	EXPECT_EQ(0, mlock(self->area, AREA_PAGES * self->page));
	fd = take(self, AREA_PAGES, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	EXPECT_EQ(AREA_PAGES * self->page / 1024, status_kb(0, "VmPin"));
	EXPECT_EQ(AREA_PAGES * self->page / 1024, status_kb(0, "VmLck"));
	close(fd);
}

TEST_F(permissions, memlock_is_not_mlock)
{
	apart(_metadata, self, memlock_and_mlock);
}

static void memlock_privileged(struct __test_metadata *_metadata,
			       struct _test_data_permissions *self)
{
	int fd;

	limit_memlock(_metadata, 0);
	fd = take(self, AREA_PAGES, PINPROBE_CALL_PIN_FAST);
	EXPECT_LE(0, fd);
	/* Counted all the same. */
	EXPECT_EQ(AREA_PAGES * self->page / 1024, status_kb(0, "VmPin"));
	close(fd);
}

TEST_F(permissions, memlock_with_ipc_lock)
{
	apart(_metadata, self, memlock_privileged);
}

TEST_HARNESS_MAIN
