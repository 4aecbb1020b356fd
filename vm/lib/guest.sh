# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# One boot: profile, programs, run folder, runner. Sourced by bash last.

VMRUN=$BUILD/host/vmrun

ensure_runner()
{
	stale "$VMRUN" "$TOP/vm/runner" || return 0
	say RUNNER "build/host/vmrun"
	mkdir -p "$BUILD/host"
	if ! make -s -C "$TOP/vm/runner" >"$BUILD/host/build.log" 2>&1 </dev/null; then
		build_failed "$BUILD/host" "$BUILD/host/build.log" "the runner does not build"
	fi
	touch "$VMRUN"
}

# For what builds nothing else: no waiting for another's build.
ready_runner()
{
	stale "$VMRUN" "$TOP/vm/runner" || return 0
	build_lock
	ensure_runner
	build_unlock
}

PROFILES=$TOP/vm/profiles

# profile_fits ARCHITECTURES NEEDS ARCH HAS: whether a kernel of ARCH that HAS
# all that can run such a profile.
profile_fits()
{
	case ,$1, in
	*,any,* | *,"$3",*) has_all "$4" "$2" ;;
	*) return 1 ;;
	esac
}

# use_profile NAME: NAME may be empty. Sets P_NAME P_MEMORY P_CLASS P_ARGS
# P_QEMU P_EXPECT; P_ARGS and P_QEMU are words with blanks between.
use_profile()
{
	local name=$1 row arch needs rest

	: "${K_ARCH:=amd64}"
	if [ -z "$name" ]; then
		while read -r row arch _ needs rest; do
			case $row in '' | '#'*) continue ;; esac
			profile_fits "$arch" "$needs" "$K_ARCH" "$K_HAS" || continue
			name=$row
			break
		done <"$PROFILES"
	fi
	profile_row "$name"
	read -r P_NAME arch P_MEMORY needs P_CLASS P_ARGS P_QEMU P_EXPECT <<<"$ROW"
	has_all "$K_HAS" "$needs" || lacks_feature "$needs"
	profile_fits "$arch" - "$K_ARCH" "$K_HAS" ||
		die "profile $P_NAME is for $arch; $K_NAME ($K_RELEASE) is for $K_ARCH"
	[ "$P_CLASS" != - ] || P_CLASS=none
	P_ARGS=${P_ARGS//;/ }
	[ "$P_ARGS" != - ] || P_ARGS=
	P_QEMU=${P_QEMU//;/ }
	[ "$P_QEMU" != - ] || P_QEMU=
	# SeaBIOS names the first processor of each package in its MP table, which is
	# all that a kernel without ACPI has.
	[ "$A_QEMU" != x86_64 ] || [ "$K_ACPI" = 1 ] || P_QEMU+=" -smp sockets=2"
}

# For what no suite runs, seconds.
ALONE_TIMEOUT=300

# check_profile KERNEL PROFILE: what vm/kernels and vm/profiles can tell before
# anything is fetched or built.
check_profile()
{
	local arch needs

	[ -n "$2" ] || return 0
	profile_row "$2"
	read -r _ arch _ needs _ <<<"$ROW"
	[ -z "${KDIR:-}${MODULES:-}" ] && [[ $1 != */* ]] || return 0
	table_names "$TOP/vm/kernels"
	kernel_row "${1:-${NAMES[0]}}"
	has_all "$K_HAS" "$needs" ||
		die "profile $2 needs a kernel with $needs; $K_NAME has $K_HAS (make kernels)"
	profile_fits "$arch" - "$K_ARCH" "$K_HAS" ||
		die "profile $2 is for $arch; $K_NAME is for $K_ARCH (make kernels)"
}

# profile_row NAME: sets ROW.
profile_row()
{
	table_row "$PROFILES" "$1" && return 0
	table_names "$PROFILES"
	usage_error "unknown profile '$1' (known: ${NAMES[*]})"
}

lacks_feature()
{
	local -a lines

	mapfile -t lines < <(feature_lines "$1")
	config_lacks "${lines[@]}"
	die "profile $P_NAME needs a kernel with $1; $K_NAME ($K_RELEASE) has $K_HAS. Its configuration lacks:$MISSING_LINES"
}

# suite_tests NAME TIMEOUT PROFILE: sets TESTS to "program timeout argument..." lines,
# the time-out as in the table unless TIMEOUT is given; no PROFILE is any of them. The
# name of a program means the line without arguments.
# Status 1 if nothing is in the suite.
suite_tests()
{
	local program limit suites profiles arguments

	TESTS=
	while read -r program limit suites profiles arguments; do
		case $program in '' | '#'*) continue ;; esac
		# What no suite runs has no time-out of its own.
		[ "$limit" != - ] || limit=$ALONE_TIMEOUT
		# shellcheck disable=SC2254
		case ${3:+$3} in '' | ${profiles:-*}) ;; *) continue ;; esac
		case $1,$suites, in
		*,"$1",*) ;;
		"$program",*) [ -z "$arguments" ] || continue ;;
		*) continue ;;
		esac
		TESTS+="$program ${2:-$limit}${arguments:+ $arguments}"$'\n'
	done <"$TOP/vm/suites"
	[ -n "$TESTS" ]
}

# suite_programs: sets PROGRAMS, the programs of TESTS with blanks between.
suite_programs()
{
	local program

	PROGRAMS=
	while read -r program _; do
		[ -z "$program" ] || PROGRAMS+="${PROGRAMS:+ }$program"
	done <<<"$TESTS"
}

# shard_tests I/N: leaves of TESTS each Nth line from the Ith on.
shard_tests()
{
	local number=${1%%/*} of=${1#*/} line kept='' n=0

	case $1 in
	*[!0-9/]* | */*/* | /* | */ | 0* | */0*) number= ;;
	*/*) ;;
	*) number= ;;
	esac
	[ -n "$number" ] && [ "$number" -le "$of" ] ||
		usage_error "--shard $1: not I/N with I from 1 to N"
	while IFS= read -r line; do
		[ -n "$line" ] || continue
		[ $((n % of)) != $((number - 1)) ] || kept+=$line$'\n'
		n=$((n + 1))
	done <<<"$TESTS"
	[ -n "$kept" ] ||
		usage_error "--shard $1: the suite has $n programs only, this share would be empty"
	TESTS=$kept
}

# row_tests ROW TIMEOUT: sets TESTS to what yields the result of that name: the
# one test where the program can be told so, else the whole program.
row_tests()
{
	local row=$1 program=${1%%.*} rest=${1#*.} known limit

	case $row in
	*[!A-Za-z0-9_.]* | .* | *. | *..*)
		usage_error "--test $row: not the name of a result" ;;
	*.*) ;;
	*) usage_error "--test $row: a name is program.fixture.variant.test, as in results.ktap" ;;
	esac
	table_row "$TOP/vm/suites" "$program" ||
		usage_error "--test $row: vm/suites has no program '$program'"
	read -r known limit _ <<<"$ROW"
	[ "$limit" != - ] || limit=$ALONE_TIMEOUT
	TESTS="$known ${2:-$limit}"
	case $rest in
	pins_balanced | completed | console_clean | records) ;;
	*)
		! grep -qs kselftest_harness.h "$TOP/selftests/$program.c" ||
			TESTS+=" -r $rest"
		;;
	esac
	TESTS+=$'\n'
}

# Every program of the selftests is listed in vm/suites, and the other way
# round: one that nobody runs would never fail.
check_suites()
{
	local program bad=0

	table_names "$TOP/vm/suites"
	for program in "${NAMES[@]}"; do
		[ ! -x "$SELFTESTS/$program" ] || continue
		warn "vm/suites lists $program, which is not in ${SELFTESTS#"$TOP/"}"
		bad=1
	done
	for program in "$SELFTESTS"/*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		table_row "$TOP/vm/suites" "${program##*/}" && continue
		warn "${program#"$TOP/"} is not listed in vm/suites"
		bad=1
	done
	return $bad
}

