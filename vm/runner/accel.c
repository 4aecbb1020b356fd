// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "accel.h"
#include "clock.h"
#include "qemu.h"
#include "text.h"

#define PROBE_CONSOLE_MAX	65536

struct cache_search {
	const char *key;
	char *why;
	bool works;
	struct text others;	/* entries of other keys, as they are */
};

static void cache_line(void *ctx, char *line)
{
	struct cache_search *s = ctx;
	size_t len = strlen(s->key);
	char *answer, *why;

	if (strncmp(line, s->key, len) || line[len] != '\t') {
		text_printf(&s->others, "%s\n", line);
		return;
	}
	answer = line + len + 1;
	why = strchr(answer, '\t');
	if (!why)
		return;
	*why++ = '\0';
	if (strcmp(answer, "kvm") && strcmp(answer, "tcg"))
		return;
	free(s->why);
	s->why = text_dup(why);
	s->works = !strcmp(answer, "kvm");
}

char *accel_cache_find(const char *path, const char *key, bool *works)
{
	struct cache_search s = { .key = key };

	text_file_lines(path, cache_line, &s);
	text_free(&s.others);
	*works = s.works;
	return s.why;
}

/* A cache that cannot be written only costs time: no error. */
static void cache_store(const char *path, const char *key, const char *answer,
			const char *why)
{
	struct cache_search s = { .key = key };
	char *temp = text_format("%s.%d", path, (int)getpid());
	bool ok = false;
	FILE *f;

	text_file_lines(path, cache_line, &s);
	f = fopen(temp, "we");
	if (f) {
		fputs(s.others.s ? s.others.s : "", f);
		if (answer)
			fprintf(f, "%s\t%s\t%s\n", key, answer, why);
		ok = !ferror(f);
		ok &= !fclose(f);
	}
	if (!ok || rename(temp, path))
		unlink(temp);
	free(temp);
	free(s.why);
	text_free(&s.others);
}

static void cpu_line(void *ctx, char *line)
{
	char **model = ctx, *colon = strchr(line, ':');

	if (!*model && colon && text_starts(line, "model name"))
		*model = text_dup(text_skip_space(colon + 1));
}

static char *cache_key(const struct options *o, const char *binary)
{
	char *model = NULL, *version = qemu_version(binary), *key;
	struct utsname host;
	size_t i;

	uname(&host);
	text_file_lines("/proc/cpuinfo", cpu_line, &model);
	key = text_format("%s %s|%s|%s|%s", host.release, host.version, version,
			  model ? model : host.machine,
			  o->kernel_release ? o->kernel_release :
			  o->kernel_image);
	for (i = 0; key[i]; i++)
		if (key[i] == '\t' || key[i] == '\n')
			key[i] = ' ';
	free(model);
	free(version);
	return key;
}

/* Silence, and the dying words of KVM, are no life. */
bool accel_console_alive(const char *bytes, unsigned long len)
{
	static const char version[] = "Linux version ";

	return memmem(bytes, len, version, strlen(version)) != NULL;
}

static bool console_alive(const char *path)
{
	char *bytes = text_alloc(PROBE_CONSOLE_MAX);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = fd < 0 ? -1 : read(fd, bytes, PROBE_CONSOLE_MAX);
	bool alive = len > 0 && accel_console_alive(bytes, len);

	if (fd >= 0)
		close(fd);
	free(bytes);
	return alive;
}

/* Returns whether the guest came to life; a signal leaves it undecided. */
static bool probe_watch(struct accel *a, pid_t pid, const char *console,
			const char *log)
{
	double end = clock_now() + ACCEL_PROBE_SECONDS;
	bool alive = false, ended = false;
	int status;
	char *said;

	while (!alive && !ended && !a->signal && clock_now() < end) {
		a->signal = clock_wait(0.05);
		ended = qemu_ended(pid, &status);
		alive = console_alive(console);
	}
	if (!ended)
		qemu_kill(pid, &status);
	said = qemu_said(log);
	if (alive)
		a->why = text_dup("this kernel boots with it");
	else
		a->why = text_format("KVM: the kernel printed nothing %s%s%s",
				     ended ? "and QEMU ended" : "in 5 s",
				     said ? ": " : "", said ? said : "");
	free(said);
	return alive;
}

static bool accel_probe(struct accel *a, const struct options *o,
			const char *binary, const char *scratch)
{
	char *console = text_format("%s/probe-console.log", scratch);
	char *log = text_format("%s/probe-qemu.log", scratch);
	struct argv argv;
	bool alive = false;
	pid_t pid;

	unlink(console);
	qemu_argv_probe(&argv, o, binary, console);
	pid = qemu_start(&argv, log, &a->why);
	if (pid > 0)
		alive = probe_watch(a, pid, console, log);
	argv_free(&argv);
	free(console);
	free(log);
	return alive;
}

/* What needs no boot to be known; to be freed. NULL: a boot must tell. */
static char *accel_hopeless(const struct options *o)
{
	struct utsname host;
	int fd;

	uname(&host);
	if (strcmp(host.machine, o->qemu_arch))
		return text_format("the host is %s, the guest %s", host.machine,
				   o->qemu_arch);
	fd = open(o->kvm_device, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		return text_format("%s: %s", o->kvm_device, strerror(errno));
	close(fd);
	return NULL;
}

void accel_decide(struct accel *a, const struct options *o,
		  const char *binary, const char *scratch)
{
	char *key;
	bool works = false;

	memset(a, 0, sizeof(*a));
	a->name = "tcg";
	if (strcmp(o->accel, "auto")) {
		a->name = strcmp(o->accel, "kvm") ? "tcg" : "kvm";
		a->why = text_dup("asked for");
		return;
	}
	a->why = accel_hopeless(o);
	if (a->why)
		return;
	key = cache_key(o, binary);
	if (o->accel_cache)
		a->why = accel_cache_find(o->accel_cache, key, &works);
	a->cached = a->why;
	if (!a->why)
		works = accel_probe(a, o, binary, scratch);
	if (works && !a->signal)
		a->name = "kvm";
	if (!a->cached && !a->signal && o->accel_cache)
		cache_store(o->accel_cache, key, a->name, a->why);
	free(key);
}

void accel_forget(const struct options *o, const char *binary)
{
	char *key = cache_key(o, binary);

	if (o->accel_cache)
		cache_store(o->accel_cache, key, NULL, NULL);
	free(key);
}
