// SPDX-License-Identifier: GPL-2.0
/* Whether memory is pinned, from its pages before and after they could move. */
#include "../selftests/lib/page.h"
#include "verify.h"

void verify_compare(struct verify *v, const struct pinprobe_page *before,
		    const struct pinprobe_page *after, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		v->pages++;
		if (!page_present(&before[i]) || !page_present(&after[i])) {
			v->absent++;
			continue;
		}
		if (before[i].pfn != after[i].pfn)
			v->moved++;
		if (!v->counted || page_pinned(&after[i]))
			continue;
		if (page_held(&after[i]))
			v->referenced++;
		else
			v->free++;
	}
}

enum verify_answer verify_decide(const struct verify *v)
{
	if (v->absent || v->moved || v->free)
		return VERIFY_NOPIN;
	if (!v->counted)
		return VERIFY_STAYED;
	return v->referenced ? VERIFY_HELD : VERIFY_PINNED;
}
