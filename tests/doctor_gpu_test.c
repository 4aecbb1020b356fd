// SPDX-License-Identifier: GPL-2.0
/* NVIDIA's driver by version, and the gates of GPU registration. */
#include <stdlib.h>
#include <string.h>

#include "doctor_run.h"

#define SPIN	"note:thp-longterm-readonly-spin"
#define LOOP	"note:collect-loop"

static void driver_of(const char *name)
{
	tree_from("doctor/h200");
	tree_add("proc/driver/nvidia/version",
		 text_format("doctor/nvidia/%s", name));
}

TEST(doctor_nvidia_580)
{
	tree_from("doctor/h200");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_NUMBER(doctor_code, 0);
	CHECK_STRING(doctor_value("nvidia/version"), "580.159.04");
	CHECK_STRING(doctor_value("nvidia/open_module"), "yes");
	CHECK_STRING(doctor_value("nvidia/host_pins"), "PIN+LONGTERM");
	CHECK_STRING(doctor_value("nvidia/gpus/0/address"), "0000:00:06.0");
	CHECK_STRING(doctor_value("nvidia/gpus/0/model"), "NVIDIA H200");
	CHECK_STRING(doctor_value("nvidia/gpus/0/bar1_bytes"), "274877906944");
	CHECK(!doctor_value("nvidia/gpus/1"));
	CHECK_STRING(doctor_gate("driver"), "yes");
	CHECK_STRING(doctor_gate("open-module"), "yes");
	CHECK_STRING(doctor_gate("kernel-dmabuf"), "yes");
	CHECK_STRING(doctor_gate("dmabuf-provider"), "no");
	CHECK_STRING(doctor_gate("peermem"), "no");
	CHECK_STRING(doctor_gate("bar1"), "yes");
}

/* Weak, and nothing here that must stay movable. */
TEST(doctor_nvidia_535)
{
	driver_of("535");
	CHECK_STRING(doctor_findings(""), "note:nvidia-weak-pin " SPIN);
	CHECK_NUMBER(doctor_code, 0);
	CHECK_STRING(doctor_value("nvidia/version"), "535.161.08");
	CHECK_STRING(doctor_value("nvidia/open_module"), "no");
	CHECK_STRING(doctor_value("nvidia/host_pins"), "PIN");
	CHECK_STRING(doctor_gate("open-module"), "no");
	CHECK_STRING(doctor_part("nvidia-weak-pin", "verdict"), "REFS");
}

TEST(doctor_nvidia_versions)
{
	driver_of("525");
	CHECK_STRING(doctor_findings(""), "note:nvidia-weak-pin " SPIN);
	CHECK_STRING(doctor_value("nvidia/version"), "525.105.17");
	driver_of("535-open");
	CHECK_STRING(doctor_findings(""), "note:nvidia-weak-pin " SPIN);
	CHECK_STRING(doctor_value("nvidia/version"), "535.161.07");
	CHECK_STRING(doctor_value("nvidia/open_module"), "yes");
	driver_of("565-open");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_value("nvidia/host_pins"), "PIN+LONGTERM");
	driver_of("jetson");
	CHECK_STRING(doctor_findings(""), "note:nvidia-pin-unknown " SPIN);
	CHECK_STRING(doctor_value("nvidia/version"), "35.3.1");
}

/* The last release that is not known, and the first that is; and not on x86. */
TEST(doctor_nvidia_555)
{
	tree_from("doctor/h200");
	tree_replace("proc/driver/nvidia/version", "580.159.04", "555.42.01");
	CHECK_STRING(doctor_findings(""), "note:nvidia-pin-unknown " SPIN);
	CHECK_STRING(doctor_value("nvidia/host_pins"), "unknown");
	tree_replace("proc/driver/nvidia/version", "555.42.01", "555.42.02");
	CHECK_STRING(doctor_findings(""), SPIN);
	tree_replace("proc/driver/nvidia/version", "555.42.02", "545.29.02");
	CHECK_STRING(doctor_findings(""), "note:nvidia-pin-unknown " SPIN);
	tree_replace("proc/driver/nvidia/version", "545.29.02", "580.159.04");
	tree_put("proc/sys/kernel/arch", "aarch64\n");
	CHECK_STRING(doctor_findings(""), "note:nvidia-weak-pin " SPIN);
	tree_put("proc/driver/nvidia/version", "NVRM version: other\n");
	CHECK_STRING(doctor_findings(""), "note:nvidia-pin-unknown " SPIN);
	CHECK_STRING(doctor_gate("driver"), "yes");
	CHECK_STRING(doctor_gate("open-module"), "unknown");
}

/* With memory that must stay movable the same driver is worse. */
TEST(doctor_nvidia_535_and_cma)
{
	driver_of("535");
	tree_add("proc/meminfo", "facts/numa/meminfo");
	tree_add("proc/zoneinfo", "facts/numa/zoneinfo");
	tree_add("proc/pagetypeinfo", "facts/numa/pagetypeinfo");
	CHECK_STRING(doctor_findings(""),
		     "critical:nvidia-weak-pin warning:cma-first note:cma " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 3);
	tree_replace("proc/zoneinfo", "pages free     498152",
		     "pages free     598152");
	tree_replace("proc/zoneinfo", "pages free     503948",
		     "pages free     603948");
	CHECK_STRING(doctor_findings(""),
		     "warning:nvidia-weak-pin note:cma " SPIN " " LOOP);
	CHECK_NUMBER(doctor_code, 1);
}

