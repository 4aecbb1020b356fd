# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# usage: enter.sh ROOT MNT [--bind DIR]... [--src DIR] [--cwd DIR] -- COMMAND...
# Called inside a private mount namespace: puts the build root together on a
# tmpfs over MNT and runs COMMAND in it.

set -euo pipefail

own_there()
{
	echo "pinprobe: $1 cannot be shown in the build root, which has its own there" >&2
	exit 125
}

root=$1 mnt=$2
shift 2
binds=() src='' cwd=/
while [ $# -gt 0 ]; do
	case $1 in
	--bind) binds+=("$2"); shift 2 ;;
	--src) src=$2; shift 2 ;;
	--cwd) cwd=$2; shift 2 ;;
	--) shift; break ;;
	esac
done

mount -t tmpfs -o mode=755 pinprobe "$mnt" || {
	echo "pinprobe: cannot mount here (no CAP_SYS_ADMIN, or user namespaces are off)" >&2
	exit 125
}
for dir in usr etc; do
	mkdir "$mnt/$dir"
	mount --bind "$root/$dir" "$mnt/$dir"
done
for link in bin sbin lib lib32 lib64; do
	[ ! -L "$root/$link" ] || cp -P "$root/$link" "$mnt/$link"
done
mkdir -p "$mnt/proc" "$mnt/dev" "$mnt/tmp" "$mnt/var/tmp" "$mnt/root" "$mnt/run"
chmod 1777 "$mnt/tmp" "$mnt/var/tmp"
mount --rbind /proc "$mnt/proc"
mount --rbind /dev "$mnt/dev"
mount -o remount,bind,ro "$mnt/usr"
mount -o remount,bind,ro "$mnt/etc"
mount -t tmpfs -o mode=755 pinprobe "$mnt/usr/local"
if [ -n "$src" ]; then
	mount --bind "$src" "$mnt/usr/src"
	mount -o remount,bind,ro "$mnt/usr/src"
else
	mount -t tmpfs -o mode=755 pinprobe "$mnt/usr/src"
fi
for dir in ${binds[@]+"${binds[@]}"}; do
	case $dir in
	/usr/local/* | /usr/src/*) ;;
	/usr/* | /etc/* | /bin* | /sbin* | /lib* | /proc* | /dev* | /usr | /etc | /)
		own_there "$dir"
		;;
	esac
	mkdir -p "$mnt$dir" 2>/dev/null || own_there "$dir"
	mount --rbind "$dir" "$mnt$dir"
done
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C TMPDIR=/tmp
unset LD_LIBRARY_PATH LD_PRELOAD CDPATH BASH_ENV ENV LANGUAGE "${!LC_@}"
# shellcheck disable=SC2016
exec chroot "$mnt" /bin/sh -c 'cd "$0" && exec "$@"' "$cwd" "$@"
