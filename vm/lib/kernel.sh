# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The kernel store: stock packages unpacked into the cache, and trees that
# the user built. Sourced by bash after common.sh, apt.sh, table.sh.
#
# use_kernel NAME (or KDIR=) sets:
#   K_NAME K_ARCH K_HAS K_RELEASE K_IMAGE K_MODULES K_CONFIG K_SLOW K_KASAN
#   K_ACPI K_KMEMLEAK
#   K_ENV K_ARGS (what names it to vm/run: environment, arguments)
#   K_BUILD (as make -C sees it) K_SRC (/usr/src of the build root, or empty)
#   K_ROOT_SUITE (whose compiler built it; with K_SRC only)

KERNEL_FORMAT=3

# What vm/kernels may say that a kernel has, and the option that decides. cma= on
# the command line needs CONFIG_DMA_CMA, which needs CONFIG_CMA.
KERNEL_HAS=(
	cma:DMA_CMA rxe:RDMA_RXE btf:DEBUG_INFO_BTF p2pdma:PCI_P2PDMA numa:NUMA
	hotplug:ACPI_HOTPLUG_MEMORY vfio:VFIO_IOMMU_TYPE1 kunit:KUNIT debug:KASAN kho:KEXEC_HANDOVER
)

# kernel_has CONFIG: sets HAS, what the kernel really has.
kernel_has()
{
	local item found options=

	for item in "${KERNEL_HAS[@]}"; do options+="|${item#*:}"; done
	found=$(grep -E "^CONFIG_(${options#|})=[ym]\$" "$1" || :)
	HAS=
	for item in "${KERNEL_HAS[@]}"; do
		[[ $found != *"CONFIG_${item#*:}="* ]] || HAS+=,${item%%:*}
	done
	HAS=${HAS#,}
	HAS=${HAS:--}
}

# table_has HAS: what a row of vm/kernels says, as SAYS, which kernel_has has to
# say too, and OTHER, words that no option decides.
table_has()
{
	local item word

	SAYS='' OTHER=
	for item in "${KERNEL_HAS[@]}"; do
		! has_all "$1" "${item%%:*}" || SAYS+=,${item%%:*}
	done
	SAYS=${SAYS#,}
	SAYS=${SAYS:--}
	for word in ${1//,/ }; do
		[ "$word" = - ] || [[ " ${KERNEL_HAS[*]}" == *" $word:"* ]] ||
			OTHER+=,$word
	done
}

# What the table says has to be true: the default profile and what is listed
# for a kernel that was not fetched yet go by it.
check_has()
{
	table_has "$K_HAS"
	kernel_has "$K_CONFIG"
	[ "$SAYS" = "$HAS" ] ||
		die "vm/kernels says that $K_NAME has $SAYS; by its configuration $K_RELEASE has $HAS: correct the table"
	K_HAS=${HAS#-}$OTHER
	K_HAS=${K_HAS#,}
	K_HAS=${K_HAS:--}
}

# kernel_packages APTDIR METAPACKAGE...: what has to be unpacked: the
# packages that these lead to, of the kernel's own source.
kernel_packages()
{
	local apt=$1 todo seen=' ' next dep

	shift
	todo=("$@")
	while [ ${#todo[@]} -gt 0 ]; do
		next=${todo[0]}
		todo=("${todo[@]:1}")
		case $seen in *" $next "*) continue ;; esac
		seen+="$next "
		echo "$next"
		for dep in $(apt_field "$apt" "$next" Depends |
			tr ',' '\n' | sed 's/[|(].*//; s/:any//'); do
			case $dep in
			linux-image-* | linux-binary-* | linux-modules-* | \
			linux-headers-* | linux-kbuild-* | linux-base-*)
				todo+=("$dep")
				;;
			esac
		done
	done
}

# Headers name their tools by a path of /usr/lib that the build root does not
# have; here both lie side by side.
kernel_relink()
{
	local src=$1 link target

	find "$src" -maxdepth 2 -type l | while read -r link; do
		target=$(readlink "$link")
		case $target in
		*/lib/linux-kbuild-*)
			ln -sfn "../linux-kbuild-${target##*/lib/linux-kbuild-}" "$link"
			;;
		esac
	done
}

make_kernel()
{
	local name=$1 suite=$2 packages=$3 tmp=$4 apt=$4/apt list total=0 p deb lib
	local -a debs wanted chosen=()

	say KERNEL "$name: package index of $suite"
	own_apt "$apt" "$suite" "$A_NAME"
	IFS=, read -r -a wanted <<<"$packages"
	for p in "${wanted[@]}"; do
		chosen+=("$(apt_newest "$apt" "$p")")
		[ -n "$(apt_field "$apt" "${chosen[-1]:-none}" Version)" ] ||
			die "$suite has no $p"
	done
	apt_field "$apt" "${chosen[0]}" Version >"$tmp/version"
	list=$(kernel_packages "$apt" "${chosen[@]}")
	for p in $list; do
		total=$((total + $(apt_field "$apt" "$p" Size)))
	done
	say KERNEL "$name: ${chosen[0]} $(cat "$tmp/version"), $(echo "$list" | wc -w) packages, $((total / 1000000)) MB"
	# shellcheck disable=SC2086
	apt_get_debs "$apt" $list
	debs=("$apt"/debs/*.deb)
	for deb in "${debs[@]}"; do
		step "$tmp/log" dpkg-deb -x "$deb" "$tmp/x" ||
			die "cannot unpack ${deb##*/}"
		rm "$deb"
	done
	lib=$(echo "$tmp"/x/usr/lib/modules/*)
	[ -d "$lib" ] || lib=$(echo "$tmp"/x/lib/modules/*)
	echo "${lib##*/}" >"$tmp/release"
	mv "$lib" "$tmp/modules"
	if [ -e "$tmp/modules/vmlinuz" ]; then
		mv "$tmp/modules/vmlinuz" "$tmp/vmlinuz"
	else
		mv "$tmp/x/boot/vmlinuz-${lib##*/}" "$tmp/vmlinuz"
	fi
	unpack_kernel "$tmp"
	mv "$tmp/x/usr/src" "$tmp/src"
	rm -f "$tmp"/src/linux-kbuild-*
	mv "$tmp"/x/usr/lib/linux-kbuild-* "$tmp/src/"
	kernel_relink "$tmp/src"
	[ -d "$tmp/src/linux-headers-${lib##*/}" ] ||
		die "$suite: ${chosen[0]} is ${lib##*/}, and ${chosen[*]:1} are the headers of another"
	cp "$tmp/src/linux-headers-${lib##*/}/.config" "$tmp/config"
	rm -rf "$tmp/x" "$apt" "$tmp/log"
	say KERNEL "$name: $(cat "$tmp/release"), $(size_mb "$tmp") MiB unpacked"
}

# unpack_kernel DIR: the fastest form in which QEMU starts DIR/vmlinuz.
unpack_kernel()
{
	case $A_NAME in
	amd64) ! unpack_image "$1/vmlinuz" "$1/vmlinux" || rm "$1/vmlinuz" ;;
	arm64) unpack_arm64_image "$1/vmlinuz" "$1/Image" ;;
	esac
}

# unpack_image BZIMAGE OUT: the kernel proper out of a bzImage, which QEMU can
# start as it is (PVH). In emulation that saves the guest seconds of
# decompression. Status 1, and no OUT, if this image does not lend itself.
unpack_image()
{
	local setup offset length magic from notes
	local -a unpack

	read -r setup < <(od -An -tu1 -j $((0x1f1)) -N 1 "$1")
	read -r offset length < <(od -An -tu4 -j $((0x248)) -N 8 "$1")
	from=$(((setup + 1) * 512 + offset))
	read -r magic < <(od -An -tx4 -j $from -N 4 "$1")
	case $magic in
	fd2fb528) unpack=(zstd -dcq) ;;
	587a37fd) unpack=(xz -dcq) ;;
	*) return 1 ;;
	esac
	# The last four bytes are the unpacked size.
	dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip=$from \
		count=$((length - 4)) status=none |
		"${unpack[@]}" >"$2" 2>/dev/null &&
		notes=$(readelf -nW "$2" 2>/dev/null) &&
		[[ $notes == *Xen*"(0x00000012)"* ]] &&
		return 0
	rm -f "$2"
	return 1
}

