/* SPDX-License-Identifier: GPL-2.0 */
/* libxml2's writer, fed with guest bytes: escaped, and printable first. */
#ifndef VMRUN_XML_H
#define VMRUN_XML_H

#include <libxml/xmlwriter.h>

void xml_start(xmlTextWriterPtr w, const char *element);
void xml_end(xmlTextWriterPtr w);
void xml_attribute(xmlTextWriterPtr w, const char *name, const char *value);
void xml_number(xmlTextWriterPtr w, const char *name, unsigned long value);
void xml_text(xmlTextWriterPtr w, const char *s);
/* An element with a text and nothing else. class may be NULL. */
void xml_element(xmlTextWriterPtr w, const char *element, const char *class,
		 const char *s);
/* JUnit's <property>; nothing for a NULL value. */
void xml_property(xmlTextWriterPtr w, const char *name, const char *value);

#endif
