# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The guest's initramfs: cpio archives one behind the other. base (kernel
# modules, busybox, libraries), tests and module (pinprobe.ko, init) are kept;
# what is of one run comes last. Sourced by bash after kernel.sh, module.sh,
# selftests.sh.

# In the order in which they can be loaded; what each depends on comes with it.
# Without those of the channel nothing can be reported.
CHANNEL_MODULES=(virtio_pci virtio_console)
GUEST_MODULES=(ib_uverbs rdma_rxe)
# Which tests load themselves, those that they want.
LATER_MODULES=(dummy dm_zero hwpoison_inject nvme vfio_pci vfio_iommu_type1)
INITRD_FORMAT=3

pack_cpio()
{
	(cd "$1" && find . -mindepth 1 | LC_ALL=C sort |
		cpio -o -H newc -R 0:0 --quiet) >"$2.tmp" || die "cannot write $2"
	mv "$2.tmp" "$2"
}

# module_file NAME: NAME.ko*, in any of its spellings, below K_MODULES.
module_file()
{
	local name=${1//[-_]/[-_]}

	find -L "$K_MODULES" \( -name build -o -name source \) -prune -o \
		\( -name "$name.ko" -o -name "$name.ko.*" \) -print -quit
}

# Unpacked and without debug information, as $2.
copy_module()
{
	case $1 in
	*.xz) xz -dc "$1" >"$2" ;;
	*.zst) zstd -dcq "$1" >"$2" ;;
	*.gz) gzip -dc "$1" >"$2" ;;
	*) cp "$1" "$2" ;;
	esac
	strip_files "$2"
}

# By tools that know the guest's architecture: for another one than the host's
# those of the build root.
strip_files()
{
	if [ -z "$A_CROSS" ]; then
		strip --strip-debug "$@"
	else
		in_root --bind "${1%/*}" -- "${A_CROSS}strip" --strip-debug "$@"
	fi
}

module_field()
{
	local value

	value=$(tr '\0' '\n' <"$1" | sed -n "s/^$2=//p")
	printf '%s\n' "${value%%$'\n'*}"
}

# add_module STAGE LIST NAME: NAME, behind all that it depends on, at the end of
# /m/LIST; one that the kernel does not have as a module is built in or missing,
# and the guest tells.
add_module()
{
	local stage=$1 list=$2 name=${3//-/_} file dep deps

	[ ! -e "$stage/m/$name.ko" ] || return 0
	file=$(module_file "$name")
	[ -n "$file" ] || return 0
	copy_module "$file" "$stage/m/$name.ko"
	deps=$(module_field "$stage/m/$name.ko" depends)
	# crc32 is looked up by name through the crypto layer up to 6.12.
	[ "$name" != rdma_rxe ] || deps+=",crc32_generic,crc32"
	case $name in ext4 | xfs) deps+=",crc32c_generic" ;; esac
	for dep in ${deps//,/ }; do
		add_module "$stage" "$list" "$dep"
	done
	echo "/m/$name.ko" >>"$stage/m/$list"
}

# shellcheck disable=SC2016
ASK_LOADER='
	for program; do
		out=$({ LD_TRACE_LOADED_OBJECTS=1 /lib64/ld-linux-x86-64.so.2 "$program"; } 2>&1) || {
			case $out in
			# 32-bit programs have no libraries here: static.
			*"statically linked"*|*ELFCLASS32*) continue ;;
			esac
			# The loader does not expect those of 64 bits and dies.
			case $(readelf -dW "$program" 2>&1) in
			*"There is no dynamic section"*) continue ;;
			esac
			echo "$program: $out" >&2
			exit 1
		}
		echo "$out"
	done'

# libraries_of PROGRAM...: on stdout what the build root's loader maps for
# them, absolute paths of the build root. Programs may lie anywhere below the
# folders given by --bind.
libraries_of()
{
	local -a binds=() how=(sh -c "$ASK_LOADER" libraries)

	while [ "$1" = --bind ]; do
		binds+=(--bind "$2")
		shift 2
	done
	[ -z "$A_CROSS" ] || how=(sh -c "$(<"$TOP/vm/lib/needed.sh")" libraries \
		"$A_TRIPLET" "$A_ELF")
	in_root ${binds[@]+"${binds[@]}"} -- "${how[@]}" "$@" |
		sed -n 's/ not found.*//; s/^[[:space:]]*\(.*\) =>$/MISSING \1/p; s/^.*=> \(\/[^ ]*\) (.*/\1/p; s/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' |
		LC_ALL=C sort -u
}