# Whether the kernel has no clock but the CPU's: HPET and PM timer are found by ACPI.
only_cpu_clock()
{
	[ "$A_QEMU" = x86_64 ] && [ "$K_ACPI" = 0 ]
}

# Sets KERNEL_ARGS.
kernel_args()
{
	KERNEL_ARGS="console=$A_CONSOLE panic=-1 rdinit=/init $P_ARGS"
	# A policy that no option of the configuration tells (vm/patches/cma-first).
	! has_all "$K_HAS" cma-first || KERNEL_ARGS+=" cma_first"
	# What it says of its memory at first is read at the end of all tests.
	KERNEL_ARGS+=" log_buf_len=4M"
	# memfd_secret() has to be asked for before v6.5.
	KERNEL_ARGS+=" secretmem.enable=1"
	# On a busy machine an emulated timer may miss the test of its interrupt.
	[ "$A_QEMU" != x86_64 ] || KERNEL_ARGS+=" no_timer_check"
	# Emulated CPUs have one clock between them, which the kernel's test for that, of
	# a busy machine, does not see: what is left then are jiffies.
	! only_cpu_clock || KERNEL_ARGS+=" tsc=reliable"
	# identify_cpu() forgets for a moment that there are five levels of page
	# tables; to KASAN in an interrupt then all memory is wild.
	[ "$A_QEMU" != x86_64 ] || [ "$K_KASAN" = 0 ] || KERNEL_ARGS+=" no5lvl"
}

# The newest run folders keep their initrd, so that qemu.argv can be run again.
KEEP_INITRDS=4

# A folder that the user names holds one run.
check_run_dir()
{
	local -a have

	[ ! -e "$1" ] || [ -d "$1" ] || usage_error "--run-dir $1: not a folder"
	have=("$1"/*)
	[ ${#have[@]} = 0 ] || usage_error "--run-dir $1: not empty"
}

# new_run_dir DIR: DIR may be empty, for one below build/runs. Sets RUN_DIR.
new_run_dir()
{
	local base n=1
	local -a old

	if [ -n "$1" ]; then
		mkdir -p "$1" || die "cannot make the run folder $1"
		RUN_DIR=$(realpath "$1")
		return 0
	fi

	TZ=UTC printf -v base "$BUILD/runs/%(%Y%m%dT%H%M%SZ)T-$K_NAME-$P_NAME" -1
	RUN_DIR=$base
	until mkdir -p "$BUILD/runs" && mkdir "$RUN_DIR" 2>/dev/null; do
		[ -d "$RUN_DIR" ] || die "cannot make the run folder $RUN_DIR"
		n=$((n + 1))
		RUN_DIR=$base.$n
	done
	ln -sfn "runs/${RUN_DIR##*/}" "$BUILD/last"
	old=("$BUILD"/runs/*/initrd)
	[ ${#old[@]} -lt $KEEP_INITRDS ] ||
		rm -f "${old[@]:0:$((${#old[@]} - KEEP_INITRDS + 1))}"
}

# quote_args ARGUMENT...: sets QUOTED, to be read by any shell.
quote_args()
{
	local arg out=

	for arg; do
		case $arg in
		*[!A-Za-z0-9_./=:,@%+-]* | '') out+=" '${arg//\'/\'\\\'\'}'" ;;
		*) out+=" $arg" ;;
		esac
	done
	QUOTED=${out# }
}
