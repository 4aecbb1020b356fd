// SPDX-License-Identifier: GPL-2.0
/* Giving privileges up. */
#include <errno.h>
#include <grp.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "privilege.h"

#define NOBODY 65534

static int get_caps(struct __user_cap_data_struct *data)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};

	return syscall(SYS_capget, &header, data) ? -errno : 0;
}

int privilege_drop(int cap)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
	int ret;

	ret = get_caps(data);
	if (ret)
		return ret;
	data[CAP_TO_INDEX(cap)].effective &= ~CAP_TO_MASK(cap);
	data[CAP_TO_INDEX(cap)].permitted &= ~CAP_TO_MASK(cap);
	data[CAP_TO_INDEX(cap)].inheritable &= ~CAP_TO_MASK(cap);
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

int privilege_become_nobody(void)
{
	if (setgroups(0, NULL) || setresgid(NOBODY, NOBODY, NOBODY) ||
	    setresuid(NOBODY, NOBODY, NOBODY))
		return -errno;
	return 0;
}

bool privilege_has(int cap)
{
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	return !get_caps(data) &&
	       data[CAP_TO_INDEX(cap)].effective & CAP_TO_MASK(cap);
}
