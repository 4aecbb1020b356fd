# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What is said while something takes long.

# fill DIR FILE: something that grows, and waits until FILE is there.
fill()
{
	head -c 3000000 /dev/zero >"$1/data"
	while [ ! -e "$2" ]; do sleep 0.1; done
}

# Returns when LINES of it have been said.
said()
{
	until [ "$(grep -c 'MiB so far' "$SCRATCH/said")" -ge "$1" ]; do sleep 0.1; done
}

test_progress_of_what_grows()
{
	mkdir "$SCRATCH/into"
	PROGRESS_SECONDS=0.2 step_growing LABEL "$SCRATCH/into" "$SCRATCH/log" \
		fill "$SCRATCH/into" "$SCRATCH/enough" 2>"$SCRATCH/said" &
	said 2
	touch "$SCRATCH/enough"
	wait $! || fail "it failed: $?"
	grep -q '^  LABEL     [34] MiB so far, [0-9]* s$' "$SCRATCH/said" ||
		fail "it said: $(<"$SCRATCH/said")"
	jobs -p | while read -r pid; do
		! kill -0 "$pid" 2>/dev/null || fail "process $pid is still there"
	done
}

test_progress_ends_with_its_failure()
{
	local status=0

	PROGRESS_SECONDS=60 step_growing LABEL "$SCRATCH" "$SCRATCH/log" \
		sh -c 'echo why; exit 3' 2>"$SCRATCH/said" || status=$?
	check_equal "$status $(<"$SCRATCH/said")" '1 why'
}

test_progress_ends_with_its_parent()
{
	sleep 100 &
	PROGRESS_SECONDS=0.2 watch_growth LABEL "$SCRATCH" $! 2>"$SCRATCH/said" &
	said 1
	kill %1
	wait %2 || fail "it ended with $?"
}
