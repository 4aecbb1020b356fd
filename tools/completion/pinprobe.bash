# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Completion of pinprobe: commands, and the options of each.

_pinprobe_doctor()
{
	case $2 in
	-p | --pid)
		mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$1")
		;;
	-o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$1") ;;
	--root) mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -W \
			'--pid --json --prometheus --output --root --help' -- "$1")
		;;
	esac
}

_pinprobe_litmus()
{
	local providers='ibverbs cuda vfio io_uring xdp udmabuf pinprobe-none
		pinprobe-get pinprobe-pin pinprobe-longterm mlock vmsplice process_vm'

	case $2 in
	-d | --device)
		mapfile -t COMPREPLY < <(compgen -W \
			"$(cd /sys/class/infiniband 2>/dev/null && echo *)" -- "$1")
		;;
	--dir) mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
	--exec) mapfile -t COMPREPLY < <(compgen -c -- "$1") ;;
	*)
		mapfile -t COMPREPLY < <(compgen -W "$providers
			--device --dir --exec --list --self-test --json --help" -- "$1")
		;;
	esac
}

# What takes PID and addresses: PIDs, and its OPTIONS.
_pinprobe_pages()
{
	case $1 in
	-*) mapfile -t COMPREPLY < <(compgen -W "$2 --json --help" -- "$1") ;;
	*) mapfile -t COMPREPLY < <(compgen -W "self $(cd /proc && echo [0-9]*)" -- "$1") ;;
	esac
}

_pinprobe_resolve()
{
	_pinprobe_pages "$1" '--pages --held --unpinnable --fault'
}

_pinprobe_pin()
{
	_pinprobe_pages "$1" '--get --longterm --write --for --timeout'
}

_pinprobe_verify()
{
	_pinprobe_pages "$1" '--rounds'
}

_pinprobe_map()
{
	case $2 in
	-o | --output) mapfile -t COMPREPLY < <(compgen -f -- "$1") ;;
	--root) mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
	--per-cell) ;;
	*)
		case $1 in
		-*) mapfile -t COMPREPLY < <(compgen -W '--output --per-cell --json --root --help' -- "$1") ;;
		*) mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$1") ;;
		esac
		;;
	esac
}

_pinprobe_explain()
{
	case $2 in
	-p | --pid)
		mapfile -t COMPREPLY < <(compgen -W "$(cd /proc && echo [0-9]*)" -- "$1")
		;;
	--) mapfile -t COMPREPLY < <(compgen -c -- "$1") ;;
	--hang | --for | --ledger) ;;
	*)
		mapfile -t COMPREPLY < <(compgen -W \
			'--pid --system --hang --for --ledger --json --help --' -- "$1")
		;;
	esac
}

_pinprobe_audit()
{
	case $2 in
	--) mapfile -t COMPREPLY < <(compgen -c -- "$1") ;;
	--hold | --for | --ledger) ;;
	*)
		mapfile -t COMPREPLY < <(compgen -W \
			'--hold --for --ledger --json --help --' -- "$1")
		;;
	esac
}

_pinprobe_who()
{
	case $2 in
	--root) mapfile -t COMPREPLY < <(compgen -d -- "$1") ;;
	--pfn | --seconds) ;;
	*) _pinprobe_pages "$1" '--pfn --all --scan --seconds --ask --root' ;;
	esac
}

_pinprobe()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
	local commands='explain audit doctor litmus resolve pin verify map who'

	COMPREPLY=()
	if [ "$COMP_CWORD" = 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands help --help --version" -- "$word")
	elif [ "${COMP_WORDS[1]}" = help ]; then
		mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$word")
	elif declare -F "_pinprobe_${COMP_WORDS[1]}" >/dev/null; then
		"_pinprobe_${COMP_WORDS[1]}" "$word" "$before"
	fi
}

complete -o filenames -F _pinprobe pinprobe
