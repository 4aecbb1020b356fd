# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
# Everything below vm/lib, in the order in which it can be sourced.

lib=${BASH_SOURCE[0]%/*}
# shellcheck source=vm/lib/common.sh
. "$lib/common.sh"
# shellcheck source=vm/lib/arch.sh
. "$lib/arch.sh"
# shellcheck source=vm/lib/deps.sh
. "$lib/deps.sh"
# shellcheck source=vm/lib/apt.sh
. "$lib/apt.sh"
# shellcheck source=vm/lib/table.sh
. "$lib/table.sh"
# shellcheck source=vm/lib/root.sh
. "$lib/root.sh"
# shellcheck source=vm/lib/kernel.sh
. "$lib/kernel.sh"
# shellcheck source=vm/lib/source.sh
. "$lib/source.sh"
# shellcheck source=vm/lib/kdir.sh
. "$lib/kdir.sh"
# shellcheck source=vm/lib/ksrc.sh
. "$lib/ksrc.sh"
# shellcheck source=vm/lib/module.sh
. "$lib/module.sh"
# shellcheck source=vm/lib/selftests.sh
. "$lib/selftests.sh"
# shellcheck source=vm/lib/initrd.sh
. "$lib/initrd.sh"
# shellcheck source=vm/lib/tools.sh
. "$lib/tools.sh"
# shellcheck source=vm/lib/disks.sh
. "$lib/disks.sh"
# shellcheck source=vm/lib/guest.sh
. "$lib/guest.sh"
# shellcheck source=vm/lib/plan.sh
. "$lib/plan.sh"
# shellcheck source=vm/lib/row.sh
. "$lib/row.sh"
