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

test_suite_unknown()
{
	check_ends 1 '' suite_tests no_such_suite ''
}
