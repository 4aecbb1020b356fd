# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Packages of another Debian release than the host's, with an apt of our own:
# the host's package state is neither read nor changed, its signature checks
# are. Sourced by bash after common.sh.

KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# Sets UNPACK, mmdebstrap as far as it is the same for all that is unpacked here. As
# root it mounts /proc in what it makes, and leaves that behind where somebody looks
# into it just when it is to go: what it mounts ends with it.
find_unpack()
{
	UNPACK=(mmdebstrap --variant=extract
		--aptopt='Acquire::Check-Valid-Until "false"'
		--aptopt='Acquire::Languages "none"' --aptopt='Acquire::Retries "3"')
	if [ "$EUID" = 0 ]; then
		UNPACK=(unshare --mount --propagation private "${UNPACK[@]}" --mode=root)
	else
		UNPACK+=(--mode=unshare)
	fi
}

# The indexes that the host's apt would fetch, as "base suite", one a line.
host_archives()
{
	apt-get --print-uris update 2>/dev/null |
		sed -n "s|^'\(.*[^/]\)/*/dists/\(.*\)/InRelease'.*|\1 \2|p"
}

host_release()
{
	(
		# shellcheck disable=SC1091
		. /etc/os-release
		echo "${ID:-none} ${VERSION_CODENAME:-none}"
	)
}

# Sets MIRROR_MAIN and, where the host has one, MIRROR_SECURITY.
find_mirrors()
{
	local id codename base suite

	[ -z "${MIRROR_MAIN:-}" ] || return 0
	MIRROR_MAIN=${MIRROR:+${MIRROR%/}} MIRROR_SECURITY=
	[ -z "$MIRROR_MAIN" ] || return 0
	read -r id codename < <(host_release)
	if [ "$id" = debian ]; then
		while read -r base suite; do
			case $suite in
			"$codename") MIRROR_MAIN=${MIRROR_MAIN:-$base} ;;
			"$codename-security") MIRROR_SECURITY=${MIRROR_SECURITY:-$base} ;;
			esac
		done < <(host_archives)
	fi
	[ -n "${MIRROR_MAIN:-}" ] ||
		die "no Debian mirror in this host's apt configuration: name one with MIRROR=URL"
}

# sources_for SUITE: apt source lines on stdout.
sources_for()
{
	local opt="[signed-by=$KEYRING]"

	[ -r "$KEYRING" ] ||
		die "no archive keyring: apt-get install debian-archive-keyring"
	find_mirrors
	echo "deb $opt $MIRROR_MAIN $1 main"
	case $1 in
	# These have no security archive of their own.
	*-backports | *-updates | sid | unstable | experimental) ;;
	*)
		[ -z "$MIRROR_SECURITY" ] ||
			echo "deb $opt $MIRROR_SECURITY $1-security main"
		;;
	esac
}

# Says so when an index is past the date that its archive gave it.
note_valid_until()
{
	local when now

	now=$(date +%s)
	while IFS= read -r when; do
		[ "$(date -d "$when" +%s)" -lt "$now" ] || continue
		say NOTE "the archive's index is past its Valid-Until ($when); signatures are still checked"
		return 0
	done
}

# own_apt DIR SUITE [ARCH]: an apt that knows only SUITE, with its state under
# DIR. Packages are the host's where it has them, ARCH's where it has not.
own_apt()
{
	local dir=$1 suite=$2 archs="\"$HOST_ARCH\";"

	[ "${3:-$HOST_ARCH}" = "$HOST_ARCH" ] || archs+=" \"$3\";"

	mkdir -p "$dir/state/lists/partial" "$dir/cache/archives/partial" \
		"$dir/etc/sources.list.d" "$dir/etc/preferences.d" "$dir/debs"
	: >"$dir/status"
	sources_for "$suite" >"$dir/etc/sources.list"
	cat >"$dir/apt.conf" <<-CONF
	APT::Architecture "$HOST_ARCH";
	APT::Architectures { $archs };
	APT::Get::List-Cleanup "false";
	APT::Sandbox::User "";
	Acquire::Check-Valid-Until "false";
	Acquire::Languages "none";
	Acquire::Retries "3";
	Dir::Etc::sourcelist "$dir/etc/sources.list";
	Dir::Etc::sourceparts "$dir/etc/sources.list.d";
	Dir::Etc::preferences "$dir/etc/preferences";
	Dir::Etc::preferencesparts "$dir/etc/preferences.d";
	Dir::State "$dir/state";
	Dir::State::status "$dir/status";
	Dir::Cache "$dir/cache";
	CONF
	step "$dir/update.log" env APT_CONFIG="$dir/apt.conf" apt-get -q \
		-o APT::Update::Error-Mode=any update ||
		die "cannot read the package index of $suite from the mirror"
	sed -n 's/^Valid-Until: //p' "$dir"/state/lists/*Release 2>/dev/null |
		note_valid_until
}

# apt_field DIR PACKAGE FIELD: on stdout, empty for a package that is not there.
apt_field()
{
	local value

	value=$(APT_CONFIG=$1/apt.conf apt-cache show --no-all-versions "$2" 2>/dev/null |
		sed -n "s/^$3: //p") || :
	printf '%s\n' "${value%%$'\n'*}"
}

# apt_newest DIR PATTERN: of the packages that a glob names, the newest, on
# stdout; a plain name is itself.
apt_newest()
{
	local pattern=$2 name

	case $pattern in
	*'*'*) ;;
	*)
		echo "$pattern"
		return 0
		;;
	esac
	APT_CONFIG=$1/apt.conf apt-cache pkgnames "${pattern%%\**}" | sort -rV |
		while read -r name; do
			# shellcheck disable=SC2254
			case $name in $pattern) ;; *) continue ;; esac
			[ -z "$(apt_field "$1" "$name" Version)" ] || echo "$name"
		done | sed -n 1p
}

# apt_get_debs DIR PACKAGE...: download into DIR/debs.
apt_get_debs()
{
	local dir=$1

	shift
	(
		cd "$dir/debs"
		step_growing DOWNLOAD . ../download.log env APT_CONFIG="$dir/apt.conf" \
			apt-get -q download "$@"
	) || die "cannot download $*"
}
