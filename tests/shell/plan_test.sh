# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Which kernels have to be compiled before all can run.

test_plan_compiles_what_is_not_there()
{
	CACHE=$SCRATCH
	check_equal "$(plan_lines | plan_to_compile | tr '\n' ' ')" \
		"$(table_rows "$TOP/vm/kernels" | awk '$5 ~ /^source:/ { printf "%s ", $1 }')"
	kernel_row kho
	mkdir "$SCRATCH/$K_ENTRY"
	case " $(plan_lines | plan_to_compile | tr '\n' ' ') " in
	*" kho "*) fail "kho is there" ;;
	*" debug "*) ;;
	*) fail "debug is not there" ;;
	esac
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
	check_equal "$(suites_on movable-node)" 'contracts '
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
