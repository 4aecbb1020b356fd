/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's own path through one call of the calling thread, from tracefs.
 *
 *	struct kpath kp;
 *
 *	err = kpath_begin(&kp);
 *	mr = ibv_reg_mr(...);
 *	kpath_end(&kp, "ibv_reg_mr", mr ? 0 : errno);
 *	kpath_emit(&kp, fd, "causal_matrix.cma.anon.a", "A");
 *	kpath_free(&kp);
 *
 * Everything printed was in the trace or passed in. A probe that this kernel
 * does not have is named in a step of kind KPATH_UNTRACEABLE. Probes live in
 * instances and an event group of their own; other users of tracefs are not
 * disturbed. One user of this library at a time.
 */
#ifndef SELFTESTS_KPATH_H
#define SELFTESTS_KPATH_H

#include <stddef.h>
#include <stdint.h>

enum kpath_kind {
	KPATH_UNTRACEABLE,	/* what this kernel does not let us see */
	KPATH_PROVIDER,		/* the driver's registration function */
	KPATH_UMEM,		/* ib_umem_get() and its successors */
	KPATH_LONGTERM_PIN,	/* a pin was asked for */
	KPATH_MIGRATETYPE,	/* where a page lies, and whether it may stay */
	KPATH_UNPIN,		/* the temporary pins were dropped */
	KPATH_MIGRATE,		/* moved, or why not */
	KPATH_RETRY,		/* the pin is tried again */
	KPATH_RESULT,		/* what the pin call returned */
	KPATH_ERRNO,		/* what user space got */
};

#define KPATH_TEXT	384

struct kpath_step {
	enum kpath_kind kind;
	uint64_t ts_us;		/* since the first event */
	uint64_t addr;		/* user address, 0: none */
	uint64_t pfn;		/* page, 0: none */
	uint64_t to_pfn;	/* page it moved to, 0: none */
	uint64_t nr;		/* pages or folios the step is about */
	int64_t ret;		/* return value, or errno */
	char text[KPATH_TEXT];
};

struct kpath {
	struct kpath_step *steps;
	size_t nr_steps;
	size_t room;
	int prepared_here;
};

/*
 * Optional: arms for all begins up to kpath_release(), in this process and its
 * children. What takes a few hundred milliseconds under emulation, once for
 * each kpath_begin(), is then done once in all. 0 or -errno.
 */
int kpath_prepare(void);

/*
 * Takes everything out of tracefs again; in a child of the process that
 * prepared, does nothing. -errno if something is left.
 */
int kpath_release(void);

/* Arms. -errno if nothing could be armed; kpath_free() is not needed then. */
int kpath_begin(struct kpath *kp);

/*
 * Stops, releases what kpath_begin() prepared, and turns the trace into steps.
 * @call and @err are what the last step says: the user-space call made and the
 * errno it left (0: success). -errno if there is no trace; the steps then are
 * only what is known without one.
 */
int kpath_end(struct kpath *kp, const char *call, int err);

void kpath_free(struct kpath *kp);

/* Writes each step as a "@record" and a "@print" line, one write(2) per line. */
int kpath_emit(const struct kpath *kp, int fd, const char *test,
	       const char *which);

const char *kpath_kind_name(enum kpath_kind kind);

#endif /* SELFTESTS_KPATH_H */
