# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The command pinprobe for guests: compiled in the build root of the guest's
# programs, so that it runs with the guest's libraries. Sourced by bash after
# initrd.sh.

# Sets GUEST_TOOLS.
ensure_guest_tools()
{
	local stamp version bpf

	GUEST_TOOLS=$BUILD/tools$A_OUT
	# Compiled by the host, for any kernel of the architecture. Without a
	# compiler for it, what needs it says so.
	bpf=
	if command -v clang >/dev/null && [ -e /usr/include/bpf/libbpf.h ]; then
		bpf=$BUILD/host/tools/bpf/$A_NAME/pinprobe.bpf.o
		make -s -C "$TOP/tools" "$bpf" || die "the BPF programs do not build"
	fi
	stamp=$GUEST_TOOLS/.built
	first_line "$stamp"
	if [ "$LINE" = "$ROOT_ENTRY" ] &&
		! stale "$stamp" "$TOP/tools" "$TOP/uapi" "$TOP/vm/runner" "$TOP/selftests/lib" \
		${bpf:+"$bpf"}; then
		return 0
	fi
	mkdir -p "$GUEST_TOOLS"
	touch "$GUEST_TOOLS/.started"
	say TOOLS "${GUEST_TOOLS#"$TOP/"}/pinprobe"
	[ -z "$LINE" ] || [ "$LINE" = "$ROOT_ENTRY" ] ||
		find "$GUEST_TOOLS" -mindepth 1 ! -name .started -delete
	rm -f "$stamp"
	# The build root has no git.
	version=$(git -C "$TOP" describe --always --dirty 2>/dev/null) || version=unknown
	if ! in_root --bind "$TOP" --cwd "$TOP" -- make -s -j"$(nproc)" -C tools \
		OUTPUT="$GUEST_TOOLS" CROSS_COMPILE="$A_CROSS" VERSION="$version" \
		BPF_OBJECT="$bpf" \
		"$GUEST_TOOLS/pinprobe" >"$GUEST_TOOLS/build.log" 2>&1 </dev/null; then
		build_failed "$GUEST_TOOLS" "$GUEST_TOOLS/build.log" \
			"pinprobe does not build for the guest"
	fi
	grep -A 5 'warning:' "$GUEST_TOOLS/build.log" >&2 || :
	echo "$ROOT_ENTRY" >"$stamp"
	touch -r "$GUEST_TOOLS/.started" "$stamp"
}

# tools.cpio: /usr/bin/pinprobe, and its libraries. What it loads when it is
# asked to, libibverbs, is in the base.
ensure_tools_cpio()
{
	local stage

	TOOLS_CPIO=$K_OUT/tools.cpio
	stale "$TOOLS_CPIO" "$GUEST_TOOLS/.built" "$BASE.cpio" || return 0
	stage=$(mktemp -d "$K_OUT/stage.XXXXXX")
	CLEANUP+=("$stage")
	mkdir -p "$stage/usr/bin"
	cp "$GUEST_TOOLS/pinprobe" "$stage/usr/bin/"
	strip_files "$stage/usr/bin/pinprobe"
	libraries_of --bind "$GUEST_TOOLS" "$GUEST_TOOLS/pinprobe" |
		copy_libraries "$stage" "$K_OUT/base"
	pack_cpio "$stage" "$TOOLS_CPIO"
	rm -rf "$stage"
}
