// SPDX-License-Identifier: GPL-2.0
/* The rows that people read. Nothing that a record lacks is made up. */
#include <string.h>

#include "table.h"
#include "unit.h"

/* Single quotes stand for double ones. */
static char *row_of(const char *record)
{
	char *copy = text_dup(record), *p;
	json_object *json;

	for (p = copy; *p; p++)
		if (*p == '\'')
			*p = '"';
	json = json_tokener_parse(copy);
	CHECK(json);
	return table_row(json);
}

TEST(table_moved)
{
	CHECK_STRING(row_of("{'type':'case','case':'A','placement':'cma','backing':'anon','hold':'none','errno':0,'pages':1,'moved':1,'stayed':0,'pfn_before':'0x34cff','pfn_after':'0x2738','mt_before':'cma','mt_after':'unmovable','verdict':'OK','text':'moved out, then pinned'}"),
		     "A     cma                none                ok          pfn 0x34cff cma \xe2\x86\x92 0x2738 unmovable        OK: moved out, then pinned");
}

TEST(table_stayed)
{
	CHECK_STRING(row_of("{'type':'case','case':'B','placement':'cma','backing':'anon','hold':'pin','errno':12,'errno_name':'ENOMEM','pages':1,'moved':0,'stayed':1,'pfn_before':'0x34d00','mt_before':'cma','verdict':'REFS'}"),
		     "B     cma                pin                 ENOMEM      pfn 0x34d00 cma, did not move             REFS");
}

/* What an earlier pin moved has not stayed where it was. */
TEST(table_moved_earlier)
{
	CHECK_STRING(row_of("{'type':'case','case':'C','placement':'cma','backing':'anon','hold':'pin + longterm','errno':0,'pages':1,'moved':0,'stayed':1,'moved_earlier':1,'pfn_before':'0x3f483','pfn_after':'0x75de','mt_before':'cma','mt_after':'unmovable','verdict':'OK'}"),
		     "C     cma                pin + longterm      ok          pfn 0x3f483 cma \xe2\x86\x92 0x75de unmovable        OK");
	CHECK(strstr(row_of("{'type':'case','pages':512,'moved':0,'stayed':512,'moved_earlier':512}"),
		     "512 pages: 512 moved by the first pin"));
}

TEST(table_range)
{
	CHECK(strstr(row_of("{'type':'case','case':'B','placement':'cma','backing':'scattered','errno':12,'pages':4096,'moved':4001,'stayed':95}"),
		     "cma scattered      ?                   errno 12    4096 pages: 4001 moved, 95 stayed"));
}

TEST(table_fields_missing)
{
	CHECK_STRING(row_of("{'type':'case','case':null}"),
		     "?     ?                  ?                   ?           ?                                         ?");
	/* a count that is no number is no count */
	CHECK(strstr(row_of("{'type':'case','pages':'1','moved':1,'stayed':0,'errno':'0'}"),
		     "?           ?                                         ?"));
}

TEST(table_other_records)
{
	CHECK(!row_of("{'type':'page','case':'A'}"));
	CHECK(!row_of("{'case':'A'}"));
	CHECK(!row_of("{'type':['case']}"));
}

TEST(table_escapes)
{
	CHECK(!strchr(row_of("{'type':'case','case':'A\\u001b[2J','text':'\\u0007','verdict':'x'}"),
		      '\x1b'));
}

TEST(table_columns_line_up)
{
	char *head = table_head("ibv_reg_mr");

	CHECK_STRING(head,
		     "case  page               earlier hold        ibv_reg_mr  page before \xe2\x86\x92 after                       verdict");
}
