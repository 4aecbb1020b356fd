// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "junit.h"
#include "outcome.h"
#include "text.h"
#include "xml.h"

static void attribute_seconds(xmlTextWriterPtr w, double seconds)
{
	xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", seconds);
}

static void properties(xmlTextWriterPtr w, const struct run *r)
{
	size_t i;

	xmlTextWriterStartElement(w, BAD_CAST "properties");
	xml_property(w, "outcome", outcome_name(r->verdict.outcome));
	xml_property(w, "suite", r->options->suite_name);
	xml_property(w, "profile", r->options->profile);
	xml_property(w, "accel", r->accel);
	for (i = 0; i < r->channel.facts.count; i++)
		xml_property(w, r->channel.facts.all[i].key,
			 r->channel.facts.all[i].value);
	xmlTextWriterEndElement(w);
}

static void testcase(xmlTextWriterPtr w, const struct result *t)
{
	size_t len = strlen(t->program);
	bool inside = text_starts(t->name, t->program) && t->name[len] == '.';
	char *diag;

	xmlTextWriterStartElement(w, BAD_CAST "testcase");
	xml_attribute(w, "classname", t->program);
	xml_attribute(w, "name", inside ? t->name + len + 1 : t->name);
	attribute_seconds(w, t->seconds);
	if (t->status == STATUS_SKIPPED) {
		xmlTextWriterStartElement(w, BAD_CAST "skipped");
		xml_attribute(w, "message", t->reason ? t->reason : "");
		xmlTextWriterEndElement(w);
	} else if (t->status == STATUS_FAILED) {
		xmlTextWriterStartElement(w, BAD_CAST "failure");
		xml_attribute(w, "message", t->reason ? t->reason : "failed");
		diag = text_printable(t->diag ? t->diag : "",
				      t->diag ? strlen(t->diag) : 0);
		xmlTextWriterWriteString(w, BAD_CAST diag);
		free(diag);
		xmlTextWriterEndElement(w);
	}
	xmlTextWriterEndElement(w);
}

static void testsuite(xmlTextWriterPtr w, const struct run *r)
{
	const struct results *all = &r->channel.results;
	const struct options *o = r->options;
	struct counts counts;
	size_t i;

	results_count(all, &counts);
	xmlTextWriterStartElement(w, BAD_CAST "testsuite");
	xml_attribute(w, "name", o->kernel_name ? o->kernel_name : "kernel");
	xml_number(w, "tests", all->count);
	xml_number(w, "failures", counts.failed);
	xml_number(w, "errors", 0);
	xml_number(w, "skipped", counts.skipped);
	attribute_seconds(w, r->total_seconds);
	properties(w, r);
	for (i = 0; i < all->count; i++)
		testcase(w, &all->all[i]);
	xmlTextWriterEndElement(w);
}

char *junit_write(const struct run *r, const char *path)
{
	xmlBufferPtr buffer = xmlBufferCreate();
	xmlTextWriterPtr w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
	char *error;

	if (!w)
		return text_dup("results.xml: out of memory");
	xmlTextWriterSetIndent(w, 1);
	xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
	xmlTextWriterStartElement(w, BAD_CAST "testsuites");
	testsuite(w, r);
	xmlTextWriterEndElement(w);
	xmlTextWriterEndDocument(w);
	xmlFreeTextWriter(w);
	/* libxml2 keeps to itself that a file could not be written. */
	error = text_file_write(path, (const char *)xmlBufferContent(buffer));
	xmlBufferFree(buffer);
	xmlCleanupParser();
	return error;
}
