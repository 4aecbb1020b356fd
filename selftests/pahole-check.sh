#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Argument: the header, ours if none. Fails if a structure of the user ABI has a hole or
# padding, or another size for a 32-bit caller than for a 64-bit one.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
header=${1:-$here/../uapi/linux/pinprobe.h}
cc=${CC:-gcc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

structs=$(sed -n 's/^struct \(pinprobe_[a-z_]*\) {$/\1/p' "$header")
if [ -z "$structs" ]; then
	echo "pahole-check: no structure found in $header" >&2
	exit 1
fi
{
	echo "#include \"$(realpath "$header")\""
	for s in $structs; do
		echo "struct $s a_$s;"
	done
} >"$work/abi.c"

# The 32-bit headers need not be installed: the 64-bit ones serve both.
after=/usr/include/$($cc -print-multiarch)
bad=0
for bits in 64 32; do
	$cc -m$bits -g -ffreestanding -idirafter "$after" \
		-c "$work/abi.c" -o "$work/$bits.o"
	for s in $structs; do
		# Judged by what it prints: 1.30 prints all of it, then fails.
		pahole -F dwarf -C "$s" "$work/$bits.o" >"$work/$s" 2>"$work/err" || :
		size=$(sed -n 's|.*/\* size: \([0-9]*\),.*|\1|p' "$work/$s")
		if [ -z "$size" ]; then
			echo "pahole-check: no layout of $s (-m$bits)" >&2
			cat "$work/err" >&2
			bad=1
		elif grep -Eq 'hole|padding' "$work/$s"; then
			echo "pahole-check: $s has a hole or padding (-m$bits):" >&2
			cat "$work/$s" >&2
			bad=1
		fi
		echo "$s $size" >>"$work/sizes.$bits"
	done
done
if ! cmp -s "$work/sizes.64" "$work/sizes.32"; then
	echo "pahole-check: sizes differ between 64-bit and 32-bit callers:" >&2
	diff "$work/sizes.64" "$work/sizes.32" >&2 || true
	bad=1
fi
[ $bad = 0 ] && echo "pahole-check: $(echo "$structs" | wc -w) structures, no hole, no padding, the same for 32-bit callers"
exit $bad
