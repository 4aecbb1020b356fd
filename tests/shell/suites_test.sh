# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# vm/suites as vm/run reads it.

test_suite_of_one_program()
{
	suite_tests permissions ''
	check_equal "$TESTS" $'permissions 30\n'
	suite_tests permissions 7
	check_equal "$TESTS" $'permissions 7\n'
}

# A "-" reached the guest's arithmetic once, and took its init with it.
test_suite_without_a_timeout_of_its_own()
{
	local program limit

	suite_tests bench ''
	read -r program limit <<<"$TESTS"
	check_equal "$program" bench
	case $limit in *[!0-9]* | '') fail "a time-out of \"$limit\"" ;; esac
}

# With arguments it is for the suite alone, and for that profile's rows.
test_suite_with_arguments()
{
	suite_tests contracts '' viommu
	check_equal "$TESTS" $'contracts 240\n'
	suite_tests contracts_own '' viommu
	check_equal "$TESTS" $'contracts 240 --row vfio.*\n'
	suite_tests contracts_own 7 dax
	check_equal "$TESTS" $'contracts 7 --row *.device.*\n'
	check_ends 1 '' suite_tests contracts_own '' none
}

test_suite_unknown()
{
	check_ends 1 '' suite_tests no_such_suite ''
}
