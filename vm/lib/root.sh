# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Build roots: a small Debian in the cache, in which modules and guest programs
# are compiled. Guest programs and the guest's libraries are of ROOT_SUITE; a
# kernel that another compiler has built has its modules compiled in a root of
# that suite. Sourced by bash after common.sh and apt.sh.

ROOT_SUITE=trixie
ROOT_PACKAGES=(
	base-files dash bash coreutils sed grep mawk findutils diffutils
	tar gzip xz-utils perl gcc make libc6-dev libibverbs-dev ibverbs-providers
	busybox-static pahole sparse kmod
)
# What the guest's pinprobe is linked with; of its architecture.
ROOT_TOOLS_PACKAGES=(libjson-c-dev libbpf-dev libnl-3-dev)
# A root for guests of another architecture is an entry of its own. What these
# say is the guest's; the tools are the host's, with compilers for the guest
# and for its 32-bit programs besides.
ROOT_GUEST_PACKAGES=(libibverbs-dev ibverbs-providers busybox-static)
ROOT_CROSS_PACKAGES_arm64=(
	gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf linux-libc-dev-armhf-cross
)
# Up to bookworm packages still have files in /bin and /lib.
ROOT_MERGED='cd "$1" && mkdir -p usr/bin usr/sbin usr/lib usr/lib64'
ROOT_MERGED+=' && ln -s usr/bin usr/sbin usr/lib usr/lib64 .'
# The packages are unpacked and not configured (nothing here is a service);
# the links that their scripts would have made:
ROOT_LINKS='cd "$1" && ln -sf mawk usr/bin/awk && ln -sf gcc usr/bin/cc'
ROOT_LINKS+=' && mkdir -p usr/src usr/local'
ROOT_LINKS+=' && rm -rf usr/share/locale usr/share/doc usr/share/man'

make_root()
{
	local suite=$1 tmp=$2 include dates source archs=$HOST_ARCH

	[ -z "$A_CROSS" ] || archs+=,$A_NAME
	include=${ROOT_INCLUDE// /,}
	# Not in the hash: it only reports.
	dates='grep -h ^Valid-Until: "$1"/var/lib/apt/lists/*Release || :'
	find_mirrors
	find_unpack
	source="deb [signed-by=$KEYRING] $MIRROR_MAIN $suite main"
	say ROOT "Debian $suite build root${A_CROSS:+ for $A_NAME}: $(wc -w <<<"$ROOT_INCLUDE") packages and what they need ($ROOT_SAY, a minute or some)"
	step_growing ROOT "$tmp" "$tmp/log" "${UNPACK[@]}" \
		--architectures="$archs" --include="$include" \
		--setup-hook="$ROOT_MERGED" --extract-hook="$ROOT_LINKS" \
		--extract-hook="$dates" \
		--format=directory \
		"$suite" "$tmp/root" "$source" ||
		die "mmdebstrap could not make the $suite build root"
	sed -n 's/^Valid-Until: //p' "$tmp/log" | note_valid_until
	say ROOT "done, $(size_mb "$tmp/root") MiB"
}

# root_entry SUITE [bare]: sets ENTRY, and ROOT_INCLUDE and ROOT_MIB for making it.
# In that of ROOT_SUITE guest programs are compiled, unless it is to be bare.
root_entry()
{
	local name

	ROOT_INCLUDE=${ROOT_PACKAGES[*]} ROOT_MIB=600 ROOT_SAY="100 MB"
	[ "$1 ${2:-}" != "$ROOT_SUITE " ] || ROOT_INCLUDE+=" ${ROOT_TOOLS_PACKAGES[*]}"
	if [ -n "$A_CROSS" ]; then
		for name in "${ROOT_GUEST_PACKAGES[@]}" "${ROOT_TOOLS_PACKAGES[@]}"; do
			ROOT_INCLUDE=${ROOT_INCLUDE/$name/$name:$A_NAME}
		done
		local -n cross=ROOT_CROSS_PACKAGES_$A_NAME
		ROOT_MIB=1000 ROOT_SAY="200 MB"
		ROOT_INCLUDE+=" libc6-dev:$A_NAME ${cross[*]}"
	fi
	hash_of "$1 $ROOT_INCLUDE $ROOT_MERGED $ROOT_LINKS"
	ENTRY=root-$1$A_OUT-$HASH
}

# Sets ROOT and ROOT_ENTRY.
ensure_root()
{
	root_entry "$ROOT_SUITE"
	ROOT_ENTRY=$ENTRY
	ROOT=$CACHE/$ROOT_ENTRY/root
	cache_make "$ROOT_ENTRY" "$ROOT_MIB" "the build root" make_root "$ROOT_SUITE"
}

# Sets K_ROOT, in which the kernel's modules are compiled.
ensure_kernel_root()
{
	root_entry "$K_ROOT_SUITE"
	K_ROOT=$CACHE/$ENTRY/root
	cache_make "$ENTRY" "$ROOT_MIB" "the $K_ROOT_SUITE build root" \
		make_root "$K_ROOT_SUITE"
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
