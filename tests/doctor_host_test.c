// SPDX-License-Identifier: GPL-2.0
/* Limits, settings, RDMA devices, and files that are missing. */
#include <stdlib.h>
#include <string.h>

#include "doctor_run.h"

#define SPIN	"note:thp-longterm-readonly-spin"

/* The recorded process is root's, with 8 MiB, which the capability lifts. */
static void unprivileged(const char *limit)
{
	tree_from("doctor/plain");
	tree_replace("proc/self/status", "CapEff:\t", "CapEff:\t0000000000000000\nx:\t");
	tree_replace("proc/self/limits",
		     "Max locked memory         8388608 ",
		     text_format("Max locked memory         %s ", limit));
}

TEST(doctor_memlock_small)
{
	unprivileged("65536");
	CHECK_STRING(doctor_findings(""), "warning:memlock-small " SPIN);
	CHECK_NUMBER(doctor_code, 1);
	CHECK_STRING(doctor_part("memlock-small", "verdict"), "LOCK");
	CHECK_STRING(doctor_part("memlock-small", "summary"),
		     "this process may lock 64 KiB only");
	CHECK_STRING(doctor_value("processes/0/memlock_bytes"), "65536");
	CHECK_STRING(doctor_value("processes/0/cap_ipc_lock"), "no");
}

/* The kernel's default is small; one byte more somebody has chosen. */
TEST(doctor_memlock_by_size)
{
	unprivileged("8388608");
	CHECK_STRING(doctor_findings(""), "warning:memlock-small " SPIN);
	unprivileged("8388609");
	CHECK_STRING(doctor_findings(""), "note:memlock-finite " SPIN);
	CHECK_NUMBER(doctor_code, 0);
	unprivileged("unlimited");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_value("processes/0/memlock_bytes"), "unlimited");
	unprivileged("0");
	CHECK_STRING(doctor_findings(""), "warning:memlock-small " SPIN);
}

TEST(doctor_memlock_nearly_used)
{
	unprivileged("104857600");
	tree_replace("proc/self/status", "VmPin:\t       0 kB",
		     "VmPin:\t   81919 kB");
	CHECK_STRING(doctor_findings(""), "note:memlock-finite " SPIN);
	tree_replace("proc/self/status", "VmPin:\t   81919 kB",
		     "VmPin:\t   81920 kB");
	CHECK_STRING(doctor_findings(""), "warning:memlock-nearly-used " SPIN);
	CHECK(strstr(doctor_part("memlock-nearly-used", "summary"),
		     "81920 of 102400 KiB"));
}

/* In a user namespace the capability is there and does not count. */
TEST(doctor_memlock_in_a_container)
{
	tree_from("doctor/plain");
	CHECK_STRING(doctor_findings(""), SPIN);
	tree_remove("proc/self/ns/user");
	tree_link("proc/self/ns/user", "user:[4026532301]");
	CHECK_STRING(doctor_findings(""), "warning:memlock-small " SPIN);
	CHECK_STRING(doctor_value("processes/0/cap_ipc_lock"), "no");
	tree_remove("proc/self/ns/user");
	CHECK_STRING(doctor_findings(""), "warning:memlock-small " SPIN);
	CHECK_STRING(doctor_value("processes/0/cap_ipc_lock"), "unknown");
}

