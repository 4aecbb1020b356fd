// SPDX-License-Identifier: GPL-2.0
/* A pin is a descriptor: it ends at the last close, wherever that is. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "abi_layout.h"
#include "lib/child.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/vmstat.h"

#define AREA_PAGES	4
#define WAIT_MS		2000
#define HOLD		"--hold"

FIXTURE(descriptor)
{
	int dev;
	uint64_t len;
	char *area;		/* shared with every child */
	int64_t held;
};

FIXTURE_SETUP(descriptor)
{
	self->len = AREA_PAGES * page_size();
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	self->area = memory_shared(self->len);
	ASSERT_NE(NULL, self->area);
	self->held = vmstat_held();
	ASSERT_LE(0, self->held);
}

FIXTURE_TEARDOWN(descriptor)
{
	EXPECT_EQ(0, vmstat_wait_held(self->held, WAIT_MS));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	close(self->dev);
}

static int take(struct _test_data_descriptor *self)
{
	return device_pin(self->dev, self->area, self->len,
			  PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
}

/* By the kernel's count, and by that of the page itself. */
static void expect_pins(struct __test_metadata *_metadata,
			struct _test_data_descriptor *self, unsigned int pins)
{
	struct pinprobe_page rec = { };

	EXPECT_EQ(0, vmstat_wait_held(self->held + pins * AREA_PAGES,
				      pins ? 0 : WAIT_MS));
	ASSERT_EQ(0, device_resolve_one(self->dev, self->area, &rec));
	EXPECT_EQ(pins, rec.pins);
}

/* A child which pins, sends the descriptor, and ends when it is told to. */
static int pin_and_send(int sock, void *arg)
{
	struct _test_data_descriptor *self = arg;
	int value, fd = take(self);

	if (fd < 0 || child_say(sock, 0, fd))
		return 1;
	close(fd);
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

/* A child which has what its parent had, and ends when it is told to. */
static int wait_for_end(int sock, void *arg)
{
	int value;

	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(descriptor, closed)
{
	int fd = take(self);

	ASSERT_LE(0, fd);
	expect_pins(_metadata, self, 1);
	close(fd);
	EXPECT_EQ(self->held, vmstat_held());
	expect_pins(_metadata, self, 0);
}

TEST_F(descriptor, outlives_the_device)
{
	struct pinprobe_pin_state state;
	int other = device_open();
	int fd;

	ASSERT_LE(0, other);
	fd = device_pin(other, self->area, self->len, PINPROBE_CALL_PIN_FAST, 0,
			NULL);
	close(other);
	ASSERT_LE(0, fd);
	expect_pins(_metadata, self, 1);
	EXPECT_EQ(0, pin_state(fd, &state));
	close(fd);
	expect_pins(_metadata, self, 0);
}

TEST_F(descriptor, duplicated)
{
	int fd = take(self), copy;

	ASSERT_LE(0, fd);
	copy = dup(fd);
	close(fd);
	expect_pins(_metadata, self, 1);
	close(copy);
	expect_pins(_metadata, self, 0);
}

TEST_F(descriptor, forked)
{
	struct child child;
	int fd = take(self);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, child_start(&child, wait_for_end, NULL));
	close(fd);
	expect_pins(_metadata, self, 1);
	EXPECT_EQ(self->len / 1024, status_kb(0, "VmPin"));
	EXPECT_EQ(0, status_kb(child.pid, "VmPin"));
	EXPECT_EQ(0, child_end(&child));
	expect_pins(_metadata, self, 0);
}

/* The one who pinned pays, whoever has the descriptor. */
TEST_F(descriptor, passed)
{
	struct pinprobe_page recs[AREA_PAGES];
	struct pinprobe_pin_state state;
	struct child child;
	int value, fd;

	ASSERT_EQ(0, child_start(&child, pin_and_send, self));
	ASSERT_EQ(0, child_hear(child.sock, &value, &fd));
	ASSERT_LE(0, fd);
	expect_pins(_metadata, self, 1);
	ASSERT_EQ(0, pin_state(fd, &state));
	EXPECT_EQ((uintptr_t)self->area, state.addr);
	EXPECT_EQ(self->len / 1024, status_kb(child.pid, "VmPin"));
	EXPECT_EQ(0, status_kb(0, "VmPin"));
	EXPECT_EQ(AREA_PAGES, pin_pages(fd, PINPROBE_WHEN_NOW, 0, 0, recs,
					AREA_PAGES, NULL));
	close(fd);
	expect_pins(_metadata, self, 0);
	EXPECT_EQ(0, status_kb(child.pid, "VmPin"));
	EXPECT_EQ(0, child_end(&child));
}

TEST_F(descriptor, outlives_the_process)
{
	struct pinprobe_page recs[AREA_PAGES];
	struct pinprobe_pin_state state;
	struct child child;
	int value, fd;

	ASSERT_EQ(0, child_start(&child, pin_and_send, self));
	ASSERT_EQ(0, child_hear(child.sock, &value, &fd));
	EXPECT_EQ(-SIGKILL, child_kill(&child));
	expect_pins(_metadata, self, 1);
	EXPECT_EQ(0, pin_state(fd, &state));
	EXPECT_EQ(-ESRCH, pin_pages(fd, PINPROBE_WHEN_NOW, 0, 0, recs,
				    AREA_PAGES, NULL));
	EXPECT_EQ(AREA_PAGES, pin_pages(fd, PINPROBE_WHEN_HELD, 0, 0, recs,
					AREA_PAGES, NULL));
	EXPECT_EQ(PINPROBE_STATE_PRESENT, recs[0].state);
	close(fd);
	expect_pins(_metadata, self, 0);
}

/* Nobody has it open any more but a message that nobody has received. */
TEST_F(descriptor, in_flight)
{
	struct child child;
	int status;

	ASSERT_EQ(0, child_start(&child, pin_and_send, self));
	EXPECT_EQ(0, vmstat_wait_held(self->held + AREA_PAGES, WAIT_MS));
	kill(child.pid, SIGKILL);
	ASSERT_EQ(child.pid, waitpid(child.pid, &status, 0));
	expect_pins(_metadata, self, 1);
	close(child.sock);
	expect_pins(_metadata, self, 0);
}

struct exec_arg {
	struct _test_data_descriptor *self;
	bool keep;
};

static int pin_and_exec(int sock, void *arg)
{
	struct exec_arg *exec = arg;
	int fd = take(exec->self);
	char number[16];

	if (fd < 0)
		return 1;
	if (exec->keep && fcntl(fd, F_SETFD, 0))
		return 1;
	fcntl(sock, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", sock);
	execl("/proc/self/exe", "hold", HOLD, number, NULL);
	return 1;
}

/* What this program does after such an exec: say so, wait, end. */
static int hold(int sock)
{
	int value;

	if (child_say(sock, 1, -1))
		return 1;
	return child_hear(sock, &value, NULL) == -EPIPE ? 0 : 1;
}

TEST_F(descriptor, closed_by_exec)
{
	struct exec_arg exec = { .self = self, .keep = false };
	struct child child;
	int value;

	ASSERT_EQ(0, child_start(&child, pin_and_exec, &exec));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	expect_pins(_metadata, self, 0);
	EXPECT_EQ(0, child_end(&child));
}

TEST_F(descriptor, kept_over_exec)
{
	struct exec_arg exec = { .self = self, .keep = true };
	struct child child;
	int value;

	ASSERT_EQ(0, child_start(&child, pin_and_exec, &exec));
	ASSERT_EQ(0, child_hear(child.sock, &value, NULL));
	expect_pins(_metadata, self, 1);
	EXPECT_EQ(0, status_kb(child.pid, "VmPin"));
	EXPECT_EQ(0, child_end(&child));
	expect_pins(_metadata, self, 0);
}

TEST_F(descriptor, fdinfo)
{
	struct {
		const char *name;
		unsigned long long value;
	} fields[] = {
		{ "pin-addr:" }, { "pin-pages:" }, { "pin-call:" },
		{ "pin-flags:" }, { "pin-age-ns:" },
	};
	char path[64], line[128];
	bool named = false;
	int fd = take(self);
	FILE *file;

	ASSERT_LE(0, fd);
	snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
	file = fopen(path, "re");
	ASSERT_NE(NULL, file);
	while (fgets(line, sizeof(line), file)) {
		named |= !strcmp(line, "pin-call:\t5 (pin_user_pages_fast)\n");
		for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
			if (!strncmp(line, fields[i].name, strlen(fields[i].name)))
				fields[i].value = strtoull(line + strlen(fields[i].name),
							   NULL, 0);
	}
	fclose(file);
	EXPECT_EQ((uintptr_t)self->area, fields[0].value);
	EXPECT_EQ(AREA_PAGES, fields[1].value);
	EXPECT_EQ(PINPROBE_CALL_PIN_FAST, fields[2].value);
	EXPECT_TRUE(named);
	EXPECT_EQ(PINPROBE_PIN_WRITE, fields[3].value);
	EXPECT_NE(0, fields[4].value);
	close(fd);
}

TEST_F(descriptor, is_named)
{
	char path[64], name[64] = "";
	int fd = take(self);

	ASSERT_LE(0, fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	EXPECT_LT(0, readlink(path, name, sizeof(name) - 1));
	EXPECT_STREQ("anon_inode:[pinprobe]", name);
	/* What it stands for cannot be opened anew. */
	EXPECT_EQ(-1, open(path, O_RDWR));
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], HOLD))
		return hold(atoi(argv[2]));
	return test_harness_run(argc, argv);
}
