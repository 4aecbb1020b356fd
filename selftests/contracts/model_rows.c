// SPDX-License-Identifier: GPL-2.0
/* The models as holds and as consumers, in the registries before main() is. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>
#include "../lib/device.h"
#include "consumers.h"
#include "holds.h"
#include "model_rows.h"
#include "model.h"

#if defined(__x86_64__)
#define ARCH	"amd64"
#elif defined(__aarch64__)
#define ARCH	"arm64"
#endif

/* Pieces in which the pages of one model are held. */
#define PIECES	64

struct model_row {
	struct model model;
	char name[MODEL_NAME + 16];
	char what[160];
	struct hold hold;
	struct consumer consumer;
};

struct pieces {
	int fd[PIECES];
	size_t nr;
};

static struct model_row rows[MODELS_MAX];
static char complaint[256];

static void let_go(struct pieces *pieces, size_t first)
{
	while (pieces->nr > first)
		close(pieces->fd[--pieces->nr]);
}

static int pin_pieces(struct world *world, char *addr, size_t len,
		      const struct model_call *call, bool write,
		      unsigned long batch, struct pieces *pieces)
{
	size_t first = pieces->nr, most = batch * world->page_size, part;
	uint32_t flags = call->longterm ? PINPROBE_PIN_LONGTERM : 0;
	int fd;

	if (write)
		flags |= PINPROBE_PIN_WRITE;
	for (; len; addr += part, len -= part) {
		part = most && most < len ? most : len;
		fd = pieces->nr == PIECES ? -E2BIG :
		     device_pin(world->look.dev, addr, part, call->call, flags,
				NULL);
		if (fd < 0) {
			let_go(pieces, first);
			return fd;
		}
		pieces->fd[pieces->nr++] = fd;
	}
	return 0;
}

static int call_of(struct world *world, char *addr, size_t len,
		   const struct model_call *call, bool write,
		   struct pieces *pieces)
{
	int err = pin_pieces(world, addr, len, call, write, call->batch, pieces);

	if (err == -ENOMEM && call->retry &&
	    len / world->page_size > call->retry)
		err = pin_pieces(world, addr, len, call, write, call->retry,
				 pieces);
	return err;
}

/* All calls of a model, or none. */
static int take_as(struct world *world, const struct model *model,
		   const struct area *area, size_t from, size_t len, bool asks,
		   struct pieces *pieces)
{
	bool writable = area->prot & PROT_WRITE;
	size_t i;
	int err = 0;

	for (i = 0; !err && i < model->nr_calls; i++)
		err = call_of(world, area->addr + from, len, &model->calls[i],
			      model_writes(&model->calls[i], writable, asks),
			      pieces);
	if (err)
		let_go(pieces, 0);
	return err;
}

static int take(struct world *world, struct area *area, struct held *held)
{
	const struct model_row *row = held->hold->how;
	struct pieces *pieces = calloc(1, sizeof(*pieces));
	int err;

	if (!pieces)
		return -ENOMEM;
	err = take_as(world, &row->model, area, area->target, world->page_size,
		      area->prot & PROT_WRITE, pieces);
	if (err)
		free(pieces);
	else
		held->private = pieces;
	return err;
}

static int drop(struct world *world, struct area *area, struct held *held)
{
	struct pieces *pieces = held->private;

	if (pieces)
		let_go(pieces, 0);
	free(pieces);
	held->private = NULL;
	return 0;
}

static int prepare(struct use *use)
{
	use->private = calloc(1, sizeof(struct pieces));
	return use->private ? 0 : -ENOMEM;
}

static int run(struct use *use)
{
	const struct model_row *row = use->consumer->how;

	return take_as(use->world, &row->model, use->area, 0, use->area->len,
		       use->access == ACCESS_WRITE, use->private);
}

static int undo(struct use *use)
{
	let_go(use->private, 0);
	return 0;
}

static void done(struct use *use)
{
	free(use->private);
}

static void make_row(struct model_row *row, const struct model *model)
{
	static const enum hold_kind kinds[] = {
		[RUNG_GET] = HOLD_REFERENCE,
		[RUNG_PIN] = HOLD_FOLL_PIN,
		[RUNG_LONGTERM] = HOLD_LONGTERM_PIN,
	};

	row->model = *model;
	snprintf(row->name, sizeof(row->name), "%s_as_%.*s",
		 rung_name(model->rung), MODEL_NAME, model->name);
	snprintf(row->what, sizeof(row->what), "the calls of %.*s", MODEL_NAME,
		 model->name);
	row->hold = (struct hold){
		.name = row->name,
		.what = row->what,
		.kind = kinds[model->rung],
		.how = row,
		.take = take,
		.drop = drop,
	};
	row->consumer = (struct consumer){
		.name = row->name,
		.what = row->what,
		.kind = model->rung == RUNG_LONGTERM ? CONSUMES_LONGTERM :
						       CONSUMES_SHORT,
		/* One that is not asked does the same for both. */
		.access = model->asked ? ACCESS_READ | ACCESS_WRITE :
					 ACCESS_WRITE,
		.how = row,
		.prepare = prepare,
		.run = run,
		.undo = undo,
		.close = done,
	};
}

const char *model_rows_complaint(void)
{
	return complaint;
}

static int append(const void **registry, const void *entry, size_t room)
{
	size_t nr = 0;

	while (registry[nr])
		nr++;
	if (nr + 1 >= room)
		return -ENOSPC;
	registry[nr] = entry;
	return 0;
}

__attribute__((constructor)) static void add_models(void)
{
	static struct model models[MODELS_MAX];
	struct utsname name;
	int version[2];
	ssize_t nr, i;

	if (uname(&name) ||
	    sscanf(name.release, "%d.%d", &version[0], &version[1]) != 2)
		return;
	nr = models_read(contract_models, ARCH, version, models,
			 MODELS_MAX, complaint);
	for (i = 0; i < nr; i++) {
		make_row(&rows[i], &models[i]);
		if (append((const void **)holds, &rows[i].hold, HOLDS_ROOM) ||
		    append((const void **)consumers, &rows[i].consumer,
			   CONSUMERS_ROOM))
			snprintf(complaint, sizeof(complaint),
				 "models: no room for %s", rows[i].name);
	}
}
