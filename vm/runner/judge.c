// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <json-c/json.h>

#include "judge.h"
#include "text.h"

static json_object *saved_get(json_object *o, const char *key)
{
	json_object *value = NULL;

	if (o)
		json_object_object_get_ex(o, key, &value);
	return value;
}

static void saved_string(json_object *asked, const char *key,
			 const char **field)
{
	json_object *value = saved_get(asked, key);

	if (!*field && value && json_object_is_type(value, json_type_string))
		*field = json_object_get_string(value);
}

static void saved_number(json_object *asked, const char *key, int *field)
{
	json_object *value = saved_get(asked, key);

	if (value && json_object_is_type(value, json_type_int))
		*field = json_object_get_int(value);
}

char *judge_options(struct judge *j, struct options *o)
{
	json_object *asked;
	char *path;

	j->saved = NULL;
	if (!o->deny)
		return text_dup("--judge needs --deny FILE");
	path = text_format("%s/result.json", o->judge);
	if (!access(path, F_OK))
		j->saved = json_object_from_file(path);
	free(path);
	asked = saved_get(j->saved, "asked");
	saved_string(asked, "suite_name", &o->suite_name);
	saved_string(asked, "shard", &o->shard);
	saved_string(asked, "programs", &o->programs);
	saved_string(asked, "row", &o->row);
	saved_string(asked, "kernel_name", &o->kernel_name);
	saved_string(asked, "kernel_release", &o->kernel_release);
	saved_string(asked, "kernel_note", &o->kernel_note);
	saved_string(asked, "profile", &o->profile);
	saved_string(asked, "expect", &o->expect);
	saved_string(asked, "table", &o->table);
	saved_string(asked, "repeat_command", &o->repeat_command);
	saved_number(asked, "cpus", &o->cpus);
	saved_number(asked, "boot_timeout", &o->boot_timeout);
	saved_number(asked, "test_timeout", &o->test_timeout);
	saved_number(asked, "total_timeout", &o->total_timeout);
	if (json_object_get_boolean(saved_get(asked, "passthrough")))
		o->passthrough = true;
	return NULL;
}

void judge_end_of(const struct judge *j, struct run *r)
{
	json_object *vm = saved_get(j->saved, "vm"), *value;
	const char *ended = r->options->ended, *accel = NULL;

	saved_string(vm, "ended", &ended);
	if (ended && !ended_parse(ended, &r->ended))
		r->ended = ENDED_SIGNAL;
	r->signal = r->ended == ENDED_SIGNAL ? 2 : 0;
	saved_number(vm, "signal", &r->signal);
	saved_number(vm, "status", &r->vm_status);
	saved_number(vm, "deadline_scale", &r->scale);
	saved_string(vm, "accel", &accel);
	saved_string(j->saved, "began", &r->began);
	if (accel)
		r->accel = accel;
	value = saved_get(vm, "start_error");
	r->start_error = text_dup(value ? json_object_get_string(value) :
				  "it was not started");
}

static char *feed_file(const char *dir, const char *name,
		       void (*feed)(struct run *r, const char *s, size_t len),
		       struct run *r)
{
	char *path = text_format("%s/%s", dir, name), *error = NULL;
	char *buf = text_alloc(65536);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = -1;

	while (fd >= 0 && (len = read(fd, buf, 65536)) > 0)
		feed(r, buf, len);
	if (len < 0)
		error = text_format("%s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
	free(buf);
	free(path);
	return error;
}

static void feed_console(struct run *r, const char *s, size_t len)
{
	console_feed(&r->console, s, len);
}

static void feed_channel(struct run *r, const char *s, size_t len)
{
	channel_feed(&r->channel, s, len);
}

char *judge_feed(struct run *r, const char *dir)
{
	char *error = feed_file(dir, "console.log", feed_console, r);

	return error ? error : feed_file(dir, "channel.log", feed_channel, r);
}

void judge_release(struct judge *j)
{
	json_object_put(j->saved);
}
