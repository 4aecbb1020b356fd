// SPDX-License-Identifier: GPL-2.0
/* The accelerator is decided by booting with it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"
#include "unit.h"
#include "vmrun_cli.h"

static void setup_auto(const char *fake)
{
	unit_write("kvm", "", 0);
	unlink(unit_path("log"));
	setenv("FAKE_LOG", unit_path("log"), 1);
	CHECK_NUMBER(RUN(fake, "--accel", "auto", "--kvm-device",
			 unit_path("kvm"), "--accel-cache",
			 unit_path("cache")), 0);
}

static int starts(void)
{
	return strlen(unit_read(unit_path("log"), NULL)) / strlen("start\n");
}

TEST(vmrun_accel_kvm_works)
{
	setup_auto("kvm_works");
	CHECK(strstr(cli_out, "accelerator: kvm (this kernel boots with it)"));
	CHECK_NUMBER(starts(), 2);
	/* once is enough */
	setup_auto("kvm_works");
	CHECK(strstr(cli_out, "accelerator: kvm ("));
	CHECK_NUMBER(starts(), 1);
	CHECK(strstr(unit_read(unit_path("run/qemu.argv"), NULL),
		     "-accel kvm"));
}

/* The node opens, QEMU takes it, and the guest never comes to life. */
TEST(vmrun_accel_kvm_hangs)
{
	setup_auto("kvm_hangs");
	CHECK(strstr(cli_out, "accelerator: tcg (KVM: the kernel printed nothing in 5 s: KVM internal error. Suberror: 1)"));
	CHECK_NUMBER(starts(), 2);
	setup_auto("kvm_hangs");
	CHECK(strstr(cli_out, "accelerator: tcg (KVM:"));
	CHECK_NUMBER(starts(), 1);
}

TEST(vmrun_accel_kvm_dies)
{
	setup_auto("kvm_dies");
	CHECK(strstr(cli_out, "accelerator: tcg (KVM: the kernel printed nothing and QEMU ended"));
}

TEST(vmrun_accel_no_node)
{
	setenv("FAKE_LOG", unit_path("log"), 1);
	CHECK_NUMBER(RUN("pass", "--accel", "auto", "--kvm-device",
			 "/nonexistent/kvm"), 0);
	CHECK(strstr(cli_out, "accelerator: tcg (/nonexistent/kvm: No such file"));
	CHECK_NUMBER(starts(), 1);
}

TEST(vmrun_accel_other_architecture)
{
	CHECK_NUMBER(RUN("pass", "--accel", "auto", "--qemu-arch", "aarch64",
			 "--kvm-device", "/dev/null"), 0);
	CHECK(strstr(cli_out, "accelerator: tcg (the host is "));
}

/* A cache with rubbish in it is no answer, and stays no obstacle. */
TEST(vmrun_accel_cache_is_rubbish)
{
	unit_write("cache", "\n\t\t\nhalf a li", 12);
	setup_auto("kvm_works");
	CHECK_NUMBER(starts(), 2);
	setup_auto("kvm_works");
	CHECK_NUMBER(starts(), 1);
}

/* KVM was said to work and now nothing boots: ask again next time. */
TEST(vmrun_accel_cache_is_wrong)
{
	setup_auto("kvm_works");
	setenv("FAKE", "silent", 1);
	CHECK_NUMBER(RUN("silent", "--accel", "auto", "--kvm-device",
			 unit_path("kvm"), "--accel-cache",
			 unit_path("cache"), "--boot-timeout", "1"), 125);
	CHECK_STRING(unit_read(unit_path("cache"), NULL), "");
}
