// SPDX-License-Identifier: GPL-2.0
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "ktap.h"
#include "outcome.h"
#include "text.h"

#define EXIT_NO_ROW	2

/* By outcome; OUTCOME_INTERRUPTED is 128 + the signal instead. */
static const struct {
	const char *name;
	int exit_code;
} outcomes[OUTCOME_COUNT] = {
	[OUTCOME_PASSED] = { "passed", 0 },
	[OUTCOME_SKIPPED] = { "all skipped", 4 },
	[OUTCOME_SPLAT] = { "splat", 3 },
	[OUTCOME_FAILED] = { "failed", 1 },
	[OUTCOME_CANNOT] = { "cannot boot", 125 },
	[OUTCOME_LOST] = { "lost VM", 126 },
	[OUTCOME_TIMEOUT] = { "timeout", 124 },
	[OUTCOME_PANIC] = { "panic", 5 },
	[OUTCOME_INTERRUPTED] = { "interrupted", 130 },
};

const char *outcome_name(enum outcome o)
{
	return outcomes[o].name;
}

bool outcome_parse(const char *name, enum outcome *o)
{
	int i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		if (strcmp(outcomes[i].name, name))
			continue;
		*o = i;
		return true;
	}
	return false;
}

/* Takes text. What is worse, or was first, stays. */
static void propose(struct verdict *v, enum outcome o, char *text)
{
	if (o <= v->outcome) {
		free(text);
		return;
	}
	free(v->diagnosis);
	v->diagnosis = text;
	v->outcome = o;
	v->exit_code = outcomes[o].exit_code;
}

static bool run_booted(const struct run *r)
{
	return r->channel.phase > PHASE_BOOT;
}

/* To be freed. QEMU's own words count where the kernel had none. */
static char *run_last_words(const struct run *r)
{
	char *shown, *words;

	if (!r->console.last_line && r->qemu_said)
		return text_format("QEMU said: %s", r->qemu_said);
	if (!r->console.last_line)
		return text_dup("the console is empty");
	shown = text_printable(r->console.last_line,
			       strnlen(r->console.last_line, 160));
	words = text_format("the console ends with: %s", shown);
	free(shown);
	return words;
}

static void decide_panic(const struct run *r, struct verdict *v)
{
	const struct splat *p = r->console.panic;
	char *where;

	if (!p)
		return;
	where = text_format("%s%s%s%s%s", p->test ? " (in " : "",
			    p->test ? p->test : "", p->test ? ")" : "",
			    p->fingerprint.len ? " at " : "",
			    p->fingerprint.len ? p->fingerprint.s : "");
	if (run_booted(r))
		propose(v, OUTCOME_PANIC,
			text_format("the guest panicked%s: %s", where,
				    p->title));
	else
		propose(v, OUTCOME_CANNOT,
			text_format("the guest panicked while it booted: %s",
				    p->title));
	free(where);
}

static void decide_boot_deadline(const struct run *r, struct verdict *v)
{
	char *last = run_last_words(r);
	int limit = r->options->boot_timeout * r->scale;

	if (run_booted(r))
		propose(v, OUTCOME_TIMEOUT,
			text_format("the guest's init did not get ready within %d s; %s",
				    limit, last));
	else
		propose(v, OUTCOME_CANNOT,
			text_format("the guest did not boot within %d s; %s",
				    limit, last));
	free(last);
}

static void decide_deadline(const struct run *r, struct verdict *v)
{
	const struct channel *c = &r->channel;

	switch (r->ended) {
	case ENDED_BOOT_DEADLINE:
		decide_boot_deadline(r, v);
		break;
	case ENDED_TEST_DEADLINE:
		propose(v, OUTCOME_TIMEOUT,
			text_format("the guest hung %s",
				    r->ended_in ? r->ended_in : "between two tests"));
		break;
	case ENDED_TOTAL_DEADLINE:
		propose(v, OUTCOME_TIMEOUT,
			text_format("not done within %d s in all",
				    r->options->total_timeout * r->scale));
		break;
	case ENDED_POWEROFF_DEADLINE:
		propose(v, OUTCOME_TIMEOUT,
			text_dup("the guest was done and then did not power off"));
		break;
	default:
		break;
	}
	if (c->timeouts)
		propose(v, OUTCOME_TIMEOUT,
			text_format("%s did not end within its deadline",
				    c->late_program));
}