# unpack_arm64_image FILE OUT: the Image proper. Packages have it as it is, with
# gzip, or as an EFI program that unpacks itself, which needs firmware to start:
# "MZ", "zimg" at 4, offset and length of the payload at 8, its format at 24.
unpack_arm64_image()
{
	local zimg offset length how unpack=(cat) LC_ALL=C

	offset=0 length=$(stat -c %s "$1")
	how=$(od -An -tx2 -N 2 "$1")
	zimg=$(od -An -c -j 4 -N 4 "$1" | tr -d ' ')
	if [ "$zimg" = zimg ]; then
		read -r offset length < <(od -An -tu4 -j 8 -N 8 "$1")
		how=$(dd if="$1" bs=1 skip=24 count=32 status=none | tr -d '\0')
	fi
	case $how in
	*8b1f | gzip) unpack=(gzip -dc) ;;
	zstd*) unpack=(zstd -dcq) ;;
	xzkern) unpack=(xz -dc) ;;
	esac
	# What follows the payload is the end of no stream: only the result counts.
	dd if="$1" bs=1M iflag=skip_bytes,count_bytes skip="$offset" \
		count="$length" status=none | "${unpack[@]}" >"$2" 2>/dev/null || :
	[ "$(dd if="$2" bs=1 skip=56 count=4 status=none 2>/dev/null)" = ARMd ] ||
		die "${1##*/}: no arm64 Image in it ($how)"
	rm "$1"
}