/* The other process is the one with the problem. */
TEST(doctor_of_a_pid)
{
	tree_from("doctor/plain");
	tree_add("proc/4711/limits", "doctor/plain/proc/self/limits");
	tree_replace("proc/4711/limits", "Max locked memory         8388608 ",
		     "Max locked memory         1048576 ");
	tree_put("proc/4711/comm", "trainer\n");
	tree_put("proc/4711/status",
		 "Name:\ttrainer\nVmLck:\t      16 kB\nVmPin:\t      32 kB\nCapEff:\t0000000000000000\n");
	tree_put("proc/4711/maps", "a\nb\nc\n");
	tree_put("proc/4711/cgroup", "1:cpu:/x\n0::/job\n");
	tree_put("sys/fs/cgroup/job/rdma.max",
		 "mlx5_0 hca_handle=2 hca_object=2000\nrxe0 hca_handle=max hca_object=max\n");
	tree_put("sys/fs/cgroup/job/rdma.current",
		 "mlx5_0 hca_handle=1 hca_object=20\n");
	CHECK_STRING(doctor_findings("--pid 4711"),
		     "warning:memlock-small " SPIN);
	CHECK_STRING(doctor_part("memlock-small", "summary"),
		     "process 4711 (trainer) may lock 1024 KiB only");
	CHECK_STRING(doctor_value("processes/1/pinned_kb"), "32");
	CHECK_STRING(doctor_value("processes/1/locked_kb"), "16");
	CHECK_STRING(doctor_value("processes/1/mappings"), "3");
	CHECK_STRING(doctor_value("processes/1/rdma_max"),
		     "mlx5_0 hca_handle=2 hca_object=2000; rxe0 hca_handle=max hca_object=max");
	CHECK_STRING(doctor_value("processes/1/rdma_current"),
		     "mlx5_0 hca_handle=1 hca_object=20");
	tree_denied("proc/4711/maps");
	doctor_findings("-p 4711");
	CHECK_STRING(doctor_value("missing/0/path"), "/proc/4711/maps");
	CHECK_STRING(doctor_value("missing/0/state"), "not allowed");
	CHECK(!doctor_value("processes/1/mappings"));
}

TEST(doctor_of_no_pid)
{
	tree_from("doctor/plain");
	CHECK_NUMBER(doctor_run("--pid 4712"), 4);
	CHECK_STRING(doctor_out, "");
	CHECK_STRING(doctor_err, "pinprobe: there is no process 4712\n");
}

TEST(doctor_maps_nearly_used)
{
	tree_from("doctor/plain");
	tree_put("proc/self/maps", "1\n2\n3\n4\n5\n6\n7\n8\n");
	tree_put("proc/sys/vm/max_map_count", "11\n");
	CHECK_STRING(doctor_findings(""), SPIN);
	tree_put("proc/sys/vm/max_map_count", "10\n");
	CHECK_STRING(doctor_findings(""), "warning:maps-nearly-used " SPIN);
	CHECK_STRING(doctor_part("maps-nearly-used", "verdict"), "MAPS");
	CHECK(strstr(doctor_part("maps-nearly-used", "summary"),
		     "8 of 10 mappings"));
}

TEST(doctor_spin_by_kernel_and_mount)
{
	tree_from("doctor/plain");
	tree_put("proc/sys/kernel/osrelease", "6.1.192\n");
	CHECK_STRING(doctor_findings(""), "");
	CHECK_NUMBER(doctor_code, 0);
	tree_put("proc/sys/kernel/osrelease", "6.2.0-rc1\n");
	CHECK_STRING(doctor_findings(""), SPIN);
	tree_put("proc/self/mounts",
		 "tmpfs /m tmpfs rw,huge=never 0 0\nx /x ext4 rw,huge=always 0 0\n");
	CHECK_STRING(doctor_findings(""), SPIN);
	tree_put("proc/self/mounts",
		 "tmpfs /m tmpfs rw,size=1k,huge=within_size 0 0\n");
	CHECK_STRING(doctor_findings(""), "warning:thp-longterm-readonly-spin");
	CHECK_STRING(doctor_value("settings/huge_tmpfs"), "/m");
	tree_put("proc/self/mounts", "");
	tree_put("sys/kernel/mm/transparent_hugepage/shmem_enabled",
		 "always within_size [advise] never deny force\n");
	CHECK_STRING(doctor_findings(""), "warning:thp-longterm-readonly-spin");
	CHECK_STRING(doctor_part("thp-longterm-readonly-spin", "verdict"),
		     "SPIN");
	tree_remove("sys/kernel/mm/transparent_hugepage");
	CHECK_STRING(doctor_findings(""), "");
}

