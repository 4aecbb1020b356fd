// SPDX-License-Identifier: GPL-2.0
/* pinprobe litmus: the command line. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "exit.h"
#include "litmus.h"
#include "litmus_command.h"
#include "out.h"

static const struct litmus_provider *const providers[] = {
	&litmus_ibverbs,
	&litmus_cuda,
	&litmus_vfio,
	&litmus_io_uring,
	&litmus_xdp,
	&litmus_udmabuf,
	&litmus_exec,
	&litmus_pinprobe_none,
	&litmus_pinprobe_get,
	&litmus_pinprobe_pin,
	&litmus_pinprobe_longterm,
	&litmus_mlock,
	&litmus_vmsplice,
	&litmus_process_vm,
	NULL
};

enum action {
	ACTION_ONE,
	ACTION_LIST,
	ACTION_SELF_TEST,
};

struct request {
	enum action action;
	bool json;
	const char *provider;
	struct litmus_options options;
};

static const struct litmus_provider *find(const char *name)
{
	size_t i;

	for (i = 0; providers[i]; i++)
		if (!strcmp(providers[i]->name, name))
			return providers[i];
	return NULL;
}

/* Each provider, and whether it is there. */
static int list(const struct request *r)
{
	json_object *all = json_object_new_array(), *one;
	const struct litmus_provider *const *p;
	struct litmus_session s;
	int err;

	for (p = providers; *p; p++) {
		bool asked = (*p)->flags & LITMUS_ON_REQUEST;

		err = asked ? 0 : litmus_session_open(&s, *p, &r->options);
		one = json_object_new_object();
		json_object_object_add(one, "provider",
				       json_object_new_string((*p)->name));
		json_object_object_add(one, "summary",
				       json_object_new_string((*p)->summary));
		if (err)
			json_object_object_add(one, "why_not",
				json_object_new_string(litmus_why(&s, err)));
		json_object_array_add(all, one);
		if (!r->json) {
			printf("%-18s %s\n", (*p)->name, (*p)->summary);
			if (err)
				out_text(OUT_FAINT, "%-18s   not here: %s\n", "",
					 litmus_why(&s, err));
		}
		if (!asked)
			litmus_session_close(&s);
	}
	if (r->json)
		out_json(all);
	json_object_put(all);
	return PINPROBE_OK;
}

static void cannot(const struct request *r, const char *name, const char *why,
		   const char *kind)
{
	json_object *j;

	if (!r->json) {
		out_text(OUT_TITLE, "%s", name);
		printf(": %s %s\n", kind, why);
		return;
	}
	j = json_object_new_object();
	json_object_object_add(j, "provider", json_object_new_string(name));
	json_object_object_add(j, "rung", json_object_new_string("unknown"));
	json_object_object_add(j, "why_not", json_object_new_string(why));
	out_json(j);
	json_object_put(j);
}

static int one(const struct request *r, const struct litmus_provider *provider)
{
	struct litmus_evidence e;
	struct litmus_finding f;
	struct litmus_session s;
	int err, code = PINPROBE_CANNOT;
	json_object *j;

	err = litmus_session_open(&s, provider, &r->options);
	if (err) {
		cannot(r, provider->name, litmus_why(&s, err),
		       "cannot tell here, because");
		goto close;
	}
	err = litmus_gather(&s, &e);
	if (err) {
		cannot(r, provider->name, litmus_why(&s, err), "the call failed,");
		code = PINPROBE_FOUND;
		goto close;
	}
	litmus_decide(&e, &f);
	if (r->json) {
		j = litmus_json(&s, &e, &f);
		out_json(j);
		json_object_put(j);
	} else {
		litmus_print(&s, &e, &f);
	}
	code = f.rung ? PINPROBE_OK : PINPROBE_CANNOT;
close:
	litmus_session_close(&s);
	return code;
}

static void report(const struct request *r, const struct litmus_provider *p,
		   int code, enum litmus_rung rung, const char *why,
		   json_object *all)
{
	json_object *j = json_object_new_object();
	const char *word;

	word = code == PINPROBE_OK ? "ok" : code == PINPROBE_FOUND ? "WRONG" :
	       "not here";
	json_object_object_add(j, "provider", json_object_new_string(p->name));
	json_object_object_add(j, "result", json_object_new_string(word));
	json_object_object_add(j, "expected",
			       json_object_new_string(litmus_rung_name(p->expect)));
	json_object_object_add(j, "rung",
			       json_object_new_string(litmus_rung_name(rung)));
	if (*why)
		json_object_object_add(j, "why_not", json_object_new_string(why));
	json_object_array_add(all, j);
	if (!r->json) {
		out_text(code == PINPROBE_OK ? OUT_GOOD : code == PINPROBE_FOUND ?
			 OUT_CRITICAL : OUT_FAINT, "%-9s", word);
		printf("%-18s is %-14s found %s\n", p->name,
		       litmus_rung_name(p->expect), litmus_rung_name(rung));
		if (*why)
			out_paragraph("           ", why);
	}
}

/* One provider whose rung is known. */
static int check(const struct request *r, const struct litmus_provider *p,
		 json_object *all)
{
	struct litmus_evidence e;
	struct litmus_finding f = { .rung = LITMUS_RUNG_UNKNOWN };
	struct litmus_session s;
	const struct litmus_reason *wrong = NULL;
	const char *why = "";
	int err, code;

	err = litmus_session_open(&s, p, &r->options);
	code = err ? PINPROBE_CANNOT : PINPROBE_OK;
	if (!err)
		err = litmus_gather(&s, &e);
	if (err) {
		why = litmus_why(&s, err);
	} else {
		litmus_decide(&e, &f);
		wrong = litmus_refuted(&f, p->expect);
		why = wrong ? wrong->text : f.why_not;
	}
	if (!code && (wrong || (f.rung && f.rung != p->expect)))
		code = PINPROBE_FOUND;
	else if (!f.rung)
		code = PINPROBE_CANNOT;
	report(r, p, code, f.rung, why, all);
	litmus_session_close(&s);
	return code;
}

