// SPDX-License-Identifier: GPL-2.0
/* pinprobe verify: is this memory really pinned? */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../selftests/lib/device.h"
#include "../selftests/lib/oracle.h"
#include "command.h"
#include "exit.h"
#include "out.h"
#include "pages.h"
#include "verify.h"

#define COMPACT		"/proc/sys/vm/compact_memory"
#define ROUNDS		3
/* Records in memory: 128 bytes a page. */
#define PAGES_MAX	(1UL << 22)

static const char help[] =
"usage: pinprobe verify [OPTION...] PID ADDR [LEN] | PID START-END\n"
"\n"
"Looks at pages, has the kernel compact memory, and looks again. What is pinned\n"
"has not moved. With the module pinprobe.ko it also sees who is held, and answers\n"
"for good; without it, from /proc/PID/pagemap, only a page that moved is an answer.\n"
"Needs root.\n"
"\n"
"  --rounds N   how often memory is compacted (default 3; 0: not at all)\n"
"  --json       one object\n"
"\n"
"Exit codes: 0 pinned; 1 not pinned (verdict NOPIN), or held by references that are\n"
"no pins; 2 usage; 4 it cannot be told.\n"
"\n"
"Example:\n"
"  pinprobe verify 4711 7f2bc0000000 64M\n";

struct task {
	struct range range;
	unsigned int rounds;
	bool json;
	int dev;		/* -1: no module */
	struct oracle oracle;
	size_t nr;
	struct pinprobe_page *before, *after;
};

static int look(struct task *task, struct pinprobe_page *pages)
{
	uint64_t page_size = sysconf(_SC_PAGESIZE), next;
	size_t done = 0;
	char *addr;
	int filled;

	while (done < task->nr) {
		addr = (char *)(uintptr_t)task->range.addr + done * page_size;
		if (task->dev < 0) {
			oracle_page(&task->oracle, addr, &pages[done++]);
			continue;
		}
		filled = device_resolve(task->dev, task->range.pid, addr,
					(task->nr - done) * page_size, 0,
					&pages[done], task->nr - done, &next);
		if (filled <= 0)
			return filled ? filled : -EIO;
		done += filled;
	}
	return 0;
}

static int compact(unsigned int rounds)
{
	int fd = open(COMPACT, O_WRONLY | O_CLOEXEC), err = 0;
	unsigned int i;

	if (fd < 0)
		return -errno;
	for (i = 0; i < rounds && !err; i++) {
		out_progress("compacting memory, %u of %u", i + 1, rounds);
		if (write(fd, "1", 1) != 1)
			err = -errno;
	}
	out_progress_end();
	close(fd);
	return err;
}

static int measure(struct task *task)
{
	int err = look(task, task->before);

	if (!err && task->rounds)
		err = compact(task->rounds);
	if (!err)
		err = look(task, task->after);
	if (err == -ESRCH)
		out_error("there is no process %d", task->range.pid);
	else if (err == -ENOENT)
		out_error("this kernel has no CONFIG_COMPACTION: only --rounds 0 will do");
	else if (err)
		out_error("%s", strerror(-err));
	return err;
}

static const char *answer_name(enum verify_answer answer)
{
	static const char *const names[] = {
		[VERIFY_PINNED] = "OK",
		[VERIFY_HELD] = "NOPIN",
		[VERIFY_NOPIN] = "NOPIN",
		[VERIFY_STAYED] = "UNDECIDED",
	};

	return names[answer];
}

static void print_text(const struct verify *v, enum verify_answer answer)
{
	static const char *const texts[] = {
		[VERIFY_PINNED] = "every page is pinned, and none moved",
		[VERIFY_HELD] = "held, but by references that are no pins: a write from the device may go to a copy that nobody sees",
		[VERIFY_NOPIN] = "not pinned",
		[VERIFY_STAYED] = "none moved; whether anybody holds them cannot be told without the module",
	};

	out_text(answer == VERIFY_PINNED ? OUT_GOOD : OUT_WARNING, "%s: %s\n",
		 answer_name(answer), texts[answer]);
	printf("%" PRIu64 " page%s: %" PRIu64 " moved, %" PRIu64 " absent",
	       v->pages, v->pages == 1 ? "" : "s", v->moved, v->absent);
	if (v->counted)
		printf(", %" PRIu64 " held by nobody, %" PRIu64 " by references",
		       v->free, v->referenced);
	putchar('\n');
}

