// SPDX-License-Identifier: GPL-2.0
/* pinprobe resolve, pin and verify, on pages of this process. */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include "kselftest_harness.h"
#include "lib/buffer.h"
#include "lib/device.h"
#include "lib/memory.h"
#include "lib/oracle.h"
#include "lib/page.h"
#include "lib/promise.h"
#include "lib/tool.h"

#define PAGES		16
#define HELD		5	/* the page that somebody holds */
#define TIMEOUT		60
/* Enough to push every page touched earlier out of the CPU's LRU batch. */
#define LRU_BATCH	64

FIXTURE(pages)
{
	int dev;
	struct oracle oracle;
	size_t page;
	char *map;
	char pid[16], addr[24], len[24];
	struct tool tool;
};

FIXTURE_SETUP(pages)
{
	cpu_set_t cpu;

	self->oracle.pagemap = -1;
	self->oracle.kpageflags = -1;
	self->oracle.kpagecount = -1;
	self->dev = device_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, oracle_open(&self->oracle, 0));
	self->page = page_size();
	self->map = memory_map(PAGES * self->page);
	ASSERT_NE(NULL, self->map);
	snprintf(self->pid, sizeof(self->pid), "%d", getpid());
	snprintf(self->addr, sizeof(self->addr), "%" PRIxPTR,
		 (uintptr_t)self->map);
	snprintf(self->len, sizeof(self->len), "%zu", PAGES * self->page);
	/* Pages wait in a batch of the CPU that touched them. */
	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpu), &cpu));
}

FIXTURE_TEARDOWN(pages)
{
	tool_free(&self->tool);
	close(self->dev);
	oracle_close(&self->oracle);
}

static void touch(char *map, size_t page, int step)
{
	int i;

	for (i = 0; i < PAGES; i += step)
		map[i * page] = 1;
	munmap(memory_touched(LRU_BATCH * page), LRU_BATCH * page);
}

#define RUN(...) do {							\
	tool_free(&self->tool);						\
	ASSERT_EQ(0, TOOL_RUN(&self->tool, ##__VA_ARGS__, "--json",	\
			      self->pid, self->addr, self->len));	\
	ASSERT_NE(NULL, self->tool.json) TH_LOG("exit %d: %s",		\
		self->tool.code, self->tool.err);			\
} while (0)

static json_object *record(const struct tool *tool, int nr)
{
	char path[32];

	snprintf(path, sizeof(path), "pages/%d", nr);
	return tool_at(tool->json, path);
}

static uint64_t hex(json_object *json, const char *path)
{
	return strtoull(tool_string(json, path), NULL, 16);
}

/* Every second page touched, so that neighbours cannot stand in for a page. */
TEST_F(pages, pfn_is_pagemaps)
{
	int i;

	touch(self->map, self->page, 2);
	RUN("resolve", "--pages");
	for (i = 0; i < PAGES; i++) {
		json_object *one = record(&self->tool, i);
		char *addr = self->map + i * self->page;
		uint64_t pfn = oracle_pfn(&self->oracle, addr);

		EXPECT_EQ((uintptr_t)addr, hex(one, "addr"));
		EXPECT_EQ(1, tool_number(one, "nr_pages"));
		EXPECT_EQ(!(i % 2), !!pfn);
		EXPECT_STREQ(pfn ? "present" : "absent",
			     tool_string(one, "state"));
		EXPECT_EQ(pfn, hex(one, "pfn"));
	}
	EXPECT_EQ(NULL, record(&self->tool, PAGES));
	EXPECT_EQ(PAGES / 2, tool_number(self->tool.json, "sum/present"));
	EXPECT_EQ(PAGES / 2, tool_number(self->tool.json, "sum/absent"));
	EXPECT_EQ(0, tool_number(self->tool.json, "sum/held"));
}

/* Without --pages neighbours share a line, and nothing is lost by that. */
TEST_F(pages, runs_add_up)
{
	int64_t nr = 0;
	int i;

	touch(self->map, self->page, 1);
	RUN("resolve");
	for (i = 0; record(&self->tool, i); i++)
		nr += tool_number(record(&self->tool, i), "nr_pages");
	EXPECT_EQ(PAGES, nr);
	EXPECT_EQ(PAGES, tool_number(self->tool.json, "sum/present"));
}

/* Nothing is read in unless that is asked for. */
TEST_F(pages, fault_reads_in)
{
	RUN("resolve");
	EXPECT_EQ(PAGES, tool_number(self->tool.json, "sum/absent"));
	RUN("resolve", "--fault");
	EXPECT_EQ(PAGES, tool_number(self->tool.json, "sum/present"));
}

