// SPDX-License-Identifier: GPL-2.0
/* What was found, for programs. */
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../selftests/lib/device.h"
#include "json.h"
#include "out.h"
#include "who.h"

static json_object *page(const struct who *w)
{
	const struct who_page *p = &w->page;
	json_object *j = json_object_new_object();
	struct text flags = { 0 };

	if (!p->pfn)
		return j;
	json_add_hex(j, "pfn", p->pfn);
	if (p->has_flags) {
		text_add(&flags, "", 0);
		who_flags(&flags, p->flags);
		json_add_hex(j, "kpageflags", p->flags);
		json_add_string(j, "flags", flags.s);
		text_free(&flags);
	}
	if (p->head)
		json_add_hex(j, "head", p->head);
	json_add_int(j, "order", p->order);
	if (p->mapcount >= 0)
		json_add_int(j, "mapcount", p->mapcount);
	if (p->zone) {
		json_add_string(j, "zone", p->zone);
		json_add_int(j, "node", p->node);
	}
	if (p->migratetype != PINPROBE_MT_UNKNOWN)
		json_add_string(j, "migratetype", migratetype_name(p->migratetype));
	if (p->cma >= 0)
		json_object_object_add(j, "cma", json_object_new_boolean(p->cma));
	return j;
}

static json_object *account(const struct who *w)
{
	static const char *const sources[] = {
		[WHO_MODULE] = "module",
		[WHO_LOOK] = "bpf",
	};
	const struct account *a = &w->account;
	json_object *j;

	if (!a->facts.counted)
		return NULL;
	j = json_object_new_object();
	json_add_string(j, "source", sources[w->page.counted]);
	json_add_int(j, "refs", a->facts.refs);
	json_add_int(j, "mappings", a->facts.mappings);
	json_add_int(j, "page_cache", a->facts.cache);
	json_add_int(j, "swap_cache", a->facts.swap);
	json_add_int(j, "private", a->facts.private);
	if (a->state != ACCOUNT_UNKNOWN) {
		json_add_int(j, "pins", a->pins);
		json_add_int(j, "lru_batch", a->batch);
		json_add_int(j, "rest", a->rest);
	}
	json_object_object_add(j, "drained", json_object_new_boolean(a->facts.drained));
	json_object_object_add(j, "maybe_pinned",
			       json_object_new_boolean(account_maybe_pinned(a)));
	return j;
}

static json_object *holder(const struct holder *h)
{
	json_object *j = json_object_new_object();

	json_add_string(j, "certainty", holder_certainty_name(h->certainty));
	json_add_string(j, "kind", holder_kind_name(h->kind));
	if (h->pid) {
		json_add_int(j, "pid", h->pid);
		json_add_string(j, "comm", h->comm);
	}
	if (h->fd >= 0)
		json_add_int(j, "fd", h->fd);
	if (h->kind == HOLDER_MAPPING)
		json_add_hex(j, "addr", h->addr);
	if (h->start)
		json_add_hex(j, "start", h->start);
	if (h->bytes)
		json_add_int(j, "bytes", h->bytes);
	json_add_string(j, "what", h->what);
	json_add_string(j, "evidence", h->evidence);
	return j;
}

static json_object *lines(const char *s)
{
	json_object *list = json_object_new_array();
	const char *end;

	for (; s && *s; s = end + 1) {
		end = strchrnul(s, '\n');
		json_object_array_add(list, json_object_new_string_len(s, end - s));
		if (!*end)
			break;
	}
	return list;
}

void who_json(const struct who *w)
{
	json_object *j = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	json_add_string(j, "state", who_state(w));
	if (w->range.pid) {
		json_add_int(j, "pid", w->range.pid);
		json_add_hex(j, "addr", w->range.addr);
	}
	json_object_object_add(j, "page", page(w));
	json_object_object_add(j, "account", account(w));
	for (i = 0; i < w->holders; i++)
		json_object_array_add(list, holder(&w->holder[i]));
	json_object_object_add(j, "holders", list);
	if (w->owner)
		json_object_object_add(j, "page_owner", lines(w->owner));
	json_object_object_add(j, "not_seen", lines(w->missing.s));
	json_object_object_add(j, "process_ended", json_object_new_boolean(w->gone));
	out_json(j);
	json_object_put(j);
}
