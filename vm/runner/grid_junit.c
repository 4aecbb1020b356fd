// SPDX-License-Identifier: GPL-2.0
/* A <testsuite> for each column of a table. */
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "xml.h"

static void testcase(xmlTextWriterPtr w, const struct grid_test *t)
{
	size_t len = strcspn(t->name, ".");
	char *program = text_dup_len(t->name, len);

	xml_start(w, "testcase");
	xml_attribute(w, "classname", program);
	xml_attribute(w, "name", t->name[len] ? t->name + len + 1 : t->name);
	if (t->status == STATUS_SKIPPED) {
		xml_start(w, "skipped");
		xml_attribute(w, "message", t->reason ? t->reason : "");
		xmlTextWriterEndElement(w);
	} else if (t->status == STATUS_FAILED) {
		xml_start(w, "failure");
		xml_attribute(w, "message", t->reason ? t->reason : "failed");
		xmlTextWriterEndElement(w);
	}
	if (t->cases)
		xml_element(w, "system-out", NULL, t->cases);
	xmlTextWriterEndElement(w);
	free(program);
}

static void testsuite(xmlTextWriterPtr w, const struct grid_column *c)
{
	const struct counts *n = &c->counts;
	const struct grid_run *r = c->runs[0];
	size_t i, k;

	xml_start(w, "testsuite");
	xml_attribute(w, "name", c->name);
	xml_number(w, "tests", n->passed + n->failed + n->skipped);
	xml_number(w, "failures", n->failed);
	xml_number(w, "errors", 0);
	xml_number(w, "skipped", n->skipped);
	xml_attribute(w, "timestamp", c->began);
	xml_start(w, "properties");
	xml_property(w, "outcome", c->outcome);
	xml_property(w, "kernel", r->kernel);
	xml_property(w, "release", r->release);
	xml_property(w, "profile", r->profile);
	xml_property(w, "accel", r->accel);
	for (k = 0; k < r->facts.count; k++)
		xml_property(w, r->facts.all[k].key,
			     r->facts.all[k].value);
	xmlTextWriterEndElement(w);
	for (i = 0; i < c->count; i++)
		for (k = 0; k < c->runs[i]->count; k++)
			testcase(w, &c->runs[i]->tests[k]);
	xmlTextWriterEndElement(w);
}

char *grid_junit_write(const struct grid *g, const char *path)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	char *error;
	size_t i;

	if (!w)
		return text_format("%s: out of memory", path);
	xmlTextWriterSetIndent(w, 1);
	xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
	xml_start(w, "testsuites");
	for (i = 0; i < g->nr_columns; i++)
		testsuite(w, &g->columns[i]);
	xmlTextWriterEndElement(w);
	xmlTextWriterEndDocument(w);
	xmlFreeTextWriter(w);
	error = text_file_write(path, (const char *)xmlBufferContent(buffer));
	xmlBufferFree(buffer);
	return error;
}