# copy_libraries STAGE HAVE: those on stdin into STAGE unless HAVE has them.
copy_libraries()
{
	local stage=$1 have=$2 lib name from

	while read -r lib; do
		if [ "${lib%% *}" = MISSING ]; then
			read -r _ name _ <<<"$lib"
			[ -n "$(find "$stage" -name "$name" -print -quit)" ] ||
				die "$name is wanted, and neither in the build root nor among what was added"
			continue
		fi
		# A folder of this name would take the place of base's link.
		case $lib in /lib/* | /lib64/*) lib=/usr$lib ;; esac
		[ ! -e "$have$lib" ] && [ ! -e "$stage$lib" ] || continue
		# The user's own, which the loader found beside the program.
		from=$ROOT$lib
		[ -e "$from" ] || from=$lib
		mkdir -p "$stage${lib%/*}"
		cp -L "$from" "$stage$lib"
	done
}

make_base()
{
	local stage=$1 provider module

	mkdir -p "$stage"/{bin,proc,sys,dev,tmp,run,etc/libibverbs.d,m,t,w,usr/lib,usr/lib64}
	ln -s usr/lib "$stage/lib"
	ln -s usr/lib64 "$stage/lib64"
	cp "$ROOT/usr/bin/busybox" "$stage/bin/"
	# One that does not run here is asked by the guest's init.
	if [ -z "$A_CROSS" ]; then
		"$ROOT/usr/bin/busybox" --list | while read -r module; do
			[ "$module" = busybox ] || ln -sf busybox "$stage/bin/$module"
		done
	fi
	ln -s bin "$stage/sbin"
	echo 'root:x:0:0:root:/:/bin/sh' >"$stage/etc/passwd"
	echo 'root:x:0:' >"$stage/etc/group"
	: >"$stage/m/channel"
	: >"$stage/m/order"
	for module in "${CHANNEL_MODULES[@]}"; do
		add_module "$stage" channel "$module"
	done
	for module in "${GUEST_MODULES[@]}"; do
		add_module "$stage" order "$module"
	done
	: >"$stage/m/later"
	for module in "${LATER_MODULES[@]}"; do
		add_module "$stage" later "$module"
	done
	in_root --bind "$TOP" --bind "$stage" -- "${A_CROSS}gcc" -O2 -Wall -Werror \
		-o "$stage/bin/rxe-link" "$TOP/vm/guest/rxe-link.c"
	provider=$(cd "$ROOT" && echo usr/lib/"$A_TRIPLET"/libibverbs/librxe-rdmav*.so)
	mkdir -p "$stage/${provider%/*}"
	cp -L "$ROOT/$provider" "$stage/$provider"
	cp "$ROOT/etc/libibverbs.d/rxe.driver" "$stage/etc/libibverbs.d/"
	libraries_of --bind "$stage" "$stage/bin/rxe-link" "/$provider" |
		copy_libraries "$stage" /nonexistent
}

ensure_base()
{
	local key stage

	BASE=$K_OUT/base
	key="$INITRD_FORMAT $ROOT_ENTRY $K_RELEASE ${CHANNEL_MODULES[*]} ${GUEST_MODULES[*]} ${LATER_MODULES[*]}"
	first_line "$BASE.key"
	if [ "$LINE" = "$key" ] &&
		! stale "$BASE.cpio" "$TOP/vm/guest" "$TOP/vm/lib/initrd.sh" "$K_IMAGE"; then
		return 0
	fi
	say INITRD "$K_NAME: kernel modules, busybox, libraries"
	rm -f "$BASE.key"
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	chmod 755 "$stage"
	make_base "$stage"
	pack_cpio "$stage" "$BASE.cpio"
	rm -rf "$K_OUT/base"
	mv "$stage" "$K_OUT/base"
	echo "$key" >"$BASE.key"
}

# tests.cpio: every program of the selftests, and their libraries.
ensure_tests_cpio()
{
	local stage program
	local -a programs=() elf=()

	TESTS_CPIO=$K_OUT/tests.cpio
	stale "$TESTS_CPIO" "$SELFTESTS/.built" "$BASE.cpio" || return 0
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	mkdir "$stage/t"
	for program in "$SELFTESTS"/*; do
		[ -f "$program" ] && [ -x "$program" ] || continue
		programs+=("$program")
		! is_elf "$program" || elf+=("$program")
	done
	[ ${#programs[@]} -gt 0 ] || die "no programs in ${SELFTESTS#"$TOP/"}"
	cp "${programs[@]}" "$stage/t/"
	strip_files "${elf[@]/#*\//$stage/t/}"
	libraries_of --bind "$SELFTESTS" "${elf[@]}" |
		copy_libraries "$stage" "$K_OUT/base"
	pack_cpio "$stage" "$TESTS_CPIO"
	rm -rf "$stage"
}

is_elf()
{
	local LC_ALL=C magic=

	IFS= read -r -N 4 magic <"$1" 2>/dev/null || :
	[ "$magic" = $'\x7fELF' ]
}

# module.cpio: what changes as pinprobe is worked on.
ensure_module_cpio()
{
	local stage

	MODULE_CPIO=${KO%.ko}.cpio
	stale "$MODULE_CPIO" "$KO" "$TOP/vm/init" "$TOP/vm/facts.awk" || return 0
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	mkdir "$stage/m"
	cp "$TOP/vm/init" "$TOP/vm/facts.awk" "$stage/"
	chmod 755 "$stage" "$stage/init"
	copy_module "$KO" "$stage/m/pinprobe.ko"
	pack_cpio "$stage" "$MODULE_CPIO"
	rm -rf "$stage"
}

# cpio_file NAME TEXT: one file as a cpio archive of its own on stdout; no
# blocks, so that archives can follow each other.
cpio_file()
{
	local name=$1 text=$2 size pad LC_ALL=C

	size=${#text}
	pad=$(((4 - (110 + ${#name} + 1) % 4) % 4))
	printf '070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x' \
		0 $((0100644)) 0 0 1 0 "$size" 0 0 0 0 $((${#name} + 1)) 0
	printf '%s\0' "$name"
	zeros "$pad"
	printf %s "$text"
	zeros $(((4 - size % 4) % 4))
}

cpio_trailer()
{
	printf '070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x' \
		0 0 0 0 1 0 0 0 0 0 0 11 0
	printf 'TRAILER!!!\0\0\0\0'
}

zeros()
{
	local i

	for ((i = 0; i < $1; i++)); do
		printf '\0'
	done
}

# Where a file or folder of the user's lies in the guest: at the same path; a
# relative one below the guest's working folder /w.
guest_path()
{
	case $1 in
	/*) echo "$1" ;;
	../* | */../* | .. | */..) echo "/w/$(basename "$(realpath "$1")")" ;;
	*) echo "/w/$1" ;;
	esac
}

