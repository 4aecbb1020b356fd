# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# pinprobe.ko for one kernel. Sourced by bash after root.sh and kernel.sh.

MODULE_SOURCES=("$TOP/Kbuild" "$TOP/module" "$TOP/kunit" "$TOP/uapi")

# Copies what changed and removes what went, so that each kernel has a build
# folder of its own and make sees true time stamps.
sync_sources()
{
	local from=$1 to=$2 name f

	mkdir -p "$to"
	(cd "$from" && find Kbuild module kunit uapi -type f -print) | sort >"$to/.sources.new"
	if [ -e "$to/.sources" ]; then
		comm -23 "$to/.sources" "$to/.sources.new" | while read -r name; do
			rm -f "$to/$name" "$to/${name%.c}.o"
		done
	fi
	while read -r f; do
		cmp -s "$from/$f" "$to/$f" && continue
		mkdir -p "$(dirname "$to/$f")"
		cp "$from/$f" "$to/$f"
	done <"$to/.sources.new"
	mv "$to/.sources.new" "$to/.sources"
}

# Where the module is compiled: in the kernel's build root, or, for a tree that
# the user built, on the host, whose tools that tree holds.
at_kernel()
{
	local dir=$1

	shift
	[ -z "$A_CROSS" ] || local -x ARCH=$A_KERNEL
	if [ -n "$K_SRC" ]; then
		[ -z "$A_CROSS" ] || local -x CROSS_COMPILE=$A_CROSS
		ensure_kernel_root
		ROOT=$K_ROOT in_root --src "$K_SRC" --bind "$dir" --cwd "$dir" -- "$@"
	else
		[ -z "$A_CROSS" ] || local -x CROSS_COMPILE=${CROSS_COMPILE:-$A_CROSS}
		(cd "$dir" && "$@")
	fi
}

# Compat probes compile a batch of small files against the kernel; they run
# again when they or the kernel changed.
probe_kernel()
{
	local dir=$1

	[ -e "$dir/module/compat/probe.sh" ] || return 0
	stale "$dir/probe.log" "$dir/module/compat" "$K_CONFIG" "$K_IMAGE" || return 0
	say PROBE "$K_NAME"
	# probe.sh goes by the configuration; the source may have changed alone.
	rm -f "$dir/compat-probes/key"
	awaited at_kernel "$dir" sh module/compat/probe.sh "$K_BUILD" "$dir" >"$dir/probe.new" 2>&1 || {
		tail -n 20 "$dir/probe.new" >&2
		die "the compat probes failed against $K_NAME"
	}
	mv "$dir/probe.new" "$dir/probe.log"
}

# is_built DIR ARGUMENTS: whether the module there is of these sources, for this
# kernel. Sets LINE to what it was built with.
is_built()
{
	first_line "$1/.built"
	[ "$LINE" = "$K_RELEASE $2" ] &&
		! stale "$1/.built" "${MODULE_SOURCES[@]}" "$K_CONFIG" "$K_IMAGE"
}

# What 5.10 has with W=1 against a header of its own. Not all headers: a warning in one
# may be about who calls it (fortify-string.h).
THEIRS="^\./include/linux/mmzone\.h:[0-9:]* warning: variable .*nid.* set but not used"

# build_module DIR [make arguments]...
build_module()
{
	local dir=$1 stamp=$1/.built args

	shift
	! is_built "$dir" "$*" || return 0
	args="$K_RELEASE $*"
	mkdir -p "$dir"
	sync_sources "$TOP" "$dir"
	touch "$dir/.started"
	probe_kernel "$dir"
	[ -z "$LINE" ] || [ "$LINE" = "$args" ] || clean_objects "$dir"
	say MODULE "$K_NAME: ${dir#"$TOP/"}/pinprobe.ko"
	rm -f "$stamp" "$dir/pinprobe.ko"
	if ! awaited at_kernel "$dir" make -s -j"$(nproc)" -C "$K_BUILD" M="$dir" W=1 "$@" \
		modules >"$dir/build.log" 2>&1; then
		build_failed "$dir" "$dir/build.log" "the module does not build for $K_NAME"
	fi
	grep 'warning:' "$dir/build.log" | grep -v "$THEIRS" >&2 || :
	# With the time at which the build began: a file saved meanwhile is newer.
	echo "$args" >"$stamp"
	touch -r "$dir/.started" "$stamp"
}

clean_objects()
{
	find "$1" \( -name '*.o' -o -name '.*.cmd' -o -name '*.mod*' \) -type f -delete
}