/* Six rules, in order of version; the tables say which kernel does what. */
TEST(doctor_rules_by_kernel)
{
	tree_from("doctor/plain");
	doctor_findings("");
	CHECK_STRING(doctor_value("kernel_rules/3/name"), "file_write");
	CHECK_STRING(doctor_value("kernel_rules/3/applies"), "yes");
	CHECK(strstr(doctor_value("kernel_rules/3/is"), "EFAULT"));
	CHECK_STRING(doctor_value("kernel_rules/5/applies"), "yes");
	CHECK(!doctor_value("kernel_rules/6"));
	tree_put("proc/sys/kernel/osrelease", "6.4.16\n");
	doctor_findings("");
	CHECK_STRING(doctor_value("kernel_rules/1/applies"), "yes");
	CHECK_STRING(doctor_value("kernel_rules/3/applies"), "no");
	CHECK(!strstr(doctor_value("kernel_rules/3/is"), "EFAULT"));
	doctor_run("");
	CHECK(strstr(doctor_out, "  since v6.2   read-only registration: pins for reading\n"));
	CHECK(strstr(doctor_out, "  until v6.15  on-demand paging on rxe: no\n"));
}

TEST(doctor_settings_and_iommu)
{
	tree_from("doctor/plain");
	doctor_findings("");
	CHECK_STRING(doctor_value("settings/iommu"), "none");
	CHECK_STRING(doctor_value("settings/thp"), "madvise");
	CHECK_STRING(doctor_value("settings/numa_balancing"), "0");
	CHECK_STRING(doctor_value("settings/compaction_proactiveness"), "20");
	tree_put("sys/kernel/iommu_groups/0/type", "DMA-FQ\n");
	tree_put("sys/kernel/iommu_groups/1/type", "identity\n");
	tree_put("sys/kernel/iommu_groups/10/type", "DMA-FQ\n");
	doctor_findings("");
	CHECK_STRING(doctor_value("settings/iommu"),
		     "2 groups DMA-FQ, 1 groups identity");
}

/* What v7.3 and v6.1 say of a device by netlink. */
TEST(doctor_rdma_use)
{
	tree_from("doctor/kho");
	doctor_findings("");
	CHECK_STRING(doctor_value("rdma/0/name"), "rxe0");
	CHECK_STRING(doctor_value("rdma/0/resources/qp/used"), "1");
	CHECK_STRING(doctor_value("rdma/0/resources/qp/max"), "1048560");
	CHECK_STRING(doctor_value("rdma/0/resources/mr/used"), "0");
	CHECK_STRING(doctor_value("rdma/0/resources/mr/max"), "524287");
	CHECK(!doctor_value("rdma/0/resources/cm_id/max"));
	CHECK(!doctor_value("missing/0"));
	doctor_run("");
	CHECK(strstr(doctor_out, "in use: 1 of 1048576 pd, 1 of 1048576 cq, 1 of 1048560 qp, 0 cm_id, 0 of 524287 mr"));
	doctor_run("--prometheus");
	CHECK(strstr(doctor_out, "\npinprobe_rdma_resources_used{device=\"rxe0\",resource=\"cm_id\"} 0\n"));
	CHECK(strstr(doctor_out, "\npinprobe_rdma_resources_max{device=\"rxe0\",resource=\"mr\"} 524287\n"));
	CHECK(!strstr(doctor_out, "resources_max{device=\"rxe0\",resource=\"cm_id\"}"));
	tree_add("netlink/rdma-res", "doctor/rdma-res-6.1");
	doctor_findings("");
	CHECK_STRING(doctor_value("rdma/0/resources/pd/used"), "1");
	CHECK(!doctor_value("rdma/0/resources/pd/max"));
	/* Of another device, or cut short. */
	tree_put("netlink/rdma-res", "\x14");
	doctor_findings("");
	CHECK(!doctor_value("rdma/0/resources"));
	tree_remove("netlink/rdma-res");
	doctor_findings("");
	CHECK_STRING(doctor_value("missing/0/path"), "/netlink/rdma-res");
	CHECK_STRING(doctor_value("missing/0/state"), "absent");
	CHECK(!doctor_value("rdma/0/resources"));
}

