// SPDX-License-Identifier: GPL-2.0
/* The page, the metrics, the command line. */
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor_run.h"

TEST(doctor_page)
{
	tree_from("doctor/plain");
	CHECK_NUMBER(doctor_run(""), 0);
	CHECK_STRING(doctor_err, "");
	CHECK(text_starts(doctor_out,
			  "pinprobe doctor: Linux 6.18.44 x86_64: 0 critical, 0 warnings, 1 notes\n\n"
			  "note     thp-longterm-readonly-spin (SPIN): "));
	CHECK(strstr(doctor_out,
		     "     0 DMA            15       15       14        0        0  1 Unmovable, 7 Movable\n"));
	CHECK(strstr(doctor_out, "  iommu      none\n"));
	CHECK(!strchr(doctor_out, '\033'));
	CHECK(!strstr(doctor_out, "Not seen"));
}

/* A warning says all; a note is one line. */
TEST(doctor_page_of_a_warning)
{
	char *at;

	tree_from("doctor/plain");
	tree_put("proc/sys/vm/max_map_count", "38\n");
	CHECK_NUMBER(doctor_run(""), 1);
	at = strstr(doctor_out,
		    "warning  maps-nearly-used (MAPS): this process has 38 of 38 mappings\n    why: ");
	CHECK(at);
	CHECK(strstr(at, "\n    remedy: "));
	CHECK(strstr(at, "\n    fact: "));
	CHECK(strstr(at, "\n    known: "));
	CHECK(!strstr(strstr(at, "note  "), "why:"));
	for (at = doctor_out; at && *at && *at != '\n' &&
	     !text_starts(at, "note  "); at = strchr(at, '\n'), at += !!at)
		CHECK(strcspn(at, "\n") <= 100);
}

/* What a terminal is given. */
static char *on_terminal(const char *no_color)
{
	struct text t = { 0 };
	char buf[4096];
	ssize_t got;
	pid_t pid;
	int fd;

	pid = forkpty(&fd, NULL, NULL, NULL);
	if (!pid) {
		if (no_color)
			setenv("NO_COLOR", no_color, 1);
		else
			unsetenv("NO_COLOR");
		execl(doctor_path(), "pinprobe", "doctor", "--root",
		      unit_path("tree"), NULL);
		_exit(127);
	}
	CHECK(pid > 0);
	text_add(&t, "", 0);
	while ((got = read(fd, buf, sizeof(buf))) > 0)
		text_add(&t, buf, got);
	CHECK(waitpid(pid, NULL, 0) == pid);
	CHECK(strstr(t.s, "pinprobe doctor: Linux"));
	return t.s;
}

TEST(doctor_colours)
{
	tree_from("doctor/plain");
	CHECK(strstr(on_terminal(NULL), "\033[36mnote    \033[0m"));
	CHECK(strstr(on_terminal(""), "\033["));
	CHECK(!strchr(on_terminal("1"), '\033'));
}

static char *line_of(const char *key)
{
	char *at = strstr(doctor_out, text_format("\n%s", key));

	return at ? text_dup_len(at + 1, strcspn(at + 1, "\n")) : text_dup("");
}

TEST(doctor_metrics)
{
	tree_from("doctor/plain");
	tree_add("proc/meminfo", "facts/numa/meminfo");
	tree_add("proc/zoneinfo", "facts/numa/zoneinfo");
	tree_add("proc/pagetypeinfo", "facts/numa/pagetypeinfo");
	CHECK_NUMBER(doctor_run("--prometheus"), 1);
	CHECK_STRING(line_of("pinprobe_doctor_findings{severity=\"warning\"}"),
		     "pinprobe_doctor_findings{severity=\"warning\"} 1");
	CHECK_STRING(line_of("pinprobe_doctor_findings{severity=\"critical\"}"),
		     "pinprobe_doctor_findings{severity=\"critical\"} 0");
	CHECK_STRING(line_of("pinprobe_doctor_finding{id=\"cma-first\""),
		     "pinprobe_doctor_finding{id=\"cma-first\",severity=\"warning\",verdict=\"REFS\"} 1");
	CHECK_STRING(line_of("pinprobe_cma_registered_bytes "),
		     "pinprobe_cma_registered_bytes 2147483648");
	CHECK_STRING(line_of("pinprobe_cma_pageblock_bytes "),
		     "pinprobe_cma_pageblock_bytes 2147483648");
	CHECK_STRING(line_of("pinprobe_cma_hidden_bytes "),
		     "pinprobe_cma_hidden_bytes 0");
	CHECK_STRING(line_of("pinprobe_zone_free_bytes{node=\"1\",zone=\"Normal\"}"),
		     "pinprobe_zone_free_bytes{node=\"1\",zone=\"Normal\"} 2064171008");
	CHECK_STRING(line_of("pinprobe_zone_unpinnable_bytes{node=\"1\",zone=\"Normal\"}"),
		     "pinprobe_zone_unpinnable_bytes{node=\"1\",zone=\"Normal\"} 1073741824");
	CHECK_STRING(line_of("pinprobe_pageblocks{node=\"0\",zone=\"DMA32\",migratetype=\"Movable\"}"),
		     "pinprobe_pageblocks{node=\"0\",zone=\"DMA32\",migratetype=\"Movable\"} 1014");
	tree_denied("proc/pagetypeinfo");
	doctor_run("--prometheus");
	CHECK(!strstr(doctor_out, "pinprobe_pageblocks"));
	CHECK(!strstr(doctor_out, "pinprobe_cma_pageblock_bytes"));
	CHECK_STRING(line_of("pinprobe_doctor_unread{"),
		     "pinprobe_doctor_unread{path=\"/proc/pagetypeinfo\",state=\"not allowed\"} 1");
}

