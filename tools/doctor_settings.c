// SPDX-License-Identifier: GPL-2.0
/* Settings that decide how pages move, and how devices see memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"

static const struct {
	const char *name;
	const char *path;
} files[] = {
	{ "thp", "/sys/kernel/mm/transparent_hugepage/enabled" },
	{ "thp_defrag", "/sys/kernel/mm/transparent_hugepage/defrag" },
	{ "thp_shmem", "/sys/kernel/mm/transparent_hugepage/shmem_enabled" },
	{ "numa_balancing", "/proc/sys/kernel/numa_balancing" },
	{ "compaction_proactiveness", "/proc/sys/vm/compaction_proactiveness" },
	{ "compact_unevictable_allowed",
	  "/proc/sys/vm/compact_unevictable_allowed" },
	{ "extfrag_threshold", "/proc/sys/vm/extfrag_threshold" },
	{ "ksm", "/sys/kernel/mm/ksm/run" },
	{ "unprivileged_userfaultfd", "/proc/sys/vm/unprivileged_userfaultfd" },
};

/* "always [madvise] never" is what is in the brackets. */
static char *chosen(char *line)
{
	char *open = strchr(line, '['), *close = open ? strchr(open, ']') : NULL;
	char *word;

	if (!close)
		return line;
	word = text_dup_len(open + 1, close - open - 1);
	free(line);
	return word;
}

static void read_files(struct doctor *d)
{
	enum source_state state;
	struct doctor_setting *s;
	char *line;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(files); i++) {
		state = source_line(&d->source, &line, "%s", files[i].path);
		d->setting = text_grow(d->setting, d->settings,
				       sizeof(*d->setting));
		s = &d->setting[d->settings++];
		s->name = files[i].name;
		s->value = line ? chosen(line) : NULL;
		if (state == SOURCE_DENIED)
			doctor_miss(d, state, files[i].path, files[i].name);
	}
}

struct group_types {
	char *type;
	int count;
};

static void count_type(struct group_types *types, size_t max, char *type)
{
	size_t i;

	for (i = 0; i < max && types[i].type; i++) {
		if (strcmp(types[i].type, type))
			continue;
		types[i].count++;
		free(type);
		return;
	}
	if (i == max) {
		free(type);
		return;
	}
	types[i].type = type;
	types[i].count = 1;
}

/* How many IOMMU groups there are, by the type of their domain. */
static void read_iommu(struct doctor *d)
{
	struct group_types types[8] = { 0 };
	struct source_names names;
	struct text t = { 0 };
	char *type;
	size_t i;

	if (source_list(&d->source, &names, "/sys/kernel/iommu_groups") ||
	    !names.count) {
		d->iommu = text_dup("none");
		source_names_free(&names);
		return;
	}
	for (i = 0; i < names.count; i++) {
		if (source_line(&d->source, &type,
				"/sys/kernel/iommu_groups/%s/type",
				names.name[i]))
			type = text_dup("unknown");
		count_type(types, ARRAY_SIZE(types), type);
	}
	for (i = 0; i < ARRAY_SIZE(types) && types[i].type; i++) {
		text_printf(&t, "%s%d groups %s", t.len ? ", " : "",
			    types[i].count, types[i].type);
		free(types[i].type);
	}
	source_names_free(&names);
	d->iommu = t.s;
}

static bool huge_option(const char *options)
{
	const char *at = strstr(options, "huge=");

	return at && (at == options || at[-1] == ',') &&
		!text_starts(at, "huge=never");
}

static void read_mounts(struct doctor *d)
{
	struct text t = { 0 }, huge = { 0 };
	char *next, *line, where[256], type[32], options[512];

	if (source_read(&d->source, &t, "/proc/self/mounts") &&
	    source_read(&d->source, &t, "/proc/mounts")) {
		text_free(&t);
		return;
	}
	next = t.s;
	while ((line = strsep(&next, "\n")))
		if (sscanf(line, "%*s %255s %31s %511s", where, type,
			   options) == 3 && !strcmp(type, "tmpfs") &&
		    huge_option(options))
			text_printf(&huge, "%s%s", huge.len ? ", " : "", where);
	text_free(&t);
	d->huge_tmpfs = huge.s;
}

void doctor_read_settings(struct doctor *d)
{
	read_files(d);
	read_iommu(d);
	read_mounts(d);
}

static const char *setting(const struct doctor *d, const char *name)
{
	size_t i;

	for (i = 0; i < d->settings; i++)
		if (!strcmp(d->setting[i].name, name))
			return d->setting[i].value ? d->setting[i].value : "";
	return "";
}

#define SPIN_RULE	"Documentation/findings/thp-longterm-readonly-spin: returns on 6.1; does not on 6.12, 7.2 and 7.3, and by its code since v6.2 (84209e87c696 \"mm/gup: reliable R/O long-term pinning in COW mappings\")"

/* A defect of the kernel that a setting opens: so it is judged here. */
static void judge_spin(struct doctor *d)
{
	const char *shmem = setting(d, "thp_shmem");
	bool shared = *shmem && strcmp(shmem, "never") && strcmp(shmem, "deny");
	bool open = d->huge_tmpfs || shared;

	if (!doctor_kernel_since(d, "6.2") || !*setting(d, "thp"))
		return;
	doctor_find(d, (struct doctor_finding) {
		open ? DOCTOR_WARNING : DOCTOR_NOTE,
		"thp-longterm-readonly-spin", "SPIN",
		text_dup(open ? "read-only registration of a private mapping of a huge tmpfs file never returns" :
			 "read-only registration of a privately mapped huge page of a file would never return"),
		text_dup("The kernel splits the mapping and makes it huge again, on one CPU, until a fatal signal. Memory-mapped model weights on tmpfs meet it."),
		text_dup("Map MAP_SHARED, or ask for write access, or madvise(MADV_NOHUGEPAGE) before the first touch; or mount without huge=."),
		text_format("kernel %s; tmpfs with huge pages: %s; shmem_enabled %s",
			    d->release, d->huge_tmpfs ? d->huge_tmpfs : "none",
			    *shmem ? shmem : "absent"),
		SPIN_RULE });
}

void doctor_judge_settings(struct doctor *d)
{
	judge_spin(d);
}

void doctor_free_settings(struct doctor *d)
{
	size_t i;

	for (i = 0; i < d->settings; i++)
		free(d->setting[i].value);
	free(d->setting);
	free(d->iommu);
	free(d->huge_tmpfs);
}
