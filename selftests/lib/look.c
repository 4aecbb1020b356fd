// SPDX-License-Identifier: GPL-2.0
/* Looks at pages with what this guest has. */
#include <errno.h>
#include <unistd.h>
#include "device.h"
#include "look.h"

int look_open(struct look *look)
{
	look->dev = device_open();
	if (look->dev >= 0)
		return 0;
	if (look->dev != -ENOENT)
		return look->dev;
	look->dev = -1;
	return oracle_open(&look->oracle, 0);
}

void look_close(struct look *look)
{
	if (look->dev >= 0)
		close(look->dev);
	else
		oracle_close(&look->oracle);
	look->dev = -1;
}

int look_pages(const struct look *look, const void *addr, size_t nr,
	       struct pinprobe_page *pages)
{
	size_t page_size = sysconf(_SC_PAGESIZE), i;
	int filled;

	if (look->dev < 0) {
		for (i = 0; i < nr; i++)
			oracle_page(&look->oracle,
				    (const char *)addr + i * page_size,
				    &pages[i]);
		return 0;
	}
	filled = device_resolve(look->dev, 0, addr, nr * page_size, 0, pages,
				nr, NULL);
	if (filled < 0)
		return filled;
	return (size_t)filled == nr ? 0 : -EIO;
}
