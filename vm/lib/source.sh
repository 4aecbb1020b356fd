# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Kernels built from a linux-source package, for what no stock kernel has: rows
# of vm/kernels whose packages read "source:PART,..." (vm/config/PART.config on
# top of base.config, vm/patches/PART/*.patch). Sourced by bash after
# kernel.sh.

SOURCE_FORMAT=1
# What compiling a kernel takes beyond the build root, which stays small.
KROOT_PACKAGES=(bc bison flex ccache patch rsync lz4 zstd libelf-dev libssl-dev python3-minimal)
CCACHE_SIZE=2G

make_kroot()
{
	root_entry "$1" bare
	ROOT_INCLUDE+=" ${KROOT_PACKAGES[*]}"
	make_root "$1" "$2"
	ROOT=$2/root in_root -- gcc --version | head -n 1 >"$2/compiler"
}

# kroot_entry SUITE: sets KROOT_ENTRY.
kroot_entry()
{
	root_entry "$1" bare
	hash_of "$ENTRY ${KROOT_PACKAGES[*]}"
	KROOT_ENTRY=kroot-$1-$HASH
}

# linux_source APTDIR SUITE: the name of the package, on stdout.
linux_source()
{
	local source

	source=$(apt_field "$1" linux-source Depends | sed 's/[ ,(].*//')
	[ -n "$source" ] || die "$2 has no linux-source"
	echo "$source"
}

# The package as it comes, since several kernels are built from it.
make_tarball()
{
	local suite=$1 tmp=$2 apt=$2/apt source

	say SOURCE "package index of $suite"
	own_apt "$apt" "$suite"
	source=$(linux_source "$apt" "$suite")
	apt_field "$apt" "$source" Version >"$tmp/version"
	say SOURCE "$source $(<"$tmp/version"), $(($(apt_field "$apt" "$source" Size) / 1000000)) MB"
	apt_get_debs "$apt" "$source"
	step "$tmp/log" dpkg-deb -x "$(echo "$apt"/debs/*.deb)" "$tmp/x" ||
		die "cannot unpack $source"
	mv "$tmp"/x/usr/src/linux-source-*.tar.xz "$tmp/linux.tar.xz"
	rm -rf "$apt" "$tmp/x" "$tmp/log"
}

