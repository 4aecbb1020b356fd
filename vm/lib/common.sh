# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What every script of vm/ shares: where things are, how they speak, how
# cache entries are made. Sourced by bash.

set -euo pipefail

shopt -s nullglob globstar

# A fork costs milliseconds and the warm path is to cost none that count: what
# follows sets variables where it could print, and asks bash where it can.
CDPATH='' cd -P -- "${BASH_SOURCE[0]%/*}/../.."
TOP=$PWD
cd "$OLDPWD"
BUILD=$TOP/build
CACHE=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}/pinprobe
CLEANUP=()
# Said before that, where it takes more than a moment.
CLEANUP_NOTE=
# What runs in the background: process ids, a group with a minus before it.
KILL_ON_EXIT=()

# What make was told is for its verbs, not for the builds below them.
unset MAKEFLAGS MFLAGS

# One line of progress: what, then the details.
say()
{
	printf '  %-9s %s\n' "$1" "$2" >&2
}

warn()
{
	printf 'pinprobe: %s\n' "$*" >&2
}

# Exit 125: the run could not be set up, which says nothing about the tests.
die()
{
	warn "$@"
	exit 125
}

usage_error()
{
	warn "$@"
	exit 2
}

on_exit()
{
	local path

	[ ${#KILL_ON_EXIT[@]} = 0 ] || kill -TERM -- "${KILL_ON_EXIT[@]}" 2>/dev/null || :
	for path in ${CLEANUP[@]+"${CLEANUP[@]}"}; do
		[ -e "$path" ] || continue
		[ -z "$CLEANUP_NOTE" ] || say CLEAN "$CLEANUP_NOTE"
		remove_tree "$path"
	done
}
# Every process below this one, children first named.
end_children()
{
	local stat pid comm state parent rest tree=" $$ " found=1

	while [ $found = 1 ]; do
		found=0
		for stat in /proc/[0-9]*/stat; do
			read -r pid rest 2>/dev/null <"$stat" || continue
			rest=${rest##*) }
			read -r state parent comm <<<"$rest"
			[[ $tree != *" $pid "* && $tree == *" $parent "* ]] || continue
			[ "$state" != Z ] || continue
			tree+="$pid "
			found=1
		done
	done
	for pid in ${tree/" $$ "/}; do
		kill -TERM "$pid" 2>/dev/null || :
	done
}

interrupted()
{
	trap '' INT TERM HUP
	end_children
	wait
	exit "$1"
}

trap on_exit EXIT
trap 'interrupted 130' INT
trap 'interrupted 143' TERM
trap 'interrupted 129' HUP

[ "$CACHE" != /pinprobe ] ||
	die "neither XDG_CACHE_HOME nor HOME is set: no place for the cache"

# A blank ends a word of make, whoever quotes it, and so on: the kernel's own
# build refuses such folders, and here they would fail late and darkly.
check_path()
{
	local LC_ALL=C good=$'A-Za-z0-9/._+,@=~\x80-\xff-'

	case $2 in
	*[!$good]*) die "make cannot work in a folder of this name: $1 is ${2@Q}" ;;
	esac
}
check_path "the tree" "$TOP"
check_path "the cache (XDG_CACHE_HOME)" "$CACHE"

# hash_of TEXT: sets HASH (64-bit FNV-1a), the key of a cache entry.
hash_of()
{
	local text=$1 i code LC_ALL=C

	HASH=$((0xcbf29ce484222325))
	for ((i = 0; i < ${#text}; i++)); do
		printf -v code %d "'${text:i:1}"
		HASH=$(((HASH ^ (code & 255)) * 0x100000001b3))
	done
	printf -v HASH %016x "$HASH"
}

# first_line FILE: sets LINE, empty if there is no file.
first_line()
{
	LINE=
	[ ! -e "$1" ] || IFS= read -r LINE <"$1" || :
}

free_mb()
{
	df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'
}

size_mb()
{
	{ du -sm -- "$1" 2>/dev/null || :; } | cut -f1
}

need_space()
{
	local have

	mkdir -p "$CACHE" 2>/dev/null || die "cannot create the cache $CACHE"
	have=$(free_mb "$CACHE")
	[ "$have" -ge "$1" ] ||
		die "not enough room in the cache: $2 needs $1 MiB, $CACHE has $have MiB free"
}

# awaited COMMAND...: without input. bash looks at a signal only when what it
# runs in the foreground has ended, which may be minutes later.
awaited()
{
	"$@" </dev/null &
	wait $!
}

# step LOG COMMAND...: quiet while it works, the end of the log when it fails.
step()
{
	local log=$1

	shift
	awaited "$@" >"$log" 2>&1 && return 0
	if grep -q 'No space left on device' "$log"; then
		die "disk full (cache $CACHE: $(free_mb "$CACHE") MiB free)"
	fi
	tail -n 20 "$log" >&2
	return 1
}

# watch_growth LABEL DIR PID: every 10 seconds how much lies in DIR by now, for
# as long as the process PID is there. No sleep: that would outlive this, with
# all that is open here.
watch_growth()
{
	local begun=$SECONDS never status

	exec {never}<> <(:)
	while :; do
		status=0
		read -rt "${PROGRESS_SECONDS:-10}" -u "$never" || status=$?
		[ $status -gt 128 ] && kill -0 "$3" 2>/dev/null || return 0
		say "$1" "$(size_mb "$2") MiB so far, $((SECONDS - begun)) s"
	done
}

# step_growing LABEL DIR LOG COMMAND...: step, for what fills DIR for minutes.
step_growing()
{
	local label=$1 dir=$2 status=0 watch

	shift 2
	watch_growth "$label" "$dir" "$BASHPID" </dev/null &
	watch=$!
	step "$@" || status=$?
	kill "$watch" 2>/dev/null || :
	wait "$watch" 2>/dev/null || :
	return $status
}

CACHE_USED=' '

# cache_use ENTRY: from here on to the end of this run, and of what it turns
# into, vm/store leaves ENTRY alone: it sees that the lock file is open. The time
# of use is that of the stamp. Nothing forks here.
cache_use()
{
	local fd

	case $CACHE_USED in *" $1 "*) return 0 ;; esac
	if [ ! -d "$CACHE/lock" ] || [ ! -d "$CACHE/used" ]; then
		mkdir -p "$CACHE/lock" "$CACHE/used" 2>/dev/null ||
			die "cannot create the cache $CACHE"
	fi
	exec {fd}>>"$CACHE/lock/$1"
	: >"$CACHE/used/$1"
	CACHE_USED+="$1 "
}

# cache_make ENTRY MIB WHAT FUNCTION...
# FUNCTION is called with a temporary folder as its last argument and fills
# it; the folder becomes $CACHE/ENTRY only when FUNCTION succeeded. Two runs
# that want the same entry make it once.
cache_make()
{
	local entry=$1 mib=$2 what=$3

	shift 3
	cache_use "$entry"
	[ -d "$CACHE/$entry" ] && return 0
	need_space "$mib" "$what"
	cache_make_locked "$entry" "$@" 9>"$CACHE/lock/$entry"
}

cache_lock()
{
	if ! flock -n 9; then
		say WAIT "another run is making $1"
		flock 9
	fi
}

cache_make_locked()
{
	local entry=$1

	shift
	cache_lock "$entry"
	[ -d "$CACHE/$entry" ] && return 0
	cache_fill "$entry" "$@"
	mv -T "$CACHE_TMP" "$CACHE/$entry"
}

# Like cache_make for an entry that is there.
cache_replace()
{
	local entry=$1 mib=$2 what=$3

	shift 3
	need_space "$mib" "$what"
	mkdir -p "$CACHE/lock"
	cache_replace_locked "$entry" "$@" 9>"$CACHE/lock/$entry"
}

cache_replace_locked()
{
	local entry=$1

	shift
	cache_lock "$entry"
	cache_fill "$entry" "$@"
	mv -T "$CACHE/$entry" "$CACHE_TMP.old"
	mv -T "$CACHE_TMP" "$CACHE/$entry"
	remove_tree "$CACHE_TMP.old"
}

# Leaves the whole entry as CACHE_TMP. What a killed run left goes first.
cache_fill()
{
	local entry=$1 left

	shift
	for left in "$CACHE/tmp.$entry".*; do
		[ ! -e "$left" ] || remove_tree "$left"
	done
	CACHE_TMP=$(mktemp -d "$CACHE/tmp.$entry.XXXXXX")
	CLEANUP+=("$CACHE_TMP")
	chmod 755 "$CACHE_TMP"
	"$@" "$CACHE_TMP" 9>&-
	sync -f "$CACHE_TMP"
}

# A build root made without being root belongs to the user's subordinate ids.
remove_tree()
{
	rm -rf -- "$1" 2>/dev/null ||
		unshare --user --map-auto --map-root-user rm -rf -- "$1"
}

# True when OUT is missing or any of the given files or folders is newer.
stale()
{
	local out=$1 path file

	shift
	[ -e "$out" ] || return 0
	for path; do
		for file in "$path" "$path"/**; do
			[ ! "$file" -nt "$out" ] || return 0
		done
	done
	return 1
}

# One at a time in build/: two runs of the same tree do not build into each
# other's folders. Between build_lock and build_unlock nothing may be exec'd.
build_lock()
{
	[ -d "$BUILD" ] || mkdir -p "$BUILD"
	exec 8>"$BUILD/.lock"
	if ! flock -n 8; then
		say WAIT "another run is building here"
		flock 8
	fi
}

# build_failed FOLDER LOG MESSAGE. What a full disk left behind looks finished to
# make, so it goes.
build_failed()
{
	if grep -q 'No space left on device' "$2" 2>/dev/null || [ ! -s "$2" ]; then
		rm -rf "$1"
		die "disk full in $BUILD ($(free_mb "$BUILD") MiB free): $3"
	fi
	cat "$2" >&2
	die "$3"
}

build_unlock()
{
	exec 8>&-
}

# The head comment of a script, from "usage:" on.
script_help()
{
	sed -n '/^# usage:/,/^$/s/^# \{0,1\}//p' "$1"
}
