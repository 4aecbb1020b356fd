# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The guest programs. Sourced by bash after root.sh and ksrc.sh.

# Sets SELFTESTS.
ensure_selftests()
{
	local stamp

	SELFTESTS=$BUILD/selftests$A_OUT
	stamp=$SELFTESTS/.built
	ensure_ksrc
	first_line "$stamp"
	if [ "$LINE" = "$ROOT_ENTRY $KSRC_TREE" ] &&
		! stale "$stamp" "$TOP/selftests" "$TOP/uapi" "$TOP/Documentation/findings"; then
		return 0
	fi
	mkdir -p "$SELFTESTS"
	touch "$SELFTESTS/.started"
	say TESTS "${SELFTESTS#"$TOP/"}"
	[ -z "$LINE" ] || [ "$LINE" = "$ROOT_ENTRY $KSRC_TREE" ] ||
		find "$SELFTESTS" -mindepth 1 ! -name .started -delete
	rm -f "$stamp"
	if ! in_root --bind "$TOP" --bind "$KSRC_TREE" --cwd "$TOP" -- \
		make -s -j"$(nproc)" -C selftests OUTPUT="$SELFTESTS" \
		ARCH="$A_KERNEL" CROSS_COMPILE="$A_CROSS" \
		top_srcdir="$KSRC_TREE" >"$SELFTESTS/build.log" 2>&1 </dev/null; then
		build_failed "$SELFTESTS" "$SELFTESTS/build.log" "the selftests do not build"
	fi
	grep -A 5 'warning:' "$SELFTESTS/build.log" >&2 || :
	echo "$ROOT_ENTRY $KSRC_TREE" >"$stamp"
	touch -r "$SELFTESTS/.started" "$stamp"
}
