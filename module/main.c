// SPDX-License-Identifier: GPL-2.0
/* pinprobe.ko: /dev/pinprobe and its ioctls. */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pageblock-flags.h>
#include "abi.h"
#include "faults.h"
#include "gup.h"
#include "observe.h"
#include "page.h"
#include "pageblock.h"
#include "pin.h"
#include "resolve.h"
#include "watchdog.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

#include <linux/pinprobe.h>

static u64 pp_main_features(void)
{
	u64 features = 0;

	if (IS_ENABLED(CONFIG_CMA))
		features |= PINPROBE_FEATURE_CMA;
	if (PP_PAGEBLOCK_ISOLATE_MASK)
		features |= PINPROBE_FEATURE_ISOLATE_BIT;
	if (pp_observe_active())
		features |= PINPROBE_FEATURE_MIGRATE_TRACE;
	if (pp_gup_longterm(PINPROBE_CALL_PIN_UNLOCKED))
		features |= PINPROBE_FEATURE_UNLOCKED_LONGTERM;
#ifdef PINPROBE_FAULTS
	features |= PINPROBE_FEATURE_FAULTS;
#endif
	return features;
}

static long pp_main_info(void __user *uargs)
{
	struct pinprobe_info args;
	u32 size;
	long ret;

	ret = pp_abi_get(&args, sizeof(args), PINPROBE_INFO_SIZE_V1, uargs);
	if (ret)
		return ret;
	if (args.flags)
		return -EINVAL;
	pp_fault_lock();
	size = args.size;
	args = (struct pinprobe_info){
		.size = size,
		.abi_version = PINPROBE_ABI_VERSION,
		.page_size = PAGE_SIZE,
		.block_order = pageblock_order,
		.migratetypes = pp_pageblock_migratetypes(),
		.zones = pp_page_zones(),
		.unpinnable = pp_page_gate(),
		.features = pp_main_features(),
		.max_pin_pages = pp_pin_max_pages(),
	};
	return pp_abi_put(&args, sizeof(args), uargs);
}

static int pp_main_open(struct inode *inode, struct file *file)
{
	return capable(CAP_SYS_ADMIN) ? 0 : -EPERM;
}

static long pp_main_ioctl(struct file *file, unsigned int cmd,
			  unsigned long arg)
{
	void __user *uargs = (void __user *)arg;

	switch (cmd) {
	case PINPROBE_IOC_INFO:
		return pp_main_info(uargs);
	case PINPROBE_IOC_RESOLVE:
		return pp_resolve_ioctl(file, uargs);
	case PINPROBE_IOC_PIN:
		return pp_pin_ioctl(file, uargs);
	default:
		return -ENOTTY;
	}
}

static const struct file_operations pp_main_fops = {
	.owner = THIS_MODULE,
	.open = pp_main_open,
	.unlocked_ioctl = pp_main_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};

static struct miscdevice pp_main_dev = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "pinprobe",
	.fops = &pp_main_fops,
	.mode = 0600,
};

static int __init pp_main_init(void)
{
	int ret;

	ret = pp_watchdog_init();
	if (ret)
		return ret;
	ret = pp_observe_init();
	if (ret)
		goto err_watchdog;
	ret = misc_register(&pp_main_dev);
	if (ret)
		goto err_observe;
	return 0;

err_observe:
	pp_observe_uninit();
err_watchdog:
	pp_watchdog_uninit();
	return ret;
}

static void __exit pp_main_exit(void)
{
	misc_deregister(&pp_main_dev);
	pp_observe_uninit();
	pp_watchdog_uninit();
}

module_init(pp_main_init);
module_exit(pp_main_exit);
MODULE_DESCRIPTION("Memory pinning for device DMA: see it, hold it, test it");
MODULE_LICENSE("GPL");
