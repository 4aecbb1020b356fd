# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Guests of another architecture than the host's.

# arm64_tree CONFIG-LINE...: a folder that looks like a tree built for arm64.
arm64_tree()
{
	local need

	mkdir -p "$SCRATCH/tree/arch/arm64/boot" "$SCRATCH/tree/include/config"
	touch "$SCRATCH/tree/Makefile" "$SCRATCH/tree/Module.symvers"
	echo 7.3.4-mine >"$SCRATCH/tree/include/config/kernel.release"
	{
		echo CONFIG_ARM64=y
		for need in "${KDIR_NEEDS[@]}" "$@"; do
			echo "CONFIG_${need%%[[:space:]]*}"
		done
	} >"$SCRATCH/tree/.config"
}

# arm64_image OUT: the part of an Image's header that is read, 64 bytes.
arm64_image()
{
	{
		head -c 56 /dev/zero
		printf 'ARMd'
		head -c 4 /dev/zero
	} >"$1"
}

test_arch_of_the_default_is_the_hosts()
{
	KDIR='' MODULES='' choose_kernel ''
	check_equal "$A_NAME $A_CROSS$A_OUT" 'amd64 '
	root_entry trixie
	case $ROOT_INCLUDE in *:*) fail "foreign packages: $ROOT_INCLUDE" ;; esac
	check_equal "${ENTRY%-*}" root-trixie
}

test_arch_of_each_kernel_is_known()
{
	local name

	table_names "$TOP/vm/kernels"
	for name in "${NAMES[@]}"; do
		KDIR='' MODULES='' choose_kernel "$name"
		check_equal "$A_NAME" "$K_ARCH"
	done
	check_ends 125 "*architecture 'vax'*" use_arch vax
}

test_arch_arm64_root_is_an_entry_of_its_own()
{
	use_arch arm64
	root_entry trixie
	check_equal "${ENTRY%-*}" root-trixie-arm64
	for name in libibverbs-dev ibverbs-providers busybox-static libc6-dev \
		libjson-c-dev libbpf-dev libnl-3-dev; do
		case " $ROOT_INCLUDE " in
		*" $name:arm64 "*) ;;
		*) fail "$name is not the guest's: $ROOT_INCLUDE" ;;
		esac
	done
	case " $ROOT_INCLUDE " in
	*" gcc "*" gcc-aarch64-linux-gnu "*) ;;
	*) fail "no compilers: $ROOT_INCLUDE" ;;
	esac
}

test_arch_arm64_tree_of_the_users()
{
	arm64_tree "${KDIR_NEEDS_arm64[@]}"
	check_ends 125 '*run make there first (Image and modules)*' \
		eval 'use_arch arm64; use_kdir "$SCRATCH/tree"'
	arm64_image "$SCRATCH/tree/arch/arm64/boot/Image"
	KDIR=$SCRATCH/tree MODULES='' choose_kernel ''
	check_equal "$A_NAME" arm64
	use_kdir "$SCRATCH/tree"
	check_equal "$K_IMAGE" "$SCRATCH/tree/arch/arm64/boot/Image"
}

test_arch_arm64_tree_has_another_console()
{
	arm64_tree PCI_HOST_GENERIC=y SERIAL_8250_CONSOLE=y
	arm64_image "$SCRATCH/tree/arch/arm64/boot/Image"
	use_arch arm64
	check_ends 125 '*CONFIG_SERIAL_AMBA_PL011_CONSOLE=y*' use_kdir "$SCRATCH/tree"
}

test_arch_of_an_image()
{
	arm64_image "$SCRATCH/Image"
	check_equal "$(image_arch "$SCRATCH/Image")" arm64
	check_equal "$(image_arch /bin/sh)" amd64
	check_equal "$(image_arch "$SCRATCH/none")" amd64
}

# zimg METHOD COMPRESSOR...: $SCRATCH/vmlinuz, an EFI program that unpacks itself.
zimg()
{
	local method=$1

	shift
	arm64_image "$SCRATCH/plain"
	printf 'and more' >>"$SCRATCH/plain"
	"$@" <"$SCRATCH/plain" >"$SCRATCH/payload"
	{
		printf 'MZ\0\0zimg\x40\0\0\0'
		# The length, less than 256 here.
		# shellcheck disable=SC2059
		printf "\\x$(printf %x "$(stat -c %s "$SCRATCH/payload")")\\0\\0\\0"
		head -c 8 /dev/zero
		printf '%s\0' "$method"
		head -c $((64 - 24 - ${#method} - 1)) /dev/zero
		cat "$SCRATCH/payload"
		printf 'what comes behind it'
	} >"$SCRATCH/vmlinuz"
}

check_unpacked()
{
	unpack_arm64_image "$SCRATCH/vmlinuz" "$SCRATCH/Image"
	cmp "$SCRATCH/plain" "$SCRATCH/Image" || fail "line ${BASH_LINENO[0]}: not the same"
	[ ! -e "$SCRATCH/vmlinuz" ] || fail "it is still there"
}

test_arch_arm64_image_forms()
{
	zimg gzip gzip -c
	check_unpacked
	zimg zstd22 zstd -qc
	check_unpacked
	zimg xzkern xz -c
	check_unpacked
	gzip -c "$SCRATCH/plain" >"$SCRATCH/vmlinuz"
	check_unpacked
	cp "$SCRATCH/plain" "$SCRATCH/vmlinuz"
	check_unpacked
}

test_arch_arm64_image_that_is_none()
{
	head -c 1000 /dev/zero >"$SCRATCH/vmlinuz"
	check_ends 125 '*no arm64 Image in it*' \
		unpack_arm64_image "$SCRATCH/vmlinuz" "$SCRATCH/Image"
	zimg lz4 cat
	printf 'MZ\0\0zimg' | dd of="$SCRATCH/vmlinuz" conv=notrunc status=none
	printf 'x' | dd of="$SCRATCH/vmlinuz" bs=1 seek=120 conv=notrunc status=none
	check_ends 125 '*no arm64 Image in it (lz4)*' \
		unpack_arm64_image "$SCRATCH/vmlinuz" "$SCRATCH/Image"
}
