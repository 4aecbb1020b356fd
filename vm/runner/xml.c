// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "text.h"
#include "xml.h"

void xml_start(xmlTextWriterPtr w, const char *element)
{
	xmlTextWriterStartElement(w, BAD_CAST element);
}

/* HTML knows no <td/>: the end tag is always written. */
void xml_end(xmlTextWriterPtr w)
{
	xmlTextWriterFullEndElement(w);
}

void xml_attribute(xmlTextWriterPtr w, const char *name, const char *value)
{
	char *shown = text_printable(value, strlen(value));

	xmlTextWriterWriteAttribute(w, BAD_CAST name, BAD_CAST shown);
	free(shown);
}

void xml_number(xmlTextWriterPtr w, const char *name, unsigned long value)
{
	xmlTextWriterWriteFormatAttribute(w, BAD_CAST name, "%lu", value);
}

void xml_text(xmlTextWriterPtr w, const char *s)
{
	char *shown = text_printable(s, strlen(s));

	xmlTextWriterWriteString(w, BAD_CAST shown);
	free(shown);
}

void xml_element(xmlTextWriterPtr w, const char *element, const char *class,
		 const char *s)
{
	xml_start(w, element);
	if (class)
		xml_attribute(w, "class", class);
	xml_text(w, s);
	xml_end(w);
}

void xml_property(xmlTextWriterPtr w, const char *name, const char *value)
{
	if (!value)
		return;
	xml_start(w, "property");
	xml_attribute(w, "name", name);
	xml_attribute(w, "value", value);
	xmlTextWriterEndElement(w);
}
