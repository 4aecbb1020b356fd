// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe litmus as a user runs it: its words, programs for --exec that behave and
 * that do not, and the calls of this host's own kernel whose contract is known.
 */
#include <errno.h>
#include <linux/io_uring.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <json-c/json.h>

#include "unit.h"

static char *out, *err;

static char *tool(const char *name)
{
	char *path = text_dup(unit_vmrun);

	*strrchr(path, '/') = '\0';
	return text_format("%s/tools/%s", path, name);
}

/* pinprobe litmus WORDS; the exit code. */
static int run(const char *words)
{
	char *command = text_format("'%s' litmus %s >'%s' 2>'%s'",
				    tool("pinprobe"), words, unit_path("stdout"),
				    unit_path("stderr"));
	int status = system(command);

	if (!WIFEXITED(status))
		unit_fail(__FILE__, __LINE__, "%s: status %d", command, status);
	out = unit_read(unit_path("stdout"), NULL);
	err = unit_read(unit_path("stderr"), NULL);
	return WEXITSTATUS(status);
}

static json_object *result(void)
{
	json_object *j = json_tokener_parse(out);

	if (!j)
		unit_fail(__FILE__, __LINE__, "no JSON: %s%s", out, err);
	return j;
}

static const char *member(json_object *o, const char *key)
{
	json_object *value;

	return json_object_object_get_ex(o, key, &value) ?
		json_object_get_string(value) : "";
}

static const char *script(const char *body)
{
	char *text = text_format("#!/bin/sh\n%s\n", body);

	unit_write("program", text, strlen(text));
	chmod(unit_path("program"), 0755);
	return text_format("--json --exec '%s'", unit_path("program"));
}

TEST(litmus_usage)
{
	CHECK_NUMBER(run(""), 2);
	CHECK(strstr(err, "no provider"));
	CHECK_NUMBER(run("nosuch"), 2);
	CHECK(strstr(err, "nosuch"));
	CHECK_NUMBER(run("--nosuch"), 2);
	CHECK_NUMBER(run("mlock more"), 2);
	CHECK_NUMBER(run("mlock --list"), 2);
	CHECK_NUMBER(run("--list more"), 2);
	CHECK_NUMBER(run("--exec"), 2);
	CHECK_NUMBER(run("exec"), 2);
	CHECK_STRING(out, "");
	CHECK_NUMBER(run("--help"), 0);
	CHECK(strstr(out, "Examples:"));
}

TEST(litmus_list)
{
	json_object *all;
	size_t i;

	CHECK_NUMBER(run("--list --json"), 0);
	all = result();
	CHECK_NUMBER(json_object_array_length(all), 14);
	for (i = 0; i < json_object_array_length(all); i++)
		CHECK(*member(json_object_array_get_idx(all, i), "summary"));
}

/* A device that cannot be there. */
TEST(litmus_not_here)
{
	CHECK_NUMBER(run("vfio --device nosuch --json"), 4);
	CHECK_STRING(member(result(), "rung"), "unknown");
	CHECK(*member(result(), "why_not"));
	CHECK_NUMBER(run("vfio -d nosuch"), 4);
	CHECK(strstr(out, "cannot tell here, because"));
}

TEST(litmus_exec_no_program)
{
	CHECK_NUMBER(run("--json --exec /nonexistent"), 4);
	CHECK(strstr(member(result(), "why_not"), "cannot run /nonexistent"));
}

TEST(litmus_exec_that_ends)
{
	CHECK_NUMBER(run(script("exit 0")), 4);
	CHECK_STRING(member(result(), "why_not"), "the program has ended");
	CHECK_NUMBER(run(script("read x; echo ok; read x; echo ok 1000; exit 0")), 1);
	CHECK(strstr(member(result(), "why_not"), "the program has ended"));
}

TEST(litmus_exec_that_babbles)
{
	CHECK_NUMBER(run(script("read x; echo okay")), 4);
	CHECK_STRING(member(result(), "why_not"), "the program said \"okay\"");
	CHECK_NUMBER(run(script("read x; echo error -3")), 4);
	CHECK_STRING(member(result(), "why_not"), "the program said \"error -3\"");
	CHECK_NUMBER(run(script("while read x; do echo ok; done")), 1);
	CHECK(strstr(member(result(), "why_not"), "gave no address"));
}

