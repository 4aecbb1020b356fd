# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# The host's tools. Sourced by bash after common.sh.

MISSING=()

# want PACKAGE TEST...: PACKAGE is missing when TEST fails.
want()
{
	local package=$1

	shift
	"$@" >/dev/null 2>&1 || MISSING+=("$package")
}

check_group()
{
	case $1 in
	runner)
		want gcc command -v gcc
		want make command -v make
		want libc6-dev test -e /usr/include/stdlib.h
		want pkg-config command -v pkg-config
		want libjson-c-dev test -e /usr/include/json-c/json.h
		want libnl-3-dev test -e /usr/include/libnl3/netlink/netlink.h
		want libxml2-dev test -e /usr/include/libxml2/libxml/parser.h
		;;
	tools)
		check_group runner
		want clang command -v clang
		want libbpf-dev test -e /usr/include/bpf/libbpf.h
		;;
	guest)
		check_group runner
		want mmdebstrap command -v mmdebstrap
		want cpio command -v cpio
		want xz-utils command -v xz
		want zstd command -v zstd
		want util-linux command -v unshare
		want mount command -v mount
		want debian-archive-keyring \
			test -r /usr/share/keyrings/debian-archive-keyring.gpg
		want "$A_QEMU_PACKAGE" command -v "qemu-system-$A_QEMU"
		# A tree of the user's was built by the host's compiler.
		[ -z "$A_CROSS" ] || [ -z "${KDIR:-}${MODULES:-}" ] ||
			want "gcc-$A_TRIPLET" command -v "${CROSS_COMPILE:-$A_CROSS}gcc"
		[ "$EUID" = 0 ] || want uidmap command -v newuidmap
		;;
	style)
		want shellcheck command -v shellcheck
		want groff-base command -v groff
		;;
	*)
		usage_error "vm/deps: unknown group '$1' (runner, tools, guest, style)"
		;;
	esac
}

have_candidates()
{
	local package policy

	for package in "${MISSING[@]}"; do
		policy=$(LC_ALL=C apt-cache policy "$package" 2>/dev/null)
		case $policy in
		*'Candidate: ('* | '') return 1 ;;
		esac
	done
}

update_lists()
{
	step "$1" apt-get -q -o Acquire::Check-Valid-Until=false update ||
		die "apt-get update failed"
	cat /var/lib/apt/lists/*Release 2>/dev/null |
		sed -n 's/^Valid-Until: //p' | note_valid_until
}

install_missing()
{
	local log

	log=$(mktemp)
	CLEANUP+=("$log")
	if ! have_candidates; then
		say APT "update of the package lists"
		update_lists "$log"
	fi
	say APT "install ${MISSING[*]}"
	if ! step "$log" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		install --no-install-recommends "${MISSING[@]}"; then
		# A list that is older than the mirror names files that are gone.
		update_lists "$log"
		step "$log" env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
			install --no-install-recommends "${MISSING[@]}" ||
			die "could not install ${MISSING[*]}"
	fi
}

# ensure_deps GROUP...: runner, guest, style.
ensure_deps()
{
	local group

	MISSING=()
	for group; do
		check_group "$group"
	done
	[ ${#MISSING[@]} -gt 0 ] || return 0
	command -v apt-get >/dev/null ||
		die "missing on this host: ${MISSING[*]} (and no apt-get to install them)"
	[ "$EUID" = 0 ] ||
		die "missing on this host; run: sudo apt-get install --no-install-recommends ${MISSING[*]}"
	install_missing
}
