/* SPDX-License-Identifier: GPL-2.0 */
/* From what the kernel let through to the contract that a pin call declares. */
#ifndef PINPROBE_LITMUS_DECIDE_H
#define PINPROBE_LITMUS_DECIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Fewer rounds than this are not enough to be sure. */
#define LITMUS_ROUNDS		5
/* What may be off, noise or lag, as a part of the pages asked for. */
#define LITMUS_SLACK		8
/* Pages a long-term pin must move: with fewer, chance is not excluded. */
#define LITMUS_PLACES_MIN	8

/**
 * enum litmus_answer - to a question that may have to stay open
 * @LITMUS_UNKNOWN: the evidence does not say, or disagrees
 * @LITMUS_NO: no
 * @LITMUS_YES: yes
 */
enum litmus_answer {
	LITMUS_UNKNOWN,
	LITMUS_NO,
	LITMUS_YES,
};

/**
 * enum litmus_rung - what a pin call asks of the kernel, weakest first
 * @LITMUS_RUNG_UNKNOWN: cannot be told
 * @LITMUS_RUNG_NONE: it takes no page
 * @LITMUS_RUNG_GET: a reference, as get_user_pages()
 * @LITMUS_RUNG_PIN: FOLL_PIN without FOLL_LONGTERM
 * @LITMUS_RUNG_LONGTERM: FOLL_PIN and FOLL_LONGTERM
 */
enum litmus_rung {
	LITMUS_RUNG_UNKNOWN,
	LITMUS_RUNG_NONE,
	LITMUS_RUNG_GET,
	LITMUS_RUNG_PIN,
	LITMUS_RUNG_LONGTERM,
};

/**
 * enum litmus_write - when the call asks to write
 * @LITMUS_WRITE_UNKNOWN: cannot be told
 * @LITMUS_WRITE_NEVER: not even when asked for
 * @LITMUS_WRITE_ASKED: when asked for, and not otherwise
 * @LITMUS_WRITE_WHEN_ASKED: when asked for; otherwise not known
 * @LITMUS_WRITE_NOT_UNASKED: not unless asked for; when asked for not known
 * @LITMUS_WRITE_ALWAYS: whatever is asked for
 * @LITMUS_WRITE_FORCED: always, with FOLL_FORCE where nothing was asked for
 */
enum litmus_write {
	LITMUS_WRITE_UNKNOWN,
	LITMUS_WRITE_NEVER,
	LITMUS_WRITE_ASKED,
	LITMUS_WRITE_WHEN_ASKED,
	LITMUS_WRITE_NOT_UNASKED,
	LITMUS_WRITE_ALWAYS,
	LITMUS_WRITE_FORCED,
};

/**
 * enum litmus_outcome - how trying one registration went
 * @LITMUS_NOT_TRIED: it was not tried
 * @LITMUS_TAKEN: it succeeded
 * @LITMUS_REFUSED: it failed
 */
enum litmus_outcome {
	LITMUS_NOT_TRIED,
	LITMUS_TAKEN,
	LITMUS_REFUSED,
};

/**
 * struct litmus_try - one registration
 * @outcome: how it went
 * @pins: change of nr_foll_pin_acquired over it, -1 if it cannot be had exactly;
 *	for people, since others may pin at the same time
 * @err: errno, positive; 0 where the interface does not hand it on
 * @said: what it said in its own words, or why it was not tried
 */
struct litmus_try {
	enum litmus_outcome outcome;
	int64_t pins;
	int err;
	char said[96];
};

/**
 * struct litmus_count - nr_foll_pin_acquired around calls, per round
 * @why_not: why there are no numbers, "" if there are
 * @pages: pages that each call registered
 * @lag: by how many pages a change of the counter may be off
 * @rounds: calls made
 * @call_min: smallest change over a call
 * @call_max: largest change over a call
 * @quiet_max: largest change over as long a time without a call
 * @held_min: smallest change of acquired less released while held
 * @held_max: largest of these
 */
struct litmus_count {
	char why_not[128];
	uint64_t pages;
	uint64_t lag;
	unsigned int rounds;
	int64_t call_min;
	int64_t call_max;
	int64_t quiet_max;
	int64_t held_min;
	int64_t held_max;
};

/**
 * struct litmus_share - of how many pages something was so
 * @why_not: why it was not measured, "" if it was
 * @pages: pages looked at
 * @so: pages of which it was so
 */
struct litmus_share {
	char why_not[128];
	size_t pages;
	size_t so;
};

/**
 * struct litmus_places - pages that a long-term pin must move
 * @why_not: why it was not measured, "" if it was
 * @pages: pages of the buffer
 * @unpinnable: of these in ZONE_MOVABLE or CMA before the call
 * @left: of these elsewhere once the call had returned
 * @stayed: of these where they were
 * @quiet: pages that changed place in a buffer that nothing was done to
 * @rule: whether what is known for its long-term pins leaves such places here;
 *	  asked only if something stayed
 */