/* Only the page that somebody holds, by whichever rung. */
TEST_F(pages, held_page)
{
	static const uint32_t calls[] = {
		PINPROBE_CALL_GET_FAST, PINPROBE_CALL_PIN_FAST,
	};
	size_t i;
	int fd;

	touch(self->map, self->page, 1);
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		fd = device_pin(self->dev, self->map + HELD * self->page,
				self->page, calls[i], 0, NULL);
		ASSERT_LE(0, fd);
		RUN("resolve", "--pages", "--held");
		EXPECT_EQ(1, tool_number(self->tool.json, "sum/held"));
		EXPECT_EQ((uintptr_t)self->map + HELD * self->page,
			  hex(record(&self->tool, 0), "addr"));
		EXPECT_EQ(NULL, record(&self->tool, 1));
		EXPECT_EQ(calls[i] == PINPROBE_CALL_PIN_FAST,
			  tool_number(record(&self->tool, 0), "pins"));
		close(fd);
	}
	RUN("resolve", "--held");
	EXPECT_EQ(NULL, record(&self->tool, 0));
}

/* Held where a long-term pin must not leave it: that is the exit code. */
TEST_F(pages, stuck_page_is_the_exit_code)
{
	struct look look = { .dev = self->dev };
	struct buffer buffer;
	int fd, err;

	err = buffer_find(&buffer, &look, BACKING_ANON, BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err);
	snprintf(self->addr, sizeof(self->addr), "%" PRIxPTR,
		 (uintptr_t)buffer.addr);
	snprintf(self->len, sizeof(self->len), "%zu", buffer.len);
	RUN("resolve", "--unpinnable");
	EXPECT_EQ(0, self->tool.code);
	EXPECT_EQ(1, tool_number(self->tool.json, "sum/unpinnable"));
	fd = device_pin(self->dev, buffer.addr, buffer.len,
			PINPROBE_CALL_PIN_FAST, PINPROBE_PIN_WRITE, NULL);
	ASSERT_LE(0, fd);
	RUN("resolve", "--held", "--unpinnable");
	EXPECT_EQ(1, self->tool.code);
	EXPECT_EQ(1, tool_number(self->tool.json, "sum/stuck"));
	close(fd);
	RUN("resolve", "--held", "--unpinnable");
	EXPECT_EQ(0, self->tool.code);
	buffer_free(&buffer);
}

/* How often a page is pinned, as the module counts. */
static uint32_t pins(int dev, const char *addr)
{
	struct pinprobe_page page;

	return device_resolve_one(dev, addr, &page) ? ~0U : page.pins;
}

/* The pin is the process's: there while it runs, and gone with it. */
TEST_F(pages, pin_lives_as_long_as_the_command)
{
	static const int signals[] = { SIGTERM, SIGKILL };
	json_object *said;
	size_t i;
	pid_t pid;

	touch(self->map, self->page, 1);
	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++) {
		EXPECT_EQ(0, pins(self->dev, self->map));
		pid = tool_start(&said, (const char *const[]) {
				 "pin", "--write", "--json", self->pid,
				 self->addr, self->len, NULL });
		ASSERT_LT(0, pid);
		ASSERT_NE(NULL, said);
		EXPECT_EQ(0, tool_number(said, "errno"));
		EXPECT_EQ(PAGES, tool_number(said, "nr_pinned"));
		EXPECT_EQ(1, pins(self->dev, self->map));
		EXPECT_EQ(1, pins(self->dev, self->map + (PAGES - 1) * self->page));
		EXPECT_EQ(0, kill(pid, signals[i]));
		EXPECT_EQ(signals[i] == SIGTERM ? 0 : -SIGKILL, tool_wait(pid));
		EXPECT_EQ(0, pins(self->dev, self->map));
		json_object_put(said);
	}
}

/* Each way to hold, and what of it the module sees. */
TEST_F(pages, pin_takes_what_is_asked_for)
{
	struct pinprobe_page page;
	json_object *said;
	pid_t pid;

	touch(self->map, self->page, 1);
	pid = tool_start(&said, (const char *const[]) {
			 "pin", "--get", "--json", self->pid, self->addr,
			 self->len, NULL });
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, device_resolve_one(self->dev, self->map, &page));
	EXPECT_EQ(page.refs_expected + 1, page.refs);
	EXPECT_EQ(0, page.pins);
	kill(pid, SIGTERM);
	EXPECT_EQ(0, tool_wait(pid));
	json_object_put(said);
	pid = tool_start(&said, (const char *const[]) {
			 "pin", "--write", "--json", self->pid,
			 self->addr, self->len, NULL });
	ASSERT_LT(0, pid);
	ASSERT_EQ(0, device_resolve_one(self->dev, self->map, &page));
	EXPECT_EQ(1, page.pins);
	kill(pid, SIGTERM);
	EXPECT_EQ(0, tool_wait(pid));
	json_object_put(said);
}

