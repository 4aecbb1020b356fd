# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# A signal ends what a script started, at once, and leaves nothing.

# started SIGNAL: a script is in the middle of a step, two processes deep.
interrupt_step()
{
	local pid status=0 i

	cat >"$SCRATCH/script" <<-END
	. "$TOP/vm/lib/all.sh"
	tmp=\$(mktemp -d "$SCRATCH/tmp.XXXXXX")
	CLEANUP+=("\$tmp")
	step "$SCRATCH/log" sh -c 'echo \$\$ >"$SCRATCH/pid"; sleep 1000; true'
	END
	bash "$SCRATCH/script" &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		[ ! -s "$SCRATCH/pid" ] || break
		sleep 0.1
	done
	[ -s "$SCRATCH/pid" ] || fail "the step did not start"
	kill -"$1" "$pid"
	wait "$pid" || status=$?
	check_equal "$status" "$2"
	read -r pid <"$SCRATCH/pid"
	[ ! -e "/proc/$pid" ] || fail "its child is still there"
	check_equal "$(echo "$SCRATCH"/tmp.*)" ""
}

test_term_ends_a_step()
{
	interrupt_step TERM 143
}

test_hup_ends_a_step()
{
	interrupt_step HUP 129
}

test_step_says_what_failed()
{
	check_ends 1 'some words' step "$SCRATCH/log" sh -c 'echo some words; exit 3'
	check_ends 0 '' step "$SCRATCH/log" sh -c 'echo some words'
	# what would wait for input for ever
	check_ends 0 '' step "$SCRATCH/log" cat
}

# make tells only the script that it started; what that runs has to go too.
test_term_ends_a_check_of_a_check()
{
	local pid status=0 i

	cat >"$SCRATCH/inner" <<-END
	. "$TOP/vm/lib/all.sh"
	step "$SCRATCH/log" sh -c 'echo \$\$ >"$SCRATCH/pid"; sleep 1000; true'
	END
	cat >"$SCRATCH/outer" <<-END
	. "$TOP/vm/lib/all.sh"
	. "$TOP/vm/lib/check.sh"
	check inner bash "$SCRATCH/inner"
	END
	bash "$SCRATCH/outer" &
	pid=$!
	for ((i = 0; i < 600; i++)); do
		[ ! -s "$SCRATCH/pid" ] || break
		sleep 0.1
	done
	[ -s "$SCRATCH/pid" ] || fail "the check did not start"
	kill -TERM "$pid"
	wait "$pid" || status=$?
	check_equal "$status" 143
	read -r pid <"$SCRATCH/pid"
	[ ! -e "/proc/$pid" ] || fail "what it ran is still there"
}