/* The number at a place of the kernel's message changed. */
static void put_used(size_t at, unsigned int used)
{
	char *path = text_format("%s/tree/netlink/rdma-res", unit_scratch);
	size_t len;
	char *s = unit_read(path, &len);

	memcpy(s + at, &used, sizeof(used));
	unit_write("tree/netlink/rdma-res", s, len);
}

TEST(doctor_rdma_nearly_used)
{
	tree_from("doctor/kho");
	put_used(0xc0, 419429);
	doctor_findings("");
	CHECK_STRING(doctor_value("rdma/0/resources/mr/used"), "419429");
	CHECK(!strstr(doctor_out, "rdma-nearly-used"));
	put_used(0xc0, 419430);
	doctor_findings("");
	CHECK_STRING(doctor_part("rdma-nearly-used", "summary"),
		     "rxe0 has 419430 of 524287 memory regions in use");
	CHECK_STRING(doctor_part("rdma-nearly-used", "verdict"), "DEV");
	CHECK_STRING(doctor_part("rdma-nearly-used", "severity"), "warning");
	CHECK(strstr(doctor_part("rdma-nearly-used", "fact"), "max_mr 524287"));
}

TEST(doctor_rdma_devices)
{
	tree_from("doctor/plain");
	tree_put("sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n");
	tree_put("sys/class/infiniband/mlx5_0/ports/1/state", "4: ACTIVE\n");
	tree_link("sys/class/infiniband/mlx5_0/device/driver",
		  "../../bus/pci/drivers/mlx5_core");
	tree_put("sys/class/infiniband/rxe0/ports/1/state", "1: DOWN\n");
	tree_put("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n");
	CHECK_STRING(doctor_findings(""), "warning:no-uverbs " SPIN);
	CHECK(strstr(doctor_part("no-uverbs", "summary"), "rxe0"));
	CHECK_STRING(doctor_value("rdma/0/driver"), "mlx5_core");
	CHECK_STRING(doctor_value("rdma/0/firmware"), "28.39.1002");
	CHECK_STRING(doctor_value("rdma/0/ports"), "1 ACTIVE");
	CHECK_STRING(doctor_value("rdma/0/dmabuf"), "yes");
	CHECK_STRING(doctor_value("rdma/1/driver"), "");
	CHECK_STRING(doctor_value("rdma/1/dmabuf"), "no");
	tree_put("sys/class/infiniband_verbs/uverbs1/ibdev", "rxe0\n");
	CHECK_STRING(doctor_findings(""), SPIN);
}

static const char *dmabuf_of(const char *driver, const char *release)
{
	tree_from("doctor/plain");
	tree_put("proc/sys/kernel/osrelease", release);
	tree_put("sys/class/infiniband/x0/fw_ver", "1\n");
	tree_link("sys/class/infiniband/x0/device/driver",
		  text_format("drivers/%s", driver));
	doctor_findings("");
	return doctor_value("rdma/0/dmabuf");
}

TEST(doctor_dmabuf_by_driver_and_kernel)
{
	CHECK_STRING(dmabuf_of("mlx5_core", "5.11.22\n"), "no");
	CHECK_STRING(dmabuf_of("mlx5_core", "5.12.0\n"), "yes");
	CHECK_STRING(dmabuf_of("bnxt_en", "6.1.192\n"), "no");
	CHECK_STRING(dmabuf_of("bnxt_en", "6.8.0\n"), "unknown");
	CHECK_STRING(dmabuf_of("bnxt_en", "6.12.0\n"), "yes");
	CHECK_STRING(dmabuf_of("mana", "6.12.117+deb12-amd64\n"), "no");
	CHECK_STRING(dmabuf_of("mana", "7.3.4\n"), "yes");
	CHECK_STRING(dmabuf_of("something", "7.3.4\n"), "unknown");
}

