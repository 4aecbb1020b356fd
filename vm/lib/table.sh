# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Rows of the tables of vm/: blank-separated, # starts a comment line.
# Sourced by bash after common.sh.

table_rows()
{
	local line

	while IFS= read -r line; do
		case $line in
		'' | '#'*) ;;
		*) printf '%s\n' "$line" ;;
		esac
	done <"$1"
}

# table_names FILE: sets NAMES.
table_names()
{
	local name rest

	NAMES=()
	while read -r name rest; do
		case $name in '' | '#'*) continue ;; esac
		NAMES+=("$name")
	done <"$1"
}

# table_row FILE NAME: sets ROW, or status 1.
table_row()
{
	local name rest

	while read -r name rest; do
		[ "$name" = "$2" ] || continue
		ROW="$name $rest"
		return 0
	done <"$1"
	return 1
}

# has_all HAVE NEEDS: comma lists; "-" needs nothing.
has_all()
{
	local need

	[ "$2" != - ] || return 0
	for need in ${2//,/ }; do
		case ",$1," in
		*",$need,"*) ;;
		*) return 1 ;;
		esac
	done
}
