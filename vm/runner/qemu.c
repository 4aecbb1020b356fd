// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "qemu.h"
#include "text.h"
#include "tsc.h"

struct arch {
	const char *name;
	const char *machine;	/* under TCG */
	const char *machine_kvm;
	const char *cpu;	/* under TCG */
	const char *console;
	const char *early;	/* the console before there are drivers */
	const char *package;
};

static const struct arch archs[] = {
	/* Emulation copies and clears a byte a step where these are. */
	{ "x86_64", "q35", "q35", "max,erms=off,fsrm=off", "ttyS0",
	  "earlyprintk=ttyS0", "qemu-system-x86" },
	/* Emulated pointer authentication and SVE cost more than they show. */
	{ "aarch64", "virt", "virt,gic-version=host", "max,pauth=off,sve=off",
	  "ttyAMA0", "earlycon", "qemu-system-arm" },
};

static const struct arch *arch_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(archs) - 1; i++)
		if (!strcmp(archs[i].name, name))
			break;
	return &archs[i];
}

static char *path_find(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char *file;

	for (; path && *path; path = *end ? end + 1 : end) {
		end = strchrnul(path, ':');
		file = text_format("%.*s/%s", (int)(end - path), path, name);
		if (!access(file, X_OK))
			return file;
		free(file);
	}
	return NULL;
}

char *qemu_find(const struct options *o, char **error)
{
	char *name, *file;

	if (o->qemu) {
		if (!access(o->qemu, X_OK))
			return text_dup(o->qemu);
		*error = text_format("QEMU: %s: %s", o->qemu, strerror(errno));
		return NULL;
	}
	name = text_format("qemu-system-%s", o->qemu_arch);
	file = path_find(name);
	if (!file)
		*error = text_format("QEMU is missing: no %s in PATH; apt-get install %s",
				     name, arch_find(o->qemu_arch)->package);
	free(name);
	return file;
}

char *qemu_version(const char *binary)
{
	struct text command = { 0 };
	char line[200] = "";
	FILE *f;

	text_quote(&command, binary);
	text_puts(&command, " --version 2>/dev/null");
	f = popen(command.s, "re");
	text_free(&command);
	if (f) {
		if (!fgets(line, sizeof(line), f))
			line[0] = '\0';
		pclose(f);
	}
	line[strcspn(line, "\n")] = '\0';
	return text_printable(line, strlen(line));
}

/* Takes arg. */
static void argv_add(struct argv *a, char *arg)
{
	a->v = text_grow(a->v, a->count, sizeof(*a->v));
	a->v[a->count++] = arg;
	a->v = text_grow(a->v, a->count, sizeof(*a->v));
	a->v[a->count] = NULL;
}

static void argv_pair(struct argv *a, const char *option, char *value)
{
	argv_add(a, text_dup(option));
	argv_add(a, value);
}

void argv_free(struct argv *a)
{
	size_t i;

	for (i = 0; i < a->count; i++)
		free(a->v[i]);
	free(a->v);
	memset(a, 0, sizeof(*a));
}

char *argv_quoted(const struct argv *a)
{
	struct text t = { 0 };
	size_t i;

	for (i = 0; i < a->count; i++) {
		if (i)
			text_puts(&t, a->v[i][0] == '-' ? " \\\n\t" : " ");
		text_quote(&t, a->v[i]);
	}
	text_puts(&t, "\n");
	return t.s;
}

static void argv_machine(struct argv *a, const struct options *o,
			 const char *binary, const char *accel)
{
	const struct arch *arch = arch_find(o->qemu_arch);
	bool kvm = !strcmp(accel, "kvm");
	const char *more = o->qemu_args ? o->qemu_args : "";
	/* Guests that run beside each other are quicker with one thread each. */
	const char *tcg = o->mttcg ? "tcg,thread=multi" : "tcg,thread=single";
	char *word;

	memset(a, 0, sizeof(*a));
	argv_add(a, text_dup(binary));
	argv_add(a, text_dup("-nodefaults"));
	argv_add(a, text_dup("-no-user-config"));
	argv_add(a, text_dup("-no-reboot"));
	argv_pair(a, "-display", text_dup("none"));
	argv_pair(a, "-machine",
		  text_dup(kvm ? arch->machine_kvm : arch->machine));
	argv_pair(a, "-accel", text_dup(kvm ? "kvm" : tcg));
	argv_pair(a, "-cpu", text_dup(kvm ? "host" : arch->cpu));
	argv_pair(a, "-smp", text_format("%d", o->cpus));
	argv_pair(a, "-m", text_dup(o->memory));
	while ((word = text_word(&more)))
		argv_add(a, word);
	argv_pair(a, "-kernel", text_dup(o->kernel_image));
}

/* QEMU takes a doubled comma for a comma inside a value. */
static char *file_value(const char *path)
{
	struct text t = { 0 };

	for (; *path; path++) {
		text_add(&t, path, 1);
		if (*path == ',')
			text_puts(&t, ",");
	}
	return t.s;
}