# sparse of the build root does not know __typeof_unqual__ (7.x), and the
# headers packages of 7.x are without the script by which kbuild tries CHECK.
SPARSE=(KBUILD_CHECKSRC=1 'CHECK=sparse -D__typeof_unqual__=__typeof__')

ensure_module()
{
	local -a args=()

	! has_all "$K_HAS" kunit || args=(PINPROBE_KUNIT=1)
	KO=$K_OUT/pinprobe.ko
	! is_built "$K_OUT" "${args[*]-}" || return 0
	take_checked "${args[*]-}" || build_module "$K_OUT" ${args[@]+"${args[@]}"}
}

# take_checked ARGUMENTS: the module that sparse_module built, which is the same
# one: sparse looks at the sources and leaves the objects alone.
take_checked()
{
	local from=$BUILD/$K_NAME-sparse file

	is_built "$from" "${SPARSE[*]}${1:+ $1}" || return 1
	mkdir -p "$K_OUT"
	sync_sources "$TOP" "$K_OUT"
	clean_objects "$K_OUT"
	for file in "$from"/*.ko "$from"/compat-probes.* "$from"/*.log; do
		cp -p "$file" "$K_OUT/"
	done
	echo "$K_RELEASE $1" >"$K_OUT/.built"
	touch -r "$from/.built" "$K_OUT/.built"
}

# The unit tests, and the framework where it is a module; nothing for a kernel
# without it, which the program that runs them says.
ensure_kunit_cpio()
{
	local stage file

	KUNIT_CPIO=$K_OUT/kunit.cpio
	! stale "$KUNIT_CPIO" "$K_OUT/.built" || {
		stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
		CLEANUP+=("$stage")
		mkdir -p "$stage/m/kunit"
		if has_all "$K_HAS" kunit; then
			copy_module "$K_OUT/pinprobe_kunit.ko" "$stage/m/kunit/pinprobe_kunit.ko"
			file=$(module_file kunit)
			[ -z "$file" ] || copy_module "$file" "$stage/m/kunit/kunit.ko"
		fi
		pack_cpio "$stage" "$KUNIT_CPIO"
		rm -rf "$stage"
	}
}

ensure_faulty_module()
{
	build_module "$BUILD/$K_NAME-faults" PINPROBE_FAULTS=1
	KO=$BUILD/$K_NAME-faults/pinprobe.ko
}

# Warnings on stdin. sparse takes the strings of MODULE_LICENSE and the like in
# 7.x for bad constants: that complaint, about those lines, is its own.
real_warnings()
{
	local dir=$1 line file number

	while IFS= read -r line; do
		IFS=: read -r file number _ <<<"$line"
		case $line in
		*'error: bad constant expression'*)
			file=$dir/${file#"$dir/"}
			! sed -n "${number}p" "$file" 2>/dev/null |
				grep -q '^MODULE_[A-Z]*(' || continue
			;;
		esac
		printf '%s\n' "$line"
	done
}

# In a folder of its own: W=1 and sparse, and a warning is an error.
sparse_module()
{
	local dir=$BUILD/$K_NAME-sparse said
	local -a args=()

	! has_all "$K_HAS" kunit || args=(PINPROBE_KUNIT=1)
	build_module "$dir" "${SPARSE[@]}" ${args[@]+"${args[@]}"}
	said=$({ grep 'warning:\|error:' "$dir/build.log" | grep -v "$THEIRS" || :; } |
		real_warnings "$dir")
	[ -n "$said" ] || return 0
	rm -f "$dir/.built"
	clean_objects "$dir"
	printf '%s\n' "$said" >&2
	warn "W=1 or sparse has something to say for $K_NAME"
	exit 1
}

# The bare loop that bench compares PIN with.
ensure_gup_loop()
{
	local dir=$BUILD/$K_NAME-gup_loop

	GUP_LOOP_CPIO=$dir.cpio
	stale "$GUP_LOOP_CPIO" "$TOP/selftests/gup_loop" "$K_CONFIG" || return 0
	say MODULE "$K_NAME: ${dir#"$TOP/"}/gup_loop.ko"
	rm -rf "$dir"
	cp -r "$TOP/selftests/gup_loop" "$dir"
	at_kernel "$dir" make -s -C "$K_BUILD" M="$dir" W=1 modules \
		>"$BUILD/gup_loop.log" 2>&1 </dev/null || {
		cat "$BUILD/gup_loop.log" >&2
		die "gup_loop.ko does not build for $K_NAME"
	}
	mkdir -p "$dir/stage/m/extra"
	copy_module "$dir/gup_loop.ko" "$dir/stage/m/extra/gup_loop.ko"
	pack_cpio "$dir/stage" "$GUP_LOOP_CPIO"
}
