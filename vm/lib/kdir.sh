# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# KDIR=: a kernel that the user built. Sourced by bash after kernel.sh.

# What a guest cannot do without: option, the line that brings it, what for.
KDIR_NEEDS=(
	"MODULES=y			loading pinprobe.ko"
	"BLK_DEV_INITRD=y		the initramfs"
	"BINFMT_ELF=y			programs"
	"BINFMT_SCRIPT=y		the guest's init"
	"DEVTMPFS=y			/dev"
	"PROC_FS=y			facts about the guest"
	"SYSCTL=y			counting pins"
	"VM_EVENT_COUNTERS=y		counting pins"
	"PROC_PAGE_MONITOR=y		the pagemap cross-check"
	"SYSFS=y			facts about the guest"
	"TTY=y				the console"
	"VIRTIO_PCI=y			the result channel"
	"VIRTIO_CONSOLE=y		the result channel"
	"MMU=y				user memory"
	"MIGRATION=y			page migration"
	"INFINIBAND=m			ibv_reg_mr"
	"INFINIBAND_USER_ACCESS=m	ibv_reg_mr"
	"HMM_MIRROR=y			RESOLVE; CONFIG_INFINIBAND_ON_DEMAND_PAGING=y selects it"
	"RDMA_RXE=m			the software RDMA device"
)
KDIR_NEEDS_amd64=("SERIAL_8250_CONSOLE=y	the console")
KDIR_NEEDS_arm64=(
	"SERIAL_AMBA_PL011_CONSOLE=y	the console"
	"PCI_HOST_GENERIC=y		the result channel"
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

# config_lacks LINE...: of "OPTION=value what for" those that the configuration
# is without, as MISSING_LINES, ready to be put into it.
config_lacks()
{
	local need line what

	MISSING_LINES=
	for need; do
		read -r line what <<<"$need"
		config_has "${line%%=*}" ||
			printf -v MISSING_LINES '%s\n  %-36s # %s' \
				"$MISSING_LINES" "CONFIG_$line" "$what"
	done
}

check_kdir_config()
{
	local need absent=''
	local -n of_arch=KDIR_NEEDS_$A_NAME

	config_lacks "${KDIR_NEEDS[@]}" "${of_arch[@]}"
	if [ -n "$MISSING_LINES" ]; then
		need=$MISSING_LINES
		config_lacks "CMA=y for the profile cma" "DMA_CMA=y for the profile cma"
		die "$K_CONFIG lacks what guests need; add, run make olddefconfig, and build again:$need$MISSING_LINES"
	fi
	for need in "${KDIR_WANTS[@]}"; do
		config_has "$need" || absent+=" CONFIG_$need"
	done
	[ -z "$absent" ] || say NOTE "$K_CONFIG is without$absent: tests that need it skip"
}

# own_kernel_has: sets K_HAS from the configuration of a kernel of the user's.
own_kernel_has()
{
	kernel_has "$K_CONFIG"
	K_HAS=$HAS
}

# feature_lines NEEDS: what brings a feature of vm/kernels to a configuration.
feature_lines()
{
	local need

	for need in ${1//,/ }; do
		case $need in
		cma) echo "CMA=y the reserve"; echo "DMA_CMA=y the cma= argument" ;;
		rxe) echo "RDMA_RXE=m the software RDMA device" ;;
		vfio) echo "VFIO_PCI=m a device"; echo "VFIO_IOMMU_TYPE1=m its memory" ;;
		btf) echo "DEBUG_INFO_BTF=y types for BPF programs" ;;
		esac
	done
}

# kdir_arch DIR: what a tree is configured for, on stdout; use_kdir will say it if
# there is none.
kdir_arch()
{
	if grep -qs '^CONFIG_ARM64=y$' "$1/.config"; then echo arm64; else echo amd64; fi
}

# image_arch IMAGE: the same of an image.
image_arch()
{
	case $(dd if="$1" bs=1 skip=56 count=4 status=none 2>/dev/null | tr -d '\0') in
	ARMd) echo arm64 ;;
	*) echo amd64 ;;
	esac
}

