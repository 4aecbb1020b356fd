// SPDX-License-Identifier: GPL-2.0
/*
 * A 32-bit program that makes every ioctl. Free-standing, so that no 32-bit C
 * library is needed; abi_compat32 carries it inside and runs it. Exits with 0,
 * or says on stderr which step failed and exits with 1.
 */
#include "../abi_layout.h"

#define NR_EXIT		1
#define NR_WRITE	4
#define NR_OPEN		5
#define NR_CLOSE	6
#define NR_IOCTL	54
#define NR_MUNMAP	91
#define NR_MMAP2	192

#define EFAULT		14
#define EINVAL		22
#define ENOTTY		25
#define E2BIG		7

#define PAGE		4096
#define AREA_PAGES	4
#define PROT_RW		3
#define MAP_PRIVATE_ANON 0x22
#define MAP_SHARED_ANON	0x21
#define O_RDWR_CLOEXEC	02000002

_Static_assert(sizeof(void *) == 4, "this is for 32-bit callers");

/* GCC makes calls of these on its own. */
void *memset(void *to, int byte, size_t len)
{
	char *p = to;

	while (len--)
		*p++ = byte;
	return to;
}

void *memcpy(void *to, const void *from, size_t len)
{
	const char *q = from;
	char *p = to;

	while (len--)
		*p++ = *q++;
	return to;
}

#if defined(__i386__)
static long call6(long nr, long a, long b, long c, long d, long e)
{
	long ret;

	/* The sixth argument, in ebp, is an offset that is always 0 here. */
	asm volatile("push %%ebp; xor %%ebp, %%ebp; int $0x80; pop %%ebp"
		     : "=a" (ret)
		     : "a" (nr), "b" (a), "c" (b), "d" (c), "S" (d), "D" (e)
		     : "memory", "cc");
	return ret;
}
#elif defined(__arm__)
static long call6(long nr, long a, long b, long c, long d, long e)
{
	register long r0 asm("r0") = a;
	register long r1 asm("r1") = b;
	register long r2 asm("r2") = c;
	register long r3 asm("r3") = d;
	register long r4 asm("r4") = e;
	register long r5 asm("r5") = 0;
	register long r7 asm("r7") = nr;

	asm volatile("svc #0"
		     : "+r" (r0)
		     : "r" (r1), "r" (r2), "r" (r3), "r" (r4), "r" (r5),
		       "r" (r7)
		     : "memory", "cc");
	return r0;
}
#endif

static long call3(long nr, long a, long b, long c)
{
	return call6(nr, a, b, c, 0, 0);
}

static long ioctl(int fd, unsigned int cmd, void *arg)
{
	return call3(NR_IOCTL, fd, cmd, (long)arg);
}

static char *map(unsigned long len, int flags)
{
	return (char *)call6(NR_MMAP2, 0, len, PROT_RW, flags, -1);
}

static size_t length(const char *text)
{
	size_t len = 0;

	while (text[len])
		len++;
	return len;
}

static void expect(int good, const char *step)
{
	if (good)
		return;
	call3(NR_WRITE, 2, (long)"# 32-bit caller: ", 17);
	call3(NR_WRITE, 2, (long)step, length(step));
	call3(NR_WRITE, 2, (long)"\n", 1);
	call3(NR_EXIT, 1, 0, 0);
}

static __u64 user(const void *p)
{
	return (unsigned long)p;
}

static void check_info(int dev)
{
	struct pinprobe_info info = { .size = sizeof(info) };

	expect(!ioctl(dev, PINPROBE_IOC_INFO, &info), "INFO");
	expect(info.abi_version == PINPROBE_ABI_VERSION, "INFO abi_version");
	expect(info.page_size == PAGE, "INFO page_size");
}

static void check_resolve(int dev, char *area, struct pinprobe_page *recs)
{
	struct pinprobe_resolve args = {
		.size = sizeof(args),
		.addr = user(area),
		.len = AREA_PAGES * PAGE,
		.records = user(recs),
		.nr_records = AREA_PAGES,
		.record_size = sizeof(*recs),
	};
	int i;

	expect(!ioctl(dev, PINPROBE_IOC_RESOLVE, &args), "RESOLVE");
	expect(args.filled == AREA_PAGES, "RESOLVE filled");
	expect(args.next == args.addr + args.len, "RESOLVE next");
	for (i = 0; i < AREA_PAGES; i++) {
		expect(recs[i].addr == user(area) + i * PAGE, "record addr");
		expect(recs[i].state == PINPROBE_STATE_PRESENT, "record state");
		expect(recs[i].pfn != 0, "record pfn");
	}

	/* The upper half of a pointer is part of it. */
	args.records |= 1ULL << 32;
	expect(ioctl(dev, PINPROBE_IOC_RESOLVE, &args) == -EFAULT,
	       "RESOLVE to records above 4 GiB");
	args.records = user(recs);
	args.addr = 0xffffffff80000000ULL;
	expect(ioctl(dev, PINPROBE_IOC_RESOLVE, &args) == -EFAULT,
	       "RESOLVE of kernel addresses");
}

