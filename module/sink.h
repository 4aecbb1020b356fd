/* SPDX-License-Identifier: GPL-2.0 */
#ifndef PINPROBE_SINK_H
#define PINPROBE_SINK_H

#include <linux/types.h>

#include <linux/pinprobe.h>

#define PP_SINK_RECORDS	32

/**
 * struct pp_sink - records on their way to the caller
 * @dst: where the next one goes
 * @record_size: how far apart they lie there, bytes
 * @room: how many more fit, those in @buf included
 * @written: how many are at the caller's
 * @runs: join alike neighbours
 * @fill: records in @buf
 * @buf: records that may still grow or are worth copying together
 */
struct pp_sink {
	u8 __user *dst;
	u32 record_size;
	u32 room;
	u32 written;
	bool runs;
	u32 fill;
	struct pinprobe_page buf[PP_SINK_RECORDS];
};

void pp_sink_init(struct pp_sink *sink, u64 dst, u32 room, u32 record_size,
		  bool runs);
int pp_sink_put(struct pp_sink *sink, const struct pinprobe_page *rec);
int pp_sink_put_all(struct pp_sink *sink, const struct pinprobe_page *recs,
		    u32 *nr);
u64 pp_sink_put_blank(struct pp_sink *sink, const struct pinprobe_page *rec,
		      int *err);
int pp_sink_flush(struct pp_sink *sink);

#endif /* PINPROBE_SINK_H */
