// SPDX-License-Identifier: GPL-2.0
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "text.h"

enum kind {
	KIND_STRING,
	KIND_SECONDS,
	KIND_FLAG,
};

struct entry {
	const char *name;
	enum kind kind;
	size_t offset;
	const char *help;
};

#define ENTRY(name, kind, field, help) \
	{ name, kind, offsetof(struct options, field), help }

static const struct entry entries[] = {
	ENTRY("run-dir", KIND_STRING, run_dir,
	      "DIR: where everything about this run goes"),
	ENTRY("judge", KIND_STRING, judge,
	      "DIR: judge this run folder again, start nothing"),
	ENTRY("qemu-arch", KIND_STRING, qemu_arch, "x86_64 (default) or aarch64"),
	ENTRY("qemu", KIND_STRING, qemu,
	      "FILE: QEMU to run instead of qemu-system-ARCH"),
	ENTRY("kernel-image", KIND_STRING, kernel_image, "FILE"),
	ENTRY("initrd", KIND_STRING, initrd, "FILE"),
	ENTRY("append", KIND_STRING, append, "kernel arguments"),
	ENTRY("memory", KIND_STRING, memory, "memory of the guest (default 1G)"),
	ENTRY("qemu-args", KIND_STRING, qemu_args,
	      "\"ARGUMENT ...\": more arguments for QEMU, none with a blank in it"),
	ENTRY("cpus", KIND_SECONDS, cpus, "CPUs of the guest (default 2)"),
	ENTRY("kernel-name", KIND_STRING, kernel_name, "name in vm/kernels"),
	ENTRY("kernel-release", KIND_STRING, kernel_release,
	      "what uname -r must be in the guest"),
	ENTRY("kernel-note", KIND_STRING, kernel_note,
	      "word for people: stock, own build"),
	ENTRY("profile", KIND_STRING, profile, "name in vm/profiles"),
	ENTRY("expect", KIND_STRING, expect,
	      "\"key=value key>=value ...\": what must be true after boot"),
	ENTRY("suite-name", KIND_STRING, suite_name, "what is run, for the reports"),
	ENTRY("shard", KIND_STRING, shard, "I/N: the share of the suite that is run"),
	ENTRY("programs", KIND_STRING, programs,
	      "\"PROGRAM ...\": all of the suite, for --merge"),
	ENTRY("row", KIND_STRING, row,
	      "NAME: judge this one result; 2 if there is none of that name"),
	ENTRY("boot-timeout", KIND_SECONDS, boot_timeout,
	      "seconds until the guest is ready (default 60; x 4 under TCG)"),
	ENTRY("test-timeout", KIND_SECONDS, test_timeout,
	      "seconds for a program that names none (default 120; x 4)"),
	ENTRY("total-timeout", KIND_SECONDS, total_timeout,
	      "seconds for all of it (default 1800; x 4)"),
	ENTRY("slow", KIND_SECONDS, slow,
	      "times the deadlines, for a kernel that looks for mistakes"),
	ENTRY("accel", KIND_STRING, accel, "auto (default), kvm or tcg"),
	ENTRY("mttcg", KIND_FLAG, mttcg,
	      "in emulation, a thread of the host for each CPU of the guest"),
	ENTRY("cpu-clock", KIND_FLAG, cpu_clock,
	      "the kernel finds no clock but the CPU's: in emulation, tell it the rate"),
	ENTRY("accel-cache", KIND_STRING, accel_cache,
	      "FILE that keeps the answer of auto"),
	ENTRY("kvm-device", KIND_STRING, kvm_device, "FILE (default /dev/kvm)"),
	ENTRY("deny", KIND_STRING, deny, "FILE: what is a splat on the console"),
	ENTRY("allow", KIND_STRING, allow, "FILE: splats that are excused"),
	ENTRY("skips", KIND_STRING, skips, "FILE: skips that are expected"),
	ENTRY("repeat-command", KIND_STRING, repeat_command,
	      "what the user types to have this again"),
	ENTRY("table", KIND_STRING, table, "matrix: print the case records"),
	ENTRY("ended", KIND_STRING, ended,
	      "for --judge: how the VM ended, if result.json is not there"),
	ENTRY("passthrough", KIND_FLAG, passthrough,
	      "the guest runs a command: pass its output and exit code on"),
	ENTRY("quiet", KIND_FLAG, quiet, "print what is wrong and the sum"),
};

#define ENTRIES	((int)ARRAY_SIZE(entries))

