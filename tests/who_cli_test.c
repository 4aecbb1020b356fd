// SPDX-License-Identifier: GPL-2.0
/* pinprobe who on trees that a test puts together, and on the test itself. */
#include <fcntl.h>
#include <linux/kernel-page-flags.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor_run.h"

#define ADDR	0x7f620bc35000
#define PFN	0x31ba

static char *out, *err;

static int run_who(const char *words)
{
	char *command = text_format("'%s' who %s >'%s' 2>'%s'", doctor_path(),
				    words, unit_path("stdout"), unit_path("stderr"));
	int status = system(command);

	CHECK(WIFEXITED(status));
	free(command);
	out = unit_read(unit_path("stdout"), NULL);
	err = unit_read(unit_path("stderr"), NULL);
	return WEXITSTATUS(status);
}

static int in_tree(const char *words)
{
	return run_who(text_format("--root '%s/tree' %s", unit_scratch, words));
}

static bool says(const char *s)
{
	return strstr(out, s);
}

#define SAYS(s) do {							\
	if (!says(s))							\
		unit_fail(__FILE__, __LINE__, "no \"%s\" in: %s", s, out);	\
} while (0)
#define SAYS_NOT(s)	CHECK(!says(s))

/* One word of a file of words, which has holes everywhere else. */
static void word(const char *path, uint64_t index, uint64_t value)
{
	int fd = open(text_format("%s/tree/%s", unit_scratch, path),
		      O_WRONLY | O_CREAT, 0644);

	CHECK(fd >= 0);
	CHECK(pwrite(fd, &value, sizeof(value), index * sizeof(value)) ==
	      sizeof(value));
	close(fd);
}

static void map(int pid, uint64_t addr, uint64_t pfn)
{
	word(text_format("proc/%d/pagemap", pid), addr / 4096, 1ULL << 63 | pfn);
}

static void process(int pid, const char *comm, const char *maps)
{
	tree_put(text_format("proc/%d/comm", pid), text_format("%s\n", comm));
	tree_put(text_format("proc/%d/maps", pid), maps);
	tree_put(text_format("proc/%d/stat", pid),
		 text_format("%d (%s) S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 77 0",
			     pid, comm));
	tree_put(text_format("proc/%d/status", pid),
		 text_format("Name:\t%s\nNSpid:\t%d\t7\nVmLck:\t     8192 kB\n", comm, pid));
	tree_put(text_format("proc/%d/pagemap", pid), "");
}

/* A process with one anonymous page and nothing that holds it. */
static void plain_tree(void)
{
	tree_put("proc/kpageflags", "");
	tree_put("proc/kpagecount", "");
	tree_put("proc/meminfo", "MemTotal: 1 kB\nCmaTotal:       0 kB\n");
	tree_put("proc/zoneinfo", "Node 0, zone      DMA\n        spanned  4095\n  start_pfn:           1\n"
		 "Node 0, zone    DMA32\n  pages free 1\n"
		 "        spanned  1044480\n        present  262012\n  start_pfn:           4096\n"
		 "Node 1, zone   Normal\n        spanned  512\n  start_pfn:           1048576\n");
	process(165, "victim", "7f620bc35000-7f620bc75000 rw-p 00000000 00:00 0\n");
	map(165, ADDR, PFN);
	word("proc/kpageflags", PFN, 1ULL << KPF_ANON | 1ULL << KPF_LRU |
	     1ULL << KPF_MMAP);
	word("proc/kpagecount", PFN, 1);
}

static void ring_tree(void)
{
	plain_tree();
	tree_link("proc/165/fd/3", "anon_inode:[io_uring]");
	tree_add("proc/165/fdinfo/3", "who/io_uring-7.3");
}

TEST(who_describes_the_page)
{
	plain_tree();
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("page frame 0x31ba of process 165 at 7f620bc35000");
	SAYS("anonymous, on the LRU, zone DMA32 of node 0\n");
	SAYS("references are not known");
	SAYS("certain   mapping  process 165 (victim)");
	SAYS("Whether it is held cannot be told");
	SAYS_NOT("Held by");
}

