# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What is said about the command pinprobe in several places is the same.

# completes WORD...: the last word completed, on one line.
completes()
{
	local COMP_WORDS=(pinprobe "$@")
	local COMP_CWORD=$#

	# shellcheck source=tools/completion/pinprobe.bash
	. "$TOP/tools/completion/pinprobe.bash"
	_pinprobe
	echo "${COMPREPLY[*]}"
}

test_completion_of_commands()
{
	check_equal "$(completes doc)" doctor
	check_equal "$(completes help d)" doctor
	check_equal "$(completes --v)" --version
	check_equal "$(completes nonsense --)" ""
}

test_completion_of_options()
{
	check_equal "$(completes doctor --pr)" --prometheus
	check_equal "$(completes doctor --pid $$)" $$
	check_equal "$(completes doctor --root "$TOP/tests/da")" "$TOP/tests/data"
	check_equal "$(completes doctor --root "$TOP/Makef")" ""
	check_equal "$(completes doctor --json -o "$TOP/Makef")" "$TOP/Makefile"
}

# check_options COMMAND COUNT: every option of its --help is completed and has its
# place in the man page.
check_options()
{
	local command=$1 option n=0

	while read -r option; do
		n=$((n + 1))
		case " $(completes "$command" --) " in
		*" $option "*) ;;
		*) fail "$option: not completed" ;;
		esac
		grep -q -- "${option//-/\\\\-}" "$TOP/Documentation/man/pinprobe-$command.8" ||
			fail "$option: not in the man page"
	done < <(sed -n 's/^\t\{0,1\}"  \(-., \|    \|\)\(--[a-z-]*\)[^a-z-].*/\2/p' "$TOP/tools/$command.c")
	check_equal "$command $n" "$command $2"
}

test_options_are_documented()
{
	check_options doctor 6
	check_options map 5
	check_options who 7
	check_options explain 6
	check_options audit 4
}

test_completion_of_map()
{
	check_equal "$(completes map --per)" --per-cell
	check_equal "$(completes map $$)" $$
	check_equal "$(completes map -o "$TOP/Makef")" "$TOP/Makefile"
	check_equal "$(completes map --root "$TOP/tests/da")" "$TOP/tests/data"
}

# Every finding of the source is explained in both.
test_findings_are_documented()
{
	local id n=0

	while read -r id; do
		n=$((n + 1))
		grep -q -- "${id//-/\\\\-}" "$TOP/Documentation/man/pinprobe-doctor.8" ||
			fail "$id: not in the man page"
		grep -qw -- "$id" "$TOP/Documentation/tools.rst" ||
			fail "$id: not in tools.rst"
	done < <(sed -n '/doctor_find(/,/text_/p' "$TOP"/tools/doctor_*.c |
		grep -o '"[a-z0-9-]*",' | cut -d '"' -f 2 | sort -u)
	check_equal "$n" 22
}

test_rules_are_changes()
{
	local name since n=0

	while read -r name since; do
		n=$((n + 1))
		awk -v name="$name" -v since="v$since" '$1 == name && $3 == since { found = 1 }
			END { exit !found }' "$TOP/selftests/contracts/changes" ||
			fail "$name v$since: not in selftests/contracts/changes"
	done < <(sed -n 's/^\t{ "\([a-z_]*\)", "\([0-9.]*\)",$/\1 \2/p' "$TOP/tools/doctor_kernel.c")
	check_equal "$n" 6
}

test_completion_of_who()
{
	check_equal "$(completes who --root "$TOP/tests/da")" "$TOP/tests/data"
	check_equal "$(completes who --pfn "")" ""
}
