// SPDX-License-Identifier: GPL-2.0
/* Page records to user space, joined into runs where that was asked for. */
#include <linux/mm.h>
#include <linux/uaccess.h>
#include "sink.h"

/**
 * pp_sink_init - start writing records
 * @sink: the sink
 * @dst: user address of the array
 * @room: how many records fit
 * @record_size: size of each, bytes, checked by pp_abi_check_records()
 * @runs: join alike neighbours
 */
void pp_sink_init(struct pp_sink *sink, u64 dst, u32 room, u32 record_size,
		  bool runs)
{
	sink->dst = u64_to_user_ptr(dst);
	sink->record_size = record_size;
	sink->room = room;
	sink->written = 0;
	sink->runs = runs;
	sink->fill = 0;
}

/**
 * pp_sink_joins - does a record continue a run
 * @run: the run
 * @next: the record that follows it
 *
 * Return: true if they differ in nothing but address and PFN, and both are
 * consecutive.
 */
bool pp_sink_joins(const struct pinprobe_page *run,
		   const struct pinprobe_page *next)
{
	struct pinprobe_page want = *run;

	want.addr += run->nr_pages << PAGE_SHIFT;
	if (run->state == PINPROBE_STATE_PRESENT)
		want.pfn += run->nr_pages;
	want.nr_pages = next->nr_pages;
	/* No padding: pahole sees to that. */
	return !memcmp(&want, next, sizeof(want));
}

static int pp_sink_copy(struct pp_sink *sink, u32 nr)
{
	const u32 known = min_t(u32, sizeof(sink->buf[0]), sink->record_size);
	u32 i;

	if (sink->record_size == sizeof(sink->buf[0])) {
		if (copy_to_user(sink->dst, sink->buf, nr * known))
			return -EFAULT;
		sink->dst += nr * known;
		sink->written += nr;
		return 0;
	}
	for (i = 0; i < nr; i++) {
		if (copy_to_user(sink->dst, &sink->buf[i], known) ||
		    clear_user(sink->dst + known, sink->record_size - known))
			return -EFAULT;
		sink->dst += sink->record_size;
		sink->written++;
	}
	return 0;
}

/**
 * pp_sink_put - hand over one record
 * @sink: the sink
 * @rec: the record
 *
 * Return: 0, -ENOSPC if the caller's array is full (the record is not taken),
 * -EFAULT.
 */
int pp_sink_put(struct pp_sink *sink, const struct pinprobe_page *rec)
{
	struct pinprobe_page *last;
	int ret;

	if (sink->fill) {
		last = &sink->buf[sink->fill - 1];
		if (sink->runs && pp_sink_joins(last, rec)) {
			last->nr_pages += rec->nr_pages;
			return 0;
		}
	}
	if (!sink->room)
		return -ENOSPC;
	if (sink->fill == PP_SINK_RECORDS) {
		/* All but the last, which may still grow. */
		ret = pp_sink_copy(sink, PP_SINK_RECORDS - 1);
		if (ret)
			return ret;
		sink->buf[0] = sink->buf[PP_SINK_RECORDS - 1];
		sink->fill = 1;
	}
	sink->buf[sink->fill++] = *rec;
	sink->room--;
	return 0;
}

/**
 * pp_sink_put_blank - hand over a stretch that has no pages
 * @sink: the sink
 * @rec: a record of any length
 * @err: out: 0, -ENOSPC, -EFAULT or -EINTR, as pp_sink_put()
 *
 * Return: how many of its pages were taken.
 */
u64 pp_sink_put_blank(struct pp_sink *sink, const struct pinprobe_page *rec,
		      int *err)
{
	struct pinprobe_page one = *rec;
	u64 i;

	if (sink->runs) {
		*err = pp_sink_put(sink, rec);
		return *err ? 0 : rec->nr_pages;
	}
	one.nr_pages = 1;
	for (i = 0; i < rec->nr_pages; i++) {
		*err = pp_sink_put(sink, &one);
		if (*err)
			return i;
		one.addr += PAGE_SIZE;
	}
	return i;
}

/**
 * pp_sink_flush - write what is still held back
 * @sink: the sink
 *
 * Return: 0 or -EFAULT.
 */
int pp_sink_flush(struct pp_sink *sink)
{
	int ret = pp_sink_copy(sink, sink->fill);

	sink->fill = 0;
	return ret;
}
