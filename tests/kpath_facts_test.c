// SPDX-License-Identifier: GPL-2.0
/* The kernel's own numbers, from its BTF and /proc/zoneinfo. */
#include <string.h>
#include <linux/btf.h>

#include "text.h"
#include "unit.h"

/* kpath_test.c has the library in it. */
#include "../selftests/lib/kpath_internal.h"

TEST(kpath_zones)
{
	struct kpath_facts facts = { .nr_zones = 0 };
	const struct kpath_zone *zone;

	kpath_facts_zones(&facts, text_format("%s/data/kpath-6.12-zoneinfo.txt",
					      unit_tests));
	zone = kpath_zone_of(&facts, 0x205fd);
	CHECK(zone);
	CHECK_STRING(zone->name, "Movable");
	CHECK_STRING(kpath_zone_of(&facts, 0x57a0)->name, "DMA32");
	CHECK(!kpath_zone_of(&facts, 0x10000000));
	kpath_facts_zones(&facts, unit_path("missing"));
	CHECK_NUMBER(facts.nr_zones, 0);
}

struct blob {
	struct btf_header header;
	char types[256];
	char strings[128];
};

static uint32_t add_string(struct blob *blob, const char *string)
{
	uint32_t at = blob->header.str_len;

	memcpy(blob->strings + at, string, strlen(string) + 1);
	blob->header.str_len += strlen(string) + 1;
	return at;
}

static void add_enum(struct blob *blob, const char *name, const char *first,
		     int32_t a, const char *second, int32_t b)
{
	struct btf_type type = {
		.name_off = *name ? add_string(blob, name) : 0,
		.info = BTF_KIND_ENUM << 24 | 2, .size = 4,
	};
	struct btf_enum values[2] = {
		{ add_string(blob, first), a }, { add_string(blob, second), b },
	};
	char *at = blob->types + blob->header.type_len;

	memcpy(at, &type, sizeof(type));
	memcpy(at + sizeof(type), values, sizeof(values));
	blob->header.type_len += sizeof(type) + sizeof(values);
}

static struct blob make_blob(void)
{
	struct blob blob = { .header = {
		.magic = BTF_MAGIC, .version = 1, .hdr_len = sizeof(blob.header),
		.str_off = sizeof(blob.types), .str_len = 1,
	} };

	add_enum(&blob, "", "FOLL_WRITE", 1, "FOLL_LONGTERM", 0x100);
	add_enum(&blob, "", "OTHER_WRITE", 1, "FOLL_NOT", 2);
	add_enum(&blob, "migratetype", "MIGRATE_PCPTYPES", 3, "MIGRATE_CMA", 4);
	add_enum(&blob, "pageflags", "PG_lru", 5, "PG_head", 6);
	return blob;
}

TEST(kpath_btf)
{
	struct blob blob = make_blob();
	struct kpath_facts found = { .nr_foll = 0 };
	char text[64];

	unit_write("btf", (char *)&blob, sizeof(blob));
	kpath_facts_btf(&found, unit_path("btf"));
	CHECK_NUMBER(found.nr_foll, 2);
	CHECK_NUMBER(found.head_bit, 6);
	CHECK_STRING(kpath_migratetype(&found, 4), "MIGRATE_CMA");
	CHECK(!kpath_migratetype(&found, 3));
	kpath_gup_flags(&found, 0x2101, text, sizeof(text));
	CHECK_STRING(text, "WRITE|LONGTERM|0x2000");
	kpath_gup_flags(&found, 0, text, sizeof(text));
	CHECK_STRING(text, "0x0");
}

TEST(kpath_btf_damaged)
{
	struct blob blob = make_blob();
	size_t whole = sizeof(blob.header) + sizeof(blob.types) +
		       blob.header.str_len;
	size_t i, len;

	for (i = 0; i < sizeof(blob.header) + blob.header.type_len; i++) {
		struct blob damaged = blob;
		struct kpath_facts found = { .nr_foll = 0 };

		((unsigned char *)&damaged)[i] ^= 0xff;
		unit_write("btf", (char *)&damaged, sizeof(damaged));
		kpath_facts_btf(&found, unit_path("btf"));
	}
	for (len = 0; len < whole; len += 5) {
		struct kpath_facts found = { .nr_foll = 0 };

		unit_write("btf", (char *)&blob, len);
		kpath_facts_btf(&found, unit_path("btf"));
		CHECK_NUMBER(found.nr_foll, 0);
	}
}
