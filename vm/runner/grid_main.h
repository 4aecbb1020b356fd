/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_GRID_MAIN_H
#define VMRUN_GRID_MAIN_H

/* argv[1] is --table, --merge, --diff or --cell; all return the exit code. */
int grid_main_table(int argc, char **argv);
int grid_main_diff(int argc, char **argv);
int grid_main_cell(int argc, char **argv);

#endif
