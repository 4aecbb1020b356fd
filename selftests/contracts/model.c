// SPDX-License-Identifier: GPL-2.0
/* Reads the table models. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../uapi/linux/pinprobe.h"
#include "model.h"
#include "table.h"
#include "table_line.h"

enum {
	MODEL_FIELD_NAME, MODEL_FIELD_ARCH, MODEL_FIELD_KERNELS,
	MODEL_FIELD_CALLS
};

const char *rung_name(enum model_rung rung)
{
	static const char * const names[] = {
		[RUNG_GET] = "get",
		[RUNG_PIN] = "pin",
		[RUNG_LONGTERM] = "longterm",
	};

	return names[rung];
}

bool model_writes(const struct model_call *call, bool writable, bool asks)
{
	switch (call->write) {
	case WRITE_ALWAYS:
		return true;
	case WRITE_ASKED:
		return asks;
	case WRITE_MAPPING:
		return writable;
	default:
		return false;
	}
}

static bool read_family(const char *name, uint32_t *call)
{
	static const char * const names[] = {
		[PINPROBE_CALL_GET] = "get",
		[PINPROBE_CALL_GET_FAST] = "get_fast",
		[PINPROBE_CALL_GET_UNLOCKED] = "get_unlocked",
		[PINPROBE_CALL_GET_REMOTE] = "get_remote",
		[PINPROBE_CALL_PIN] = "pin",
		[PINPROBE_CALL_PIN_FAST] = "pin_fast",
		[PINPROBE_CALL_PIN_UNLOCKED] = "pin_unlocked",
		[PINPROBE_CALL_PIN_REMOTE] = "pin_remote",
	};

	for (*call = 0; *call < sizeof(names) / sizeof(*names); (*call)++)
		if (!strcmp(name, names[*call]))
			return true;
	return false;
}

static bool read_number(const char *text, unsigned long *number)
{
	char *end;

	if (*text < '1' || *text > '9')
		return false;
	errno = 0;
	*number = strtoul(text, &end, 10);
	return !*end && !errno;
}

static bool read_write(const char *how, enum model_write *write)
{
	if (*write != WRITE_NEVER)
		return false;
	if (!how)
		*write = WRITE_ALWAYS;
	else if (!strcmp(how, "asked"))
		*write = WRITE_ASKED;
	else if (!strcmp(how, "mapping"))
		*write = WRITE_MAPPING;
	return *write != WRITE_NEVER;
}

static bool read_option(char *option, struct model_call *call)
{
	char *value = option, *name = strsep(&value, "=");

	if (!strcmp(name, "write"))
		return read_write(value, &call->write);
	if (!strcmp(name, "longterm") && !value && !call->longterm) {
		call->longterm = true;
		return true;
	}
	if (!strcmp(name, "batch") && value && !call->batch)
		return read_number(value, &call->batch);
	if (!strcmp(name, "retry") && value && !call->retry)
		return read_number(value, &call->retry);
	return false;
}

static enum model_rung rung_of(const struct model_call *call)
{
	if (call->longterm)
		return RUNG_LONGTERM;
	return call->call >= PINPROBE_CALL_PIN ? RUNG_PIN : RUNG_GET;
}

/* CALL[:OPTION[,OPTION]...] */
static bool read_call(char *text, struct model_call *call)
{
	char *options = text, *family = strsep(&options, ":"), *option;

	memset(call, 0, sizeof(*call));
	if (!read_family(family, &call->call))
		return false;
	while ((option = strsep(&options, ",")))
		if (!read_option(option, call))
			return false;
	/* FOLL_LONGTERM without FOLL_PIN is none. */
	return !call->longterm || call->call >= PINPROBE_CALL_PIN;
}

/* Parts of a row's name are lower case, digits and underscores. */
static bool read_name(const char *text, char name[MODEL_NAME])
{
	size_t len = strlen(text);

	if (!len || len >= MODEL_NAME ||
	    text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_")])
		return false;
	memcpy(name, text, len + 1);
	return true;
}

static bool read_model(struct table_line *line, struct model *model,
		       struct kernel_range *kernels)
{
	size_t i;

	memset(model, 0, sizeof(*model));
	if (line->nr <= MODEL_FIELD_CALLS ||
	    line->nr > MODEL_FIELD_CALLS + MODEL_CALLS ||
	    !read_name(line->field[MODEL_FIELD_NAME], model->name) ||
	    !parse_range(line->field[MODEL_FIELD_KERNELS], kernels))
		return false;
	model->nr_calls = line->nr - MODEL_FIELD_CALLS;
	model->rung = RUNG_LONGTERM;
	for (i = 0; i < model->nr_calls; i++) {
		struct model_call *call = &model->calls[i];

		if (!read_call(line->field[MODEL_FIELD_CALLS + i], call))
			return false;
		if (rung_of(call) < model->rung)
			model->rung = rung_of(call);
		if (call->write == WRITE_ASKED)
			model->asked = true;
	}
	return true;
}

static bool has_model(const struct model *models, size_t nr, const char *name)
{
	while (nr--)
		if (!strcmp(models[nr].name, name))
			return true;
	return false;
}

ssize_t models_read(const char *text, const char *arch, const int version[2],
		    struct model *models, size_t room, char why[256])
{
	struct table_line line = { 0 };
	struct kernel_range kernels;
	struct model model;
	size_t nr = 0;

	while (table_next(&text, &line)) {
		if (!read_model(&line, &model, &kernels)) {
			snprintf(why, 256, "models, line %d: cannot be read",
				 line.number);
			return -EINVAL;
		}
		if (!list_matches(line.field[MODEL_FIELD_ARCH], arch) ||
		    !range_has(&kernels, version) ||
		    has_model(models, nr, model.name))
			continue;
		if (nr == room) {
			snprintf(why, 256, "models: more than %zu", room);
			return -EINVAL;
		}
		models[nr++] = model;
	}
	return nr;
}
