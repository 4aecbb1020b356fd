/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Unit tests of the runner. A test is a function; each runs in a process of
 * its own with a deadline, so that a crash or a hang is a failure of that test.
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdbool.h>
#include <stddef.h>

#include "text.h"

struct unit_test {
	const char *name;
	void (*run)(void);
	struct unit_test *next;
};

void unit_register(struct unit_test *t);
_Noreturn void unit_fail(const char *file, int line, const char *fmt, ...)
	__printf(3, 4);
void unit_check_string(const char *file, int line, const char *what,
		       const char *got, const char *want);
void unit_check_number(const char *file, int line, const char *what,
		       long long got, long long want);

/* A folder for this test; it is removed when the test has ended. */
extern char unit_scratch[];
/* Where tests/, the vmrun under test and vm/ are. */
extern const char *unit_tests;
extern const char *unit_vmrun;
extern const char *unit_vm;

char *unit_path(const char *name);	/* in the scratch folder */
void unit_write(const char *name, const char *bytes, size_t len);
/* The whole file, ended by NUL; *len may be NULL. Fails if there is none. */
char *unit_read(const char *path, size_t *len);

#define TEST(test_name)							\
	static void test_name(void);					\
	static struct unit_test test_name##_entry = {			\
		.name = #test_name, .run = test_name			\
	};								\
	__attribute__((constructor)) static void test_name##_add(void)	\
	{								\
		unit_register(&test_name##_entry);			\
	}								\
	static void test_name(void)

#define CHECK(condition)						\
	do {								\
		if (!(condition))					\
			unit_fail(__FILE__, __LINE__, "%s", #condition);	\
	} while (0)
#define CHECK_STRING(got, want)						\
	unit_check_string(__FILE__, __LINE__, #got, got, want)
#define CHECK_NUMBER(got, want)						\
	unit_check_number(__FILE__, __LINE__, #got, got, want)

#endif
