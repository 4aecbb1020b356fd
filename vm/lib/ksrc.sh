# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The kselftest framework and checkpatch, out of the linux-source package of
# the default kernel's suite, or of KSRC=. Sourced by bash after kernel.sh.

KSRC_PARTS=(
	tools/testing/selftests/lib.mk
	'tools/testing/selftests/kselftest*'
	tools/testing/selftests/run_kselftest.sh
	tools/include
	tools/scripts
	scripts/subarch.include
	scripts/checkpatch.pl
	scripts/spelling.txt
	scripts/const_structs.checkpatch
)

unpack_ksrc()
{
	local deb=$1 to=$2

	dpkg-deb --fsys-tarfile "$deb" |
		tar -xO --wildcards './usr/src/linux-source-*.tar.xz' |
		xz -dc -T0 |
		tar -x -C "$to" --strip-components=1 --wildcards \
			--no-wildcards-match-slash "${KSRC_PARTS[@]/#/*/}"
}

make_ksrc()
{
	local suite=$1 tmp=$2 apt=$2/apt source

	say SOURCE "kselftest framework: package index of $suite"
	own_apt "$apt" "$suite"
	source=$(apt_field "$apt" linux-source Depends | sed 's/[ ,(].*//')
	[ -n "$source" ] || die "$suite has no linux-source"
	say SOURCE "$source $(apt_field "$apt" "$source" Version), $(($(apt_field "$apt" "$source" Size) / 1000000)) MB, of which the kselftest framework is kept"
	apt_get_debs "$apt" "$source"
	mkdir "$tmp/tree"
	step "$tmp/log" unpack_ksrc "$(echo "$apt"/debs/*.deb)" "$tmp/tree" ||
		die "cannot unpack $source"
	[ -e "$tmp/tree/tools/testing/selftests/kselftest_harness.h" ] ||
		die "$source has no kselftest framework"
	rm -rf "$apt" "$tmp/log"
}

# Sets KSRC_SUITE and KSRC_ENTRY.
ksrc_entry()
{
	table_names "$TOP/vm/kernels"
	table_row "$TOP/vm/kernels" "${NAMES[0]}"
	read -r _ _ KSRC_SUITE _ <<<"$ROW"
	hash_of "$KSRC_SUITE ${KSRC_PARTS[*]}"
	KSRC_ENTRY=ksrc-$HASH
}

ensure_ksrc()
{
	if [ -n "${KSRC:-}" ]; then
		[ -e "$KSRC/tools/testing/selftests/lib.mk" ] ||
			die "KSRC=$KSRC is not a kernel source tree: no tools/testing/selftests/lib.mk"
		KSRC_TREE=$(realpath "$KSRC")
		return 0
	fi
	ksrc_entry
	cache_make "$KSRC_ENTRY" 250 "the kselftest framework" make_ksrc "$KSRC_SUITE"
	KSRC_TREE=$CACHE/$KSRC_ENTRY/tree
}