struct litmus_places {
	char why_not[128];
	size_t pages;
	size_t unpinnable;
	size_t left;
	size_t stayed;
	size_t quiet;
	enum litmus_answer rule;
};

/**
 * struct litmus_evidence - all that was seen of a call
 * @one_access: the interface cannot be asked for reading and writing apart
 * @count: the kernel's count of pins
 * @fork: pages that a fork copied at once, as it does with pinned ones
 * @evict: pages of a file that stayed in the page cache against being dropped
 * @orphan: anonymous pages that outlived their mapping
 * @untouched: never touched private pages which the call, asked to read only,
 *	gave pages of their own instead of the zero page
 * @places: what moved
 * @anon_write: private anonymous memory, to write
 * @anon_read: the same, to read
 * @shmem_write: shared memory, to write
 * @private_file_write: private mapping of the file, to write
 * @file_write: shared writable mapping of the file, to write
 * @readonly_private: private anonymous memory without PROT_WRITE, to read
 * @readonly_shared: shared memory without PROT_WRITE, to read
 * @readonly_shared_write: the same, to write
 * @file_rule: does this kernel refuse long-term pins that may write to a shared
 *	mapping of that file
 * @file_rule_how: how that is known
 * @cow_rule: does this kernel give a long-term pin to read pages of its own
 * @memlock_kb: change of VmPin, kB, over the call for @count.pages pages
 */
struct litmus_evidence {
	bool one_access;
	struct litmus_count count;
	struct litmus_share fork;
	struct litmus_share evict;
	struct litmus_share orphan;
	struct litmus_share untouched;
	struct litmus_places places;
	struct litmus_try anon_write;
	struct litmus_try anon_read;
	struct litmus_try shmem_write;
	struct litmus_try private_file_write;
	struct litmus_try file_write;
	struct litmus_try readonly_private;
	struct litmus_try readonly_shared;
	struct litmus_try readonly_shared_write;
	enum litmus_answer file_rule;
	char file_rule_how[128];
	enum litmus_answer cow_rule;
	int64_t memlock_kb;
};

/* What a piece of evidence is about. */
enum litmus_question {
	LITMUS_HOLDS,
	LITMUS_PINS,
	LITMUS_LONGTERM,
	LITMUS_WRITES,
};

#define LITMUS_REASONS	16

/**
 * struct litmus_reason - one piece of evidence, weighed
 * @question: what it is about
 * @name: its name, for programs
 * @answer: what it says; UNKNOWN if it says nothing here
 * @text: what was seen, or why it says nothing
 */
struct litmus_reason {
	enum litmus_question question;
	const char *name;
	enum litmus_answer answer;
	char text[256];
};

/**
 * struct litmus_finding - the contract
 * @rung: the rung, UNKNOWN if more than one fits
 * @low: the weakest that fits
 * @high: the strongest that fits
 * @write: when it asks to write
 * @holds: does it hold the pages at all
 * @pins: does it take FOLL_PIN
 * @longterm: does it take FOLL_LONGTERM
 * @why_not: why @rung is unknown, "" if it is known
 * @nr: reasons
 * @reason: the evidence, in the order in which it was weighed
 */
struct litmus_finding {
	enum litmus_rung rung;
	enum litmus_rung low;
	enum litmus_rung high;
	enum litmus_write write;
	enum litmus_answer holds;
	enum litmus_answer pins;
	enum litmus_answer longterm;
	char why_not[384];
	size_t nr;
	struct litmus_reason reason[LITMUS_REASONS];
};

/**
 * litmus_decide() - weighs the evidence
 * @e: what was seen
 * @f: the contract it shows
 *
 * Depends on nothing else. Pieces that contradict each other leave the question
 * open.
 */
void litmus_decide(const struct litmus_evidence *e, struct litmus_finding *f);

/**
 * litmus_count_sure() - whether more or larger rounds are of no use
 * @c: the rounds so far
 *
 * Return: true if lag and noise are small beside the pages asked for.
 */
bool litmus_count_sure(const struct litmus_count *c);

/**
 * litmus_release_has() - whether a kernel is of a version or later
 * @release: as uname() has it
 * @major: of the version
 * @minor: of the version
 *
 * Return: false for what is no version, too.
 */
bool litmus_release_has(const char *release, int major, int minor);

/**
 * litmus_refuted() - evidence against a contract that is known
 * @f: what was found
 * @rung: what it is
 *
 * Return: the first piece that says otherwise, NULL if none does.
 */
const struct litmus_reason *litmus_refuted(const struct litmus_finding *f,
					   enum litmus_rung rung);

const char *litmus_rung_name(enum litmus_rung rung);
const char *litmus_write_name(enum litmus_write write);
const char *litmus_answer_name(enum litmus_answer answer);
const char *litmus_question_name(enum litmus_question question);

#endif