use_kdir()
{
	local dir=$1

	[ -d "$dir" ] || die "KDIR=$dir: no such folder"
	K_BUILD=$(realpath "$dir")
	K_CONFIG=$K_BUILD/.config
	K_IMAGE=$K_BUILD/arch/$A_KERNEL/boot/$A_IMAGE
	[ -e "$K_BUILD/Makefile" ] || die "KDIR=$dir is not a kernel tree: no Makefile"
	[ -e "$K_CONFIG" ] || die "KDIR=$dir is not built: it has no .config"
	check_kdir_config
	[ -e "$K_IMAGE" ] && [ -e "$K_BUILD/Module.symvers" ] &&
		[ -e "$K_BUILD/include/config/kernel.release" ] ||
		die "KDIR=$dir is not built: run make there first ($A_IMAGE and modules)"
	first_line "$K_BUILD/include/config/kernel.release"
	K_RELEASE=$LINE
	hash_of "$K_BUILD"
	K_NAME=kdir-$HASH
	K_NOTE="own build"
	K_MODULES=$K_BUILD
	K_SRC=
	K_ENV=(KDIR="$K_BUILD")
	K_ARGS=()
	own_kernel_has
}

# modules_folder DIR: sets K_MODULES to where the modules of one kernel lie: DIR
# itself, or the only one below DIR/lib/modules (make modules_install).
modules_folder()
{
	local -a below=("$1"/lib/modules/*/)

	K_MODULES=$1
	if [ ! -d "$1/kernel" ]; then
		[ ${#below[@]} = 1 ] ||
			die "MODULES=$1 has neither kernel/ nor one folder below lib/modules/: name the one of this kernel"
		K_MODULES=${below[0]%/}
	fi
	K_MODULES=$(realpath "$K_MODULES")
	K_RELEASE=${K_MODULES##*/}
}

# image_release IMAGE: what a bzImage says its release is, nothing for others.
image_release()
{
	local magic offset

	magic=$(dd if="$1" bs=1 skip=514 count=4 status=none)
	[ "$magic" = HdrS ] || return 0
	read -r offset < <(od -An -tu2 -j $((0x20e)) -N 2 "$1")
	dd if="$1" bs=1 skip=$((offset + 512)) count=200 status=none |
		tr '\0' '\n' | sed -n '1s/ .*//p'
}

# KERNEL=IMAGE MODULES=DIR: an image and its modules as they were installed. The
# module is built against KDIR=, or the build folder that the modules name.
use_image()
{
	local image=$1 said

	[ -f "$image" ] || die "KERNEL=$image: no such file"
	[ -n "${MODULES:-}" ] ||
		usage_error "KERNEL=$image is a file: MODULES=folder of its modules is needed with it"
	[ -d "$MODULES" ] || die "MODULES=$MODULES: no such folder"
	modules_folder "$MODULES"
	K_IMAGE=$(realpath "$image")
	said=$(image_release "$K_IMAGE")
	[ -z "$said" ] || [ "$said" = "$K_RELEASE" ] ||
		die "KERNEL=$image is $said and MODULES=$MODULES are of $K_RELEASE"
	K_BUILD=${KDIR:-$K_MODULES/build}
	[ -e "$K_BUILD/Makefile" ] && [ -e "$K_BUILD/Module.symvers" ] ||
		die "no headers to build pinprobe.ko against: $K_BUILD has no Makefile and Module.symvers; name them with KDIR="
	K_BUILD=$(realpath "$K_BUILD")
	K_CONFIG=$K_BUILD/.config
	[ -e "$K_CONFIG" ] || die "$K_BUILD has no .config"
	check_kdir_config
	hash_of "$K_IMAGE $K_MODULES $K_BUILD"
	K_NAME=image-$HASH
	K_NOTE="own image"
	K_SRC=
	K_ENV=(MODULES="$K_MODULES")
	[ -z "${KDIR:-}" ] || K_ENV+=(KDIR="$K_BUILD")
	K_ARGS=(--kernel "$K_IMAGE")
	own_kernel_has
}
