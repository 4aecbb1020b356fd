// SPDX-License-Identifier: GPL-2.0
/* The table of drivers' pins, from tables made up for the purpose. */
#include <string.h>

#include "unit.h"
#include "../selftests/contracts/model.c"
/* All tests are one program, which has these once. */
#if !__has_include("contracts_table_test.c")
#include "../selftests/contracts/table.c"
#include "../selftests/contracts/table_line.c"
#endif

#define ROOM	4

static const int v6_1[2] = { 6, 1 };
static const int v7_3[2] = { 7, 3 };

static struct model models[ROOM];
static char why[256];

static ssize_t read_for(const char *text, const char *arch,
			const int version[2])
{
	memset(models, 0, sizeof(models));
	why[0] = '\0';
	return models_read(text, arch, version, models, ROOM, why);
}

/* The only call of a line with these calls, which must be a good one. */
static const struct model_call *only_call(const char *calls)
{
	char *text = text_format("a * * %s\n", calls);

	CHECK_NUMBER(read_for(text, "amd64", v7_3), 1);
	CHECK_NUMBER(models[0].nr_calls, 1);
	return &models[0].calls[0];
}

static void check_refused(const char *line)
{
	char *text = text_format("good * * pin\n%s\n", line);

	if (read_for(text, "amd64", v7_3) != -EINVAL)
		unit_fail(__FILE__, __LINE__, "accepted: %s", line);
	CHECK_STRING(why, "models, line 2: cannot be read");
}

TEST(model_one_line)
{
	const struct model_call *call;

	CHECK_NUMBER(read_for("# comment\n\nvendor_x * * pin_fast:write,longterm,batch=512 # and why\n",
			      "amd64", v7_3), 1);
	CHECK_STRING(models[0].name, "vendor_x");
	CHECK_NUMBER(models[0].rung, RUNG_LONGTERM);
	CHECK_NUMBER(models[0].nr_calls, 1);
	call = &models[0].calls[0];
	CHECK_NUMBER(call->call, PINPROBE_CALL_PIN_FAST);
	CHECK_NUMBER(call->write, WRITE_ALWAYS);
	CHECK(call->longterm);
	CHECK_NUMBER(call->batch, 512);
	CHECK_NUMBER(call->retry, 0);
}

TEST(model_families)
{
	CHECK_NUMBER(only_call("get")->call, PINPROBE_CALL_GET);
	CHECK_NUMBER(only_call("get_fast")->call, PINPROBE_CALL_GET_FAST);
	CHECK_NUMBER(only_call("get_unlocked")->call,
		     PINPROBE_CALL_GET_UNLOCKED);
	CHECK_NUMBER(only_call("get_remote")->call, PINPROBE_CALL_GET_REMOTE);
	CHECK_NUMBER(only_call("pin")->call, PINPROBE_CALL_PIN);
	CHECK_NUMBER(only_call("pin_fast")->call, PINPROBE_CALL_PIN_FAST);
	CHECK_NUMBER(only_call("pin_unlocked")->call,
		     PINPROBE_CALL_PIN_UNLOCKED);
	CHECK_NUMBER(only_call("pin_remote")->call, PINPROBE_CALL_PIN_REMOTE);
}

TEST(model_rung_is_the_weakest)
{
	only_call("get");
	CHECK_NUMBER(models[0].rung, RUNG_GET);
	only_call("pin:write");
	CHECK_NUMBER(models[0].rung, RUNG_PIN);
	CHECK_NUMBER(read_for("a * * pin_fast:longterm pin get_fast\n", "amd64",
			      v7_3), 1);
	CHECK_NUMBER(models[0].nr_calls, 3);
	CHECK_NUMBER(models[0].rung, RUNG_GET);
	CHECK_NUMBER(read_for("a * * pin pin_fast:longterm\n", "amd64", v7_3), 1);
	CHECK_NUMBER(models[0].rung, RUNG_PIN);
	CHECK_STRING(rung_name(RUNG_GET), "get");
	CHECK_STRING(rung_name(RUNG_PIN), "pin");
	CHECK_STRING(rung_name(RUNG_LONGTERM), "longterm");
}

TEST(model_write_access)
{
	const struct model_call *call = only_call("pin");

	CHECK(!model_writes(call, true, true));
	call = only_call("pin:write");
	CHECK(model_writes(call, false, false));
	CHECK(!models[0].asked);
	call = only_call("pin:write=asked");
	CHECK(model_writes(call, false, true));
	CHECK(!model_writes(call, true, false));
	CHECK(models[0].asked);
	call = only_call("pin:write=mapping");
	CHECK(model_writes(call, true, false));
	CHECK(!model_writes(call, false, true));
	CHECK(!models[0].asked);
}

