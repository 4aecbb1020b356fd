// SPDX-License-Identifier: GPL-2.0
/* Page records to user space, joined into runs where that was asked for. */
#include <linux/mm.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>
#include "run.h"
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

/* Word by word, which is faster than copy_to_user() for so few of them. */
static int pp_sink_copy_known(u8 __user *dst, const struct pinprobe_page *recs,
			      u32 nr)
{
	const u64 *src = (const u64 *)recs;
	u64 __user *to = (u64 __user *)dst;
	size_t i, words = nr * (sizeof(*recs) / sizeof(u64));

	if (!user_access_begin(dst, nr * sizeof(*recs)))
		return -EFAULT;
	for (i = 0; i < words; i++)
		unsafe_put_user(src[i], &to[i], err_fault);
	user_access_end();
	return 0;

err_fault:
	user_access_end();
	return -EFAULT;
}

static int pp_sink_copy(struct pp_sink *sink, const struct pinprobe_page *recs,
			u32 nr)
{
	const u32 known = min_t(u32, sizeof(*recs), sink->record_size);
	u32 i;

	if (sink->record_size == sizeof(*recs)) {
		if (pp_sink_copy_known(sink->dst, recs, nr))
			return -EFAULT;
		sink->dst += nr * known;
		sink->written += nr;
		return 0;
	}
	for (i = 0; i < nr; i++) {
		if (copy_to_user(sink->dst, &recs[i], known) ||
		    clear_user(sink->dst + known, sink->record_size - known))
			return -EFAULT;
		sink->dst += sink->record_size;
		sink->written++;
	}
	return 0;
}

/* Takes a record that continues no run. */
static int pp_sink_add(struct pp_sink *sink, const struct pinprobe_page *rec)
{
	int ret;

	if (!sink->room)
		return -ENOSPC;
	if (sink->fill == PP_SINK_RECORDS) {
		/* All but the last, which may still grow. */
		ret = pp_sink_copy(sink, sink->buf, PP_SINK_RECORDS - 1);
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

	if (sink->fill && sink->runs) {
		last = &sink->buf[sink->fill - 1];
		if (pp_run_joins(last, rec)) {
			last->nr_pages += rec->nr_pages;
			return 0;
		}
	}
	return pp_sink_add(sink, rec);
}

/**
 * pp_sink_put_all - hand over several records
 * @sink: the sink
 * @recs: the records
 * @nr: in: how many; out: how many were taken
 *
 * Return: as pp_sink_put(), for the first that was not taken.
 */
int pp_sink_put_all(struct pp_sink *sink, const struct pinprobe_page *recs,
		    u32 *nr)
{
	u32 all = *nr, i;
	int ret = 0;

	if (!sink->runs && !sink->fill) {
		/* Nothing to join them to: straight to the caller. */
		*nr = min(all, sink->room);
		sink->room -= *nr;
		ret = pp_sink_copy(sink, recs, *nr);
		if (!ret && *nr < all)
			ret = -ENOSPC;
		return ret;
	}
	for (i = 0; i < all; i++) {
		ret = pp_sink_put(sink, &recs[i]);
		if (ret)
			break;
	}
	*nr = i;
	return ret;
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
		if (i % 512)
			continue;
		/* A hole can be as large as the address space. */
		if (fatal_signal_pending(current)) {
			*err = -EINTR;
			return i;
		}
		cond_resched();
	}
	/* So that the pages behind it go straight to the caller again. */
	*err = pp_sink_flush(sink);
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
	int ret = pp_sink_copy(sink, sink->buf, sink->fill);

	sink->fill = 0;
	return ret;
}