# source_parts PACKAGES: sets PARTS and FILES, all that decides on the kernel, and
# VARIANT, its name by them: rows that differ in nothing else share one kernel.
source_parts()
{
	local part patches

	VARIANT=${1#source:}
	VARIANT=${VARIANT//,/-}

	PARTS=(base)
	for part in ${1//,/ }; do
		[ "${part#source:}" = base ] || PARTS+=("${part#source:}")
	done
	FILES=()
	for part in "${PARTS[@]}"; do
		[ -e "$TOP/vm/config/$part.config" ] ||
			die "vm/kernels asks for $part, and there is no vm/config/$part.config"
		patches=("$TOP/vm/patches/$part"/*.patch)
		FILES+=("$TOP/vm/config/$part.config" ${patches[@]+"${patches[@]}"})
	done
}

# source_entry: sets K_ENTRY for the row that kernel_row read: by what the files
# say, the source's version, and the compiler. Neither of the latter is known
# before it was fetched; then there is no such entry either.
source_entry()
{
	local version compiler sum

	source_parts "$K_PACKAGES"
	kroot_entry "$K_ROOT_SUITE"
	TARBALL_ENTRY=linux-source-$K_SUITE
	first_line "$CACHE/$TARBALL_ENTRY/version"
	version=$LINE
	first_line "$CACHE/$KROOT_ENTRY/compiler"
	compiler=$LINE
	sum=$({ echo "$SOURCE_FORMAT $version $compiler"; cat "${FILES[@]}"; } | sha256sum)
	K_ENTRY=kernel-$VARIANT-${sum:0:16}
}

ensure_source_kernel()
{
	[ "$K_ARCH" = amd64 ] ||
		die "kernel $K_NAME is for $K_ARCH: only amd64 kernels are built from source"
	[ ! -d "$CACHE/$K_ENTRY" ] || return 0
	cache_make "$TARBALL_ENTRY" 600 "the kernel source of $K_SUITE" \
		make_tarball "$K_SUITE"
	cache_make "$KROOT_ENTRY" 900 "the root in which kernels are compiled" \
		make_kroot "$K_ROOT_SUITE"
	source_entry
	cache_make "$K_ENTRY" 6000 "compiling kernel $K_NAME" make_source_kernel "$K_NAME"
}

# merge_config VERSION FRAGMENT...: one line for each option on stdout, the last
# one said, of those that hold for this version.
merge_config()
{
	local version=$1

	shift
	awk -v version="$version" '
	function number(text, part) {
		split(text, part, ".")
		return part[1] * 1000 + part[2]
	}
	!/^(# )?CONFIG_[A-Za-z0-9_]+(=| is not set)/ { next }
	{
		holds = 1
		if (match($0, /[ \t]*# (from|until) [0-9.]+$/)) {
			split(substr($0, RSTART), word)
			holds = number(version) >= number(word[3])
			if (word[2] == "until")
				holds = !holds
			$0 = substr($0, 1, RSTART - 1)
		}
		if (!holds)
			next
		match($0, /CONFIG_[A-Za-z0-9_]+/)
		name = substr($0, RSTART, RLENGTH)
		if (!(name in said))
			order[++n] = name
		said[name] = $0
	}
	END {
		for (i = 1; i <= n; i++)
			print said[order[i]]
	}' "$@"
}

# unmet_options MERGED CONFIG: what was asked for and is not so, on stdout.
unmet_options()
{
	local line name

	while IFS= read -r line; do
		case $line in
		'# '*)
			name=${line#\# }
			name=${name%% *}
			! grep "^$name=" "$2" | sed "s/\$/ (asked: not set)/" || :
			;;
		*)
			name=${line%%=*}
			grep -qxF -- "$line" "$2" ||
				echo "$line ($(grep "^\(# \)\?${name}[= ]" "$2" || echo "no such option here"))"
			;;
		esac
	done <"$1"
}

# in_tree TREE COMMAND...: in the root for compiling kernels, with the cache of
# compiled objects at hand.
in_tree()
{
	local tree=$1

	shift
	mkdir -p "$CACHE/ccache"
	ROOT=$CACHE/$KROOT_ENTRY/root in_root --bind "$tree" --bind "$CACHE/ccache" \
		--cwd "$tree/linux" -- env ARCH=x86 \
		CCACHE_DIR="$CACHE/ccache" CCACHE_MAXSIZE="$CCACHE_SIZE" \
		CCACHE_BASEDIR="$tree" CCACHE_NOHASHDIR=1 CCACHE_DEPEND=1 \
		KBUILD_BUILD_USER=pinprobe KBUILD_BUILD_HOST=pinprobe \
		KBUILD_BUILD_TIMESTAMP='Thu Jan 1 00:00:00 UTC 1970' \
		CCACHE_COMPILERCHECK=content "$@"
}

in_tree_make()
{
	local tree=$1

	shift
	in_tree "$tree" nice make -j"$(nproc)" CC="ccache gcc" HOSTCC="ccache gcc" \
		LOCALVERSION="-$VARIANT" "$@"
}

# Every 20 seconds, how far it has come.
watch_build()
{
	local name=$1 log=$2 begun=$SECONDS

	while sleep 20; do
		say KERNEL "$name: $(grep -c '^  \(CC\|AS\|LD\|HOSTCC\)' "$log" || :) objects, $(((SECONDS - begun) / 60)) min $(((SECONDS - begun) % 60)) s"
	done
}

# image_target CONFIG: what make has to make of such a kernel.
image_target()
{
	if starts_unpacked "$1"; then echo vmlinux; else echo bzImage; fi
}

# keep_image TREE TO: the file that QEMU starts, in the folder TO.
keep_image()
{
	if starts_unpacked "$1/linux/.config"; then
		step "$1/log" in_tree "$1" objcopy -R .comment -S vmlinux ../vmlinux ||
			die "the kernel cannot be stripped"
		mv "$1/vmlinux" "$2/vmlinux"
	else
		cp "$1/linux/arch/x86/boot/bzImage" "$2/vmlinuz"
	fi
}

# build_in_tree NAME TREE: the long one. In a process group of its own, so that
# all of it goes when this script is told to.
build_in_tree()
{
	local name=$1 tree=$2 log=$2/build.log status=0 build watch

	: >"$log"
	set -m
	in_tree_make "$tree" "$(image_target "$tree/linux/.config")" modules \
		>"$log" 2>&1 </dev/null &
	build=$!
	watch_build "$name" "$log" &
	watch=$!
	set +m
	KILL_ON_EXIT=("-$build" "-$watch")
	wait "$build" || status=$?
	kill -- "-$watch" 2>/dev/null || :
	wait "$watch" 2>/dev/null || :
	KILL_ON_EXIT=()
	[ $status = 0 ] && return 0
	build_failed "$tree" "$log" "kernel $name does not build"
}

configure_tree()
{
	local name=$1 tree=$2 version=$3 unmet part
	local -a fragments=()

	for part in "${PARTS[@]}"; do
		fragments+=("$TOP/vm/config/$part.config")
	done
	merge_config "$version" "${fragments[@]}" >"$tree/linux/merged.config"
	step "$tree/log" in_tree_make "$tree" KCONFIG_ALLCONFIG=merged.config allnoconfig ||
		die "cannot configure kernel $name"
	unmet=$(unmet_options "$tree/linux/merged.config" "$tree/linux/.config")
	[ -z "$unmet" ] || die "kernel $name: options of vm/config that $version does not give:"$'\n'"$unmet"
}

# Half of the files are of other architectures, documentation and tests.
unpack_tree()
{
	local name=$1 tree=$2 part patch

	mkdir -p "$tree/linux"
	step "$tree/log" tar -x -C "$tree/linux" --strip-components=1 \
		--exclude='*/Documentation/*/*' --exclude='*/arch/[!x]*/*.[chS]' --exclude='*/arch/[!x]*/*.dts*' \
		--exclude='*/tools/testing/*/*' \
		-f "$CACHE/$TARBALL_ENTRY/linux.tar.xz" ||
		die "cannot unpack the kernel source of $K_SUITE"
	for part in "${PARTS[@]}"; do
		for patch in "$TOP/vm/patches/$part"/*.patch; do
			cp "$patch" "$tree/patch"
			step "$tree/log" in_tree "$tree" patch -p1 -F0 -i ../patch ||
				die "${patch#"$TOP/"} does not apply to the source of $K_SUITE"
		done
	done
}

# What an external module is built with, as in a headers package.
keep_headers()
{
	local tree=$1 to=$2

	mkdir -p "$to"
	(
		cd "$tree/linux"
		{
			printf '%s\n' .config Makefile Kbuild Kconfig Module.symvers \
				arch/x86/Makefile* arch/x86/Kbuild tools/objtool/objtool
			find include scripts arch/x86/include \( -type f -o -type l \) \
				! -name '*.o' ! -name '*.a' ! -name '.*.cmd' ! -name '*.pyc'
		} | tar -c --no-recursion -T - | tar -x -C "$to"
	)
}

# starts_unpacked CONFIG: whether it can do without its decompressor. The PVH
# entry of a kernel with KASAN calls memcmp(), which is instrumented, before
# there is any shadow memory or exception handler: the guest is gone at once.
starts_unpacked()
{
	! grep -q '^CONFIG_KASAN=y' "$1"
}

make_source_kernel()
{
	local name=$1 tmp=$2 tree=$2/tree version release

	version=$(<"$CACHE/$TARBALL_ENTRY/version")
	say KERNEL "$name: source $version with ${PARTS[*]}; compiling takes some 10 min on 2 idle cores, with sanitizers 15"
	CLEANUP_NOTE="removing the unfinished tree of kernel $name"
	mkdir "$tree"
	unpack_tree "$name" "$tree"
	configure_tree "$name" "$tree" "$version"
	build_in_tree "$name" "$tree"
	release=$(<"$tree/linux/include/config/kernel.release")
	echo "$release" >"$tmp/release"
	echo "$version" >"$tmp/version"
	mkdir "$tree/mod"
	step "$tree/log" in_tree_make "$tree" INSTALL_MOD_PATH="$tree/mod" \
		INSTALL_MOD_STRIP=1 modules_install ||
		die "the modules of kernel $name cannot be installed"
	mv "$tree/mod/lib/modules/$release" "$tmp/modules"
	rm -f "$tmp/modules/build" "$tmp/modules/source"
	keep_image "$tree" "$tmp"
	cp "$tree/linux/.config" "$tmp/config"
	keep_headers "$tree" "$tmp/src/linux-headers-$release"
	rm -rf "$tree"
	CLEANUP_NOTE=
	say KERNEL "$name: $release, $(size_mb "$tmp") MiB kept"
}
