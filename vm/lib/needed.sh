# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh
# usage: needed.sh TRIPLET MACHINE PROGRAM...
# Called in the build root: what the loader of another architecture would map
# for the PROGRAMs, which cannot be run here. One line each as that loader
# prints it, "NAME => PATH (file)" or "NAME => not found". MACHINE is what readelf
# calls the architecture. Searched as ld.so(8) has it: where there is no RUNPATH,
# the RPATHs of the file and of those that led to it, then the loader's folders. No
# cache and no hwcaps folders, since the guest has none.

triplet=$1 machine=$2
shift 2
seen=' ' status=0

# dynamic TAG ORIGIN: the values of one kind of dynamic entry, one a line.
dynamic()
{
	printf '%s\n' "$dump" | sed -n "s/^.*($1).*\[\(.*\)\]\$/\1/p" |
		sed "s|\$ORIGIN|$2|g; s|\${ORIGIN}|$2|g"
}

# find_library NAME FOLDERS: sets found.
find_library()
{
	found=
	case $1 in
	*/*)
		[ ! -e "$1" ] || found=$1
		return
		;;
	esac
	old_ifs=$IFS
	IFS=:
	for folder in $2 "/lib/$triplet" "/usr/lib/$triplet" /lib /usr/lib; do
		if [ -n "$folder" ] && [ -e "$folder/$1" ]; then
			found=$folder/$1
			break
		fi
	done
	IFS=$old_ifs
}

# look_at FILE INHERITED-RPATH
look_at()
{
	dump=$("${triplet}-readelf" -hlWd "$1" 2>/dev/null)
	case $dump in
	*"Machine: "*"$machine"*) ;;
	# 32-bit programs have no libraries here: static.
	*ELF32*"There is no dynamic section"*) return ;;
	*)
		echo "$1: not a program for $machine" >&2
		status=1
		return
		;;
	esac
	interpreter=$(printf '%s\n' "$dump" |
		sed -n 's/^.*\[Requesting program interpreter: \(.*\)\]$/\1/p')
	[ -z "$interpreter" ] || printf '\t%s (file)\n' "$interpreter"
	needed=$(dynamic NEEDED '') folders=$(dynamic RUNPATH "${1%/*}")
	rpath=$2
	if [ -z "$folders" ]; then
		rpath=$(dynamic RPATH "${1%/*}"):$2
		folders=$rpath
	fi
	for name in $needed; do
		case $seen in *" $name "*) continue ;; esac
		seen="$seen$name "
		find_library "$name" "$folders"
		if [ -z "$found" ]; then
			printf '\t%s => not found\n' "$name"
			continue
		fi
		printf '\t%s => %s (file)\n' "$name" "$found"
		todo="$todo$found|$rpath
"
	done
}

for program; do
	todo="$program|
"
	while [ -n "$todo" ]; do
		first=${todo%%
*}
		todo=${todo#*
}
		look_at "${first%%|*}" "${first#*|}"
	done
done
exit $status
