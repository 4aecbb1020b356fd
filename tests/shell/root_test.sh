# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# How packages are unpacked.

# It mounts something, and does not take it away.
leaving_mmdebstrap()
{
	mkdir "$SCRATCH/bin" "$SCRATCH/left"
	cat >"$SCRATCH/bin/mmdebstrap" <<EOF
#!/bin/sh
mount -t tmpfs left "$SCRATCH/left" && touch "$SCRATCH/left/inside" "$SCRATCH/mounted"
EOF
	chmod 755 "$SCRATCH/bin/mmdebstrap"
	PATH=$SCRATCH/bin:$PATH
}

test_root_leaves_no_mount()
{
	find_unpack
	if [ "$EUID" != 0 ]; then
		# In a user namespace of its own there is nothing to leave behind.
		[[ " ${UNPACK[*]} " == *" --mode=unshare "* ]] || fail "${UNPACK[*]}"
		return 0
	fi
	leaving_mmdebstrap
	"${UNPACK[@]}" || fail "${UNPACK[*]}: $?"
	[ -e "$SCRATCH/mounted" ] || fail "nothing was mounted"
	[ ! -e "$SCRATCH/left/inside" ] || {
		umount "$SCRATCH/left"
		fail "what was mounted is still there"
	}
}