static void print_json(const struct verify *v, enum verify_answer answer)
{
	json_object *j = json_object_new_object();

	json_object_object_add(j, "verdict",
			       json_object_new_string(answer_name(answer)));
	json_object_object_add(j, "pages", json_object_new_int64(v->pages));
	json_object_object_add(j, "moved", json_object_new_int64(v->moved));
	json_object_object_add(j, "absent", json_object_new_int64(v->absent));
	json_object_object_add(j, "held_by_nobody", v->counted ?
			       json_object_new_int64(v->free) : NULL);
	json_object_object_add(j, "held_by_references", v->counted ?
			       json_object_new_int64(v->referenced) : NULL);
	out_json(j);
	json_object_put(j);
}

static int judge(const struct task *task)
{
	struct verify v = { .counted = task->dev >= 0 };
	enum verify_answer answer;

	verify_compare(&v, task->before, task->after, task->nr);
	answer = verify_decide(&v);
	if (task->json)
		print_json(&v, answer);
	else
		print_text(&v, answer);
	if (answer == VERIFY_STAYED)
		return PINPROBE_CANNOT;
	return answer == VERIFY_PINNED ? PINPROBE_OK : PINPROBE_FOUND;
}

static int parse(struct task *task, int argc, char **argv)
{
	enum { ROUNDS_OPTION = 256, JSON };
	static const struct option options[] = {
		{ "rounds", required_argument, NULL, ROUNDS_OPTION },
		{ "json", no_argument, NULL, JSON },
		{ "help", no_argument, NULL, 'h' },
		{ NULL }
	};
	char *error, *end;
	int option;

	while ((option = getopt_long(argc, argv, "h", options, NULL)) != -1) {
		switch (option) {
		case ROUNDS_OPTION:
			task->rounds = strtoul(optarg, &end, 10);
			if (*optarg < '0' || *optarg > '9' || *end ||
			    task->rounds > 1000)
				return command_usage(&verify_command,
						     "--rounds '%s': 0 to 1000", optarg);
			break;
		case JSON:
			task->json = true;
			break;
		case 'h':
			return command_help(&verify_command);
		default:
			return command_usage(&verify_command, NULL);
		}
	}
	error = range_parse(&task->range, argc - optind, argv + optind, false);
	if (!error && task->range.len / sysconf(_SC_PAGESIZE) > PAGES_MAX)
		error = text_format("more than %lu pages at once", PAGES_MAX);
	if (!error)
		return -1;
	option = command_usage(&verify_command, "%s", error);
	free(error);
	return option;
}

/* The module, or what the kernel shows of itself. */
static int open_sources(struct task *task)
{
	int err;

	task->dev = device_open();
	if (task->dev >= 0)
		return 0;
	err = oracle_open(&task->oracle, task->range.pid);
	if (!err && geteuid()) {
		/* The kernel shows others no PFN, which would look like absent. */
		oracle_close(&task->oracle);
		err = -EPERM;
	}
	if (err)
		out_error("pages of process %d: %s", task->range.pid,
			  strerror(-err));
	return err;
}

static int run(int argc, char **argv)
{
	struct task task = { .rounds = ROUNDS, .dev = -1 };
	int code = parse(&task, argc, argv);

	if (code >= 0)
		return code;
	if (open_sources(&task))
		return PINPROBE_CANNOT;
	task.nr = task.range.len / sysconf(_SC_PAGESIZE);
	task.before = calloc(task.nr, sizeof(*task.before));
	task.after = calloc(task.nr, sizeof(*task.after));
	if (!task.before || !task.after) {
		out_error("no memory for the records of %zu pages", task.nr);
		return PINPROBE_BROKEN;
	}
	code = measure(&task) ? PINPROBE_CANNOT : judge(&task);
	free(task.before);
	free(task.after);
	if (task.dev >= 0)
		close(task.dev);
	else
		oracle_close(&task.oracle);
	return code;
}

const struct command verify_command = {
	.name = "verify",
	.summary = "whether memory is really pinned",
	.help = help,
	.run = run,
};
