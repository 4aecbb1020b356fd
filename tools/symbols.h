/* SPDX-License-Identifier: GPL-2.0 */
/* Addresses of the kernel as names. */
#ifndef PINPROBE_SYMBOLS_H
#define PINPROBE_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbols;

/* From /proc/kallsyms as it is now; NULL without addresses or memory. */
struct symbols *symbols_read(void);
void symbols_free(struct symbols *s);

/**
 * symbols_find() - which function an address lies in
 * @s:		from symbols_read(), may be NULL
 * @ip:		the address
 * @module:	gets the module's name, "" for the kernel itself
 * @size:	room in @module
 *
 * Return: the name, valid as long as @s; NULL if it is in none.
 */
const char *symbols_find(const struct symbols *s, uint64_t ip, char *module,
			 size_t size);

/**
 * symbols_caller() - who called for pages
 * @s:		from symbols_read()
 * @ip:		a stack, innermost first
 * @nr:		how long it is
 * @module:	gets the module's name
 * @size:	room in @module
 *
 * Return: the first function that is neither of GUP nor of tracing, or NULL.
 */
const char *symbols_caller(const struct symbols *s, const uint64_t *ip, size_t nr,
			   char *module, size_t size);

#endif
