# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# What programs need that cannot be run here, against a loader that can be.

# shared NAME [GCC-ARGUMENT]...: $SCRATCH/NAME, a library.
shared()
{
	local name=$1

	shift
	mkdir -p "$SCRATCH/${name%/*}"
	gcc -shared -fPIC -x c -Wl,--no-as-needed,-soname,"${name##*/}" \
		-o "$SCRATCH/$name" - -x none "$@" </dev/null
}

# program NAME [GCC-ARGUMENT]...
program()
{
	local name=$1

	shift
	echo 'int main(void) { return 0; }' |
		gcc -x c -Wl,--no-as-needed -o "$SCRATCH/$name" - -x none "$@"
}

needed()
{
	sh "$TOP/vm/lib/needed.sh" x86_64-linux-gnu X86-64 "$@"
}

# Paths by name, sorted. The loader itself, which libc needs, is none it looks for.
names()
{
	sed -n '/ld-linux/d
		s/^[[:space:]]*\([^ ]*\) => not found$/\1 missing/p
		s/^[[:space:]]*\([^ ]*\) => \(\/[^ ]*\) (.*/\1 \2/p' | LC_ALL=C sort -u
}

# The loader names a file as it was found: links of folders are resolved here.
real_names()
{
	local name path

	while read -r name path; do
		[ "$path" = missing ] || path=$(realpath "$path")
		echo "$name $path"
	done
}

# as_the_loader PROGRAM
as_the_loader()
{
	local mine its

	mine=$(needed "$1" | names | real_names)
	its=$(LD_TRACE_LOADED_OBJECTS=1 /lib64/ld-linux-x86-64.so.2 "$1" | names |
		real_names)
	[ -n "$its" ] || fail "line ${BASH_LINENO[0]}: the loader says nothing"
	check_equal "$mine" "$its"
}

test_libraries_of_the_system()
{
	program plain -lm
	as_the_loader "$SCRATCH/plain"
	as_the_loader /bin/bash
}

# Two libraries, of which one needs the other, and nothing says where that is.
two_libraries()
{
	shared lib/libtwo.so
	shared lib/libone.so "$SCRATCH/lib/libtwo.so"
}

# shellcheck disable=SC2016
test_libraries_runpath_is_for_the_file_alone()
{
	two_libraries
	program run "$SCRATCH/lib/libone.so" -Wl,--enable-new-dtags,-rpath,'$ORIGIN/lib'
	as_the_loader "$SCRATCH/run"
	check_equal "$(needed "$SCRATCH/run" | names | grep -c ' missing')" 1
}

# shellcheck disable=SC2016
test_libraries_rpath_is_inherited()
{
	two_libraries
	program run "$SCRATCH/lib/libone.so" -Wl,--disable-new-dtags,-rpath,'/nowhere:${ORIGIN}/lib'
	as_the_loader "$SCRATCH/run"
	check_equal "$(needed "$SCRATCH/run" | names | grep -c ' missing' || :)" 0
}

# shellcheck disable=SC2016
test_libraries_runpath_ends_what_is_inherited()
{
	shared lib/libtwo.so
	shared lib/libone.so "$SCRATCH/lib/libtwo.so" -Wl,--enable-new-dtags,-rpath,/nowhere
	program run "$SCRATCH/lib/libone.so" -Wl,--disable-new-dtags,-rpath,'$ORIGIN/lib'
	as_the_loader "$SCRATCH/run"
}

test_libraries_of_a_static_program()
{
	echo 'void _start(void) { }' |
		gcc -x c -static -nostdlib -o "$SCRATCH/static" -
	check_equal "$(needed "$SCRATCH/static")" ''
}

test_libraries_of_another_architecture()
{
	program plain
	check_ends 1 '*plain: not a program for AArch64*' \
		sh "$TOP/vm/lib/needed.sh" x86_64-linux-gnu AArch64 "$SCRATCH/plain"
	program plain -static
	check_ends 1 '*plain: not a program for AArch64*' \
		sh "$TOP/vm/lib/needed.sh" x86_64-linux-gnu AArch64 "$SCRATCH/plain"
}

test_libraries_of_a_32_bit_program()
{
	echo 'void _start(void) { }' |
		gcc -m32 -x c -static -nostdlib -fno-pic -no-pie -o "$SCRATCH/static" -
	check_equal "$(needed "$SCRATCH/static")" ''
}

# The loader itself crashes on such a program, which needs none.
test_libraries_of_a_static_program_by_the_loader()
{
	local said

	program plain -static
	said=$(sh -c "$ASK_LOADER" libraries "$SCRATCH/plain" 2>&1) ||
		fail "it failed: $said"
	check_equal "$said" ''
	echo text >"$SCRATCH/text"
	check_ends 1 '*text*' sh -c "$ASK_LOADER" libraries "$SCRATCH/text"
}
