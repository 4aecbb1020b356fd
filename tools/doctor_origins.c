// SPDX-License-Identifier: GPL-2.0
/* Who asked for memory that must stay movable. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

#define DEVICE_TREE	"/proc/device-tree/reserved-memory"

static const struct {
	const char *parameter;
	const char *kind;
} parameters[] = {
	{ "cma=", "cma" },
	{ "cma_pernuma=", "cma" },
	{ "numa_cma=", "cma" },
	{ "hugetlb_cma=", "cma hugetlb" },
	{ "kho=", "kho" },
	{ "kho_scratch=", "kho" },
	{ "movablecore=", "movable" },
	{ "kernelcore=", "movable" },
	{ "movable_node", "movable" },
	{ "memhp_default_state=online_movable", "movable policy" },
};

static void add(struct doctor_origins *o, const char *kind, char *text)
{
	o->origin = text_grow(o->origin, o->count, sizeof(*o->origin));
	o->origin[o->count].kind = kind;
	o->origin[o->count++].text = text;
}

static void parameter(struct doctor_origins *o, const char *word)
{
	size_t i, len;

	for (i = 0; i < ARRAY_SIZE(parameters); i++) {
		len = strlen(parameters[i].parameter);
		if (strncmp(word, parameters[i].parameter, len))
			continue;
		/* A word, not the beginning of another one. */
		if (parameters[i].parameter[len - 1] != '=' && word[len])
			continue;
		add(o, parameters[i].kind, text_dup(word));
	}
}

/* What follows "--" is for init. */
static void read_command_line(struct doctor *d)
{
	const char *next;
	char *word;

	doctor_miss(d, source_line(&d->source, &d->origins.command_line,
				   "/proc/cmdline"), "/proc/cmdline",
		    "which parameter set memory aside");
	next = d->origins.command_line;
	while (next && (word = text_word(&next))) {
		if (!strcmp(word, "--"))
			next = NULL;
		else
			parameter(&d->origins, word);
		free(word);
	}
}

/* The property is a list of strings, each ended by NUL. */
static bool is_pool(const struct doctor *d, const char *node)
{
	static const char pool[] = "shared-dma-pool";
	struct text t = { 0 };
	bool is;

	source_read(&d->source, &t, DEVICE_TREE "/%s/compatible", node);
	is = memmem(t.s, t.len + 1, pool, sizeof(pool));
	text_free(&t);
	return is && source_exists(&d->source, DEVICE_TREE "/%s/reusable",
				   node);
}

static void read_device_tree(struct doctor *d)
{
	struct source_names names;
	size_t i;

	source_list(&d->source, &names, DEVICE_TREE);
	for (i = 0; i < names.count; i++)
		if (is_pool(d, names.name[i]))
			add(&d->origins, "cma",
			    text_format("device tree node reserved-memory/%s",
					names.name[i]));
	source_names_free(&names);
}

static bool configured(const struct text *config, const char *option)
{
	const char *at = config->s;
	size_t len = strlen(option);

	while ((at = strstr(at, option))) {
		if ((at == config->s || at[-1] == '\n') &&
		    !strncmp(at + len, "=y", 2))
			return true;
		at += len;
	}
	return false;
}

static void read_config(struct doctor *d)
{
	struct text t = { 0 };
	struct doctor_origins *o = &d->origins;

	if (d->release &&
	    !source_read(&d->source, &t, "/boot/config-%s", d->release))
		o->kho_default = configured(&t,
			"CONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT");
	text_free(&t);
	if (o->kho_default)
		add(o, "kho",
		    text_dup("CONFIG_KEXEC_HANDOVER_ENABLE_DEFAULT=y"));
	if (source_exists(&d->source, "/sys/kernel/debug/kho/out"))
		add(o, "kho", text_dup("Kexec HandOver is on (/sys/kernel/debug/kho/out)"));
}

static void read_policy(struct doctor *d)
{
	struct doctor_origins *o = &d->origins;
	char *policy;

	source_line(&d->source, &o->online_policy,
		    "/sys/devices/system/memory/auto_online_blocks");
	if (source_line(&d->source, &policy,
			"/sys/module/memory_hotplug/parameters/online_policy"))
		return;
	if (!strcmp(policy, "auto-movable"))
		add(o, "policy",
		    text_dup("memory_hotplug.online_policy=auto-movable"));
	free(policy);
}

void doctor_read_origins(struct doctor *d)
{
	read_command_line(d);
	read_device_tree(d);
	read_config(d);
	read_policy(d);
}

/* Whether a word of kinds is one of kind. */
static bool common(const char *kinds, const char *kind)
{
	bool is = false;
	char *word;

	while (!is && (word = text_word(&kinds))) {
		const char *rest = kind;
		char *other;

		while (!is && (other = text_word(&rest))) {
			is = !strcmp(word, other);
			free(other);
		}
		free(word);
	}
	return is;
}

char *doctor_origins_of(const struct doctor_origins *o, const char *kinds)
{
	struct text t = { 0 };
	size_t i;

	text_add(&t, "", 0);
	for (i = 0; i < o->count; i++)
		if (common(kinds, o->origin[i].kind))
			text_printf(&t, "%s%s", t.len ? ", " : "",
				    o->origin[i].text);
	return t.s;
}

void doctor_free_origins(struct doctor_origins *o)
{
	size_t i;

	for (i = 0; i < o->count; i++)
		free(o->origin[i].text);
	free(o->origin);
	free(o->command_line);
	free(o->online_policy);
}
