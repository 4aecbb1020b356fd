# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# KDIR=: a kernel that the user built. Sourced by bash after kernel.sh.

# What a guest cannot do without, and for what.
KDIR_NEEDS=(
	MODULES:"loading pinprobe.ko"
	BLK_DEV_INITRD:"the initramfs"
	BINFMT_ELF:"programs"
	BINFMT_SCRIPT:"the guest's init"
	DEVTMPFS:"/dev"
	PROC_FS:"facts about the guest"
	SYSCTL:"counting pins"
	VM_EVENT_COUNTERS:"counting pins"
	PROC_PAGE_MONITOR:"the pagemap cross-check"
	SYSFS:"facts about the guest"
	TTY:"the console"
	SERIAL_8250_CONSOLE:"the console"
	VIRTIO_PCI:"the result channel"
	VIRTIO_CONSOLE:"the result channel"
	MMU:"user memory"
	MIGRATION:"page migration"
	HMM_MIRROR:"RESOLVE (selected by CONFIG_INFINIBAND_ON_DEMAND_PAGING)"
	INFINIBAND:"ibv_reg_mr"
	INFINIBAND_USER_ACCESS:"ibv_reg_mr"
	RDMA_RXE:"the software RDMA device"
)
# Without these some tests skip.
KDIR_WANTS=(
	CMA COMPACTION TRANSPARENT_HUGEPAGE USERFAULTFD CROSS_MEMORY_ATTACH
	FTRACE KPROBE_EVENTS DEBUG_FS COMPAT
)

config_has()
{
	grep -q "^CONFIG_$1=[ym]\$" "$K_CONFIG"
}

check_kdir_config()
{
	local need missing='' absent=''

	for need in "${KDIR_NEEDS[@]}"; do
		config_has "${need%%:*}" ||
			missing+=$'\n'"  CONFIG_${need%%:*}	${need#*:}"
	done
	[ -z "$missing" ] || die "$K_BUILD: its configuration lacks$missing"
	for need in "${KDIR_WANTS[@]}"; do
		config_has "$need" || absent+=" CONFIG_$need"
	done
	[ -z "$absent" ] || say NOTE "$K_BUILD is without$absent: tests that need it skip"
}

use_kdir()
{
	local dir=$1

	[ -d "$dir" ] || die "KDIR=$dir: no such folder"
	K_BUILD=$(realpath "$dir")
	K_CONFIG=$K_BUILD/.config
	K_IMAGE=$K_BUILD/arch/x86/boot/bzImage
	[ -e "$K_BUILD/Makefile" ] || die "KDIR=$dir is not a kernel tree: no Makefile"
	[ -e "$K_CONFIG" ] || die "KDIR=$dir is not built: it has no .config"
	check_kdir_config
	[ -e "$K_IMAGE" ] && [ -e "$K_BUILD/Module.symvers" ] &&
		[ -e "$K_BUILD/include/config/kernel.release" ] ||
		die "KDIR=$dir is not built: run make there first (bzImage and modules)"
	first_line "$K_BUILD/include/config/kernel.release"
	K_RELEASE=$LINE
	hash_of "$K_BUILD"
	K_NAME=kdir-$HASH
	K_NOTE="own build"
	K_MODULES=$K_BUILD
	K_SRC=
	K_HAS=rxe
	! config_has CMA || K_HAS+=,cma
	! config_has DEBUG_INFO_BTF || K_HAS+=,btf
}
