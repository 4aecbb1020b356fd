// SPDX-License-Identifier: GPL-2.0
/* What a map is made of, and the picture. */
#include <fcntl.h>
#include <inttypes.h>
#include <libxml/parser.h>
#include <libxml/xpath.h>
#include <libxml/xpathInternals.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor_run.h"

/* Of a guest: 1 GiB below 1 GiB, DMA and DMA32, the last 512 MiB ZONE_MOVABLE. */
static const char zoneinfo[] =
	"Node 0, zone      DMA\n  pages free 1\n        spanned  4095\n        present  3998\n        managed  3840\n  start_pfn:           1\n"
	"Node 0, zone    DMA32\n  pages free 1\n        spanned  126976\n        present  126840\n        managed  1\n  start_pfn:           4096\n"
	"Node 0, zone   Normal\n  pages free 0\n        spanned  0\n        present  0\n  start_pfn:           0\n"
	"Node 0, zone  Movable\n  pages free 1\n        spanned  131072\n        present  131072\n        managed  1\n  start_pfn:           131072\n";
static const char iomem[] =
	"00000000-00000fff : Reserved\n00001000-0009fbff : System RAM\n000f0000-000fffff : Reserved\n"
	"00100000-3ffdcfff : System RAM\n  01000000-01ffffff : Kernel code\n3ffdd000-3fffffff : Reserved\n"
	"fee00000-fee00fff : Local APIC\n";

static void guest(void)
{
	tree_from("doctor/plain");
	tree_put("proc/zoneinfo", zoneinfo);
	tree_put("proc/iomem", iomem);
	tree_put("proc/pagetypeinfo", "Page block order: 9\nPages per block:  512\n");
	tree_put("dev/kmsg", "6,78,0,-;Memory\n6,79,0,-;cma: Reserved 64 MiB at 0x0000000016000000 on node -1\n");
}

static char *out, *err;

static int draw(const char *words)
{
	int status = system(text_format("'%s' map --root '%s/tree' %s >'%s' 2>'%s'",
					doctor_path(), unit_scratch, words,
					unit_path("o"), unit_path("e")));

	CHECK(WIFEXITED(status));
	out = unit_read(unit_path("o"), NULL);
	err = unit_read(unit_path("e"), NULL);
	return WEXITSTATUS(status);
}

static json_object *draw_json(const char *words)
{
	int code = draw(text_format("--json %s", words));

	if (code)
		unit_fail(__FILE__, __LINE__, "exit code %d: %s", code, err);
	doctor_result = json_tokener_parse(out);
	CHECK(doctor_result);
	return doctor_result;
}

/* "pfn blocks zone migratetype", one for each entry. */
static char *entries(void)
{
	static const char *const keys[] = { "pfn", "blocks", "ram_pages", "zone", "migratetype" };
	struct text t = { 0 };
	const char *value;
	size_t i, k;

	text_add(&t, "", 0);
	for (i = 0; doctor_value(text_format("blocks/%zu", i)); i++)
		for (k = 0; k < ARRAY_SIZE(keys); k++) {
			value = doctor_value(text_format("blocks/%zu/%s", i, keys[k]));
			text_printf(&t, "%s%s", value ? value : "?",
				    k + 1 < ARRAY_SIZE(keys) ? " " : "\n");
		}
	return t.s;
}

TEST(map_of_zones_ram_and_cma)
{
	guest();
	draw_json("");
	CHECK_STRING(entries(),
		     "0x0 1 414 dma unknown\n"
		     "0x200 7 512 dma unknown\n"
		     "0x1000 168 512 dma32 unknown\n"
		     "0x16000 32 512 dma32 cma\n"
		     "0x1a000 48 512 dma32 unknown\n"
		     "0x20000 255 512 movable unknown\n"
		     "0x3fe00 1 477 movable unknown\n");
	CHECK_STRING(doctor_value("sum/blocks"), "512");
	CHECK_STRING(doctor_value("block_from"), "/proc/pagetypeinfo");
	CHECK_STRING(doctor_value("cma_areas/0/start_pfn"), "0x16000");
	CHECK_STRING(doctor_value("blocks/3/cma_area"), "1 of the boot log");
	/* Nobody asked for a process. */
	CHECK(!doctor_value("sum/process_pages"));
	CHECK_STRING(doctor_value("pages_seen"), "false");
	CHECK_STRING(doctor_value("zones/1/present_pages"), "126840");
	CHECK_STRING(doctor_value("zones/2/zone"), "movable");
	CHECK(!doctor_value("zones/3"));
}

/* Ranges as firmware gives them: not in order, and over each other. */
TEST(map_of_odd_ranges)
{
	guest();
	tree_put("proc/iomem",
		 "20000000-3fffffff : System RAM\n10000000-107fffff : System RAM (kmem)\n"
		 "10400000-10bfffff : System RAM\n10000000-103fffff : System RAM\n"
		 "10c00000-10ffffff : System RAM\n11000000-11ffffff : Persistent Memory\n");
	draw_json("");
	CHECK_STRING(entries(),
		     "0x10000 8 512 dma32 unknown\n"
		     "0x20000 256 512 movable unknown\n");
}

