// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "outcome.h"
#include "run.h"
#include "text.h"

static const char * const ended_names[ENDED_COUNT] = {
	[ENDED_SELF] = "by itself",
	[ENDED_NOT_STARTED] = "not started",
	[ENDED_PANIC] = "panic",
	[ENDED_BOOT_DEADLINE] = "boot deadline",
	[ENDED_TEST_DEADLINE] = "test deadline",
	[ENDED_TOTAL_DEADLINE] = "total deadline",
	[ENDED_POWEROFF_DEADLINE] = "power-off deadline",
	[ENDED_FLOOD] = "flood",
	[ENDED_PROFILE] = "profile",
	[ENDED_ABORT] = "abort",
	[ENDED_SIGNAL] = "signal",
};

const char *ended_name(enum ended e)
{
	return ended_names[e];
}

bool ended_parse(const char *name, enum ended *e)
{
	int i;

	for (i = 0; i < ENDED_COUNT; i++) {
		if (strcmp(ended_names[i], name))
			continue;
		*e = i;
		return true;
	}
	return false;
}

static char *run_load(struct run *r)
{
	const struct options *o = r->options;
	char *error, *bad;

	error = patterns_load_deny(&r->deny, o->deny);
	if (!error && o->allow)
		error = patterns_load_allow(&r->allow, o->allow,
					    o->kernel_release);
	if (!error && o->skips)
		error = skips_load(&r->skips, o->skips);
	if (!error && o->expect && !expects_parse(&r->expects, o->expect, &bad)) {
		error = text_format("--expect: \"%s\" is not key=value, key!=value, key>=number or key<=number",
				    bad);
		free(bad);
	}
	return error;
}

char *run_init(struct run *r, const struct options *o,
	       const struct channel_ops *ops, void *ctx)
{
	char number[16];

	memset(r, 0, sizeof(*r));
	r->options = o;
	r->vm_status = -1;
	r->scale = 1;
	r->accel = "not decided";
	console_init(&r->console, &r->deny, &r->allow);
	channel_init(&r->channel, ops, ctx);
	if (o->kernel_release)
		expects_add(&r->expects, "release", EXPECT_EQ,
			    o->kernel_release);
	snprintf(number, sizeof(number), "%d", o->cpus);
	expects_add(&r->expects, "cpus", EXPECT_EQ, number);
	return run_load(r);
}

bool run_check_guest(struct run *r)
{
	const char *profile = r->options->profile;

	free(r->unmet);
	r->unmet = expects_check(&r->expects, &r->channel.facts,
				 profile ? profile : "(none)");
	if (r->unmet)
		r->channel.stopped = true;
	return !r->unmet;
}

static const char *run_why(const struct run *r)
{
	static const char * const why[ENDED_COUNT] = {
		[ENDED_SELF] = "the VM was lost while it ran",
		[ENDED_NOT_STARTED] = "the VM was not started",
		[ENDED_PANIC] = "the guest panicked while it ran",
		[ENDED_BOOT_DEADLINE] = "the guest did not get ready",
		[ENDED_TEST_DEADLINE] = "it did not end within its deadline",
		[ENDED_TOTAL_DEADLINE] = "the run did not end within its deadline",
		[ENDED_POWEROFF_DEADLINE] = "the guest did not power off",
		[ENDED_FLOOD] = "the guest was ended: it flooded its output",
		[ENDED_PROFILE] = "the guest is not the one asked for",
		[ENDED_ABORT] = "the guest gave up",
		[ENDED_SIGNAL] = "the run was interrupted",
	};

	return r->console.panic ? why[ENDED_PANIC] : why[r->ended];
}

static void run_check_protocol(struct run *r)
{
	struct channel *c = &r->channel;
	char *why;

	if (!c->faults)
		return;
	why = text_format("%lu lines of the result channel are against its protocol",
			  c->faults);
	results_fail(&c->results, "guest", "guest.protocol", why,
		     c->first_fault);
	free(why);
}

/* One failure for each program whose time had splats. */
static void run_report_splats(struct run *r)
{
	struct console *c = &r->console;
	struct text diag = { 0 };
	size_t i, k;

	for (i = 0; i < c->count; i++) {
		const char *test = c->splats[i].test;
		char *name;

		for (k = 0; k < i; k++)
			if (!c->splats[k].allowed &&
			    !strcmp(c->splats[k].test ? c->splats[k].test : "boot",
				    test ? test : "boot"))
				break;
		if (c->splats[i].allowed || k < i)
			continue;
		text_puts(&diag, c->splats[i].lines.s ?
			  c->splats[i].lines.s : "");
		name = text_format("%s.console_clean", test ? test : "boot");
		results_fail(&r->channel.results, test ? test : "boot", name,
			     c->splats[i].title, diag.s);
		free(name);
		text_clear(&diag);
	}
	text_free(&diag);
}

static void run_report_command(struct run *r)
{
	const struct channel *c = &r->channel;
	char *why;

	if (!r->options->passthrough || !c->have_exit)
		return;
	if (!c->exit_code) {
		results_add(&r->channel.results, "command", "command.exit_code",
			    STATUS_PASSED);
		return;
	}
	why = text_format("it ended with %ld", c->exit_code);
	results_fail(&r->channel.results, "command", "command.exit_code", why,
		     NULL);
	free(why);
}

/* So that whoever reads only the reports sees what became of the guest. */
static void run_report_verdict(struct run *r)
{
	const struct verdict *v = &r->verdict;
	const struct splat *panic = r->console.panic;
	struct counts counts;

	results_count(&r->channel.results, &counts);
	if (v->outcome > OUTCOME_FAILED ||
	    (v->outcome == OUTCOME_FAILED && !counts.failed))
		results_fail(&r->channel.results, "guest", "guest.end",
			     v->diagnosis, panic ? panic->lines.s : NULL);
}

void run_end(struct run *r)
{
	struct channel *c = &r->channel;
	const char *kernel = r->options->kernel_name;
	const char *profile = r->options->profile;

	console_end(&r->console);
	if (c->phase == PHASE_PROGRAM)
		r->ended_in = text_format("in %s", c->program);
	else if (c->phase == PHASE_FACTS)
		r->ended_in = text_dup("while its init set things up");
	channel_end(c, run_why(r));
	run_check_protocol(r);
	/* One row that is asked for by name may skip: that is the answer. */
	if (!r->options->row)
		skips_apply(&r->skips, &c->results, kernel ? kernel : "",
			    profile ? profile : "");
	results_check_names(&c->results);
	outcome_decide(r, &r->verdict);
	run_report_splats(r);
	run_report_command(r);
	run_report_verdict(r);
}

void run_free(struct run *r)
{
	console_free(&r->console);
	channel_free(&r->channel);
	patterns_free(&r->deny);
	patterns_free(&r->allow);
	skips_free(&r->skips);
	expects_free(&r->expects);
	free(r->unmet);
	free(r->ended_in);
	free(r->start_error);
	free(r->qemu_said);
	free(r->accel_why);
	free(r->verdict.diagnosis);
}
