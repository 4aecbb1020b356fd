# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# One row, good or bad. Sourced by bash after guest.sh.

ROW_BAD='FAIL*' ROW_GOOD=''

# row_state ROW RUN-DIR EXIT-CODE: sets STATE (good, bad, skip, absent) and SAID,
# what became of the row, as in a cell of a table. ROW_BAD is what counts as bad,
# ROW_GOOD what counts as good: all else but a skip if it is empty.
row_state()
{
	local row=$1 dir=$2 code=$3

	STATE=skip SAID="no result (exit code $code)"
	[ -e "$dir/result.json" ] || return 0
	SAID=$("$VMRUN" --cell "$row" "$dir")
	# shellcheck disable=SC2053
	if [[ $SAID == none:* ]]; then
		[ "$code" != 2 ] || STATE=absent
	elif [[ $SAID == $ROW_BAD ]]; then
		STATE=bad
	elif [ -n "$ROW_GOOD" ]; then
		# shellcheck disable=SC2053
		[[ $SAID != $ROW_GOOD ]] || STATE=good
	elif [[ $SAID != skip* ]]; then
		STATE=good
	fi
}

# common_profile KERNEL...: on stdout, the first that all of them can have.
common_profile()
{
	local name arches needs kernel arch has fits

	while read -r name arches _ needs _; do
		fits=1
		for kernel; do
			table_row "$TOP/vm/kernels" "$kernel"
			read -r _ arch _ _ _ has <<<"$ROW"
			profile_fits "$arches" "$needs" "$arch" "$has" || fits=0
		done
		[ $fits = 0 ] || break
	done < <(table_rows "$TOP/vm/profiles")
	echo "$name"
}
