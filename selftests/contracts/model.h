/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table models: how drivers take pages. Pure functions over its text, as
 * those of table.h.
 */
#ifndef CONTRACTS_MODEL_H
#define CONTRACTS_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define MODEL_NAME	32
#define MODEL_CALLS	4
#define MODELS_MAX	32

/* What a call declares, the weakest first. */
enum model_rung {
	RUNG_GET,
	RUNG_PIN,
	RUNG_LONGTERM,
};

enum model_write {
	WRITE_NEVER,
	WRITE_ALWAYS,
	WRITE_ASKED,		/* if whoever registers asks for it */
	WRITE_MAPPING,		/* if the mapping is writable */
};

struct model_call {
	uint32_t call;		/* enum pinprobe_call */
	enum model_write write;
	bool longterm;
	unsigned long batch;	/* pages a call at most, 0: all in one */
	unsigned long retry;	/* pages a call after ENOMEM for more, 0: none */
};

struct model {
	char name[MODEL_NAME];
	enum model_rung rung;	/* of its weakest call */
	bool asked;		/* a call of it has WRITE_ASKED */
	struct model_call calls[MODEL_CALLS];
	size_t nr_calls;
};

/*
 * The models of an architecture (Debian's name) and a kernel into @models: how
 * many, or -EINVAL with the complaint in @why if any line of @text, of whatever
 * kernel, cannot be read.
 */
ssize_t models_read(const char *text, const char *arch, const int version[2],
		    struct model *models, size_t room, char why[256]);

/* get, pin, longterm */
const char *rung_name(enum model_rung rung);

/* Whether @call writes to a mapping that is @writable, for one who @asks to. */
bool model_writes(const struct model_call *call, bool writable, bool asks);

#endif /* CONTRACTS_MODEL_H */
