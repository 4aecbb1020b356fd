# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Several guests at a time, bounded by cores and memory. Sourced by bash last; a
# script that uses it defines job_ended, and stops with stop_jobs.
#
# job_ended NAME STATUS SECONDS: called once for each job, in the order in which
# they end.

# QEMU itself, beside the memory of the guest; left to everybody else.
GUEST_OVERHEAD_MB=300
RESERVE_PERCENT=10

declare -A job_name=() job_mb=() job_begin=()
jobs_mb=0

check_jobs()
{
	case ${JOBS:-1} in *[!0-9]* | 0*) usage_error "JOBS=$JOBS: not a number above 0" ;; esac
}

# in_mb SIZE: sets MB; SIZE as QEMU takes it, with memory that can be added.
in_mb()
{
	local size=${1##*maxmem=}

	case $size in
	*[Gg]) MB=$((${size%?} * 1024)) ;;
	*[Mm]) MB=${size%?} ;;
	*) MB=$size ;;
	esac
}

# Sets SLOTS and BUDGET (MiB).
choose_jobs()
{
	local available cores

	cores=$(nproc)
	available=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
	BUDGET=$((available * (100 - RESERVE_PERCENT) / 100))
	SLOTS=${JOBS:-$cores}
	say JOBS "at most $SLOTS guests at a time (${JOBS:+JOBS=$JOBS, }$cores cores, one for each guest in emulation) and $BUDGET of $available MiB free memory"
}

# Waits for the next one that ends.
reap()
{
	local pid status=0 name seconds

	wait -n -p pid "${!job_name[@]}" || status=$?
	name=${job_name[$pid]}
	seconds=$((SECONDS - job_begin[$pid]))
	jobs_mb=$((jobs_mb - job_mb[$pid]))
	unset "job_name[$pid]" "job_mb[$pid]" "job_begin[$pid]"
	job_ended "$name" "$status" "$seconds"
}

reap_all()
{
	while [ ${#job_name[@]} -gt 0 ]; do reap; done
}

# start NAME MEMORY LOG COMMAND...: waits until there is room for it. MEMORY as
# the profile has it.
start()
{
	local name=$1 log=$3 mb

	in_mb "$2"
	mb=$((MB + GUEST_OVERHEAD_MB))
	shift 3
	while [ ${#job_name[@]} -gt 0 ] &&
		{ [ ${#job_name[@]} -ge "$SLOTS" ] || [ $((jobs_mb + mb)) -gt "$BUDGET" ]; }; do
		reap
	done
	"$@" >"$log" 2>&1 </dev/null &
	job_name[$!]=$name
	job_mb[$!]=$mb
	job_begin[$!]=$SECONDS
	jobs_mb=$((jobs_mb + mb))
}

# Guests that are still there when this ends early end with it.
# shellcheck disable=SC2317
stop_jobs()
{
	local pid

	for pid in "${!job_name[@]}" "${KILL_ON_EXIT[@]}"; do
		kill -TERM "$pid" 2>/dev/null || :
	done
	wait || :
	on_exit
}
