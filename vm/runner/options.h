/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_OPTIONS_H
#define VMRUN_OPTIONS_H

#include <stdbool.h>

struct options {
	const char *run_dir;
	const char *judge;		/* run folder to judge again */
	const char *qemu_arch;
	const char *qemu;		/* binary; NULL: qemu-system-ARCH */
	const char *kernel_image;
	const char *initrd;
	const char *append;
	const char *memory;
	const char *qemu_args;		/* blank-separated */
	const char *kernel_name;
	const char *kernel_release;
	const char *kernel_note;	/* "stock 7.3.4-1" */
	const char *profile;
	const char *expect;
	const char *suite_name;
	const char *shard;		/* "1/3": a share of the suite */
	const char *programs;		/* of the whole suite, blanks between */
	const char *row;		/* the one result that is asked for */
	const char *accel;
	const char *accel_cache;
	const char *kvm_device;
	const char *deny;
	const char *allow;
	const char *skips;
	const char *repeat_command;
	const char *table;
	const char *ended;		/* for --judge: how the VM ended */
	int cpus;
	int boot_timeout;		/* seconds, as for KVM */
	int test_timeout;
	int total_timeout;
	int slow;			/* times all of them */
	bool mttcg;
	bool cpu_clock;
	bool passthrough;
	bool quiet;
};

/* NULL, or what is wrong, to be freed. */
char *options_parse(struct options *o, int argc, char **argv);
void options_help(void);

#endif