static void check_pin(int dev, char *area, const struct pinprobe_page *before)
{
	struct pinprobe_pin pin = {
		.size = sizeof(pin),
		.flags = PINPROBE_PIN_WRITE | PINPROBE_PIN_SNAPSHOT,
		.addr = user(area),
		.len = AREA_PAGES * PAGE,
		.call = PINPROBE_CALL_PIN_FAST,
		.fd = -1,
	};
	struct pinprobe_pin_state state = { .size = sizeof(state) };
	struct pinprobe_page recs[AREA_PAGES];
	struct pinprobe_pin_pages pages = {
		.size = sizeof(pages),
		.records = user(recs),
		.nr_records = AREA_PAGES,
		.record_size = sizeof(*recs),
	};
	__u32 when;
	int i;

	expect(!ioctl(dev, PINPROBE_IOC_PIN, &pin), "PIN");
	expect(pin.fd > dev, "PIN fd");
	expect(pin.outcome.nr_pinned == AREA_PAGES, "PIN nr_pinned");
	expect(!ioctl(pin.fd, PINPROBE_IOC_PIN_STATE, &state), "PIN_STATE");
	expect(state.addr == pin.addr && state.len == pin.len, "PIN_STATE range");
	expect(state.outcome.stayed == AREA_PAGES, "PIN_STATE stayed");
	for (when = 0; when <= PINPROBE_WHEN_NOW; when++) {
		pages.when = when;
		expect(!ioctl(pin.fd, PINPROBE_IOC_PIN_PAGES, &pages),
		       "PIN_PAGES");
		expect(pages.filled == AREA_PAGES, "PIN_PAGES filled");
		expect(pages.next == AREA_PAGES, "PIN_PAGES next");
		for (i = 0; i < AREA_PAGES; i++)
			expect(recs[i].pfn == before[i].pfn, "PIN_PAGES pfn");
	}
	expect(ioctl(pin.fd, PINPROBE_IOC_INFO, &state) == -ENOTTY,
	       "INFO on a pin");
	expect(ioctl(dev, PINPROBE_IOC_PIN_STATE, &state) == -ENOTTY,
	       "PIN_STATE on the device");
	call3(NR_CLOSE, pin.fd, 0, 0);

	pin.addr |= 1ULL << 32;
	expect(ioctl(dev, PINPROBE_IOC_PIN, &pin) == -EFAULT,
	       "PIN above 4 GiB");
	expect(pin.fd == -1 && pin.outcome.error == EFAULT, "PIN outcome");
}

/* The end of each structure is the end of what is mapped. */
static void check_edges(int dev)
{
	static const struct {
		__u32 cmd;
		__u32 size;
	} calls[] = {
		{ PINPROBE_IOC_INFO, sizeof(struct pinprobe_info) },
		{ PINPROBE_IOC_RESOLVE, sizeof(struct pinprobe_resolve) },
		{ PINPROBE_IOC_PIN, sizeof(struct pinprobe_pin) },
	};
	char *edge = map(2 * PAGE, MAP_PRIVATE_ANON);
	unsigned int i;
	__u32 *args;

	expect((unsigned long)edge < -4095UL, "mmap");
	call3(NR_MUNMAP, (long)edge + PAGE, PAGE, 0);
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		memset(edge, 0, PAGE);
		args = (__u32 *)(edge + PAGE - calls[i].size);
		args[0] = calls[i].size;
		/* All zero: fine for INFO, no records and no length for others. */
		expect(ioctl(dev, calls[i].cmd, args) == (i ? -EINVAL : 0),
		       "structure before a hole");
		args[0] = calls[i].size - 4;
		expect(ioctl(dev, calls[i].cmd, args) == -EINVAL,
		       "structure too small");
		args[0] = calls[i].size + 4;
		expect(ioctl(dev, calls[i].cmd, args) == -EFAULT,
		       "structure longer than memory");
		args--;
		args[0] = calls[i].size + 4;
		args[1] = 0;
		args[calls[i].size / 4] = 1;
		expect(ioctl(dev, calls[i].cmd, args) == -E2BIG,
		       "structure with an unknown tail");
		expect(ioctl(dev, calls[i].cmd, (void *)0) == -EFAULT,
		       "NULL");
		expect(ioctl(dev, calls[i].cmd, (void *)0xfffffff0) == -EFAULT,
		       "the end of 4 GiB");
		expect(ioctl(dev, calls[i].cmd + 0x10, args) == -ENOTTY,
		       "unknown number");
	}
}

void _start(void);
void _start(void)
{
	struct pinprobe_page recs[AREA_PAGES];
	char *area;
	int dev, i;

	dev = call3(NR_OPEN, (long)PINPROBE_DEVICE, O_RDWR_CLOEXEC, 0);
	expect(dev >= 0, "open " PINPROBE_DEVICE);
	area = map(AREA_PAGES * PAGE, MAP_SHARED_ANON);
	expect((unsigned long)area < -4095UL, "mmap");
	for (i = 0; i < AREA_PAGES; i++)
		area[i * PAGE] = 1;
	check_info(dev);
	check_resolve(dev, area, recs);
	check_pin(dev, area, recs);
	check_edges(dev);
	call3(NR_EXIT, 0, 0, 0);
}