TEST(model_by_architecture)
{
	const char *text = "gpu amd64 * pin:longterm,retry=524288\n"
			   "gpu * * pin\n";

	CHECK_NUMBER(read_for(text, "amd64", v7_3), 1);
	CHECK_NUMBER(models[0].rung, RUNG_LONGTERM);
	CHECK_NUMBER(models[0].calls[0].retry, 524288);
	CHECK_NUMBER(read_for(text, "arm64", v7_3), 1);
	CHECK_NUMBER(models[0].rung, RUNG_PIN);
	CHECK_NUMBER(read_for("a amd64,arm64 * pin\n", "arm64", v7_3), 1);
	CHECK_NUMBER(read_for("a amd64 * pin\n", "arm64", v7_3), 0);
}

TEST(model_by_kernel)
{
	const char *text = "mr * -6.1 pin:write\nmr * * pin:write=asked\n"
			   "new * 6.12- pin\n";

	CHECK_NUMBER(read_for(text, "amd64", v6_1), 1);
	CHECK_NUMBER(models[0].calls[0].write, WRITE_ALWAYS);
	CHECK_NUMBER(read_for(text, "amd64", v7_3), 2);
	CHECK_NUMBER(models[0].calls[0].write, WRITE_ASKED);
	CHECK_STRING(models[1].name, "new");
}

TEST(model_lines_that_are_none)
{
	check_refused("a * *");
	check_refused("a * 6 pin");
	check_refused("A * * pin");
	check_refused("a.b * * pin");
	check_refused("a_name_that_is_too_long_for_a_row * * pin");
	check_refused("a * * hold");
	check_refused("a * * pin_user_pages");
	check_refused("a * * pin:");
	check_refused("a * * pin:write,");
	check_refused("a * * pin:read");
	check_refused("a * * pin:write=never");
	check_refused("a * * pin:write=asked,write");
	check_refused("a * * pin:longterm=1");
	check_refused("a * * pin:longterm,longterm");
	check_refused("a * * pin:batch");
	check_refused("a * * pin:batch=0");
	check_refused("a * * pin:batch=-1");
	check_refused("a * * pin:batch=12k");
	check_refused("a * * pin:batch=99999999999999999999");
	check_refused("a * * pin:retry=1,retry=2");
	check_refused("a * * pin get pin get pin");
	/* FOLL_LONGTERM is for FOLL_PIN. */
	check_refused("a * * get_fast:longterm");
}

/* What is wrong is so for everybody, not only where it would be used. */
TEST(model_bad_line_of_another_kernel)
{
	CHECK_NUMBER(read_for("a arm64 -6.1 hold\n", "amd64", v7_3), -EINVAL);
}

TEST(model_no_room)
{
	CHECK_NUMBER(read_for("a * * pin\nb * * pin\nc * * pin\nd * * pin\n",
			      "amd64", v7_3), 4);
	CHECK_NUMBER(read_for("a * * pin\nb * * pin\nc * * pin\nd * * pin\ne * * pin\n",
			      "amd64", v7_3), -EINVAL);
	CHECK_STRING(why, "models: more than 4");
}

static struct model shipped[MODELS_MAX];

static const struct model *find(const char *name, const char *arch,
				const int version[2])
{
	char *path = text_format("%s/../selftests/contracts/models", unit_tests);
	char *text = unit_read(path, NULL);
	ssize_t nr = models_read(text, arch, version, shipped, MODELS_MAX, why);

	CHECK(nr > 0);
	while (nr--)
		if (!strcmp(shipped[nr].name, name))
			return &shipped[nr];
	unit_fail(__FILE__, __LINE__, "no %s", name);
}

TEST(model_the_table_itself)
{
	CHECK_NUMBER(find("nvidia_535", "amd64", v6_1)->rung, RUNG_PIN);
	CHECK_NUMBER(find("nvidia_555", "amd64", v6_1)->rung, RUNG_LONGTERM);
	CHECK_NUMBER(find("nvidia_555", "amd64", v6_1)->calls[0].retry, 524288);
	CHECK_NUMBER(find("nvidia_555", "amd64", v7_3)->calls[0].retry, 0);
	CHECK_NUMBER(find("nvidia_555", "arm64", v7_3)->rung, RUNG_PIN);
	CHECK_NUMBER(find("rdma_core", "arm64", v7_3)->rung, RUNG_LONGTERM);
	CHECK_NUMBER(find("io_uring", "arm64", v6_1)->rung, RUNG_LONGTERM);
	CHECK_NUMBER(find("vfio", "amd64", v7_3)->rung, RUNG_LONGTERM);
}
