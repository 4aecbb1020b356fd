# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What "make check" and "make check-all" do beside booting guests: builds and
# static checks, and the unit tests. Sourced by bash last.

CHECK_PASSED=0 CHECK_FAILED=0 CHECK_SKIPPED=0

# check NAME COMMAND...: one build or static check.
check()
{
	local name=$1

	shift
	if awaited "$@"; then
		CHECK_PASSED=$((CHECK_PASSED + 1))
		say PASS "$name"
	else
		CHECK_FAILED=$((CHECK_FAILED + 1))
		say FAIL "$name"
	fi
}

pahole_check()
{
	"$TOP/vm/build" --no-kernel -- sh selftests/pahole-check.sh
}

unit_tests()
{
	local log=$BUILD/unit.log status=0 sums p f s

	awaited "$TOP/vm/unit" >"$log" 2>&1 </dev/null || status=$?
	if [ $status = 0 ]; then grep '^[0-9]* passed, ' "$log"; else grep -v '^ok ' "$log" || :; fi
	sums=$(sed -n 's/^\([0-9]* passed, [0-9]* failed, [0-9]* skipped\)$/\1/p' "$log" |
		awk '{ p += $1; f += $3; s += $5 } END { print p + 0, f + 0, s + 0 }')
	read -r p f s <<<"$sums"
	CHECK_PASSED=$((CHECK_PASSED + p)) CHECK_FAILED=$((CHECK_FAILED + f))
	CHECK_SKIPPED=$((CHECK_SKIPPED + s))
	if [ $status != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ]; then
		CHECK_FAILED=$((CHECK_FAILED + 1))
		say FAIL "unit tests (exit code $status)"
	fi
}

# kernels_built_from stock|source [NAMES]: rows of vm/kernels. Of those from source the
# NAMES (blanks between), each kernel once.
kernels_built_from()
{
	table_rows vm/kernels | awk -v of="$1" -v names=" ${2:-} " '
		($5 ~ /^source:/) != (of == "source") { next }
		of == "stock" || index(names, " " $1 " ") && !seen[$5]++'
}

# module_checks ARCH: of the rows of vm/kernels on stdin. SEEN: the architectures whose
# selftests were built.
module_checks()
{
	local kernel arch

	while read -r kernel arch _; do
		# shellcheck disable=SC2053
		[[ $arch == $1 ]] || continue
		check "module for $kernel, W=1 and sparse" vm/module --kernel "$kernel" --sparse
		case $SEEN in *" $arch "*) continue ;; esac
		SEEN+="$arch "
		check "selftests build for $arch, every program is in vm/suites" \
			vm/selftests --kernel "$kernel" --check
	done
}

# static_checks ARCH [SOURCE]: for the kernels of an architecture (glob); for another
# one than the host's they need a build root of their own. SOURCE: names with blanks
# between, those among them that are built from source, each once. These come last: what
# waits for nothing is done while they are compiled.
static_checks()
{
	SEEN=' '
	cd "$TOP" || exit
	module_checks "$1" < <(kernels_built_from stock)
	check "layout of the user ABI" pahole_check
	check "contracts: no row without a line, no line in vain" vm/oracle --check
	check "Documentation/what-may-be-pinned.rst is what contracts say" vm/oracle --page-check
	unit_tests
	module_checks "$1" < <(kernels_built_from source "${2:-}")
}