/* debugfs has names, and is asked first. */
TEST(map_of_cma_from_debugfs)
{
	guest();
	tree_put("sys/kernel/debug/cma/reserved/base_pfn", "81920\n");
	tree_put("sys/kernel/debug/cma/reserved/count", "4096\n");
	tree_put("sys/kernel/debug/cma/new/ranges/0/base_pfn", "90112\n");
	tree_put("sys/kernel/debug/cma/new/count", "512\n");
	tree_put("sys/kernel/debug/cma/many/ranges/0/base_pfn", "98304\n");
	tree_put("sys/kernel/debug/cma/many/ranges/1/base_pfn", "99328\n");
	tree_put("sys/kernel/debug/cma/many/count", "1024\n");
	draw_json("");
	CHECK_STRING(doctor_value("cma_areas/0/name"), "new");
	CHECK_STRING(doctor_value("cma_areas/1/name"), "reserved");
	/* How long each of several ranges is, is not told. */
	CHECK(!doctor_value("cma_areas/2"));
	CHECK(strstr(entries(), "0x14000 8 512 dma32 cma\n"));
	CHECK(strstr(entries(), "0x16000 1 512 dma32 cma\n"));
}

/* Who is not root sees addresses of zero; the sections say more than nothing. */
TEST(map_without_root)
{
	guest();
	tree_put("proc/iomem", "00000000-00000000 : System RAM\n");
	tree_denied("proc/pagetypeinfo");
	tree_denied("dev/kmsg");
	tree_put("sys/kernel/mm/transparent_hugepage/hpage_pmd_size", "2097152\n");
	tree_put("sys/devices/system/memory/block_size_bytes", "8000000\n");
	tree_put("sys/devices/system/memory/memory0/state", "online\n");
	tree_put("sys/devices/system/memory/memory1/state", "offline\n");
	tree_put("sys/devices/system/memory/memory7/state", "online\n");
	draw_json("");
	CHECK_STRING(entries(),
		     "0x0 8 512 dma unknown\n"
		     "0x1000 56 512 dma32 unknown\n"
		     "0x38000 64 512 movable unknown\n");
	CHECK_STRING(doctor_value("block_from"), "the size of a huge page");
	CHECK_STRING(doctor_value("sources/1/source"), "/proc/iomem");
	CHECK_STRING(doctor_value("sources/1/state"), "not allowed");
	CHECK_STRING(doctor_value("sources/3/state"), "not allowed");
	tree_remove("sys/kernel/mm/transparent_hugepage/hpage_pmd_size");
	draw_json("");
	CHECK_STRING(doctor_value("block_from"), "a guess");
	CHECK_STRING(doctor_value("block_pages"), "512");
}

/* Spans of zones and nodes may lie within each other. */
TEST(map_where_zones_overlap)
{
	guest();
	tree_put("proc/zoneinfo",
		 "Node 0, zone   Normal\n        spanned  4096\n        present  3072\n  start_pfn:           0\n"
		 "Node 1, zone   Normal\n        spanned  1024\n        present  1024\n  start_pfn:           1024\n"
		 "Node 0, zone  Movable\n        spanned  512\n        present  512\n  start_pfn:           3072\n");
	tree_put("proc/iomem", "00000000-00ffffff : System RAM\n");
	tree_remove("dev/kmsg");
	draw_json("");
	CHECK_STRING(entries(),
		     "0x0 2 512 normal unknown\n"
		     "0x400 2 512 unknown unknown\n"
		     "0x800 2 512 normal unknown\n"
		     "0xc00 1 512 unknown unknown\n"
		     "0xe00 1 512 normal unknown\n");
	CHECK(!doctor_value("blocks/1/node"));
	CHECK_STRING(doctor_value("blocks/3/node"), "0");
	/* Sections that are all in one zone say in which. */
	tree_put("sys/devices/system/memory/block_size_bytes", "200000\n");
	tree_put("sys/devices/system/memory/memory6/valid_zones", "Movable\n");
	tree_put("sys/devices/system/memory/memory2/valid_zones", "none\n");
	draw_json("");
	CHECK(strstr(entries(), "0xc00 1 512 movable unknown\n"));
	CHECK(strstr(entries(), "0x400 2 512 unknown unknown\n"));
}

/* A page table: entries of 8 bytes at their place. */
static void process(const char *maps)
{
	uint64_t table[] = {
		1ULL << 63 | 0x16001, 1ULL << 63 | 0x16002, 0,
		1ULL << 62 | 5, 1ULL << 63 | 0x20000, 1ULL << 63 | 0xfee00,
	};
	int fd;

	tree_put("proc/9/maps", maps);
	tree_put("proc/9/comm", "a<b&\"c\n");
	fd = open(text_format("%s/tree/proc/9/pagemap", unit_scratch),
		  O_WRONLY | O_CREAT, 0600);
	CHECK(pwrite(fd, table, sizeof(table), 0x10 * 8) ==
	      (ssize_t)sizeof(table));
	close(fd);
}

#define MAPS	"10000-16000 rw-p 00000000 00:00 0\nffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]\n"

