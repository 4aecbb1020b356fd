// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>

#include "clock.h"
#include "qemu.h"
#include "tail.h"
#include "text.h"
#include "vm.h"

#define POLL_SECONDS		0.02
#define ROUND_BYTES		(1UL << 20)
/* For the rest of a panic's stack to come out. */
#define PANIC_SECONDS		2
/* Init ends a late program itself and goes on: it goes first, and by this. */
#define TEST_GRACE_SECONDS	15
#define POWEROFF_SECONDS	10
#define CONSOLE_BYTES_MAX	(16UL << 20)
#define OUTPUT_BYTES_MAX	(1UL << 30)

enum {
	TAIL_CONSOLE,
	TAIL_RESULT,
	TAIL_STDOUT,
	TAIL_STDERR,
	TAIL_COUNT,
};

struct vm {
	struct run *run;
	pid_t pid;
	struct tail tails[TAIL_COUNT];
	int tail_count;
	double started;
	enum channel_phase phase;
	unsigned long programs;
	double phase_since;
	double panic_since;
};

static void console_bytes(void *ctx, const char *bytes, size_t len)
{
	struct vm *vm = ctx;

	console_feed(&vm->run->console, bytes, len);
}

static void result_bytes(void *ctx, const char *bytes, size_t len)
{
	struct vm *vm = ctx;

	channel_feed(&vm->run->channel, bytes, len);
}

/*
 * Whoever takes our output may have stopped to: that must not keep a signal from
 * ending the guest. So much a pipe takes at once when it says that it is ready.
 */
