# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Takes entries out of the cache, never one in use. Sourced by bash after
# common.sh.

# opened_elsewhere ENTRY: somebody called cache_use on it and still runs, or is
# making it.
opened_elsewhere()
{
	local holders

	# This shell holds the lock itself, and so would what it starts.
	holders=$(
		exec 9>&-
		{ find -L /proc/[0-9]*/fd -maxdepth 1 -samefile "$CACHE/lock/$1" 2>/dev/null || :; } |
			grep -v "^/proc/$$/fd/" || :
	)
	[ -n "$holders" ]
}

# evict NAME WHY: NAME below CACHE. Status 1: it is in use.
evict()
{
	local name=$1 entry=$1 status=0

	# What a killed run left of an entry; its maker would hold the lock.
	case $name in
	tmp.evict.*) entry=${name#tmp.evict.} ;;
	tmp.*.*) entry=${name#tmp.} entry=${entry%.old} entry=${entry%.*} ;;
	esac
	mkdir -p "$CACHE/lock"
	evict_locked "$name" "$entry" 9>>"$CACHE/lock/$entry" || status=$?
	if [ $status = 0 ]; then
		say PRUNE "$name: $2"
	else
		say KEEP "$name: in use"
	fi
	return $status
}

# A run opens the lock file before it looks for the entry: one that found it is
# seen after the entry has gone out of its way.
evict_locked()
{
	local name=$1 entry=$2 away=$CACHE/tmp.evict.$2

	flock -n 9 || return 1
	case $name in
	tmp.*)
		remove_tree "$CACHE/$name"
		return 0
		;;
	esac
	! opened_elsewhere "$entry" || return 1
	[ ! -e "$away" ] || remove_tree "$away"
	mv -T "$CACHE/$name" "$away"
	if opened_elsewhere "$entry"; then
		mv -T "$away" "$CACHE/$name"
		return 1
	fi
	remove_tree "$away"
	rm -f "$CACHE/used/$entry"
}

# "SECONDS NAME" of each entry, what was not used for longest first.
entries_by_use()
{
	local path name stamp

	for path in "$CACHE"/*; do
		name=${path##*/}
		case $name in lock | mnt | used | tmp.*) continue ;; esac
		stamp=$CACHE/used/$name
		[ -e "$stamp" ] || stamp=$path
		printf '%s %s\n' "$(stat -c %Y "$stamp")" "$name"
	done | sort -n
}

size_kb()
{
	{ du -sk -- "$1" 2>/dev/null || :; } | cut -f1
}

limit_cache()
{
	local bytes limit total name size path

	bytes=$(numfmt --from=iec "$1" 2>/dev/null) ||
		usage_error "LIMIT=$1: not a size such as 8G or 500M"
	limit=$((bytes / 1024))
	[ -d "$CACHE" ] || return 0
	for path in "$CACHE"/tmp.*; do
		evict "${path##*/}" "left by a run that was killed" || :
	done
	total=$(size_kb "$CACHE")
	while read -r _ name; do
		[ "$total" -gt "$limit" ] || break
		size=$(size_kb "$CACHE/$name")
		! evict "$name" "$((size / 1024)) MiB" || total=$((total - size))
	done < <(entries_by_use)
	say CACHE "$((total / 1024)) MiB, limit $((limit / 1024)) MiB"
	[ "$total" -le "$limit" ] || {
		warn "the cache is still larger than its limit: what is left is in use"
		return 1
	}
}