# kernel_row NAME: sets K_ENTRY and the row's fields, makes nothing.
kernel_row()
{
	if ! table_row "$TOP/vm/kernels" "$1"; then
		table_names "$TOP/vm/kernels"
		usage_error "unknown kernel '$1' (known: ${NAMES[*]}; or KDIR=tree)"
	fi
	read -r K_NAME K_ARCH K_SUITE K_ROOT_SUITE K_PACKAGES K_HAS <<<"$ROW"
	use_arch "$K_ARCH"
	case $K_PACKAGES in
	source:*) source_entry ;;
	*)
		hash_of "$KERNEL_FORMAT $K_SUITE $K_PACKAGES"
		K_ENTRY=kernel-$K_NAME-$HASH
		;;
	esac
}

ensure_kernel()
{
	local dir

	case $K_PACKAGES in
	source:*)
		ensure_source_kernel
		K_NOTE="built from"
		;;
	*)
		cache_make "$K_ENTRY" 450 "kernel $K_NAME" \
			make_kernel "$K_NAME" "$K_SUITE" "$K_PACKAGES"
		K_NOTE=stock
		;;
	esac
	dir=$CACHE/$K_ENTRY
	first_line "$dir/release"
	K_RELEASE=$LINE
	first_line "$dir/version"
	K_NOTE+=" $LINE"
	for K_IMAGE in "$dir"/{vmlinux,Image,vmlinuz}; do
		[ ! -e "$K_IMAGE" ] || break
	done
	K_MODULES=$dir/modules
	K_CONFIG=$dir/config
	K_SRC=$dir/src
	K_BUILD=/usr/src/linux-headers-$K_RELEASE
	K_ENV=()
	K_ARGS=(--kernel "$K_NAME")
	check_has
}

# choose_kernel NAME: use_arch for what use_kernel NAME will take; makes nothing.
choose_kernel()
{
	if [ -n "${MODULES:-}" ] || [[ $1 = */* ]]; then
		use_arch "$(image_arch "$1")"
	elif [ -n "${KDIR:-}" ]; then
		[ -z "$1" ] || usage_error "give a kernel by name or KDIR=, not both"
		use_arch "$(kdir_arch "$KDIR")"
	else
		table_names "$TOP/vm/kernels"
		kernel_row "${1:-${NAMES[0]}}"
	fi
}

# Sets K_SLOW, how many times longer than others this kernel takes for the same
# thing, K_KASAN, K_ACPI, and K_KMEMLEAK: it can say at the end what leaked.
kernel_pace()
{
	local config

	config=$'\n'$(<"$K_CONFIG")$'\n'
	K_SLOW=1 K_KASAN=0 K_ACPI=0 K_KMEMLEAK=0
	case $config in *$'\nCONFIG_ACPI=y\n'*) K_ACPI=1 ;; esac
	case $config in *$'\nCONFIG_KASAN=y\n'*) K_SLOW=4 K_KASAN=1 ;; esac
	case $config in *$'\nCONFIG_PROVE_LOCKING=y\n'*) K_SLOW=4 ;; esac
	case $config in *$'\nCONFIG_DEBUG_KMEMLEAK=y\n'*) K_KMEMLEAK=1 ;; esac
}

# use_kernel NAME: NAME may be empty; KDIR, if set, wins over the default.
use_kernel()
{
	choose_kernel "$1"
	if [ -n "${MODULES:-}" ] || [[ $1 = */* ]]; then
		[ -n "$1" ] || usage_error "MODULES= goes with KERNEL=, the image"
		use_image "$1"
	elif [ -n "${KDIR:-}" ]; then
		use_kdir "$KDIR"
	else
		ensure_kernel
	fi
	kernel_pace
	K_OUT=$BUILD/$K_NAME
	[ -d "$K_OUT" ] || mkdir -p "$K_OUT"
}
