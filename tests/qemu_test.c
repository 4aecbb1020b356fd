// SPDX-License-Identifier: GPL-2.0
/* QEMU's command line, for each architecture. */
#include <stdlib.h>
#include <string.h>

#include "qemu.h"
#include "text.h"
#include "unit.h"

static struct options options;

static void setup(const char *arch, const char *append)
{
	options = (struct options) {
		.qemu_arch = arch,
		.kernel_image = "/k/Image",
		.initrd = "/r/initrd",
		.append = append,
		.memory = "1G",
		.cpus = 2,
	};
}

/* What follows an option, which must be there once. */
static const char *value(const struct argv *a, const char *option)
{
	const char *found = NULL;
	size_t i;

	for (i = 0; i < a->count; i++) {
		if (strcmp(a->v[i], option))
			continue;
		CHECK(!found && i + 1 < a->count);
		found = a->v[i + 1];
	}
	CHECK(found);
	return found;
}

static void check_machine(const char *arch, const char *accel,
			  const char *machine, const char *cpu,
			  const char *append)
{
	struct argv a;

	setup(arch, "quiet");
	qemu_argv(&a, &options, "/bin/qemu", accel, "/run dir");
	CHECK_STRING(a.v[0], "/bin/qemu");
	CHECK(!a.v[a.count]);
	CHECK_STRING(value(&a, "-machine"), machine);
	CHECK_STRING(value(&a, "-cpu"), cpu);
	CHECK_STRING(value(&a, "-append"), append);
	CHECK_STRING(value(&a, "-kernel"), "/k/Image");
	CHECK_STRING(value(&a, "-initrd"), "/r/initrd");
	CHECK_STRING(value(&a, "-smp"), "2");
	CHECK_STRING(value(&a, "-m"), "1G");
	CHECK_STRING(value(&a, "-serial"), "chardev:console");
	argv_free(&a);
}

TEST(qemu_argv_x86_64)
{
	check_machine("x86_64", "tcg", "q35", "max,erms=off,fsrm=off",
		      "console=ttyS0 panic=-1 quiet");
	check_machine("x86_64", "kvm", "q35", "host",
		      "console=ttyS0 panic=-1 quiet");
}

TEST(qemu_argv_aarch64)
{
	check_machine("aarch64", "tcg", "virt", "max,pauth=off,sve=off",
		      "console=ttyAMA0 panic=-1 quiet");
	check_machine("aarch64", "kvm", "virt,gic-version=host", "host",
		      "console=ttyAMA0 panic=-1 quiet");
}

/* Who names a console gets that one, and nothing is added. */
TEST(qemu_argv_console_of_the_callers)
{
	struct argv a;

	setup("aarch64", "console=hvc0 quiet");
	qemu_argv(&a, &options, "/bin/qemu", "tcg", "/run");
	CHECK_STRING(value(&a, "-append"), "console=hvc0 quiet");
	argv_free(&a);
}

/* The argument's number, 0 if there is none. */
static unsigned long told_khz(const char *arch, const char *accel)
{
	static const char option[] = " tsc_early_khz=";
	unsigned long khz = 0;
	const char *at;
	struct argv a;
	char *end;

	setup(arch, "quiet");
	options.cpu_clock = true;
	qemu_argv(&a, &options, "/bin/qemu", accel, "/run");
	at = strstr(value(&a, "-append"), option);
	if (at) {
		khz = strtoul(at + strlen(option), &end, 10);
		CHECK(!*end);
	}
	argv_free(&a);
	return khz;
}

/* The rate of what an emulated CPU counts by; no such counter, nothing said. */
TEST(qemu_argv_cpu_clock)
{
	unsigned long khz = told_khz("x86_64", "tcg");

#ifdef __x86_64__
	CHECK(khz > 100000 && khz < 20000000);
#else
	CHECK_NUMBER(khz, 0);
#endif
	CHECK_NUMBER(told_khz("x86_64", "kvm"), 0);
	CHECK_NUMBER(told_khz("aarch64", "tcg"), 0);
}

static void check_probe(const char *arch, const char *append)
{
	struct argv a;

	setup(arch, "quiet");
	qemu_argv_probe(&a, &options, "/bin/qemu", "/run/console");
	CHECK_STRING(value(&a, "-accel"), "kvm");
	CHECK_STRING(value(&a, "-cpu"), "host");
	CHECK_STRING(value(&a, "-append"), append);
	argv_free(&a);
}

/* A kernel that dies early must have a console by then. */
TEST(qemu_argv_probe_sees_early_output)
{
	check_probe("x86_64", "console=ttyS0 earlyprintk=ttyS0 panic=-1");
	check_probe("aarch64", "console=ttyAMA0 earlycon panic=-1");
}

/* The package that has it, where none is in PATH. */
TEST(qemu_missing_names_the_package)
{
	char *error = NULL;

	setenv("PATH", unit_scratch, 1);
	setup("aarch64", "");
	CHECK(!qemu_find(&options, &error));
	CHECK(strstr(error, "no qemu-system-aarch64 in PATH; apt-get install qemu-system-arm"));
	setup("x86_64", "");
	CHECK(!qemu_find(&options, &error));
	CHECK(strstr(error, "no qemu-system-x86_64 in PATH; apt-get install qemu-system-x86"));
}

/* Of a profile, in their order and behind what they may refer to. */
TEST(qemu_argv_of_a_profile)
{
	struct argv a;
	size_t i;

	setup("x86_64", "");
	options.memory = "1G,slots=1,maxmem=2G";
	options.qemu_args = " -object o,id=m -device pc-dimm,memdev=m ";
	qemu_argv(&a, &options, "/bin/qemu", "tcg", "/run");
	CHECK_STRING(value(&a, "-m"), "1G,slots=1,maxmem=2G");
	for (i = 0; i < a.count && strcmp(a.v[i], "-object"); i++)
		;
	CHECK(i + 3 < a.count);
	CHECK_STRING(a.v[i + 1], "o,id=m");
	CHECK_STRING(a.v[i + 2], "-device");
	CHECK_STRING(a.v[i + 3], "pc-dimm,memdev=m");
}