/* User memory is taken from ZONE_MOVABLE before any other. */
TEST(doctor_nvidia_535_and_movable)
{
	driver_of("535");
	tree_append("proc/zoneinfo",
		    "Node 0, zone  Movable\n  pages free     1000\n        min      10\n        managed  1000\n");
	CHECK_STRING(doctor_findings(""),
		     "critical:nvidia-weak-pin note:zone-movable " SPIN " " LOOP);
	tree_replace("proc/zoneinfo", "free     1000\n", "free     0\n");
	CHECK_STRING(doctor_findings(""),
		     "warning:nvidia-weak-pin note:zone-movable " SPIN " " LOOP);
}

TEST(doctor_nvidia_535_and_hidden_cma)
{
	driver_of("535");
	tree_replace("proc/meminfo", "MemTotal:",
		     "CmaTotal: 0 kB\nCmaFree: 1048576 kB\nMemTotal:");
	CHECK_STRING(doctor_findings(""),
		     "critical:hidden-cma critical:nvidia-weak-pin " SPIN " " LOOP);
}

static void add_mlx5(void)
{
	tree_put("sys/class/infiniband/mlx5_0/fw_ver", "28.39.1002\n");
	tree_put("sys/class/infiniband_verbs/uverbs0/ibdev", "mlx5_0\n");
	tree_link("sys/class/infiniband/mlx5_0/device/driver",
		  "../../bus/pci/drivers/mlx5_core");
}

TEST(doctor_gpu_way_of_dmabuf)
{
	tree_from("doctor/h200");
	add_mlx5();
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_gate("dmabuf-provider"), "yes");
	/* Each gate of the way by itself. */
	tree_put("proc/sys/kernel/osrelease", "5.11.0\n");
	CHECK_STRING(doctor_findings(""), "warning:gpu-registration-closed");
	CHECK_STRING(doctor_gate("kernel-dmabuf"), "no");
	driver_of("535");
	add_mlx5();
	CHECK_STRING(doctor_findings(""),
		     "warning:gpu-registration-closed note:nvidia-weak-pin " SPIN);
	CHECK(strstr(doctor_part("gpu-registration-closed", "fact"),
		     "open-module: proprietary"));
	CHECK(strstr(doctor_part("gpu-registration-closed", "fact"),
		     "peermem: impossible"));
	CHECK_STRING(doctor_part("gpu-registration-closed", "verdict"),
		     "EXPORTER");
	tree_from("doctor/h200");
	tree_put("sys/class/infiniband/rxe0/fw_ver", "\n");
	tree_put("sys/class/infiniband_verbs/uverbs0/ibdev", "rxe0\n");
	CHECK_STRING(doctor_findings(""),
		     "warning:gpu-registration-closed " SPIN);
	CHECK_STRING(doctor_gate("dmabuf-provider"), "no");
}

TEST(doctor_gpu_way_of_peermem)
{
	driver_of("535");
	add_mlx5();
	tree_put("sys/module/mlx_compat/refcnt", "1\n");
	CHECK_STRING(doctor_findings(""),
		     "warning:gpu-registration-closed note:nvidia-weak-pin " SPIN);
	CHECK(strstr(doctor_part("gpu-registration-closed", "fact"),
		     "peermem: not loaded: modprobe nvidia-peermem"));
	tree_put("sys/module/nvidia_peermem/refcnt", "0\n");
	CHECK_STRING(doctor_findings(""), "note:nvidia-weak-pin " SPIN);
	CHECK_STRING(doctor_gate("peermem"), "yes");
}

/* A GPU on the bus, and nothing that drives it. */
TEST(doctor_gpu_without_driver)
{
	tree_from("doctor/h200");
	add_mlx5();
	tree_remove("proc/driver");
	CHECK_STRING(doctor_findings(""),
		     "warning:gpu-registration-closed " SPIN);
	CHECK_STRING(doctor_value("nvidia/gpus/0/address"), "0000:00:06.0");
	CHECK_STRING(doctor_gate("driver"), "no");
	tree_put("sys/bus/pci/devices/0000:00:06.0/class", "0x020000\n");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK(!doctor_value("nvidia/gpus/0"));
	CHECK_STRING(doctor_gate("driver"), "absent");
}

/*
 * 256 MiB between registers of 512 MiB and a BAR of 32 MiB, all memory, as a GPU
 * has it that was never resized.
 */
TEST(doctor_bar1_small)
{
	tree_from("doctor/h200");
	tree_put("sys/bus/pci/devices/0000:00:06.0/resource",
		 "0x00000000c0000000 0x00000000dfffffff 0x0000000000040200\n"
		 "0x0000000090000000 0x000000009fffffff 0x000000000014220c\n"
		 "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		 "0x00000000a0000000 0x00000000a1ffffff 0x000000000014220c\n");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_value("nvidia/gpus/0/bar1_bytes"), "268435456");
	CHECK_STRING(doctor_gate("bar1"), "no");
	add_mlx5();
	CHECK_STRING(doctor_findings(""), "warning:bar1-small " SPIN);
	CHECK_STRING(doctor_part("bar1-small", "verdict"), "BAR");
	tree_remove("sys/bus/pci/devices/0000:00:06.0/resource");
	CHECK_STRING(doctor_findings(""), SPIN);
	CHECK_STRING(doctor_gate("bar1"), "unknown");
}