/* Not certain: nobody has counted pins. */
TEST(who_finds_a_ring)
{
	ring_tree();
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("likely    ring  process 165 (victim), descriptor 3: io_uring fixed buffer 0, 7f620bc35000-7f620bc75000");
	map(165, 0x7f620bc75000, PFN);
	CHECK_NUMBER(in_tree("165 7f620bc75000"), 4);
	SAYS_NOT("ring");
	map(165, 0x7f620bc74000, PFN);
	in_tree("165 7f620bc74fff");
	SAYS("likely    ring");
}

/* The whole folio is pinned by any of its pages. */
TEST(who_finds_a_ring_by_another_page_of_the_folio)
{
	int i;

	ring_tree();
	for (i = 0; i < 16; i++)
		word("proc/kpageflags", (PFN & -16) + i,
		     1ULL << KPF_ANON | 1ULL << KPF_THP |
		     1ULL << (i ? KPF_COMPOUND_TAIL : KPF_COMPOUND_HEAD));
	/* It is the 13th page. */
	map(165, 0x7f620bc34000, PFN + 2);
	word("proc/kpagecount", PFN + 2, 1);
	CHECK_NUMBER(in_tree("165 7f620bc34000"), 4);
	SAYS("page 12 of a folio of 16");
	SAYS("likely    ring");
	/* The folio ends where the buffer begins. */
	map(165, 0x7f620bc31000, PFN + 2);
	in_tree("165 7f620bc31000");
	SAYS_NOT("likely    ring");
	/* It begins where the buffer ends. */
	map(165, 0x7f620bc81000, PFN + 2);
	in_tree("165 7f620bc81000");
	SAYS_NOT("likely    ring");
	map(165, 0x7f620bc80000, PFN + 2);
	in_tree("165 7f620bc80000");
	SAYS("likely    ring");
}

TEST(who_finds_requests_of_a_ring)
{
	ring_tree();
	tree_replace("proc/165/fdinfo/3", "UserBufs:\t1\n    0: 0x7f620bc35000/262144\n",
		     "UserBufs:\t0\n");
	tree_replace("proc/165/fdinfo/3", "CachedSqHead:\t0", "CachedSqHead:\t2");
	in_tree("165 7f620bc35000");
	SAYS("possible  ring  process 165 (victim), descriptor 3: io_uring with 2 requests not completed");
}

TEST(who_says_that_a_ring_was_in_use)
{
	plain_tree();
	tree_link("proc/165/fd/3", "anon_inode:[io_uring]");
	tree_put("proc/165/fdinfo/3", "pos:\t0\nflags:\t02000002\nino:\t5\n");
	in_tree("165 7f620bc35000");
	SAYS("io_uring of process 165, descriptor 3: in use all the time");
}

TEST(who_finds_other_mappings)
{
	const char *maps = "7f620bc35000-7f620bc75000 rw-p 00000000 00:00 0\n";

	plain_tree();
	word("proc/kpagecount", PFN, 3);
	process(166, "child", maps);
	map(166, ADDR, PFN);
	process(167, "other", maps);
	map(167, ADDR, PFN + 1);
	process(168, "far", "10000-20000 rw-p 00000000 00:00 0\n");
	map(168, 0x13000, PFN);
	in_tree("165 7f620bc35000");
	SAYS("certain   mapping  process 166 (child)");
	SAYS_NOT("other");
	SAYS_NOT("far");
	SAYS("1 of 3 mappings were not found; --scan searches all address spaces");
	in_tree("--scan 165 7f620bc35000");
	SAYS("certain   mapping  process 168 (far): page at 13000");
	SAYS_NOT("were not found");
}

TEST(who_finds_mappings_of_the_file)
{
	plain_tree();
	word("proc/kpageflags", PFN, 1ULL << KPF_LRU | 1ULL << KPF_MMAP);
	word("proc/kpagecount", PFN, 2);
	tree_put("proc/165/maps", "7f620bc34000-7f620bc75000 rw-s 00004000 fd:01 99 /f\n");
	process(166, "sharer", "10000-20000 rw-s 00001000 fd:01 98 /g\n"
		"30000-40000 rw-s 00001000 fd:01 99 /f\n");
	map(166, 0x14000, PFN);
	map(166, 0x34000, PFN);
	in_tree("165 7f620bc35000");
	SAYS("certain   mapping  process 166 (sharer): page at 34000");
	SAYS_NOT("page at 14000");
}

