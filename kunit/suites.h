/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_KUNIT_SUITES_H
#define PINPROBE_KUNIT_SUITES_H

struct kunit_suite;

extern struct kunit_suite pp_account_suite;
extern struct kunit_suite pp_args_suite;
extern struct kunit_suite pp_pageblock_suite;
extern struct kunit_suite pp_range_suite;
extern struct kunit_suite pp_run_suite;
extern struct kunit_suite pp_snapshot_suite;

#endif /* PINPROBE_KUNIT_SUITES_H */