TEST(doctor_nothing_to_read)
{
	tree_from("doctor/plain");
	tree_remove("proc");
	CHECK_NUMBER(doctor_run(""), 4);
	CHECK_STRING(doctor_out, "");
	CHECK(strstr(doctor_err, "neither /proc/meminfo (absent) nor /proc/zoneinfo (absent)"));
	CHECK_NUMBER(doctor_run("--json"), 4);
	CHECK_STRING(doctor_out, "");
}

/* Little is left: what that would have told is said, and nothing is found. */
TEST(doctor_files_missing)
{
	tree_from("doctor/plain");
	tree_remove("sys");
	tree_remove("proc/self");
	tree_remove("proc/sys");
	tree_remove("proc/zoneinfo");
	tree_remove("proc/pagetypeinfo");
	tree_remove("proc/cmdline");
	CHECK_STRING(doctor_findings(""), "note:pagetypeinfo-unread");
	CHECK_NUMBER(doctor_code, 0);
	CHECK_STRING(doctor_value("missing/0/path"),
		     "/proc/sys/kernel/osrelease");
	CHECK_STRING(doctor_value("missing/1/path"), "/proc/zoneinfo");
	CHECK_STRING(doctor_value("missing/2/path"), "/proc/pagetypeinfo");
	CHECK_STRING(doctor_value("missing/3/path"), "/proc/cmdline");
	CHECK_STRING(doctor_value("missing/4/path"), "/proc/self/limits");
	CHECK_STRING(doctor_value("missing/5/path"), "/proc/self/status");
	CHECK_STRING(doctor_value("missing/6/path"), "/proc/self/maps");
	CHECK(!doctor_value("missing/7"));
	CHECK_STRING(doctor_value("missing/2/state"), "absent");
	CHECK_NUMBER(doctor_run(""), 0);
	CHECK(strstr(doctor_out, "/proc/zoneinfo (absent): free and pinnable"));
	CHECK(strstr(doctor_out, "memlock unknown"));
}

/* Files that are there, and are not what they should be. */
TEST(doctor_rubbish)
{
	static const char *const files[] = {
		"proc/meminfo", "proc/zoneinfo", "proc/pagetypeinfo",
		"proc/cmdline", "proc/self/limits", "proc/self/status",
		"proc/self/cgroup", "proc/self/mounts",
		"proc/sys/kernel/osrelease", "proc/sys/vm/max_map_count",
		"sys/kernel/mm/cma/x/total_pages",
		"proc/driver/nvidia/version",
		"sys/bus/pci/devices/0000:01:00.0/resource",
		"proc/driver/nvidia/gpus/0000:01:00.0/information",
	};
	static const char *const contents[] = {
		"", "\n", "Node 0, zone", "Node 0, zone X\n\xff\xfe Kernel Module",
		"Number of blocks type A B C D E F G H I J K L M N O P Q R S T\nNode 0, zone Normal 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\nNode",
		"Max locked memory\nCapEff:\n0::\nMemTotal: x",
		"Open Kernel Module for", "0x0 0x0 0x0\n0x1",
	};
	size_t i, k;

	for (k = 0; k < ARRAY_SIZE(contents); k++) {
		tree_from("doctor/plain");
		for (i = 0; i < ARRAY_SIZE(files); i++)
			tree_put(files[i], contents[k]);
		doctor_findings("");
		CHECK(doctor_code == 0 || doctor_code == 1);
		CHECK(doctor_run("") <= 1);
		CHECK(doctor_run("--prometheus") <= 1);
	}
}
