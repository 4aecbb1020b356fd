// SPDX-License-Identifier: GPL-2.0
/* pinprobe map: the command line. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "command.h"
#include "exit.h"
#include "map.h"
#include "out.h"

static const char help[] =
"usage: pinprobe map [OPTION...] [PID]\n"
"\n"
"Draws physical memory by pageblock as one SVG: zones, CMA areas, and where the\n"
"pages of a process lie. For root it reads the migratetype of every pageblock by BPF\n"
"where the kernel has BTF; with the module pinprobe.ko loaded it sees which pages\n"
"are held. What is not seen is said in the picture.\n"
"\n"
"  -o, --output FILE   replace FILE as a whole (default: standard output)\n"
"      --per-cell N    pageblocks that a cell stands for (default: as many as it\n"
"                      takes for at most 16384 cells)\n"
"      --json          one object in place of the picture\n"
"      --root DIR      read DIR/proc, DIR/sys and DIR/dev, as recorded elsewhere\n"
"  -h, --help          this\n"
"\n"
"Exit codes: 0 drawn; 2 usage; 4 there is no such process, or where its pages lie is\n"
"not shown to who is not root; 126 it could not be written.\n"
"\n"
"Examples:\n"
"  sudo pinprobe map $(pidof trainer) -o trainer.svg\n"
"  pinprobe map --json | jq '.blocks[] | select(.migratetype == \"cma\")'\n";

struct options {
	struct map map;
	uint64_t per_cell;
	const char *output;
	bool json;
};

static int write_out(const char *output, const char *s)
{
	char *error;

	if (!output) {
		fputs(s, stdout);
		return PINPROBE_OK;
	}
	error = out_file(output, s);
	if (!error)
		return PINPROBE_OK;
	out_error("%s", error);
	free(error);
	return PINPROBE_BROKEN;
}

static int print(const struct options *o)
{
	struct text t = { 0 };
	json_object *j;
	int code;

	if (o->json) {
		j = map_json(&o->map);
		text_puts(&t, json_object_to_json_string_ext(j,
			JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
		text_puts(&t, "\n");
		json_object_put(j);
	} else {
		map_svg(&o->map, o->per_cell, &t);
	}
	code = write_out(o->output, t.s);
	text_free(&t);
	return code;
}

static int draw(struct options *o)
{
	int code = PINPROBE_CANNOT;

	o->map.page_size = sysconf(_SC_PAGESIZE);
	if (map_read_memory(&o->map)) {
		map_read_types(&o->map);
		map_read_cma(&o->map);
		if (!o->map.pid || !map_read_process(&o->map))
			code = print(o);
	}
	map_free(&o->map);
	return code;
}

static int one_option(int c, struct options *o)
{
	long long value;

	switch (c) {
	case 'o':
		o->output = optarg;
		return 0;
	case 'j':
		o->json = true;
		return 0;
	case 'r':
		o->map.source.root = optarg;
		return 0;
	case 'c':
		if (!text_number(optarg, &value) || value < 1 || value > 1 << 20)
			return command_usage(&map_command,
					     "--per-cell '%s': 1 to 1048576", optarg);
		o->per_cell = value;
		return 0;
	default:
		return command_usage(&map_command, NULL);
	}
}

static int run(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "per-cell", required_argument, NULL, 'c' },
		{ "json", no_argument, NULL, 'j' },
		{ "root", required_argument, NULL, 'r' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL },
	};
	struct options o = { .map.source.root = "" };
	long long pid;
	int c, code;

	while ((c = getopt_long(argc, argv, "o:h", longs, NULL)) != -1) {
		if (c == 'h')
			return command_help(&map_command);
		code = one_option(c, &o);
		if (code)
			return code;
	}
	if (argc - optind > 1)
		return command_usage(&map_command, "what is '%s'?", argv[optind + 1]);
	if (optind < argc) {
		if (!text_number(argv[optind], &pid) || pid < 1 || pid > INT32_MAX)
			return command_usage(&map_command, "'%s' is no PID", argv[optind]);
		o.map.pid = pid;
	}
	return draw(&o);
}

const struct command map_command = {
	.name = "map",
	.summary = "a picture of physical memory, and of a process in it",
	.help = help,
	.run = run,
};