static char *option_set(struct options *o, const struct entry *e,
			const char *value)
{
	char *field = (char *)o + e->offset;
	long long number;

	switch (e->kind) {
	case KIND_STRING:
		memcpy(field, &value, sizeof(value));
		break;
	case KIND_SECONDS:
		if (!text_number(value, &number) || number < 1 ||
		    number > 1000000)
			return text_format("--%s: \"%s\" is not a number above 0",
					   e->name, value);
		*(int *)field = number;
		break;
	case KIND_FLAG:
		*(bool *)field = true;
		break;
	}
	return NULL;
}

static void options_default(struct options *o)
{
	memset(o, 0, sizeof(*o));
	o->qemu_arch = "x86_64";
	o->append = "";
	o->qemu_args = "";
	o->memory = "1G";
	o->cpus = 2;
	o->accel = "auto";
	o->kvm_device = "/dev/kvm";
	o->boot_timeout = 60;
	o->test_timeout = 120;
	o->total_timeout = 1800;
	o->slow = 1;
}

static char *options_check(const struct options *o)
{
	if (o->judge)
		return o->run_dir ? text_dup("--judge and --run-dir exclude each other") : NULL;
	if (!o->run_dir || !o->kernel_image || !o->initrd || !o->deny)
		return text_dup("--run-dir, --kernel-image, --initrd and --deny are needed; vmrun --help");
	if (strcmp(o->accel, "auto") && strcmp(o->accel, "kvm") &&
	    strcmp(o->accel, "tcg"))
		return text_format("--accel: \"%s\" is not auto, kvm or tcg",
				   o->accel);
	if (strcmp(o->qemu_arch, "x86_64") && strcmp(o->qemu_arch, "aarch64"))
		return text_format("--qemu-arch: \"%s\" is not x86_64 or aarch64",
				   o->qemu_arch);
	if (o->table && strcmp(o->table, "matrix"))
		return text_format("--table: \"%s\" is not matrix", o->table);
	return NULL;
}

char *options_parse(struct options *o, int argc, char **argv)
{
	struct option longs[ENTRIES + 1] = { 0 };
	char *error = NULL;
	int i, c, index;

	options_default(o);
	for (i = 0; i < ENTRIES; i++) {
		longs[i].name = entries[i].name;
		longs[i].has_arg = entries[i].kind != KIND_FLAG;
	}
	opterr = 0;
	optind = 1;
	while (!error && (c = getopt_long(argc, argv, "", longs, &index)) != -1) {
		if (c == '?')
			error = text_format("%s: unknown, ambiguous or without its value; vmrun --help",
					    argv[optind - 1]);
		else
			error = option_set(o, &entries[index], optarg);
	}
	if (!error && optind < argc)
		error = text_format("%s: one argument too many", argv[optind]);
	return error ? error : options_check(o);
}

void options_help(void)
{
	int i;

	puts("usage: vmrun --run-dir DIR --kernel-image FILE --initrd FILE --deny FILE [OPTION]...\n"
	     "       vmrun --judge DIR --deny FILE [OPTION]...\n"
	     "       vmrun --sum [--extra PASSED,FAILED,SKIPPED]... RUN-DIR...\n"
	     "       vmrun --table [--out DIR] [--quiet] RUN-DIR|FILE...\n"
	     "       vmrun --merge [--plan FILE] [--out DIR] [--quiet] [--extra P,F,S]... RUN-DIR|FILE...\n"
	     "       vmrun --chart OUT RUN-DIR...	OUT.txt, OUT.json and OUT.svg\n"
	     "       vmrun --diff A B		run folders or merged files; FILE#kernel/profile\n"
	     "       vmrun --cell ROW RUN-DIR\n"
	     "       vmrun --plan [--format github|gitlab|text] [--shards N] <LINES\n"
	     "       vmrun --first-bad order|next|say NAME=RELEASE=unknown|good|bad|skip...\n");
	for (i = 0; i < ENTRIES; i++)
		printf("  --%-16s %s\n", entries[i].name, entries[i].help);
	puts("\nExit code: 0 pass, 1 a test failed, 2 usage, 3 kernel splat or leak only, 4 all\n"
	     "skipped, 5 guest panic, 124 timeout, 125 cannot boot or not the guest asked\n"
	     "for, 126 lost VM, 130 and 143 interrupted. The worst one counts, in this order:\n"
	     "interrupted, 5, 124, 126, 125, 1, 3, 4, 0.");
}