/* Two of one kind are one line. */
TEST(doctor_metrics_of_two)
{
	tree_from("doctor/plain");
	tree_put("proc/9/limits", "Max locked memory 1 1 bytes\n");
	tree_put("proc/9/status", "CapEff:\t0\n");
	tree_replace("proc/self/status", "CapEff:\t", "CapEff:\t0\nx:\t");
	CHECK_NUMBER(doctor_run("--prometheus --pid 9"), 1);
	CHECK_STRING(line_of("pinprobe_doctor_finding{id=\"memlock-small\""),
		     "pinprobe_doctor_finding{id=\"memlock-small\",severity=\"warning\",verdict=\"LOCK\"} 2");
	CHECK(!strstr(strstr(doctor_out, "memlock-small") + 1,
		      "memlock-small"));
}

/* Each metric's lines stand together, behind one HELP and one TYPE. */
TEST(doctor_metrics_format)
{
	char *next, *line, *name = text_dup("");

	tree_from("doctor/h200");
	doctor_run("--prometheus");
	next = doctor_out;
	while ((line = strsep(&next, "\n")) && *line) {
		if (text_starts(line, "# HELP ")) {
			name = text_dup_len(line + 7, strcspn(line + 7, " "));
			continue;
		}
		if (text_starts(line, "# TYPE ")) {
			CHECK_STRING(line, text_format("# TYPE %s gauge", name));
			continue;
		}
		CHECK(text_starts(line, name));
		CHECK(strchr(" {", line[strlen(name)]));
	}
	CHECK(!line || !*line);
}

TEST(doctor_output_file)
{
	char *file = unit_path("out.prom"), *command;
	struct stat st;

	tree_from("doctor/plain");
	unit_write("out.prom", "old", 3);
	command = text_format("--prometheus -o '%s'", file);
	CHECK_NUMBER(doctor_run(command), 0);
	CHECK_STRING(doctor_out, "");
	CHECK(text_starts(unit_read(file, NULL), "# HELP pinprobe_doctor_findings"));
	CHECK(!stat(file, &st));
	CHECK_NUMBER(st.st_mode & 0777, 0644);
	/* Nothing beside it. */
	CHECK(!system(text_format("test \"$(ls '%s' | grep -c '^out')\" = 1",
				  unit_scratch)));
	CHECK_NUMBER(doctor_run(text_format("--json -o '%s'", file)), 0);
	CHECK(json_object_from_file(file));
}

TEST(doctor_output_nowhere)
{
	tree_from("doctor/plain");
	CHECK_NUMBER(doctor_run(text_format("--json -o '%s/no/such'",
					    unit_scratch)), 126);
	CHECK(strstr(doctor_err, "no/such: No such file or directory"));
	/* What was there stays. */
	CHECK(!mkdir(unit_path("taken"), 0700));
	CHECK_NUMBER(doctor_run(text_format("--json -o '%s/taken'",
					    unit_scratch)), 126);
	CHECK(!system(text_format("test \"$(ls '%s' | grep -c taken)\" = 1",
				  unit_scratch)));
}

/* The disk is full: readers have the old one. */
TEST(doctor_output_that_does_not_fit)
{
	char *file = unit_path("out.prom");

	tree_from("doctor/plain");
	unit_write("out.prom", "old", 3);
	CHECK(!system(text_format("trap '' XFSZ; ulimit -f 0; '%s' doctor --root '%s/tree' --prometheus -o '%s' 2>/dev/null; test $? = 126",
				  doctor_path(), unit_scratch, file)));
	CHECK_STRING(unit_read(file, NULL), "old");
	CHECK(!system(text_format("test \"$(ls '%s' | grep -c '^out')\" = 1",
				  unit_scratch)));
}

static int words(const char *s)
{
	tree_from("doctor/plain");
	return doctor_run(s);
}

TEST(doctor_command_line)
{
	CHECK_NUMBER(words("--nonsense"), 2);
	CHECK(strstr(doctor_err, "Try 'pinprobe doctor --help'."));
	CHECK_NUMBER(words("more"), 2);
	CHECK(strstr(doctor_err, "takes no argument 'more'"));
	CHECK_NUMBER(words("--pid 0"), 2);
	CHECK_NUMBER(words("--pid x"), 2);
	CHECK(strstr(doctor_err, "'x' is no process id"));
	CHECK_NUMBER(words("-o x"), 2);
	CHECK_NUMBER(words("--help"), 0);
	CHECK(text_starts(doctor_out, "usage: pinprobe doctor"));
	CHECK(strstr(doctor_out, "Examples:"));
	CHECK_STRING(doctor_err, "");
}

/* A page that could not be written is not one. */
TEST(doctor_full_disk)
{
	int status = system(text_format("'%s' doctor --help >/dev/full 2>'%s'",
					doctor_path(), unit_path("stderr")));

	CHECK(WIFEXITED(status));
	CHECK_NUMBER(WEXITSTATUS(status), 126);
	CHECK_STRING(unit_read(unit_path("stderr"), NULL),
		     "pinprobe: cannot write: No space left on device\n");
}
