# SPDX-License-Identifier: GPL-2.0
# What a guest is, from the files that init names: /proc/stat, meminfo,
# pagetypeinfo, zoneinfo and some smaps, the boot log as a file "dmesg", and from sysfs
# total_pages of CMA areas, nr_hugepages of hugetlb pools, device, the number
# of a kind of virtio device, and cap, what an Intel IOMMU can do. A file is known by
# the end of its path, so that the host can be asked the same.

# The last folder of a path: the name of a CMA area or of a hugetlb pool.
function folder(path)
{
	sub(/\/[^\/]*$/, "", path)
	sub(/.*\//, "", path)
	return tolower(path)
}

FNR == 1 {
	file = FILENAME
	sub(/.*\//, "", file)
	counting = 0
}

file == "stat" && /^cpu[0-9]/ { cpus++ }

file == "meminfo" { kb[$1] = $2 }

file == "pagetypeinfo" && /^Pages per block:/ { block_pages = $4 }
# Two tables for each node, of free pages and of blocks.
file == "pagetypeinfo" && /^Page block order:/ { counting = 0 }
file == "pagetypeinfo" && /^Number of blocks type/ {
	for (i = 5; i <= NF; i++)
		type[i] = tolower($i)
	columns = NF
	counting = 1
	next
}
# A row has "Node 0, zone NAME" where the head has four words of title.
file == "pagetypeinfo" && counting && /^Node/ {
	for (i = 5; i <= columns; i++)
		blocks[type[i]] += $i
	node = "node" $2 + 0
	for (i = 5; i <= columns; i++) {
		if (type[i] == "cma" && $i) {
			place = node "_" tolower($4)
			cma_in[place] += $i
			cma_places = cma_places " " place
		}
	}
}

file == "smaps" && $1 == "KernelPageSize:" { page_kb = $2 }

file == "zoneinfo" && $1 == "Node" {
	zone = tolower($4)
	node = $2 + 0
	if (!(node in seen_node)) {
		seen_node[node] = 1
		nodes++
	}
}
file == "zoneinfo" && $1 == "managed" && $2 {
	if (!(zone in pages))
		zones = zones (zones == "" ? "" : ",") zone
	pages[zone] += $2
	node_pages[node] += $2
	if (zone == "movable")
		node_movable[node] += $2
}

# mm/hugetlb_cma.c and before it mm/hugetlb.c, one line a node.
file == "dmesg" && match($0, /hugetlb_cma: reserved [0-9]+ MiB on node [0-9]+/) {
	split(substr($0, RSTART, RLENGTH), word, " ")
	hugetlb_cma_kb += word[3] * 1024
	hugetlb_cma_on[word[7]] += word[3] * 1024
}

file == "total_pages" { area_pages[folder(FILENAME)] = $1 }

# Virtio's number of persistent memory.
file == "device" && $1 == "0x001b" { pmem++ }

file == "cap" { iommus++ }

file == "nr_hugepages" { pool[folder(FILENAME)] = $1 }

END {
	print "@guest cpus=" cpus
	print "@guest nodes=" nodes
	print "@guest mem_kb=" kb["MemTotal:"]
	# No such line: no CONFIG_CMA, which is not a reserve of 0.
	print "@guest cma_total_kb=" \
		("CmaTotal:" in kb ? kb["CmaTotal:"] : "none")
	print "@guest cma_free_kb=" kb["CmaFree:"] + 0
	print "@guest cma_blocks=" blocks["cma"] + 0
	# In no CMA area, as Kexec HandOver leaves them. An area need not fill
	# its last pageblock.
	block_kb = block_pages * page_kb
	hidden = block_kb ? blocks["cma"] - kb["CmaTotal:"] / block_kb : 0
	print "@guest cma_hidden_blocks=" (hidden > 0 ? int(hidden) : 0)
	n = split(cma_places, place_list, " ")
	for (i = 1; i <= n; i++)
		print "@guest cma_blocks_" place_list[i] "=" \
			cma_in[place_list[i]]
	for (name in area_pages)
		print "@guest cma_area_" name "_kb=" area_pages[name] * page_kb
	for (i = 5; i <= columns; i++)
		print "@guest blocks_" type[i] "=" blocks[type[i]]
	print "@guest pageblock_kb=" block_kb
	print "@guest movable_pages=" pages["movable"] + 0
	for (node in node_pages)
		movable_nodes += node_pages[node] == node_movable[node]
	print "@guest movable_nodes=" movable_nodes + 0
	print "@guest iommus=" iommus + 0
	print "@guest pmem_devices=" pmem + 0
	print "@guest zones=" zones
	print "@guest hugetlb_cma_kb=" hugetlb_cma_kb + 0
	for (node in hugetlb_cma_on)
		print "@guest hugetlb_cma_node" node "_kb=" \
			hugetlb_cma_on[node]
	for (name in pool) {
		size = name
		sub(/^hugepages-/, "", size)
		print "@guest hugetlb_" size "_pages=" pool[name]
	}
}
