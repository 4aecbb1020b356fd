// SPDX-License-Identifier: GPL-2.0
/* Which job and rank a process is of, as its launcher has told it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain.h"

static bool tells_job(const char *entry)
{
	static const char *const names[] = {
		"NCCL_COMM_ID=", "RANK=", "LOCAL_RANK=", "WORLD_SIZE=",
		"SLURM_JOB_ID=", "SLURM_PROCID=", "OMPI_COMM_WORLD_RANK=",
		"PMI_RANK=", "PMIX_RANK=", "MASTER_ADDR=", "MASTER_PORT=",
		"TORCHELASTIC_RUN_ID=", "JOB_NAME=", NULL
	};
	unsigned int i;

	for (i = 0; names[i]; i++)
		if (!strncmp(entry, names[i], strlen(names[i])))
			return true;
	return false;
}

char *explain_job(uint32_t pid)
{
	struct text t = {};
	char path[64], *entry = NULL, *safe;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%u/environ", pid);
	f = fopen(path, "re");
	while (f && getdelim(&entry, &room, 0, f) > 0) {
		if (!tells_job(entry) || t.len > 512)
			continue;
		safe = text_printable(entry, strnlen(entry, 128));
		text_printf(&t, "%s%s", t.len ? " " : "", safe);
		free(safe);
	}
	if (f)
		fclose(f);
	free(entry);
	return t.s;
}
