# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What differs between the architectures that guests have. All is built on
# amd64: for another one by cross compilers, in a build root that has them.
# Sourced by bash after common.sh.

HOST_ARCH=amd64

# use_arch NAME: NAME is Debian's. Sets A_NAME and
#   A_QEMU A_QEMU_PACKAGE  QEMU's name for it, and what brings that
#   A_ELF A_TRIPLET        readelf's name, and the compiler's
#   A_CROSS                prefix of the tools; empty: it is the host's
#   A_KERNEL A_IMAGE       arch/A_KERNEL/boot/A_IMAGE of a kernel tree
#   A_CONSOLE A_MACHINE A_CPU  for vm/shell; vm/runner/qemu.c has its own
#   A_OUT                  suffix of folders
use_arch()
{
	A_NAME=$1 A_CROSS='' A_OUT=''
	case $1 in
	amd64)
		A_QEMU=x86_64 A_QEMU_PACKAGE=qemu-system-x86 A_ELF=X86-64
		A_TRIPLET=x86_64-linux-gnu A_KERNEL=x86 A_IMAGE=bzImage
		A_CONSOLE=ttyS0 A_MACHINE=q35 A_CPU=max
		;;
	arm64)
		A_QEMU=aarch64 A_QEMU_PACKAGE=qemu-system-arm A_ELF=AArch64
		A_TRIPLET=aarch64-linux-gnu A_KERNEL=arm64 A_IMAGE=Image
		A_CONSOLE=ttyAMA0 A_MACHINE=virt A_CPU=max,pauth=off,sve=off
		;;
	*)
		die "no guests of architecture '$1' are known (amd64, arm64)"
		;;
	esac
	[ "$1" = "$HOST_ARCH" ] || A_CROSS=$A_TRIPLET- A_OUT=-$1
}

# Tools for the guest's programs, by the names that make and kbuild give them.
export_cross()
{
	export ARCH=$A_KERNEL CROSS_COMPILE=$A_CROSS
	export CC=${A_CROSS}gcc CPP=${A_CROSS}cpp AR=${A_CROSS}ar LD=${A_CROSS}ld
	export NM=${A_CROSS}nm RANLIB=${A_CROSS}ranlib STRIP=${A_CROSS}strip
	export OBJCOPY=${A_CROSS}objcopy
}

use_arch "$HOST_ARCH"
