# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The build root: a small Debian in the cache, in which modules and guest
# programs are compiled. Sourced by bash after common.sh and apt.sh.

ROOT_SUITE=trixie
ROOT_PACKAGES=(
	base-files dash bash coreutils sed grep mawk findutils diffutils
	tar gzip xz-utils perl gcc make libc6-dev libibverbs-dev ibverbs-providers
	busybox-static pahole sparse libssl3t64 libelf1t64 kmod
)
# The packages are unpacked and not configured (nothing here is a service);
# the links that their scripts would have made:
ROOT_LINKS='cd "$1" && ln -sf mawk usr/bin/awk && ln -sf gcc usr/bin/cc'
ROOT_LINKS+=' && mkdir -p usr/src usr/local'
ROOT_LINKS+=' && rm -rf usr/share/locale usr/share/doc usr/share/man'

make_root()
{
	local tmp=$1 mode=unshare include dates source

	[ "$EUID" != 0 ] || mode=root
	include=$(IFS=,; echo "${ROOT_PACKAGES[*]}")
	# Not in the hash: it only reports.
	dates='grep -h ^Valid-Until: "$1"/var/lib/apt/lists/*Release || :'
	find_mirrors
	source="deb [signed-by=$KEYRING] $MIRROR_MAIN $ROOT_SUITE main"
	say ROOT "Debian $ROOT_SUITE build root: ${#ROOT_PACKAGES[@]} packages and what they need (100 MB, a minute or some)"
	step "$tmp/log" mmdebstrap --variant=extract --mode="$mode" \
		--architectures=amd64 --include="$include" \
		--aptopt='Acquire::Check-Valid-Until "false"' \
		--aptopt='Acquire::Languages "none"' \
		--aptopt='Acquire::Retries "3"' \
		--extract-hook="$ROOT_LINKS" --extract-hook="$dates" \
		--format=directory \
		"$ROOT_SUITE" "$tmp/root" "$source" ||
		die "mmdebstrap could not make the build root"
	sed -n 's/^Valid-Until: //p' "$tmp/log" | note_valid_until
	say ROOT "done, $(size_mb "$tmp/root") MiB"
}

# Sets ROOT_ENTRY.
root_entry()
{
	hash_of "$ROOT_SUITE ${ROOT_PACKAGES[*]} $ROOT_LINKS"
	ROOT_ENTRY=root-$ROOT_SUITE-$HASH
}

ensure_root()
{
	root_entry
	ROOT=$CACHE/$ROOT_ENTRY/root
	cache_make "$ROOT_ENTRY" 600 "the build root" make_root
}

# in_root [--bind DIR]... [--src DIR] [--cwd DIR] -- COMMAND...
# Runs COMMAND in the build root. Everything is mounted in a mount namespace
# of its own, on a tmpfs, so nothing is left behind however it ends. DIRs
# appear read-write at their own path; --src is a kernel's /usr/src.
in_root()
{
	local ns=(unshare --mount --propagation private)

	[ -d "$CACHE/mnt" ] || mkdir -p "$CACHE/mnt"
	[ "$EUID" = 0 ] || ns=(unshare --user --map-root-user "${ns[@]:1}")
	"${ns[@]}" bash "$TOP/vm/lib/enter.sh" "$ROOT" "$CACHE/mnt" "$@"
}
