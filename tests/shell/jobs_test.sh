# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Several guests at a time: how many, and what becomes of them.

# shellcheck source=vm/lib/jobs.sh
. "$TOP/vm/lib/jobs.sh"

ended=
job_ended()
{
	ended+="$1:$2 "
}

# A job that runs until somebody says so.
until_told()
{
	until [ -e "$SCRATCH/$1" ]; do sleep 0.05; done
	return "$2"
}

test_jobs_each_is_told_once_with_its_status()
{
	SLOTS=3 BUDGET=10000
	start one 1G "$SCRATCH/one.log" until_told go 0
	start two 512M "$SCRATCH/two.log" until_told first 3
	start three 1 "$SCRATCH/three.log" echo said
	until grep -q said "$SCRATCH/three.log"; do sleep 0.05; done
	reap
	check_equal "$ended" "three:0 "
	touch "$SCRATCH/first"
	reap
	touch "$SCRATCH/go"
	reap_all
	check_equal "$ended" "three:0 two:3 one:0 "
	check_equal "$jobs_mb" 0
}

test_jobs_wait_for_a_slot()
{
	SLOTS=1 BUDGET=10000
	start one 1G "$SCRATCH/one.log" true
	check_equal "$ended" ''
	start two 1G "$SCRATCH/two.log" true
	check_equal "$ended" "one:0 "
	check_equal "${#job_name[@]}" 1
}

test_jobs_wait_for_memory()
{
	SLOTS=8 BUDGET=$((3 * 1024 + 2 * GUEST_OVERHEAD_MB))
	start one 1G "$SCRATCH/one.log" true
	start two 1024M "$SCRATCH/two.log" true
	check_equal "$ended" ''
	reap
	start three 1G,slots=1,maxmem=2G "$SCRATCH/three.log" true
	check_equal "$jobs_mb" "$BUDGET"
	start four 1M "$SCRATCH/four.log" true
	check_equal "${#job_name[@]}" 2
	check_equal "$(wc -w <<<"$ended")" 2
}

# One that fits nowhere runs alone.
test_jobs_larger_than_all_memory()
{
	SLOTS=8 BUDGET=100
	start one 8G "$SCRATCH/one.log" true
	start two 8G "$SCRATCH/two.log" true
	check_equal "$ended" "one:0 "
	reap_all
	check_equal "$ended" "one:0 two:0 "
}

test_jobs_number_is_one()
{
	JOBS=0 check_ends 2 '*JOBS=0: not a number above 0*' check_jobs
	JOBS=2x check_ends 2 '*JOBS=2x*' check_jobs
	JOBS=12 check_ends 0 '' check_jobs
}
