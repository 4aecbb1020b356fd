# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Kernels of the user's own: what is not there is said by name.

# tree CONFIG-LINE...: a folder that looks like a built kernel.
tree()
{
	mkdir -p "$SCRATCH/tree/arch/x86/boot" "$SCRATCH/tree/include/config"
	touch "$SCRATCH/tree/Makefile" "$SCRATCH/tree/Module.symvers" \
		"$SCRATCH/tree/arch/x86/boot/bzImage"
	echo 7.3.4-mine >"$SCRATCH/tree/include/config/kernel.release"
	printf 'CONFIG_%s\n' "$@" >"$SCRATCH/tree/.config"
}

all_needs()
{
	local need

	for need in "${KDIR_NEEDS[@]}" "${KDIR_NEEDS_amd64[@]}"; do
		need=${need%%[[:space:]]*}
		printf '%s\n' "$need"
	done
}

# image RELEASE: a file with the parts of a bzImage's header that are read.
image()
{
	{
		head -c 514 /dev/zero
		printf 'HdrS'
		head -c 8 /dev/zero
		# 0x20e: where the version is, less 0x200
		printf '\x00\x01'
		head -c $((0x300 - 0x210)) /dev/zero
		printf '%s (me@here) #1 SMP\0' "$1"
	} >"$SCRATCH/image"
}

# installed RELEASE: modules as make modules_install leaves them.
installed()
{
	mkdir -p "$SCRATCH/root/lib/modules/$1/kernel"
	ln -s "$SCRATCH/tree" "$SCRATCH/root/lib/modules/$1/build"
}

test_kdir_not_a_tree()
{
	check_ends 125 '*KDIR=/nonexistent: no such folder*' use_kdir /nonexistent
	check_ends 125 '*is not a kernel tree: no Makefile*' use_kdir "$SCRATCH"
	touch "$SCRATCH/Makefile"
	check_ends 125 '*is not built: it has no .config*' use_kdir "$SCRATCH"
}

test_kdir_names_each_option_that_is_missing()
{
	local need

	# shellcheck disable=SC2046
	tree $(all_needs)
	check_ends 0 '*' use_kdir "$SCRATCH/tree"
	for need in $(all_needs); do
		# shellcheck disable=SC2046
		tree $(all_needs | grep -vFx "$need")
		check_ends 125 "*lacks what guests need*CONFIG_$need *#*" use_kdir "$SCRATCH/tree"
	done
}

test_kdir_needs_the_image()
{
	# shellcheck disable=SC2046
	tree $(all_needs)
	rm "$SCRATCH/tree/arch/x86/boot/bzImage"
	check_ends 125 '*is not built: run make there first*' use_kdir "$SCRATCH/tree"
}

test_kdir_has_what_its_config_says()
{
	# shellcheck disable=SC2046
	tree $(all_needs) CMA=y
	use_kdir "$SCRATCH/tree"
	check_equal "$K_RELEASE" 7.3.4-mine
	check_equal "$K_HAS" rxe
	# shellcheck disable=SC2046
	tree $(all_needs) CMA=y DMA_CMA=y DEBUG_INFO_BTF=y
	use_kdir "$SCRATCH/tree"
	check_equal "$K_HAS" cma,rxe,btf
	check_equal "${K_ENV[*]} ${K_ARGS[*]}" "KDIR=$SCRATCH/tree "
}

test_profile_names_the_options_it_needs()
{
	# shellcheck disable=SC2046
	tree $(all_needs) CMA=y
	use_kdir "$SCRATCH/tree"
	kernel_pace
	check_ends 125 '*profile cma needs*lacks:*CONFIG_DMA_CMA=y *#*' use_profile cma
	check_ends 0 '*' use_profile movable
}

test_image_needs_modules()
{
	image 7.3.4-mine
	MODULES='' check_ends 2 '*MODULES=folder*' use_image "$SCRATCH/image"
	MODULES=$SCRATCH check_ends 125 '*no such file*' use_image "$SCRATCH/nothing"
	MODULES=$SCRATCH check_ends 125 '*neither kernel/ nor one folder*' use_image "$SCRATCH/image"
	MODULES=$SCRATCH check_ends 2 '*MODULES= goes with KERNEL=*' use_kernel ''
}

test_image_and_modules_of_one_release()
{
	# shellcheck disable=SC2046
	tree $(all_needs)
	image 7.3.5-mine
	installed 7.3.4-mine
	MODULES=$SCRATCH/root check_ends 125 '*is 7.3.5-mine and*of 7.3.4-mine' \
		use_image "$SCRATCH/image"
	image 7.3.4-mine
	MODULES=$SCRATCH/root use_image "$SCRATCH/image"
	check_equal "$K_RELEASE" 7.3.4-mine
	check_equal "$K_BUILD" "$SCRATCH/tree"
	check_equal "$K_MODULES" "$SCRATCH/root/lib/modules/7.3.4-mine"
	check_equal "${K_ENV[*]} ${K_ARGS[*]}" \
		"MODULES=$K_MODULES --kernel $SCRATCH/image"
}

test_image_without_headers()
{
	image 7.3.4-mine
	mkdir -p "$SCRATCH/root/lib/modules/7.3.4-mine/kernel"
	MODULES=$SCRATCH/root check_ends 125 '*no headers to build pinprobe.ko against*KDIR=*' \
		use_image "$SCRATCH/image"
	# shellcheck disable=SC2046
	tree $(all_needs)
	KDIR=$SCRATCH/tree MODULES=$SCRATCH/root use_image "$SCRATCH/image"
	check_equal "$K_BUILD" "$SCRATCH/tree"
}

test_image_release_of_something_else()
{
	printf 'short' >"$SCRATCH/image"
	check_equal "$(image_release "$SCRATCH/image")" ""
	image 6.1.0-50-amd64
	check_equal "$(image_release "$SCRATCH/image")" 6.1.0-50-amd64
}

test_own_kernel_by_name_and_tree()
{
	KDIR=$SCRATCH check_ends 2 '*not both*' use_kernel debian-7.3
	KDIR='' MODULES='' check_ends 2 '*unknown kernel*' use_kernel no-such-kernel
}

# The MP table is all that it has, and SeaBIOS names one processor of a package there.
test_kernel_without_acpi_has_a_package_for_each_processor()
{
	# shellcheck disable=SC2046
	tree $(all_needs) CMA=y
	use_kdir "$SCRATCH/tree"
	kernel_pace
	use_profile none
	check_equal "$P_QEMU" " -smp sockets=2"
	echo CONFIG_ACPI=y >>"$SCRATCH/tree/.config"
	kernel_pace
	use_profile none
	check_equal "$P_QEMU" ""
}