TEST(who_finds_mappings_of_a_frame)
{
	ring_tree();
	CHECK_NUMBER(in_tree("--pfn 0x31ba"), 4);
	SAYS("page frame 0x31ba\n");
	SAYS("certain   mapping  process 165 (victim): page at 7f620bc35000");
	SAYS("likely    ring");
	word("proc/kpagecount", PFN, 2);
	in_tree("--pfn 12730");
	SAYS("1 of 2 mappings were not found");
}

TEST(who_finds_drivers)
{
	plain_tree();
	tree_link("proc/165/fd/4", "/dev/vfio/vfio");
	tree_link("proc/165/fd/5", "/dmabuf:");
	tree_put("proc/165/fdinfo/5", "pos:\t0\nsize:\t65536\ncount:\t2\nexp_name:\tsystem\n");
	tree_link("proc/165/fd/6", "/dmabuf:");
	tree_put("proc/165/fdinfo/6", "pos:\t0\nsize:\t4096\ncount:\t2\nexp_name:\tudmabuf\n");
	in_tree("165 7f620bc35000");
	SAYS("possible  dma-buf  process 165 (victim), descriptor 5: dma-buf of system, 65536 bytes");
	SAYS("possible  driver  process 165 (victim), descriptor 4: /dev/vfio/vfio, 8388608 bytes");
	SAYS_NOT("udmabuf");
	/* It is made of shared memory. */
	word("proc/kpageflags", PFN, 1ULL << KPF_LRU);
	in_tree("165 7f620bc35000");
	SAYS("possible  dma-buf  process 165 (victim), descriptor 6: dma-buf of udmabuf");
}

static void waiting(const char *flags, const char *call)
{
	plain_tree();
	tree_put("proc/165/task/170/stat", "170 (a) D (b) D 1 1");
	tree_put("proc/165/task/170/wchan", "blkdev_direct_IO");
	tree_put("proc/165/task/170/syscall", call);
	tree_put("proc/165/fdinfo/9", flags);
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
}

static char *call(int nr, unsigned long addr)
{
	return text_format("%d 0x9 0x%lx 0x2000 0x0 0x0 0x0 0x7ffd 0x7f62\n", nr, addr);
}

TEST(who_finds_direct_io)
{
	const char *read = call(SYS_pread64, 0x7f620bc34000);

	waiting("pos:\t0\nflags:\t0140002\n", read);
	SAYS("likely    i/o  process 165 (victim), descriptor 9: thread 170, waiting in blkdev_direct_IO, 8192 bytes");
	waiting("pos:\t0\nflags:\t0100002\n", read);
	SAYS("possible  i/o  process 165 (victim): thread 170");
	waiting("pos:\t0\nflags:\t0140002\n",
		call(SYS_pread64, 0x7f620bc36000));
	SAYS("possible  i/o");
	waiting("pos:\t0\nflags:\t0140002\n", call(SYS_ioctl, 0x7f620bc34000));
	SAYS("possible  i/o");
	waiting("pos:\t0\nflags:\t0140002\n", "running\n");
	SAYS("possible  i/o");
	tree_put("proc/165/task/170/stat", "170 (a) D (b) S 1 1");
	in_tree("165 7f620bc35000");
	SAYS_NOT("i/o");
}

TEST(who_without_a_page)
{
	plain_tree();
	map(165, ADDR, 0);
	word("proc/165/pagemap", ADDR / 4096, 0);
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("No page is there now");
	word("proc/165/pagemap", ADDR / 4096, 1ULL << 62 | 5);
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("It is swapped out");
	SAYS_NOT("mapping ");
}

