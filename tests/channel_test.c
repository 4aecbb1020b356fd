// SPDX-License-Identifier: GPL-2.0
/* The result channel's protocol. */
#include <stdlib.h>
#include <string.h>

#include "channel.h"
#include "unit.h"

static struct channel channel;
static struct text seen;	/* what the callbacks got */

static void on_facts(void *ctx)
{
	(void)ctx;
	text_puts(&seen, "facts\n");
}

static void on_print(void *ctx, const char *text)
{
	(void)ctx;
	text_printf(&seen, "print %s\n", text);
}

static void on_record(void *ctx, const char *text, json_object *json)
{
	(void)ctx;
	(void)text;
	text_puts(&seen, json ? "record\n" : "no record\n");
}

static void on_program(void *ctx, const char *name, size_t first,
		       double seconds)
{
	(void)ctx;
	(void)first;
	text_printf(&seen, "program %s %.1f\n", name, seconds);
}

static const struct channel_ops ops = {
	.facts = on_facts,
	.print = on_print,
	.record = on_record,
	.program = on_program,
};

static void feed(const char *bytes, size_t len)
{
	text_clear(&seen);
	text_puts(&seen, "");
	channel_init(&channel, &ops, NULL);
	channel_feed(&channel, bytes, len);
	channel_end(&channel, "the VM was lost while it ran");
}

static void feed_string(const char *s)
{
	feed(s, strlen(s));
}

static const struct result *find(const char *name)
{
	size_t i;

	for (i = 0; i < channel.results.count; i++)
		if (!strcmp(channel.results.all[i].name, name))
			return &channel.results.all[i];
	unit_fail(__FILE__, __LINE__, "no result %s", name);
}

static struct counts counts(void)
{
	struct counts n;

	results_count(&channel.results, &n);
	return n;
}

#define BOOT	"@guest release=7.3.4\n@guest cpus=2\n@guest-end\n"
#define GOOD	"@begin prog 30\nTAP version 13\n1..1\nok 1 a\n@end prog 0 1.5\n"

TEST(channel_whole)
{
	feed_string(BOOT GOOD
		    "@vmstat prog nr_foll_pin_acquired=7 nr_foll_pin_released=7\n"
		    "@done\n");
	CHECK_NUMBER(channel.phase, PHASE_DONE);
	CHECK_NUMBER(channel.faults, 0);
	CHECK_NUMBER(counts().passed, 2);
	CHECK_NUMBER(counts().failed, 0);
	CHECK_STRING(facts_get(&channel.facts, "release"), "7.3.4");
	CHECK_STRING(seen.s, "facts\nprogram prog 1.5\n");
	CHECK(find("prog.pins_balanced")->check);
}

TEST(channel_every_split)
{
	static const char log[] = BOOT GOOD "@print hello\n@done\n";
	size_t split;

	for (split = 1; split < sizeof(log) - 1; split++) {
		channel_init(&channel, NULL, NULL);
		channel_feed(&channel, log, split);
		channel_feed(&channel, log + split, sizeof(log) - 1 - split);
		channel_end(&channel, "");
		CHECK_NUMBER(channel.phase, PHASE_DONE);
		CHECK_NUMBER(channel.faults, 0);
		CHECK_NUMBER(channel.results.count, 1);
		channel_free(&channel);
	}
}

/* Nothing short of the whole log is done. */
TEST(channel_every_truncation)
{
	static const char log[] = BOOT GOOD "@done\n";
	size_t len;

	for (len = 0; len < sizeof(log) - 1; len++) {
		feed(log, len);
		CHECK(channel.phase != PHASE_DONE);
		channel_free(&channel);
	}
}

TEST(channel_begin_without_end)
{
	feed_string(BOOT "@begin prog 30\n1..2\nok 1 a\n");
	CHECK_NUMBER(counts().passed, 1);
	CHECK_NUMBER(counts().failed, 1);
	CHECK_STRING(find("prog.completed")->reason,
		     "the VM was lost while it ran");
}

TEST(channel_done_while_program_runs)
{
	feed_string(BOOT "@begin prog 30\n1..1\nok 1 a\n@done\n");
	CHECK_NUMBER(counts().failed, 1);
}

TEST(channel_begin_while_program_runs)
{
	feed_string(BOOT "@begin one\n1..1\nok 1 a\n@begin two\n1..1\nok 1 a\n@end two 0 0\n@done\n");
	CHECK_NUMBER(counts().failed, 1);
	CHECK(find("one.completed")->status == STATUS_FAILED);
	CHECK(find("two.a")->status == STATUS_PASSED);
}

TEST(channel_end_of_another)
{
	feed_string(BOOT "@begin one\n1..1\nok 1 a\n@end two 0 0\n@done\n");
	CHECK(channel.faults);
	CHECK(find("one.completed")->status == STATUS_FAILED);
}