static void argv_console(struct argv *a, const char *path)
{
	char *value = file_value(path);

	argv_pair(a, "-chardev", text_format("file,id=console,path=%s", value));
	argv_pair(a, "-serial", text_dup("chardev:console"));
	free(value);
}

static void argv_port(struct argv *a, const char *name, const char *dir,
		      const char *file)
{
	char *value = file_value(dir);

	argv_pair(a, "-chardev", text_format("file,id=%s,path=%s/%s", name,
					     value, file));
	argv_pair(a, "-device",
		  text_format("virtserialport,chardev=%s,name=org.pinprobe.%s",
			      name, name));
	free(value);
}

/*
 * An emulated CPU counts as the host's does, and a kernel without HPET and PM timer
 * has only the PIT to find out how fast that is: mostly it gives up, and is left
 * with jiffies.
 */
static char *kernel_arguments(const struct options *o, const char *accel)
{
	const struct arch *arch = arch_find(o->qemu_arch);
	struct text t = { 0 };
	unsigned long khz = 0;

	if (!strstr(o->append, "console="))
		text_printf(&t, "console=%s panic=-1 ", arch->console);
	text_puts(&t, o->append);
	if (o->cpu_clock && !strcmp(arch->name, "x86_64") &&
	    !strcmp(accel, "tcg"))
		khz = tsc_khz();
	if (khz)
		text_printf(&t, " tsc_early_khz=%lu", khz);
	return t.s;
}

/* A file is written by QEMU itself: nothing of it is lost if we are slow. */
void qemu_argv(struct argv *a, const struct options *o, const char *binary,
	       const char *accel, const char *dir)
{
	char *console = text_format("%s/console.log", dir);

	argv_machine(a, o, binary, accel);
	argv_pair(a, "-initrd", text_dup(o->initrd));
	argv_pair(a, "-append", kernel_arguments(o, accel));
	argv_console(a, console);
	free(console);
	argv_pair(a, "-device", text_dup("virtio-serial-pci"));
	argv_port(a, "result", dir, "channel.log");
	if (o->passthrough) {
		argv_port(a, "stdout", dir, "stdout");
		argv_port(a, "stderr", dir, "stderr");
	}
}

void qemu_argv_probe(struct argv *a, const struct options *o,
		     const char *binary, const char *console_path)
{
	const struct arch *arch = arch_find(o->qemu_arch);

	argv_machine(a, o, binary, "kvm");
	argv_pair(a, "-append",
		  text_format("console=%s %s panic=-1", arch->console,
			      arch->early));
	argv_console(a, console_path);
}

static void qemu_child(const struct argv *a, const char *log_path,
		       pid_t parent, int error_fd)
{
	int null = open("/dev/null", O_RDONLY);
	int log = open(log_path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	sigset_t none;
	int err;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	/* A group of its own: Ctrl-C is for us, and we end it. */
	setpgid(0, 0);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(127);
	if (null >= 0 && log >= 0 && dup2(null, 0) == 0 && dup2(log, 1) == 1 &&
	    dup2(log, 2) == 2)
		execv(a->v[0], a->v);
	err = errno;
	if (write(error_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(127);
}

pid_t qemu_start(const struct argv *a, const char *log_path, char **error)
{
	pid_t parent = getpid(), pid;
	int fds[2], err, status;
	ssize_t got;

	if (pipe2(fds, O_CLOEXEC)) {
		*error = text_format("pipe: %s", strerror(errno));
		return -1;
	}
	pid = fork();
	if (!pid)
		qemu_child(a, log_path, parent, fds[1]);
	close(fds[1]);
	if (pid < 0) {
		*error = text_format("fork: %s", strerror(errno));
		close(fds[0]);
		return -1;
	}
	setpgid(pid, pid);
	do {
		got = read(fds[0], &err, sizeof(err));
	} while (got < 0 && errno == EINTR);
	close(fds[0]);
	if (got != sizeof(err))
		return pid;
	waitpid(pid, &status, 0);
	*error = text_format("%s: %s", a->v[0], strerror(err));
	return -1;
}

bool qemu_ended(pid_t pid, int *status)
{
	return waitpid(pid, status, WNOHANG) == pid;
}

void qemu_kill(pid_t pid, int *status)
{
	kill(-pid, SIGKILL);
	kill(pid, SIGKILL);
	while (waitpid(pid, status, 0) < 0 && errno == EINTR)
		;
}

static void said_line(void *ctx, char *line)
{
	struct text *t = ctx;
	char *shown;

	if (!*text_skip_space(line) || t->len > 1000)
		return;
	shown = text_printable(line, strnlen(line, 300));
	text_printf(t, "%s%s", t->len ? "; " : "", shown);
	free(shown);
}

char *qemu_said(const char *log_path)
{
	struct text t = { 0 };

	text_file_lines(log_path, said_line, &t);
	return t.s;
}
