# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What is to be booted where: vm/boots over vm/kernels and vm/profiles.
# Sourced by bash after table.sh, kernel.sh and guest.sh.

# planned_suites KERNEL PROFILE: sets SUITES, empty for none.
planned_suites()
{
	local kernel profile suites

	SUITES=
	while read -r kernel profile suites; do
		case $kernel in '' | '#'*) continue ;; esac
		# shellcheck disable=SC2053
		[[ $1 == $kernel && $2 == $profile ]] || continue
		[ "$suites" = - ] || SUITES=${suites//,/ }
		return 0
	done <"$TOP/vm/boots"
}

# The options of plan_lines, as every script that plans takes them.
PLAN_SUITE='' PLAN_KERNEL='*' PLAN_PROFILE='*' PLAN_STOCK=0

# plan_option NAME VALUE: status 1 if it is none of them.
plan_option()
{
	case $1 in
	--suite) PLAN_SUITE=$2 ;;
	--kernel) PLAN_KERNEL=$2 ;;
	--profile) PLAN_PROFILE=$2 ;;
	*) return 1 ;;
	esac
}

# Of SUITES what was asked for: any suite where the causal matrix runs, by itself or
# as part of all; elsewhere memory is for what is planned there and nothing else.
only_wanted()
{
	[ -n "$PLAN_SUITE" ] || return 0
	case " $SUITES " in
	*" all "* | *" matrix "* | *" $PLAN_SUITE "*) SUITES=$PLAN_SUITE ;;
	*" ${PLAN_SUITE}_own "*) SUITES=$PLAN_SUITE ;;
	*) SUITES= ;;
	esac
}

# One line for each suite of each kernel and profile: "kernel profile suite
# architecture memory programs", as vmrun --plan takes them.
plan_lines()
{
	local kernel arch packages has profile arches memory needs suite count
	local -a programs

	while read -r kernel arch _ _ packages has; do
		# shellcheck disable=SC2053
		[[ $kernel == $PLAN_KERNEL ]] || continue
		case $PLAN_STOCK,$packages in 1,source:*) continue ;; esac
		while read -r profile arches memory needs _; do
			# shellcheck disable=SC2053
			[[ $profile == $PLAN_PROFILE ]] || continue
			profile_fits "$arches" "$needs" "$arch" "$has" || continue
			# With slots for more the most that it can become.
			memory=${memory##*maxmem=}
			planned_suites "$kernel" "$profile"
			only_wanted
			for suite in $SUITES; do
				suite_tests "$suite" '' '' ||
					usage_error "unknown suite '$suite' (vm/suites lists programs and suites)"
				suite_tests "$suite" '' "$profile" || continue
				suite_programs
				read -r -a programs <<<"$PROGRAMS"
				count=${#programs[@]}
				printf '%s\n' "$kernel $profile $suite $arch $memory $count"
			done
		done < <(table_rows "$TOP/vm/profiles")
	done < <(table_rows "$TOP/vm/kernels")
}

# The kernels of lines as those above, on stdin, that are built from source and not
# in the cache yet: one name a line.
plan_to_compile()
{
	local name seen=' '

	while read -r name; do
		kernel_row "$name"
		case $K_PACKAGES in source:*) ;; *) continue ;; esac
		[[ $seen != *" $K_ENTRY "* && ! -d $CACHE/$K_ENTRY ]] || continue
		seen+="$K_ENTRY "
		echo "$name"
	done < <(awk '!seen[$1]++ { print $1 }')
}

# Lines as those above, on stdin, what takes longest first, so that it does not run
# alone at the end: by the number of programs, and a kernel that looks for mistakes
# takes several times as long for each.
longest_first()
{
	awk 'NR == FNR { slow[$1] = "," $6 "," ~ /,debug,/; next }
	     { print $6 * (slow[$1] ? 4 : 1), $0 }' <(table_rows "$TOP/vm/kernels") - |
		sort -s -k1,1nr | cut -d' ' -f2-
}