/* Wrong if one is, cannot tell if none could be told. */
static int self_test(const struct request *r)
{
	json_object *all = json_object_new_array();
	const struct litmus_provider *const *p;
	int code, worst = PINPROBE_CANNOT;

	for (p = providers; *p; p++) {
		if (!(*p)->expect)
			continue;
		code = check(r, *p, all);
		if (code == PINPROBE_FOUND ||
		    (code == PINPROBE_OK && worst == PINPROBE_CANNOT))
			worst = code;
	}
	if (r->json)
		out_json(all);
	json_object_put(all);
	return worst;
}

/* 0, or the exit code and one more. */
static int parse(int argc, char **argv, struct request *r)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "device", required_argument, NULL, 'd' },
		{ "dir", required_argument, NULL, 'D' },
		{ "exec", no_argument, NULL, 'x' },
		{ "list", no_argument, NULL, 'l' },
		{ "self-test", no_argument, NULL, 's' },
		{ "help", no_argument, NULL, 'h' },
		{ }
	};
	int c;

	memset(r, 0, sizeof(*r));
	optind = 1;
	while (!r->provider &&
	       (c = getopt_long(argc, argv, "+jd:h", options, NULL)) >= 0) {
		switch (c) {
		case 'j':
			r->json = true;
			break;
		case 'd':
			r->options.device = optarg;
			break;
		case 'D':
			r->options.dir = optarg;
			break;
		case 'x':
			r->provider = litmus_exec.name;
			break;
		case 'l':
			r->action = ACTION_LIST;
			break;
		case 's':
			r->action = ACTION_SELF_TEST;
			break;
		case 'h':
			return 1 + command_help(&litmus_command);
		default:
			return 1 + command_usage(&litmus_command, NULL);
		}
	}
	return 0;
}

/* The provider may stand before its options, as one would write it. */
static int parse_words(int argc, char **argv, struct request *r)
{
	int code = parse(argc, argv, r);
	const char *word;

	if (code || r->provider || r->action != ACTION_ONE) {
		if (r->provider)
			r->options.program = argv + optind;
		else if (!code && argv[optind])
			return 1 + command_usage(&litmus_command,
						 "unexpected '%s'", argv[optind]);
		return code;
	}
	word = argv[optind];
	if (!word)
		return 1 + command_usage(&litmus_command,
					 "no provider; --list names them");
	if (argv[optind + 1]) {
		struct request rest;
		int at = optind;

		code = parse(argc - at, argv + at, &rest);
		if (code)
			return code;
		if (rest.provider || rest.action || argv[at + optind])
			return 1 + command_usage(&litmus_command,
						 "only options may follow '%s'",
						 word);
		r->json |= rest.json;
		if (rest.options.device)
			r->options.device = rest.options.device;
		if (rest.options.dir)
			r->options.dir = rest.options.dir;
	}
	r->provider = word;
	return 0;
}

static int run(int argc, char **argv)
{
	const struct litmus_provider *provider;
	struct request r;
	int code = parse_words(argc, argv, &r);

	if (code)
		return code - 1;
	if (r.action == ACTION_LIST)
		return list(&r);
	if (r.action == ACTION_SELF_TEST)
		return self_test(&r);
	provider = find(r.provider);
	if (!provider)
		return command_usage(&litmus_command,
				     "no provider '%s'; --list names them",
				     r.provider);
	if (provider == &litmus_exec &&
	    (!r.options.program || !r.options.program[0]))
		return command_usage(&litmus_command,
				     "--exec needs a program");
	return one(&r, provider);
}

const struct command litmus_command = {
	.name = "litmus",
	.summary = "which contract a driver's pin call declares",
	.help =
		"usage: pinprobe litmus [OPTION...] PROVIDER\n"
		"       pinprobe litmus [OPTION...] --exec PROGRAM [ARGUMENT...]\n"
		"       pinprobe litmus [OPTION...] --list | --self-test\n\n"
		"Registers memory through PROVIDER and tells from what the kernel lets through\n"
		"what the call takes: no page, a reference (GET), FOLL_PIN, or FOLL_PIN with\n"
		"FOLL_LONGTERM; and when it asks to write. Needs no module and no BPF; says\n"
		"more as root.\n\n"
		"  -d, --device NAME  the device: of ibverbs, vfio (a group), cuda (an ordinal)\n"
		"      --dir DIR      a folder on a disk, for a file (default: TMPDIR, /var/tmp,\n"
		"                     /tmp or the current folder, whichever is written back)\n"
		"      --exec         a program of yours does the registering: pinprobe-litmus(8)\n"
		"      --list         the providers, and which are not here\n"
		"      --self-test    the providers whose contract is known: is it found?\n"
		"  -j, --json         for programs\n\n"
		"Exit codes: 0 the contract is found, 1 the call fails (or a wrong contract with\n"
		"--self-test), 2 usage, 4 cannot tell here.\n\n"
		"Examples:\n"
		"  pinprobe litmus ibverbs --device rxe0\n"
		"  pinprobe litmus cuda --json\n"
		"  pinprobe litmus --exec ./register-with-my-driver /dev/mydriver\n"
		"  sudo pinprobe litmus --self-test\n",
	.run = run,
};
