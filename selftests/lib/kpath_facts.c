// SPDX-License-Identifier: GPL-2.0
/* The kernel's own numbers, from its BTF and /proc/zoneinfo. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <linux/btf.h>
#include "kpath_internal.h"

/* Written out: the fields got wider in 7.x, and older ones are zero there. */
#define KIND(info)	(((info) >> 24) & 0x7f)
#define VLEN(info)	((info) & 0xffffff)

struct file {
	char *data;
	size_t len;
	bool mapped;
};

/* Mapped where the kernel can: most of it is never touched. */
static void file_open(struct file *file, const char *path)
{
	struct stat st;
	ssize_t got;
	size_t at;
	int fd;

	memset(file, 0, sizeof(*file));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (fstat(fd, &st) || st.st_size <= 0)
		goto out;
	file->data = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	file->mapped = file->data != MAP_FAILED;
	file->len = st.st_size;
	if (file->mapped)
		goto out;
	file->data = malloc(st.st_size);
	for (at = 0; file->data && at < file->len; at += got) {
		got = read(fd, file->data + at, file->len - at);
		if (got <= 0)
			file->len = at;
	}
out:
	close(fd);
}

static void file_close(struct file *file)
{
	if (file->mapped)
		munmap(file->data, file->len);
	else
		free(file->data);
}

/* Bytes behind a struct btf_type, or -1 for a kind that is not known. */
static long type_tail(uint32_t info)
{
	switch (KIND(info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return VLEN(info) * 12L;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return VLEN(info) * 8L;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

static void add_name(struct kpath_name *names, size_t *nr, size_t room,
		     const char *name, int64_t value)
{
	if (*nr == room)
		return;
	snprintf(names[*nr].name, sizeof(names->name), "%s", name);
	names[(*nr)++].value = value;
}

static void take_enum(struct kpath_facts *facts, const struct btf_type *type,
		      const char *strings, uint32_t len)
{
	const struct btf_enum *value = (const void *)(type + 1);
	const char *name = strings + type->name_off;
	bool foll = !*name && VLEN(type->info) && value->name_off < len &&
		    !strncmp(strings + value->name_off, "FOLL_", 5);
	bool migratetype = !strcmp(name, "migratetype");
	uint32_t i;

	if (!foll && !migratetype && strcmp(name, "pageflags"))
		return;
	for (i = 0; i < VLEN(type->info); i++) {
		const char *tail = strings + value[i].name_off;

		if (value[i].name_off >= len)
			return;
		if (foll)
			add_name(facts->foll, &facts->nr_foll, 32, tail + 5,
				 (uint32_t)value[i].val);
		/* These two only count: they share a value with a type. */
		else if (migratetype && strcmp(tail, "MIGRATE_PCPTYPES") &&
			 strcmp(tail, "MIGRATE_TYPES"))
			add_name(facts->migratetype, &facts->nr_migratetypes,
				 12, tail, value[i].val);
		else if (!migratetype && !strcmp(tail, "PG_head"))
			facts->head_bit = value[i].val;
	}
}

static void take_type(struct kpath_facts *facts, const struct btf_type *type,
		      const char *strings, uint32_t len)
{
	if (KIND(type->info) == BTF_KIND_ENUM)
		take_enum(facts, type, strings, len);
	else if (KIND(type->info) == BTF_KIND_STRUCT && !facts->struct_page &&
		 !strcmp(strings + type->name_off, "page"))
		facts->struct_page = type->size;
}

/* Public and internal flags are two enums. */
static bool complete(const struct kpath_facts *facts)
{
	bool public = false, internal = false;
	size_t i;

	if (!facts->struct_page || facts->head_bit < 0 ||
	    !facts->nr_migratetypes)
		return false;
	for (i = 0; i < facts->nr_foll; i++) {
		public |= !strcmp(facts->foll[i].name, "LONGTERM");
		internal |= !strcmp(facts->foll[i].name, "PIN");
	}
	return public && internal;
}

static void take_types(struct kpath_facts *facts, const struct file *file)
{
	const struct btf_header *header = (const void *)file->data;
	const char *strings = file->data + header->hdr_len + header->str_off;
	const char *types = file->data + header->hdr_len + header->type_off;
	const char *end = types + header->type_len;
	const struct btf_type *type;
	long tail;

	/* The kernel made it, but a damaged one must do no harm. */
	if ((header->hdr_len + header->type_off) % sizeof(uint32_t) ||
	    (uint64_t)header->hdr_len + header->str_off + header->str_len >
	    file->len || !header->str_len || strings[header->str_len - 1] ||
	    (uint64_t)header->hdr_len + header->type_off + header->type_len >
	    file->len)
		return;
	while (types + sizeof(*type) <= end && !complete(facts)) {
		type = (const void *)types;
		tail = type_tail(type->info);
		types += sizeof(*type) + tail;
		if (tail < 0 || types > end ||
		    type->name_off >= header->str_len)
			return;
		take_type(facts, type, strings, header->str_len);
	}
}

void kpath_facts_btf(struct kpath_facts *facts, const char *path)
{
	const struct btf_header *header;
	struct file file;

	facts->head_bit = -1;
	file_open(&file, path);
	header = (const void *)file.data;
	if (file.data && file.len >= sizeof(*header) &&
	    header->magic == BTF_MAGIC)
		take_types(facts, &file);
	file_close(&file);
}

void kpath_facts_zones(struct kpath_facts *facts, const char *path)
{
	struct kpath_zone zone = { .pages = 0 };
	FILE *file = fopen(path, "r");
	char line[256];

	facts->nr_zones = 0;
	while (file && fgets(line, sizeof(line), file)) {
		if (sscanf(line, "Node %d, zone %15s", &zone.node, zone.name) == 2)
			continue;
		if (sscanf(line, " spanned %lu", &zone.pages) == 1)
			continue;
		/* The last line of a zone; an empty one does not have it. */
		if (sscanf(line, " start_pfn: %lu", &zone.start) == 1 &&
		    facts->nr_zones < 32)
			facts->zone[facts->nr_zones++] = zone;
	}
	if (file)
		fclose(file);
}

const struct kpath_zone *kpath_zone_of(const struct kpath_facts *facts,
				       uint64_t pfn)
{
	size_t i;

	for (i = 0; i < facts->nr_zones; i++)
		if (pfn - facts->zone[i].start < facts->zone[i].pages)
			return &facts->zone[i];
	return NULL;
}

const char *kpath_migratetype(const struct kpath_facts *facts, int64_t value)
{
	size_t i;

	for (i = 0; i < facts->nr_migratetypes; i++)
		if (facts->migratetype[i].value == value)
			return facts->migratetype[i].name;
	return NULL;
}

/* "WRITE|LONGTERM"; bits without a name as a number. */
void kpath_gup_flags(const struct kpath_facts *facts, uint64_t flags,
		     char *text, size_t size)
{
	size_t len = 0, i;

	text[0] = '\0';
	for (i = 0; i < facts->nr_foll && len < size; i++) {
		if (!(flags & facts->foll[i].value))
			continue;
		flags &= ~facts->foll[i].value;
		len += snprintf(text + len, size - len, "%s%s",
				len ? "|" : "", facts->foll[i].name);
	}
	if ((flags || !len) && len < size)
		snprintf(text + len, size - len, "%s0x%lx", len ? "|" : "",
			 (unsigned long)flags);
}