static char *vm_status_text(int status)
{
	if (status == -1)
		return text_dup("");
	if (WIFSIGNALED(status))
		return text_format(" (QEMU: signal %d)", WTERMSIG(status));
	if (WEXITSTATUS(status))
		return text_format(" (QEMU: exit code %d)",
				   WEXITSTATUS(status));
	return text_dup(" (it powered off)");
}

static void decide_lost(const struct run *r, struct verdict *v)
{
	const struct channel *c = &r->channel;
	const char *disk = r->disk_full ?
			   " (the disk of the run folder is full)" : "";
	char *status, *last;

	if (r->ended != ENDED_SELF || c->abort_reason || r->unmet)
		return;
	status = vm_status_text(r->vm_status);
	last = run_last_words(r);
	if (!run_booted(r))
		propose(v, OUTCOME_CANNOT,
			text_format("the guest ended before its init reported anything%s%s; %s",
				    status, disk, last));
	else if (c->phase != PHASE_DONE)
		propose(v, OUTCOME_LOST,
			text_format("the VM ended without the end marker, %s%s%s; %s",
				    r->ended_in ? r->ended_in : "between two tests",
				    status, disk, last));
	free(status);
	free(last);
}

/* Splats go to the console: one that shows nothing has shown no splat either. */
static void decide_mute_console(const struct run *r, struct verdict *v)
{
	if (r->console.markers ||
	    (!r->channel.programs && !r->channel.have_exit))
		return;
	propose(v, OUTCOME_CANNOT,
		text_format("the console shows no test's mark (%zu bytes in all), so a splat would not be seen: has this kernel a serial console?",
			    r->console.bytes));
}

static void decide_end(const struct run *r, struct verdict *v)
{
	const struct channel *c = &r->channel;

	if (r->ended == ENDED_SIGNAL) {
		propose(v, OUTCOME_INTERRUPTED,
			text_format("interrupted by signal %d (%s)", r->signal,
				    strsignal(r->signal)));
		v->exit_code = 128 + r->signal;
	}
	if (r->ended == ENDED_NOT_STARTED)
		propose(v, OUTCOME_CANNOT,
			text_dup(r->start_error ? r->start_error :
				 "the guest was not started"));
	if (r->unmet)
		propose(v, OUTCOME_CANNOT, text_dup(r->unmet));
	if (c->abort_reason)
		propose(v, OUTCOME_CANNOT,
			text_format("the guest cannot do this: %s",
				    c->abort_reason));
	if (c->flooded || r->ended == ENDED_FLOOD)
		propose(v, OUTCOME_FAILED,
			text_format("the guest flooded %s",
				    r->flooded ? r->flooded : "the result channel"));
	if (r->options->passthrough && c->phase == PHASE_DONE && !c->have_exit)
		propose(v, OUTCOME_LOST,
			text_dup("the guest did not report the command's exit code"));
}

static const struct result *first_failed(const struct results *r)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (r->all[i].status == STATUS_FAILED && !r->all[i].check)
			return &r->all[i];
	for (i = 0; i < r->count; i++)
		if (r->all[i].status == STATUS_FAILED)
			return &r->all[i];
	return NULL;
}

static void decide_tests(const struct run *r, struct verdict *v)
{
	const struct results *all = &r->channel.results;
	const struct result *failed = first_failed(all);
	unsigned long passed = 0, skipped = 0;
	struct counts counts;
	size_t i;

	for (i = 0; i < all->count; i++) {
		if (all->all[i].check)
			continue;
		passed += all->all[i].status == STATUS_PASSED;
		skipped += all->all[i].status == STATUS_SKIPPED;
	}
	results_count(all, &counts);
	if (failed || all->dropped)
		propose(v, OUTCOME_FAILED,
			text_format("%lu failed, first: %s: %s", counts.failed,
				    failed ? failed->name : "too many results",
				    failed && failed->reason ?
				    failed->reason : "see what it printed"));
	else if (!passed && !skipped)
		propose(v, OUTCOME_FAILED, text_dup("no test ran"));
	else if (!passed)
		propose(v, OUTCOME_SKIPPED,
			text_format("all %lu tests were skipped", skipped));
}