TEST(channel_end_is_malformed)
{
	static const char * const ends[] = {
		"@end", "@end prog", "@end prog zero 1", "@end prog -1 1",
		"@end prog 256 1", "@end  prog", "@endprog 0 1",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		char *log = text_format(BOOT "@begin prog\n1..1\nok 1 a\n%s\n@done\n",
					ends[i]);

		feed_string(log);
		CHECK(channel.faults);
		CHECK_NUMBER(counts().failed, 1);
		free(log);
	}
}

TEST(channel_begin_is_malformed)
{
	static const char * const begins[] = {
		"@begin", "@begin ../x", "@begin -x", "@begin a/b",
		"@begin prog soon", "@begin prog -1", "@begin prog 1e9",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(begins); i++) {
		char *log = text_format(BOOT "%s\n1..1\nok 1 a\n", begins[i]);

		feed_string(log);
		CHECK(channel.faults);
		CHECK_NUMBER(counts().passed, 0);
		free(log);
	}
}

/* Tests that run before the guest was looked at do not count. */
TEST(channel_begin_before_guest_end)
{
	feed_string("@guest release=7.3.4\n" GOOD "@done\n");
	CHECK(channel.faults);
	CHECK_NUMBER(counts().passed, 0);
}

TEST(channel_results_outside_of_programs)
{
	feed_string(BOOT "# noise\n1..1\n@done\n");
	CHECK_NUMBER(channel.faults, 0);
	feed_string(BOOT "1..1\nok 1 a\n@done\n");
	CHECK_NUMBER(channel.results.count, 0);
	CHECK_NUMBER(channel.faults, 1);
	/* The rest of a program that goes on after its end. */
	feed_string(BOOT GOOD "  not ok 2 b\n@done\n");
	CHECK_NUMBER(channel.faults, 1);
	feed_string(BOOT GOOD "Bail out!\n@done\n");
	CHECK_NUMBER(channel.faults, 1);
}

TEST(channel_timeout)
{
	channel_init(&channel, NULL, NULL);
	channel_feed(&channel, BOOT "@begin prog 30\n",
		     strlen(BOOT "@begin prog 30\n"));
	CHECK_NUMBER(channel.timeout, 30);
	CHECK_NUMBER(channel.phase, PHASE_PROGRAM);
}

TEST(channel_late_program)
{
	feed_string(BOOT "@begin prog\n1..2\nok 1 a\n@end prog 124 60\n@done\n");
	CHECK_NUMBER(channel.timeouts, 1);
	CHECK_STRING(channel.late_program, "prog");
	CHECK_NUMBER(counts().failed, 1);
}

TEST(channel_after_done)
{
	feed_string(BOOT GOOD "@done\n\n");
	CHECK_NUMBER(channel.faults, 0);
	feed_string(BOOT GOOD "@done\n" GOOD);
	CHECK(channel.faults);
	CHECK_NUMBER(counts().passed, 1);
	feed_string(BOOT GOOD "@done\nnot ok 2 b");
	CHECK(channel.faults);
}

TEST(channel_done_with_words)
{
	feed_string(BOOT GOOD "@done not yet\n");
	CHECK(channel.phase != PHASE_DONE);
	CHECK(channel.faults);
}

TEST(channel_unknown_word)
{
	feed_string(BOOT GOOD "@donee\n@done\n");
	CHECK_NUMBER(channel.faults, 1);
	CHECK_STRING(channel.first_fault, "unknown word: @donee");
}

TEST(channel_records)
{
	feed_string(BOOT "@begin prog\n"
		    "@record {\"type\":\"pa'\\\"ge\",\"n\":[1,2.5,null,true]}\n"
		    "@record {\"type\":\"page\"\n"
		    "@record [1]\n"
		    "@record {} {}\n"
		    "@record\n"
		    "@record {\"a\":NaN}\n"
		    "@record {\"a\":1e999}\n"
		    "@record {'a':1}\n"
		    "@record {\"a\":\"\xff\"}\n"
		    "1..1\nok 1 a\n@end prog 0 0\n@done\n");
	CHECK_NUMBER(channel.records, 1);
	CHECK_NUMBER(channel.bad_records, 8);
	CHECK_NUMBER(counts().failed, 1);
	CHECK_STRING(find("prog.records")->diag, "{\"type\":\"page\"");
}

TEST(channel_record_outside_of_programs)
{
	feed_string(BOOT "@record nonsense\n" GOOD "@done\n");
	CHECK(channel.faults);
}

TEST(channel_vmstat)
{
	feed_string(BOOT "@begin prog\n1..1\nok 1 a\n"
		    "@vmstat prog nr_foll_pin_acquired=9 nr_foll_pin_released=8\n"
		    "@end prog 0 0\n@done\n");
	CHECK_NUMBER(channel.faults, 0);
	CHECK(find("prog.pins_balanced")->status == STATUS_FAILED);
	CHECK_STRING(find("prog.pins_balanced")->reason,
		     "9 page pins acquired, 8 released");
	CHECK(find("prog.a")->status == STATUS_PASSED);
}