static void pass_on(int fd, const char *bytes, size_t len)
{
	struct pollfd ready = { .fd = fd, .events = POLLOUT };
	static bool given_up;
	ssize_t done;

	while (len && !given_up) {
		if (!poll(&ready, 1, POLL_SECONDS * 1000)) {
			given_up = clock_signalled();
			continue;
		}
		done = write(fd, bytes, len < PIPE_BUF ? len : PIPE_BUF);
		if (done < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (done <= 0)
			return;
		bytes += done;
		len -= done;
	}
}

static void stdout_bytes(void *ctx, const char *bytes, size_t len)
{
	(void)ctx;
	pass_on(STDOUT_FILENO, bytes, len);
}

static void stderr_bytes(void *ctx, const char *bytes, size_t len)
{
	(void)ctx;
	pass_on(STDERR_FILENO, bytes, len);
}

static bool vm_open(struct vm *vm, const char *dir)
{
	static const struct {
		const char *name;
		void (*bytes)(void *ctx, const char *bytes, size_t len);
	} files[TAIL_COUNT] = {
		[TAIL_CONSOLE] = { "console.log", console_bytes },
		[TAIL_RESULT] = { "channel.log", result_bytes },
		[TAIL_STDOUT] = { "stdout", stdout_bytes },
		[TAIL_STDERR] = { "stderr", stderr_bytes },
	};
	int count = vm->run->options->passthrough ? TAIL_COUNT : TAIL_STDOUT;
	char *path;
	bool ok;

	for (; vm->tail_count < count; vm->tail_count++) {
		path = text_format("%s/%s", dir, files[vm->tail_count].name);
		ok = tail_open(&vm->tails[vm->tail_count], path,
			       files[vm->tail_count].bytes, vm);
		if (!ok)
			vm->run->start_error = text_format("%s: %s", path,
							   strerror(errno));
		free(path);
		if (!ok)
			return false;
	}
	return true;
}

/* True if there may be more to read at once. */
static bool vm_read(struct vm *vm)
{
	bool more = false;
	int i;

	vm->run->channel.now = clock_now();
	for (i = 0; i < vm->tail_count; i++)
		more |= tail_read(&vm->tails[i], ROUND_BYTES);
	return more;
}

static void vm_note_phase(struct vm *vm, double now)
{
	struct run *r = vm->run;
	const struct channel *c = &r->channel;

	if (c->phase != vm->phase || c->programs != vm->programs) {
		if (vm->phase < PHASE_BETWEEN && c->phase >= PHASE_BETWEEN)
			r->boot_seconds = now - vm->started;
		vm->phase = c->phase;
		vm->programs = c->programs;
		vm->phase_since = now;
	}
	if (r->console.panic && !vm->panic_since)
		vm->panic_since = now;
}

static bool vm_late(const struct vm *vm, double now, enum ended *why)
{
	const struct run *r = vm->run;
	const struct options *o = r->options;
	const struct channel *c = &r->channel;
	double in_phase = now - vm->phase_since, limit;

	if (vm->phase <= PHASE_FACTS) {
		*why = ENDED_BOOT_DEADLINE;
		if (now - vm->started > o->boot_timeout * r->scale)
			return true;
	} else if (vm->phase == PHASE_DONE) {
		*why = ENDED_POWEROFF_DEADLINE;
		if (in_phase > POWEROFF_SECONDS * r->scale)
			return true;
	} else {
		*why = ENDED_TEST_DEADLINE;
		limit = r->scale * o->test_timeout;
		if (vm->phase == PHASE_PROGRAM && c->timeout)
			limit = r->scale * c->timeout;
		if (in_phase > limit + (limit < TEST_GRACE_SECONDS ? limit :
					TEST_GRACE_SECONDS))
			return true;
	}
	*why = ENDED_TOTAL_DEADLINE;
	return now - vm->started > o->total_timeout * r->scale;
}

/* Looks at what was written: a flood may come faster than it can be read. */
static const char *vm_flooded(const struct vm *vm)
{
	static const struct {
		const char *name;
		size_t limit;
	} outputs[TAIL_COUNT] = {
		[TAIL_CONSOLE] = { "its console", CONSOLE_BYTES_MAX },
		[TAIL_RESULT] = { "the result channel", CHANNEL_BYTES_MAX },
		[TAIL_STDOUT] = { "the command's output", OUTPUT_BYTES_MAX },
		[TAIL_STDERR] = { "the command's errors", OUTPUT_BYTES_MAX },
	};
	int i;

	for (i = 0; i < vm->tail_count; i++)
		if (tail_size(&vm->tails[i]) > outputs[i].limit)
			return outputs[i].name;
	return NULL;
}

/* Whether the guest has to go now, and why. */
static bool vm_over(const struct vm *vm, double now, enum ended *why)
{
	struct run *r = vm->run;

	if (vm->panic_since) {
		*why = ENDED_PANIC;
		return now - vm->panic_since > PANIC_SECONDS;
	}
	*why = ENDED_PROFILE;
	if (r->unmet)
		return true;
	*why = ENDED_ABORT;
	if (r->channel.abort_reason)
		return true;
	*why = ENDED_FLOOD;
	r->flooded = vm_flooded(vm);
	if (r->flooded)
		return true;
	return vm_late(vm, now, why);
}

static void vm_watch(struct vm *vm)
{
	struct run *r = vm->run;
	bool more = false;
	double now;

	for (;;) {
		r->signal = clock_wait(more ? 0 : POLL_SECONDS);
		if (r->signal) {
			r->ended = ENDED_SIGNAL;
			break;
		}
		/* First the end, then the rest: what was written last counts. */
		if (qemu_ended(vm->pid, &r->vm_status)) {
			vm->pid = 0;
			r->ended = ENDED_SELF;
			break;
		}
		more = vm_read(vm);
		now = clock_now();
		vm_note_phase(vm, now);
		if (vm_over(vm, now, &r->ended))
			break;
	}
	if (vm->pid)
		qemu_kill(vm->pid, &r->vm_status);
	while (r->ended != ENDED_FLOOD && vm_read(vm))
		;
	vm_note_phase(vm, clock_now());
}

static void vm_note_disk(struct run *r, const char *dir)
{
	struct statvfs fs;

	r->disk_full = !statvfs(dir, &fs) &&
		       fs.f_bavail * fs.f_frsize < 1UL << 20;
}

static char *argv_write(const struct argv *a, const char *dir)
{
	char *path = text_format("%s/qemu.argv", dir), *s = argv_quoted(a);
	char *error = text_file_write(path, s);

	free(path);
	free(s);
	return error;
}

void vm_run(struct run *r, const char *binary, const char *dir)
{
	char *log = text_format("%s/qemu.log", dir);
	struct vm vm = { .run = r };
	struct argv argv;

	qemu_argv(&argv, r->options, binary, r->accel, dir);
	r->start_error = argv_write(&argv, dir);
	vm.started = clock_now();
	vm.phase_since = vm.started;
	if (!r->start_error && vm_open(&vm, dir))
		vm.pid = qemu_start(&argv, log, &r->start_error);
	if (vm.pid > 0) {
		vm_watch(&vm);
		r->qemu_said = qemu_said(log);
	} else {
		r->ended = ENDED_NOT_STARTED;
	}
	r->total_seconds = clock_now() - vm.started;
	vm_note_disk(r, dir);
	while (vm.tail_count)
		tail_close(&vm.tails[--vm.tail_count]);
	argv_free(&argv);
	free(log);
}
