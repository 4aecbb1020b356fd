# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Names of the contracts' parts, which the tables choose by globs.

# The tables say *cma where they mean memory that is MIGRATE_CMA.
test_only_cma_is_called_so()
{
	local names

	names=$(grep -hoE '\.name = "[a-z_]*cma"' "$TOP"/selftests/contracts/placement*.c |
		LC_ALL=C sort | tr '\n' ' ')
	check_equal "$names" '.name = "cma" .name = "hidden_cma" '
}
