# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Which kernels have to be compiled before all can run.

test_plan_compiles_what_is_not_there()
{
	CACHE=$SCRATCH
	# One for all that the others have.
	check_equal "$(plan_lines | plan_to_compile)" debug
	kernel_row debug-cma-first
	mkdir "$SCRATCH/$K_ENTRY"
	check_equal "$(plan_lines | plan_to_compile)" ''
}

# What a kernel that is not booted by check-all has, by K_HAS and its parts, one that
# is booted has too, with the profile and the policy that show it.
test_plan_boots_every_part()
{
	local part name all=,
	local -a parts names

	mapfile -t names < <(plan_lines | awk '!seen[$1]++ { print $1 }')
	for name in "${names[@]}"; do
		kernel_row "$name"
		all+=${K_PACKAGES#source:},
	done
	mapfile -t parts < <(cd "$TOP/vm/config" && ls)
	for part in "${parts[@]%.config}"; do
		[ "$part" = base ] || [[ $all == *",$part,"* ]] ||
			fail "no kernel of check-all has $part"
	done
	all=$(plan_lines)
	[[ $all == *"debug kho contracts_own "* ]] || fail "kho=on: no contracts"
	[[ $all == *"debug-cma-first cma matrix "* ]] || fail "cma_first: no matrix"
}

# One kernel, and the command line makes the difference.
test_plan_kho_and_cma_first_are_one_kernel()
{
	local kho

	CACHE=$SCRATCH
	kernel_row kho
	kho=$K_ENTRY
	P_ARGS='kho=on' A_CONSOLE=ttyS0 A_QEMU=x86_64 K_KASAN=0 K_ACPI=0
	kernel_args
	[[ " $KERNEL_ARGS " != *" cma_first "* ]] || fail "kho: $KERNEL_ARGS"
	kernel_row cma-first
	check_equal "$K_ENTRY" "$kho"
	kernel_args
	[[ " $KERNEL_ARGS " == *" cma_first "* ]] || fail "cma-first: $KERNEL_ARGS"
	kernel_row debug
	[ "$K_ENTRY" != "$kho" ] || fail "debug is kho"
	kho=$K_ENTRY
	kernel_row debug-cma-first
	check_equal "$K_ENTRY" "$kho"
	kernel_args
	[[ " $KERNEL_ARGS " == *" cma_first "* ]] || fail "debug-cma-first: $KERNEL_ARGS"
}

# What leaks is looked for wherever all of the tests or those in the kernel run.
test_plan_debug_looks_for_leaks()
{
	local line n=0
	local -a words

	while read -r -a words; do
		case ${words[0]}/${words[2]} in debug/all | debug/kunit) ;; *) continue ;; esac
		n=$((n + 1))
		line=$(table_rows "$TOP/vm/profiles" | grep "^${words[1]} ")
		[[ $line != *kmemleak=off* ]] || fail "${words[*]}: $line"
	done < <(plan_lines)
	check_equal $n 2
}

test_plan_compiles_no_stock_kernel()
{
	CACHE=$SCRATCH
	PLAN_STOCK=1
	check_equal "$(plan_lines | plan_to_compile)" ''
}

# suites_on PROFILE: of debian-7.3, with blanks.
suites_on()
{
	plan_lines | awk -v profile="$1" '
		$1 == "debian-7.3" && $2 == profile { printf "%s ", $3 }'
}

test_plan_of_one_suite()
{
	check_equal "$(suites_on movable-node)" 'contracts_own tools_shortage '
	PLAN_SUITE=matrix
	check_equal "$(suites_on movable-node)" ''
	check_equal "$(suites_on cma)" 'matrix '
	check_equal "$(suites_on none)" 'matrix '
	PLAN_SUITE=contracts
	check_equal "$(suites_on movable-node)" 'contracts '
	check_equal "$(suites_on cma)" 'contracts '
}

test_store_fetch_asks_for_kernels()
{
	check_ends 2 '*which kernels?*' "$TOP/vm/store" fetch
	check_ends 2 "*unknown kernel 'vax'*" "$TOP/vm/store" fetch debug vax
}

test_plan_longest_first()
{
	local -a lines

	mapfile -t lines < <(plan_lines | longest_first)
	check_equal "$(printf '%s\n' "${lines[@]}" | sort)" "$(plan_lines | sort)"
	[[ ${lines[0]} == "debug cma all "* ]] || fail "first: ${lines[0]}"
	[[ ${lines[1]} == *" all "* ]] || fail "second: ${lines[1]}"
	[ "${lines[-1]##* }" = 1 ] || fail "last: ${lines[-1]}"
}

# Without ACPI the CPU's is the only clock that is better than jiffies.
test_plan_clock_without_acpi()
{
	P_ARGS='' A_CONSOLE=ttyS0 A_QEMU=x86_64 K_KASAN=0 K_ACPI=0
	kernel_row kho
	kernel_args
	[[ " $KERNEL_ARGS " == *" tsc=reliable "* ]] || fail "kho: $KERNEL_ARGS"
	only_cpu_clock || fail "without ACPI there is another clock"
	K_ACPI=1
	kernel_args
	[[ " $KERNEL_ARGS " != *" tsc=reliable "* ]] || fail "with ACPI: $KERNEL_ARGS"
	! only_cpu_clock || fail "with ACPI the CPU's is not the only clock"
}
