// SPDX-License-Identifier: GPL-2.0
/* Steps as lines for the result channel. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "kpath.h"

const char *kpath_kind_name(enum kpath_kind kind)
{
	switch (kind) {
	case KPATH_UNTRACEABLE:
		return "untraceable";
	case KPATH_PROVIDER:
		return "provider";
	case KPATH_UMEM:
		return "umem";
	case KPATH_LONGTERM_PIN:
		return "longterm_pin";
	case KPATH_MIGRATETYPE:
		return "migratetype";
	case KPATH_UNPIN:
		return "unpin";
	case KPATH_MIGRATE:
		return "migrate";
	case KPATH_RETRY:
		return "retry";
	case KPATH_RESULT:
		return "result";
	case KPATH_ERRNO:
		return "errno";
	}
	return "unknown";
}

/* Longer lines than fit are cut; @to stays a whole JSON string. */
static void escape(char *to, size_t size, const char *from)
{
	size_t len = 0;

	for (; *from && len + 7 < size; from++) {
		unsigned char c = *from;

		if (c == '"' || c == '\\')
			len += sprintf(to + len, "\\%c", c);
		else if (c < 0x20)
			len += sprintf(to + len, "\\u%04x", c);
		else
			to[len++] = c;
	}
	to[len] = '\0';
}

static int put_line(int fd, const char *line, int len)
{
	ssize_t done = write(fd, line, len);

	if (done < 0)
		return -errno;
	return done == len ? 0 : -EIO;
}

static int put_record(int fd, const char *test, const char *which, size_t seq,
		      const struct kpath_step *step)
{
	char name[256], label[64], text[2 * KPATH_TEXT], line[2048];
	int len;

	escape(name, sizeof(name), test);
	escape(label, sizeof(label), which);
	escape(text, sizeof(text), step->text);
	len = snprintf(line, sizeof(line),
		       "@record {\"type\":\"trace\",\"test\":\"%s\",\"case\":\"%s\",\"seq\":%zu,\"ts_us\":%lu,\"step\":\"%s\"",
		       name, label, seq, (unsigned long)step->ts_us,
		       kpath_kind_name(step->kind));
	if (step->addr)
		len += snprintf(line + len, sizeof(line) - len,
				",\"addr\":\"0x%lx\"", (unsigned long)step->addr);
	if (step->pfn)
		len += snprintf(line + len, sizeof(line) - len,
				",\"pfn\":\"0x%lx\"", (unsigned long)step->pfn);
	if (step->to_pfn)
		len += snprintf(line + len, sizeof(line) - len,
				",\"to_pfn\":\"0x%lx\"",
				(unsigned long)step->to_pfn);
	len += snprintf(line + len, sizeof(line) - len, ",\"text\":\"%s\"}\n",
			text);
	return put_line(fd, line, len);
}

static int put_print(int fd, const char *which, size_t seq,
		     const struct kpath_step *step)
{
	char line[KPATH_TEXT + 128];
	int len;

	/* What cannot be seen is not a moment on the path. */
	if (step->kind == KPATH_UNTRACEABLE)
		len = snprintf(line, sizeof(line), "@print     %-3.60s  - %s\n",
			       seq == 1 ? which : "", step->text);
	else
		len = snprintf(line, sizeof(line),
			       "@print     %-3.60s %3zu  %+9.3f ms  %s\n",
			       seq == 1 ? which : "", seq, step->ts_us / 1000.0,
			       step->text);
	return put_line(fd, line, len);
}

int kpath_emit(const struct kpath *kp, int fd, const char *test,
	       const char *which)
{
	size_t i;
	int err = 0;

	for (i = 0; i < kp->nr_steps && !err; i++) {
		err = put_record(fd, test, which, i + 1, &kp->steps[i]);
		err = err ?: put_print(fd, which, i + 1, &kp->steps[i]);
	}
	return err;
}