static const struct result *result_named(const struct results *r,
					 const char *name)
{
	size_t i;

	for (i = 0; i < r->count; i++)
		if (!strcmp(r->all[i].name, name))
			return &r->all[i];
	return NULL;
}

/* No result of that name: is there no such test, or did it not get there? */
static void decide_no_row(const struct run *r, struct verdict *v)
{
	const char *row = r->options->row;
	const struct results *all = &r->channel.results;
	const struct result *cut;
	char *name = text_format("%.*s.completed", (int)strcspn(row, "."), row);

	cut = result_named(all, name);
	if (cut && cut->reason && strcmp(cut->reason, KTAP_RAN_NO_TEST))
		propose(v, OUTCOME_FAILED,
			text_format("no result of %s: %s: %s", row, name,
				    cut->reason));
	free(name);
	if (v->outcome >= OUTCOME_FAILED)
		return;
	propose(v, OUTCOME_FAILED, text_format("no such row: %s", row));
	v->exit_code = EXIT_NO_ROW;
}

static void decide_row(const struct run *r, struct verdict *v)
{
	const char *row = r->options->row;
	const struct result *t = result_named(&r->channel.results, row);

	if (!t)
		decide_no_row(r, v);
	else if (t->status == STATUS_FAILED)
		propose(v, OUTCOME_FAILED,
			text_format("%s: %s", row,
				    t->reason ? t->reason : "see what it printed"));
	else if (t->status == STATUS_SKIPPED)
		propose(v, OUTCOME_SKIPPED,
			text_format("%s was skipped: %s", row,
				    t->reason ? t->reason : "no reason given"));
}

static void decide_splats(const struct run *r, struct verdict *v)
{
	const struct console *c = &r->console;
	size_t i, n = console_unexcused(c);

	for (i = 0; n && i < c->count; i++) {
		const struct splat *s = &c->splats[i];

		if (s->allowed)
			continue;
		propose(v, OUTCOME_SPLAT,
			text_format("%zu kernel splats, first in %s: %s%s%s", n,
				    s->test ? s->test : "boot", s->title,
				    s->fingerprint.len ? " at " : "",
				    s->fingerprint.len ? s->fingerprint.s : ""));
	}
}

/* The user's command decides, unless something worse than its failure. */
static void decide_passthrough(const struct run *r, struct verdict *v)
{
	const struct result *failed = first_failed(&r->channel.results);

	if (failed)
		propose(v, OUTCOME_SPLAT,
			text_format("%s: %s", failed->name, failed->reason));
	decide_splats(r, v);
	if (v->outcome > OUTCOME_FAILED || !r->channel.have_exit ||
	    !r->channel.exit_code)
		return;
	propose(v, OUTCOME_FAILED,
		text_format("the command ended with %ld",
			    r->channel.exit_code));
	v->exit_code = r->channel.exit_code;
}

void outcome_decide(const struct run *r, struct verdict *v)
{
	memset(v, 0, sizeof(*v));
	v->diagnosis = text_dup("");
	decide_end(r, v);
	decide_panic(r, v);
	decide_deadline(r, v);
	decide_lost(r, v);
	decide_mute_console(r, v);
	if (r->options->passthrough) {
		decide_passthrough(r, v);
	} else {
		if (r->options->row)
			decide_row(r, v);
		else
			decide_tests(r, v);
		decide_splats(r, v);
	}
	/* Ended for a reason that the logs do not bear out: never a pass. */
	if (r->ended != ENDED_SELF && v->outcome < OUTCOME_FAILED)
		propose(v, OUTCOME_LOST,
			text_format("the guest was ended early (%s)",
				    ended_name(r->ended)));
}