/* Out of where it must not stay, which a pin that is not long-term leaves be. */
TEST_F(pages, pin_longterm_moves_it)
{
	struct look look = { .dev = self->dev };
	struct pinprobe_page page;
	struct buffer buffer;
	json_object *said;
	int err;
	pid_t pid;

	err = buffer_find(&buffer, &look, BACKING_ANON, BUFFER_UNPINNABLE);
	if (err == -ENODATA && promise_unpinnable() == ~0U)
		SKIP(return, "not-this-profile: no unpinnable memory");
	ASSERT_EQ(0, err);
	snprintf(self->addr, sizeof(self->addr), "%" PRIxPTR,
		 (uintptr_t)buffer.addr);
	snprintf(self->len, sizeof(self->len), "%zu", buffer.len);
	munmap(memory_touched(LRU_BATCH * self->page), LRU_BATCH * self->page);
	pid = tool_start(&said, (const char *const[]) {
			 "pin", "--longterm", "--write", "--json", self->pid,
			 self->addr, self->len, NULL });
	ASSERT_LT(0, pid);
	EXPECT_EQ(1, tool_number(said, "moved"));
	ASSERT_EQ(0, device_resolve_one(self->dev, buffer.addr, &page));
	EXPECT_EQ(1, page.pins);
	EXPECT_EQ(0, page.unpinnable);
	kill(pid, SIGTERM);
	EXPECT_EQ(0, tool_wait(pid));
	json_object_put(said);
	buffer_free(&buffer);
}

TEST_F(pages, pin_hands_on_the_exit_code)
{
	touch(self->map, self->page, 1);
	ASSERT_EQ(0, TOOL_RUN(&self->tool, "pin", self->pid, self->addr,
			      self->len, "--", "sh", "-c", "exit 7"));
	EXPECT_EQ(7, self->tool.code);
	EXPECT_EQ(0, pins(self->dev, self->map));
}

/* Memory that nobody has mapped cannot be held. */
TEST_F(pages, pin_that_fails)
{
	ASSERT_EQ(0, munmap(self->map, PAGES * self->page));
	RUN("pin", "--for", "1");
	EXPECT_EQ(1, self->tool.code);
	EXPECT_STREQ("EFAULT", tool_string(self->tool.json, "errno_name"));
	EXPECT_EQ(0, tool_number(self->tool.json, "nr_pinned"));
}

static const struct {
	const char *name;
	bool held;
	uint32_t call, flags;
	const char *verdict;
	int code;
} holds[] = {
	{ "pinned", true, PINPROBE_CALL_PIN_FAST,
	  PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, "OK", 0 },
	{ "referenced", true, PINPROBE_CALL_GET_FAST, PINPROBE_PIN_WRITE,
	  "NOPIN", 1 },
	{ "free", false, 0, 0, "NOPIN", 1 },
};

TEST_F_TIMEOUT(pages, verify_answers, TIMEOUT)
{
	size_t i;
	int fd;

	for (i = 0; i < sizeof(holds) / sizeof(*holds); i++) {
		touch(self->map, self->page, 1);
		fd = holds[i].held ?
			device_pin(self->dev, self->map, PAGES * self->page,
				   holds[i].call, holds[i].flags, NULL) : -1;
		ASSERT_EQ(holds[i].held, fd >= 0);
		RUN("verify", "--rounds", "1");
		EXPECT_EQ(holds[i].code, self->tool.code)
			TH_LOG("%s: %s", holds[i].name, self->tool.out);
		EXPECT_STREQ(holds[i].verdict,
			     tool_string(self->tool.json, "verdict"));
		EXPECT_EQ(PAGES, tool_number(self->tool.json, "pages"));
		if (holds[i].held) {
			EXPECT_EQ(0, tool_number(self->tool.json, "moved"));
			EXPECT_EQ(holds[i].code ? PAGES : 0,
				  tool_number(self->tool.json, "held_by_references"));
			EXPECT_EQ(0, tool_number(self->tool.json, "held_by_nobody"));
			close(fd);
		} else {
			/* One that has just moved is in a CPU's LRU batch. */
			EXPECT_LE(PAGES, tool_number(self->tool.json, "moved") +
					 tool_number(self->tool.json, "held_by_nobody"));
		}
	}
}

/* One page of many is enough for no. */
TEST_F_TIMEOUT(pages, verify_misses_no_page, TIMEOUT)
{
	int fd;

	touch(self->map, self->page, 1);
	fd = device_pin(self->dev, self->map, (PAGES - 1) * self->page,
			PINPROBE_CALL_PIN_FAST,
			PINPROBE_PIN_WRITE | PINPROBE_PIN_LONGTERM, NULL);
	ASSERT_LE(0, fd);
	RUN("verify", "--rounds", "0");
	EXPECT_EQ(1, self->tool.code);
	EXPECT_EQ(1, tool_number(self->tool.json, "held_by_nobody"));
	close(fd);
}

/* Every command says so, and none of them guesses. */
TEST_F(pages, no_such_process)
{
	static const char *const commands[] = { "resolve", "pin", "verify" };
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		tool_free(&self->tool);
		ASSERT_EQ(0, TOOL_RUN(&self->tool, commands[i], "4000000",
				      self->addr, self->len));
		EXPECT_EQ(4, self->tool.code) TH_LOG("%s", commands[i]);
		EXPECT_NE(0, *self->tool.err);
	}
}

TEST_HARNESS_MAIN