# pack_added OUT PATH...: the files and folders into a cpio archive, with the
# libraries that the programs and libraries among them want.
pack_added()
{
	local out=$1 path file to stage
	local -a elf=() binds=()

	shift
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage" "$stage.libs")
	for path; do
		[ -e "$path" ] || usage_error "--add $path: no such file or folder"
		to=$stage$(guest_path "$path")
		mkdir -p "$(dirname "$to")"
		cp -rLT "$path" "$to" || die "cannot copy $path into the guest"
		path=$(realpath "$path")
		while IFS= read -r -d '' file; do
			is_elf "$file" || continue
			elf+=("$file")
			binds+=(--bind "${file%/*}")
		done < <(find -L "$path" -type f \( -perm /111 -o -name '*.so*' \) -print0)
	done
	if [ ${#elf[@]} -gt 0 ]; then
		# A library that was added is found where it was added from.
		libraries_of "${binds[@]}" "${elf[@]}" >"$stage.libs" ||
			die "the build root cannot load what was added; build it with vm/build"
		copy_libraries "$stage" "$K_OUT/base" <"$stage.libs"
	fi
	pack_cpio "$stage" "$out"
	rm -rf "$stage" "$stage.libs"
}

# pack_init OUT FILE: FILE as /init, which wins over the one that came before.
pack_init()
{
	local stage

	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	cp "$2" "$stage/init"
	chmod 755 "$stage" "$stage/init"
	pack_cpio "$stage" "$1"
	rm -rf "$stage"
}

# make_initrd OUT ARCHIVE... NAME=TEXT...: the archives behind base, then a
# file NAME with TEXT for each.
make_initrd()
{
	local out=$1 arg
	local -a archives=("$BASE.cpio")

	shift
	for arg; do
		case $arg in *=*) ;; *) archives+=("$arg") ;; esac
	done
	{
		cat "${archives[@]}"
		for arg; do
			case $arg in *=*) cpio_file "${arg%%=*}" "${arg#*=}" ;; esac
		done
		cpio_trailer
	} >"$out" || die "cannot write $out"
}
