/* SPDX-License-Identifier: GPL-2.0 */
/* Runs vmrun as a user does, with tests/fake-qemu in place of QEMU. */
#ifndef TESTS_VMRUN_CLI_H
#define TESTS_VMRUN_CLI_H

#include <stdbool.h>
#include <sys/types.h>

#include <json-c/json.h>

#define WORDS_MAX	64

/* What the last vmrun printed. */
extern char *cli_out;
extern char *cli_err;

/* fake: what fake-qemu does; then options beyond the usual ones, and NULL */
pid_t cli_start(const char *fake, ...) __attribute__((sentinel));
pid_t cli_start_words(const char **words);
void cli_usual_words(const char **words, const char *fake);
/* Its exit code, or minus the signal it died of. */
int cli_finish(pid_t pid);

#define RUN(...)	cli_finish(cli_start(__VA_ARGS__, NULL))

json_object *cli_result(void);
const char *cli_result_string(const char *key);
bool cli_fake_runs(void);
char *cli_pid_file(void);
/* Waits until a file of the scratch folder has the text in it. */
void cli_wait_for(const char *name, const char *text);
const char *cli_last_line(char *s);

#endif