/* Others get the entries without the frames. */
TEST(who_without_privilege)
{
	ring_tree();
	map(165, ADDR, 0);
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("pagemap tells it to who has CAP_SYS_ADMIN");
	SAYS("likely    ring");
	tree_denied("proc/165/pagemap");
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	SAYS("/proc/165/pagemap: not allowed");
	SAYS("likely    ring");
	SAYS_NOT("No page is there");
}

/* Its memory map is a FIFO, which makes an end between two looks. */
static void becomes(const char *state, int starttime)
{
	char *tree = text_format("%s/tree/proc/165", unit_scratch);
	char *command = text_format("cd '%s' && rm maps && mkfifo maps || exit 1; (exec 3>maps; echo '165 (victim) %s 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 %d 0' >stat; echo '7f620bc35000-7f620bc75000 rw-p 00000000 00:00 0' >&3) &",
				    tree, state, starttime);

	plain_tree();
	CHECK(!system(command));
	CHECK_NUMBER(in_tree("165 7f620bc35000"), 4);
	tree_remove("proc/165/maps");
	free(command);
	free(tree);
}

TEST(who_sees_that_the_process_ended)
{
	becomes("S", 77);
	SAYS_NOT("ended meanwhile");
	becomes("Z", 77);
	SAYS("The process ended meanwhile");
	/* Another one has its number. */
	becomes("S", 78);
	SAYS("The process ended meanwhile");
}

TEST(who_knows_a_pid_of_a_container)
{
	plain_tree();
	CHECK_NUMBER(in_tree("7 1000"), 4);
	CHECK(strstr(err, "there is no process 7\n"));
	CHECK(strstr(err, "process 165 is 7 in its own PID namespace"));
	in_tree("65 1000");
	CHECK(!strstr(err, "namespace"));
	tree_replace("proc/165/status", "\t7\n", "\t17\n");
	in_tree("7 1000");
	CHECK(!strstr(err, "namespace"));
}

TEST(who_as_json)
{
	ring_tree();
	CHECK_NUMBER(in_tree("--json 165 7f620bc35000"), 4);
	doctor_result = json_tokener_parse(out);
	CHECK(doctor_result);
	CHECK_STRING(doctor_value("state"), "unknown");
	CHECK_STRING(doctor_value("page/pfn"), "0x31ba");
	CHECK_STRING(doctor_value("page/zone"), "DMA32");
	CHECK(!doctor_value("account"));
	CHECK_STRING(doctor_value("holders/0/kind"), "mapping");
	CHECK_STRING(doctor_value("holders/1/kind"), "ring");
	CHECK_STRING(doctor_value("holders/1/certainty"), "likely");
	CHECK_STRING(doctor_value("holders/1/pid"), "165");
	CHECK_STRING(doctor_value("holders/1/fd"), "3");
	CHECK_STRING(doctor_value("holders/1/bytes"), "262144");
}

static const char *complaint(const char *words)
{
	CHECK_NUMBER(run_who(words), 2);
	*strchrnul(err, '\n') = '\0';
	return err;
}

TEST(who_command_line)
{
	CHECK_STRING(complaint(""), "pinprobe who: needs a PID and an address");
	CHECK_STRING(complaint("1"), "pinprobe who: needs a PID and an address");
	CHECK_STRING(complaint("1 zz"), "pinprobe who: 'zz' is no address");
	CHECK_STRING(complaint("1 1000 4K"), "pinprobe who: what is '4K'?");
	CHECK_STRING(complaint("--pfn 0"), "pinprobe who: '0' is no page frame number");
	CHECK_STRING(complaint("--pfn 1x"), "pinprobe who: '1x' is no page frame number");
	CHECK_STRING(complaint("--pfn 0x80000000000000"),
		     "pinprobe who: '0x80000000000000' is no page frame number");
	CHECK_STRING(complaint("--pfn 5 1"), "pinprobe who: with --pfn, what is '1'?");
	CHECK_STRING(complaint("--seconds -1 1 1000"), "pinprobe who: '-1' are no seconds");
	CHECK_NUMBER(run_who("--help"), 0);
	SAYS("usage: pinprobe who");
}