TEST(map_of_a_process)
{
	guest();
	process(MAPS);
	draw_json("9");
	CHECK_STRING(doctor_value("comm"), "a<b&\"c");
	CHECK_STRING(doctor_value("sum/process_pages"), "3");
	CHECK_STRING(doctor_value("blocks/3/process_pages"), "2");
	CHECK_STRING(doctor_value("blocks/3/blocks"), "1");
	CHECK(!doctor_value("blocks/3/held"));
	CHECK_STRING(doctor_value("holds_seen"), "false");
}

TEST(map_of_a_process_that_hides)
{
	uint64_t hidden = 1ULL << 63;
	int fd;

	guest();
	process(MAPS);
	fd = open(text_format("%s/tree/proc/9/pagemap", unit_scratch), O_WRONLY);
	CHECK(pwrite(fd, &hidden, 8, 0x11 * 8) == 8);
	close(fd);
	CHECK_NUMBER(draw("9"), 4);
	CHECK_STRING(out, "");
	CHECK(strstr(err, "shown to root only"));
	CHECK_NUMBER(draw("8"), 4);
	CHECK(strstr(err, "there is no process 8"));
}

static long long count(xmlDocPtr doc, const char *path)
{
	xmlXPathContextPtr context = xmlXPathNewContext(doc);
	xmlXPathObjectPtr found;
	long long nr;

	xmlXPathRegisterNs(context, BAD_CAST "s",
			   BAD_CAST "http://www.w3.org/2000/svg");
	found = xmlXPathEvalExpression(BAD_CAST path, context);
	CHECK(found);
	nr = found->nodesetval ? found->nodesetval->nodeNr : 0;
	xmlXPathFreeObject(found);
	xmlXPathFreeContext(context);
	return nr;
}

TEST(map_picture)
{
	xmlDocPtr doc;

	guest();
	process(MAPS);
	CHECK_NUMBER(draw("9"), 0);
	CHECK_STRING(err, "");
	doc = xmlReadMemory(out, strlen(out), "map.svg", NULL,
			    XML_PARSE_NONET | XML_PARSE_NOERROR);
	CHECK(doc);
	CHECK_NUMBER(count(doc, "/s:svg/s:text[@class='panel']"), 3);
	/* The area goes over the end of a row. */
	CHECK_NUMBER(count(doc, "/s:svg/s:path[@class='cma']"), 2);
	CHECK_NUMBER(count(doc, "//s:g[s:title]/s:rect[@class='process']"), 2);
	CHECK_NUMBER(count(doc, "//s:rect[@class='area'][s:title]"), 2);
	CHECK_NUMBER(count(doc, "//s:text[contains(., 'process 9 (a<b&\"c)')]"), 1);
	CHECK_NUMBER(count(doc, "//s:text[contains(., 'Who holds pages is not seen')]"), 1);
	CHECK_NUMBER(count(doc, "//s:text[contains(., 'cma: 32')]"), 1);
	CHECK_NUMBER(count(doc, "//s:text[contains(., 'keeps no page here')]"), 1);
	/* Nothing from elsewhere, and nothing that runs. */
	CHECK_NUMBER(count(doc, "//s:script | //s:image | //@*[local-name()='href']"), 0);
	CHECK(!strstr(out, "url("));
	xmlFreeDoc(doc);
}

/* A cell each for 512 blocks; of 2 TiB it takes more than one in a cell. */
TEST(map_cells)
{
	guest();
	CHECK_NUMBER(draw(""), 0);
	CHECK(strstr(out, "a cell is 1 of them, a row 128 MiB"));
	CHECK_NUMBER(draw("--per-cell 4"), 0);
	CHECK(strstr(out, "a cell is 4 of them, a row 512 MiB"));
	tree_put("proc/iomem", "00000000-1ffffffffff : System RAM\n");
	tree_put("proc/zoneinfo",
		 "Node 0, zone   Normal\n        spanned  536870912\n        present  536870912\n  start_pfn:           0\n");
	CHECK_NUMBER(draw(""), 0);
	CHECK(strstr(out, "a cell is 64 of them"));
	CHECK(strlen(out) < 2 << 20);
}

TEST(map_output)
{
	guest();
	CHECK_NUMBER(draw(text_format("-o '%s'", unit_path("map.svg"))), 0);
	CHECK_STRING(out, "");
	CHECK(strstr(unit_read(unit_path("map.svg"), NULL), "</svg>"));
	CHECK_NUMBER(draw("-o /nowhere/map.svg"), 126);
	tree_remove("proc/zoneinfo");
	CHECK_NUMBER(draw(""), 4);
	CHECK(strstr(err, "/proc/zoneinfo below "));
}

TEST(map_refuses)
{
	guest();
	CHECK_NUMBER(draw("self"), 2);
	CHECK_NUMBER(draw("0"), 2);
	CHECK_NUMBER(draw("1 2"), 2);
	CHECK_NUMBER(draw("--per-cell 0"), 2);
	CHECK_NUMBER(draw("--per-cell x"), 2);
	CHECK_NUMBER(draw("--nonsense"), 2);
	CHECK_STRING(out, "");
}
