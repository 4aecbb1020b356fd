# SPDX-License-Identifier: GPL-2.0
# usage: awk -v what=pagetypeinfo|zoneinfo -f tib.awk
# 1 TiB in 8 nodes, 256 CPUs, with 4 GiB of CMA in each node.

function types(format,    i)
{
	for (i = 1; i <= 6; i++)
		printf format, type[i]
}

function free_lists(node, zone,    i, k)
{
	for (i = 1; i <= 6; i++) {
		printf "Node %4d, zone %8s, type %12s ", node, zone, type[i]
		for (k = 0; k <= 10; k++)
			printf "%6d ", (i * 7919 + k * 104729) % 100000
		printf "\n"
	}
}

# The kernel writes the whole of both tables for each node.
function pagetypeinfo(    node, k)
{
	for (node = 0; node < 8; node++) {
		print "Page block order: 9"
		print "Pages per block:  512"
		print ""
		printf "%-43s ", "Free pages count per migrate type at order"
		for (k = 0; k <= 10; k++)
			printf "%6d ", k
		printf "\n"
		for (k = node ? 3 : 1; k <= 3; k++)
			free_lists(node, zone[k])
		printf "\n%-23s", "Number of blocks type "
		types("%12s ")
		printf "\n"
		for (k = node ? 3 : 1; k <= 3; k++)
			printf "Node %d, zone %8s %12d %12d %12d %12d %12d %12d \n", node, zone[k],
				1024, blocks[k] - 1024 - 2048 - (k == 3 ? 2048 : 0), 2048, 0,
				k == 3 ? 2048 : 0, 0
	}
}

function zone_lines(node, k,    cpu)
{
	printf "Node %d, zone %8s\n", node, zone[k]
	printf "  pages free     %d\n", blocks[k] * 400
	printf "        boost    0\n        min      %d\n", blocks[k]
	printf "        low      %d\n        high     %d\n", blocks[k] * 2, blocks[k] * 3
	printf "        spanned  %d\n        present  %d\n        managed  %d\n",
		blocks[k] * 512, blocks[k] * 512, blocks[k] * 512
	printf "        cma      %d\n", k == 3 ? 1048576 : 0
	printf "      nr_free_cma  %d\n  pagesets\n", k == 3 ? 1000000 : 0
	for (cpu = 0; cpu < 256; cpu++) {
		printf "    cpu: %d\n              count:    %d\n", cpu, cpu
		printf "              high:     9071\n              batch:    63\n"
		printf "              high_min: 9071\n              high_max: 61041\n"
		printf "  vm stats threshold: 125\n"
	}
	printf "  node_unreclaimable:  0\n  start_pfn:           %d\n", node * 33554432
}

BEGIN {
	split("Unmovable Movable Reclaimable HighAtomic CMA Isolate", type)
	split("DMA DMA32 Normal", zone)
	split("4096 8192 65536", blocks)
	if (what == "pagetypeinfo")
		pagetypeinfo()
	for (node = 0; what == "zoneinfo" && node < 8; node++)
		for (k = node ? 3 : 1; k <= 3; k++)
			zone_lines(node, k)
}
