// SPDX-License-Identifier: GPL-2.0
/* Thin wrappers around the ioctls of /dev/pinprobe. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include "device.h"

static int result(int ret)
{
	return ret < 0 ? -errno : ret;
}

int device_info(int dev, struct pinprobe_info *info)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return result(ioctl(dev, PINPROBE_IOC_INFO, info));
}

int device_open(void)
{
	struct pinprobe_info info;
	int dev, ret;

	dev = result(open(PINPROBE_DEVICE, O_RDWR | O_CLOEXEC));
	if (dev < 0)
		return dev;
	ret = device_info(dev, &info);
	if (!ret && info.abi_version != PINPROBE_ABI_VERSION) {
		fprintf(stderr,
			"pinprobe: the module speaks ABI %u, this program ABI %u\n",
			info.abi_version, PINPROBE_ABI_VERSION);
		ret = -EPROTO;
	}
	if (!ret)
		return dev;
	close(dev);
	return ret;
}

int device_resolve(int dev, pid_t pid, const void *addr, size_t len,
		   uint32_t flags, struct pinprobe_page *pages, uint32_t room,
		   uint64_t *next)
{
	struct pinprobe_resolve args = {
		.size = sizeof(args),
		.flags = flags,
		.addr = (uintptr_t)addr,
		.len = len,
		.records = (uintptr_t)pages,
		.nr_records = room,
		.record_size = sizeof(*pages),
		.pid = pid,
	};
	int ret = result(ioctl(dev, PINPROBE_IOC_RESOLVE, &args));

	if (ret)
		return ret;
	if (next)
		*next = args.next;
	return args.filled;
}

int device_resolve_one(int dev, const void *addr, struct pinprobe_page *page)
{
	struct pinprobe_info info;
	uintptr_t start;
	int ret;

	ret = device_info(dev, &info);
	if (ret)
		return ret;
	start = (uintptr_t)addr & ~((uintptr_t)info.page_size - 1);
	ret = device_resolve(dev, 0, (void *)start, info.page_size, 0, page, 1,
			     NULL);
	if (ret < 0)
		return ret;
	return ret == 1 ? 0 : -EIO;
}

int device_pin_within(int dev, const void *addr, size_t len, uint32_t call,
		      uint32_t flags, uint32_t timeout_ms,
		      struct pinprobe_outcome *outcome)
{
	struct pinprobe_pin args = {
		.size = sizeof(args),
		.flags = flags,
		.addr = (uintptr_t)addr,
		.len = len,
		.call = call,
		.timeout_ms = timeout_ms,
		.fd = -1,
	};
	int ret = result(ioctl(dev, PINPROBE_IOC_PIN, &args));

	if (outcome)
		*outcome = args.outcome;
	return ret ? ret : args.fd;
}

int device_pin(int dev, const void *addr, size_t len, uint32_t call,
	       uint32_t flags, struct pinprobe_outcome *outcome)
{
	return device_pin_within(dev, addr, len, call, flags, 0, outcome);
}

int pin_state(int fd, struct pinprobe_pin_state *state)
{
	memset(state, 0, sizeof(*state));
	state->size = sizeof(*state);
	return result(ioctl(fd, PINPROBE_IOC_PIN_STATE, state));
}

int pin_pages(int fd, uint32_t when, uint64_t index, uint32_t flags,
	      struct pinprobe_page *pages, uint32_t room, uint64_t *next)
{
	struct pinprobe_pin_pages args = {
		.size = sizeof(args),
		.flags = flags,
		.index = index,
		.records = (uintptr_t)pages,
		.nr_records = room,
		.record_size = sizeof(*pages),
		.when = when,
	};
	int ret = result(ioctl(fd, PINPROBE_IOC_PIN_PAGES, &args));

	if (ret)
		return ret;
	if (next)
		*next = args.next;
	return args.filled;
}

const char *zone_name(uint8_t zone)
{
	static const char * const names[] = {
		"dma", "dma32", "normal", "highmem", "movable", "device",
	};

	return zone < sizeof(names) / sizeof(*names) ? names[zone] : "unknown";
}

const char *migratetype_name(uint8_t migratetype)
{
	static const char * const names[] = {
		"unmovable", "movable", "reclaimable", "highatomic", "cma",
		"isolate",
	};

	if (migratetype >= sizeof(names) / sizeof(*names))
		return "unknown";
	return names[migratetype];
}

const char *state_name(uint8_t state)
{
	static const char * const names[] = {
		"absent", "present", "unmapped", "special", "noread", "offline",
	};

	return state < sizeof(names) / sizeof(*names) ? names[state] : "unknown";
}

const char *stage_name(uint32_t stage)
{
	static const char * const names[] = {
		"done", "argument", "memlock", "alloc", "snapshot", "gup",
		"migrate",
	};

	return stage < sizeof(names) / sizeof(*names) ? names[stage] : "unknown";
}
