// SPDX-License-Identifier: GPL-2.0
/*
 * pinprobe_kunit.ko: unit tests of what pinprobe.ko computes. That code is in
 * headers, so that both modules have it and neither needs the other.
 */
#include <kunit/test.h>
#include <linux/module.h>
#include "suites.h"

kunit_test_suites(&pp_account_suite, &pp_args_suite, &pp_pageblock_suite,
		  &pp_range_suite, &pp_run_suite, &pp_snapshot_suite);
MODULE_DESCRIPTION("Unit tests of pinprobe");
MODULE_LICENSE("GPL");
