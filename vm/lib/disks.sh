# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Disks for the contracts: empty file systems made once by the tools of a small
# Debian that is then thrown away, and the kernel modules that mount them. Apart
# from the base: other guests boot without. Sourced by bash after initrd.sh.

DISK_PACKAGES=(base-files dash e2fsprogs xfsprogs)
# Loaded by what needs them. brd is the disk; libnvdimm's, where a profile has
# persistent memory, which virtio_pmem is on all architectures.
DISK_MODULES=(brd ext4 xfs virtio_pmem nd_pmem device_dax dax_pmem)
# What v6.1 can mount, with blocks that are pages; small as mkfs.xfs lets nobody
# but its own tests have them.
DISK_SIZE=16M
MAKE_DISKS='cd "$1"'
MAKE_DISKS+=' && mkfs.ext4 -q -b 4096 -E lazy_itable_init=0,lazy_journal_init=0 ext4'
MAKE_DISKS+=' && TEST_DIR=. TEST_DEV=. QA_CHECK_FS=1 mkfs.xfs -q -b size=4096'
MAKE_DISKS+=' -c options=/usr/share/xfsprogs/mkfs/lts_6.1.conf xfs'

disks_entry()
{
	hash_of "$ROOT_SUITE ${DISK_PACKAGES[*]} $DISK_SIZE $MAKE_DISKS"
	DISKS_ENTRY=disks-$HASH
}

make_disks()
{
	local tmp=$1 source include

	include=${DISK_PACKAGES[*]}
	find_mirrors
	find_unpack
	source="deb [signed-by=$KEYRING] $MIRROR_MAIN $ROOT_SUITE main"
	say DISKS "empty ext4 and xfs (20 MB of tools, which are not kept)"
	step "$tmp/log" "${UNPACK[@]}" \
		--architectures="$HOST_ARCH" --include="${include// /,}" \
		--setup-hook="$ROOT_MERGED" --extract-hook='mkdir -p "$1/usr/src" "$1/usr/local"' \
		--format=directory \
		"$ROOT_SUITE" "$tmp/root" "$source" ||
		die "mmdebstrap could not unpack the tools that make file systems"
	mkdir "$tmp/disks"
	truncate -s "$DISK_SIZE" "$tmp/disks/ext4" "$tmp/disks/xfs"
	ROOT=$tmp/root in_root --bind "$tmp/disks" -- \
		sh -c "$MAKE_DISKS" disks "$tmp/disks" >>"$tmp/log" 2>&1 || {
		tail -n 20 "$tmp/log" >&2
		die "no file systems could be made"
	}
	gzip -n "$tmp/disks"/*
	remove_tree "$tmp/root"
}

# disks.cpio: the file systems in /disks, the modules in the order of /m/disks.
ensure_disks_cpio()
{
	local stage module

	disks_entry
	cache_make "$DISKS_ENTRY" 400 "file systems" make_disks
	DISKS_CPIO=$K_OUT/disks.cpio
	first_line "$DISKS_CPIO.key"
	if [ "$LINE" = "$DISKS_ENTRY $K_RELEASE ${DISK_MODULES[*]}" ] &&
		! stale "$DISKS_CPIO" "$TOP/vm/lib/disks.sh" "$BASE.cpio"; then
		return 0
	fi
	rm -f "$DISKS_CPIO.key"
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	mkdir -p "$stage/m" "$stage/disks"
	: >"$stage/m/disks"
	cp "$CACHE/$DISKS_ENTRY/disks"/*.gz "$stage/disks/"
	for module in "${DISK_MODULES[@]}"; do
		add_module "$stage" disks "$module"
	done
	pack_cpio "$stage" "$DISKS_CPIO"
	rm -rf "$stage"
	echo "$DISKS_ENTRY $K_RELEASE ${DISK_MODULES[*]}" >"$DISKS_CPIO.key"
}