#define ALWAYS(pin) \
	"while read a b; do case $a in map) echo ok 1000;; pin) " pin ";; " \
	"*) echo ok;; esac; done"

TEST(litmus_exec_whose_pin_fails)
{
	CHECK_NUMBER(run(script(ALWAYS("echo error 12 no memory"))), 1);
	CHECK(strstr(member(result(), "why_not"), "ENOMEM: no memory"));
	CHECK_NUMBER(run(script(ALWAYS("echo error 0 MY_DRIVER_SAYS_NO"))), 1);
	CHECK(strstr(member(result(), "why_not"), "refused, MY_DRIVER_SAYS_NO"));
}

/* To say that it has pinned is not to pin. */
TEST(litmus_exec_that_lies)
{
	int code = run(script(ALWAYS("echo ok")));
	const char *rung = member(result(), "rung");

	CHECK(code == 0 || code == 4);
	CHECK_STRING(rung, code ? "unknown" : "takes no page");
}

static bool has_io_uring(void)
{
	struct io_uring_params params = { 0 };
	int fd = syscall(SYS_io_uring_setup, 1, &params);

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

TEST(litmus_exec_example)
{
	int code = run(text_format("--json --exec '%s'", tool("litmus-register")));
	const char *rung = member(result(), "rung");

	if (!has_io_uring()) {
		CHECK_NUMBER(code, 4);
		return;
	}
	CHECK(code == 0 || code == 4);
	CHECK_STRING(rung, code ? "unknown" : "PIN+LONGTERM");
	CHECK(strstr(member(result(), "what"), "io_uring"));
}

/* What one piece of evidence says of the call that was run. */
static const char *says(const char *evidence)
{
	json_object *all, *one;
	size_t i;

	CHECK(json_object_object_get_ex(result(), "reasons", &all));
	for (i = 0; i < json_object_array_length(all); i++) {
		one = json_object_array_get_idx(all, i);
		if (!strcmp(member(one, "evidence"), evidence))
			return member(one, "answer");
	}
	return "absent";
}

/* Those that need no privilege and no disk do say something. */
TEST(litmus_mlock_is_seen_to_pin_nothing)
{
	int code = run("mlock --json");

	CHECK(code == 0 || code == 4);
	if (!access("/proc/self/pagemap", R_OK))
		CHECK_STRING(says("fork"), "no");
	if (!access("/proc/sys/vm/stat_refresh", W_OK))
		CHECK_STRING(says("count"), "no");
	if (!access("/proc/kpageflags", R_OK))
		CHECK_STRING(says("orphan"), "no");
	CHECK_STRING(says("readonly_shared_write"), "no");
}

/* And so do those that need a disk, where it is one that is known. */
TEST(litmus_process_vm_is_seen_to_pin)
{
	int code = run(text_format("process_vm --json --dir '%s'", unit_scratch));
	struct statfs fs;

	if (code == 4 && *member(result(), "why_not") &&
	    !strncmp(member(result(), "why_not"), "userfaultfd()", 13))
		return;
	CHECK_STRING(says("fork"), "yes");
	CHECK_STRING(says("readonly_shared_write"), "yes");
	CHECK_STRING(says("readonly_shared"), "no");
	CHECK(!statfs(unit_scratch, &fs));
	if (fs.f_type != EXT4_SUPER_MAGIC)
		return;
	CHECK_STRING(says("evict"), "yes");
	CHECK_STRING(says("file_write"), "no");
	CHECK_NUMBER(code, 0);
	CHECK_STRING(member(result(), "rung"), "PIN");
	CHECK_STRING(member(result(), "write"), "if asked");
}

/* Whatever is here is told right; mlock() is everywhere. */
TEST(litmus_known_contracts)
{
	json_object *all, *one;
	int code = run("--self-test --json");
	size_t i;

	all = result();
	for (i = 0; i < json_object_array_length(all); i++) {
		one = json_object_array_get_idx(all, i);
		if (!strcmp(member(one, "result"), "WRONG"))
			unit_fail(__FILE__, __LINE__, "%s",
				  json_object_to_json_string(one));
	}
	CHECK(code == 0 || code == 4);
}
