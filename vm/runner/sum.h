/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_SUM_H
#define VMRUN_SUM_H

/* vmrun --sum [--extra P,F,S]... DIR...: adds runs up; the exit code. */
int sum_main(int argc, char **argv);

#endif