TEST(channel_vmstat_is_malformed)
{
	static const char * const bad[] = {
		"@vmstat", "@vmstat prog", "@vmstat prog 1 1",
		"@vmstat prog nr_foll_pin_acquired= nr_foll_pin_released=",
		"@vmstat prog nr_foll_pin_acquired=1",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		char *log = text_format(BOOT GOOD "%s\n@done\n", bad[i]);

		feed_string(log);
		CHECK(channel.faults);
		free(log);
	}
}

TEST(channel_exit)
{
	feed_string(BOOT "@exit 7\n@done\n");
	CHECK(channel.have_exit);
	CHECK_NUMBER(channel.exit_code, 7);
	feed_string(BOOT "@exit\n@done\n");
	CHECK(!channel.have_exit);
	feed_string(BOOT "@exit 7\n@exit 0\n@done\n");
	CHECK_NUMBER(channel.exit_code, 7);
	CHECK(channel.faults);
}

TEST(channel_abort)
{
	feed_string("@guest release=7\n@abort rxe: no device\n" BOOT GOOD "@done\n");
	CHECK_STRING(channel.abort_reason, "rxe: no device");
	CHECK(channel.phase != PHASE_DONE);
	CHECK_NUMBER(counts().passed, 0);
}

TEST(channel_print_is_made_safe)
{
	feed_string(BOOT "@print   a\x1b[31m\xff \xe2\x86\x92\n");
	CHECK_STRING(seen.s, "facts\nprint   a?[31m? \xe2\x86\x92\n");
}

TEST(channel_nul_and_crlf)
{
	static const char log[] = BOOT "@begin prog\r\n1..1\r\nok 1 a\0b\r\n@end prog 0 0\r\n@done\r\n";

	feed(log, sizeof(log) - 1);
	CHECK_NUMBER(channel.phase, PHASE_DONE);
	CHECK_NUMBER(channel.faults, 0);
	find("prog.a?b");
}

TEST(channel_long_lines)
{
	size_t len = 4 * CHANNEL_LINE_MAX;
	char *line = text_alloc(len + 1), *log;

	memset(line, 'x', len);
	log = text_format(BOOT "@begin prog\n1..1\nok 1 a %s\n# %s\n@end prog 0 0\n@done\n",
			  line, line);
	feed_string(log);
	CHECK_NUMBER(channel.phase, PHASE_DONE);
	CHECK_NUMBER(channel.faults, 1);
	free(log);
	log = text_format(BOOT "@begin prog\n1..1\nok 1 a\n# %s\n@end prog 0 0\n@done\n",
			  line);
	feed_string(log);
	CHECK_NUMBER(channel.faults, 0);
	CHECK_NUMBER(counts().passed, 1);
	free(log);
	log = text_format(BOOT "@begin prog\n@record {\"a\":\"%s\"}\n1..1\nok 1 a\n@end prog 0 0\n@done\n",
			  line);
	feed_string(log);
	CHECK_NUMBER(channel.bad_records, 1);
	CHECK_NUMBER(counts().failed, 1);
	free(log);
	log = text_format(BOOT "@guest-end %s\n", line);
	feed_string(log);
	CHECK(channel.faults);
	free(log);
}

TEST(channel_flood)
{
	static char block[1 << 20];
	size_t fed = 0;

	memset(block, 'x', sizeof(block));
	channel_init(&channel, NULL, NULL);
	channel_feed(&channel, BOOT "@begin prog\n",
		     strlen(BOOT "@begin prog\n"));
	while (!channel.flooded && fed < 2 * CHANNEL_BYTES_MAX) {
		channel_feed(&channel, block, sizeof(block));
		fed += sizeof(block);
	}
	CHECK(channel.flooded);
	CHECK(fed <= CHANNEL_BYTES_MAX + sizeof(block));
	channel_feed(&channel, "\n@end prog 0 0\n@done\n", 21);
	channel_end(&channel, "it flooded the result channel");
	CHECK(channel.phase != PHASE_DONE);
}

/* Whatever comes, it is neither a crash nor a pass out of nothing. */
TEST(channel_random_bytes)
{
	static const char log[] = BOOT GOOD
		"@begin two 5\n1..2\n  1..1\n  ok 1 x\nok 1 y\nok 2 # SKIP no-cma: z\n"
		"@record {\"type\":\"case\"}\n@print x\n@end two 4 0.1\n"
		"@vmstat two nr_foll_pin_acquired=1 nr_foll_pin_released=1\n@exit 3\n";
	char copy[sizeof(log)];
	unsigned int seed = 7;
	int round, i;

	for (round = 0; round < 3000; round++) {
		memcpy(copy, log, sizeof(log));
		for (i = 0; i < 1 + round % 20; i++) {
			seed = seed * 1103515245 + 12345;
			copy[(seed >> 8) % (sizeof(log) - 1)] = seed >> 20;
		}
		feed(copy, sizeof(log) - 1);
		CHECK(channel.phase != PHASE_DONE);
		results_check_names(&channel.results);
		channel_free(&channel);
	}
}
