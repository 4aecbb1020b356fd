// SPDX-License-Identifier: GPL-2.0
/* A ring of a packet socket: the kernel's own pages, put in by vm_insert_page(). */
#include <errno.h>
#include <linux/if_packet.h>
#include <sys/socket.h>
#include "backings.h"

#define PAGES	16

static int make(struct world *world, struct area *area)
{
	struct tpacket_req ring = {
		.tp_block_size = world->page_size,
		.tp_block_nr = PAGES,
		.tp_frame_size = world->page_size,
		.tp_frame_nr = PAGES,
	};

	area_set(world, area, PAGES);
	area->shared = true;
	/* Protocol 0: no packet comes. */
	area->fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
	if (area->fd < 0 && errno == EAFNOSUPPORT)
		return row_skip(world, "no-packet: no packet sockets");
	if (area->fd < 0)
		return -errno;
	if (setsockopt(area->fd, SOL_PACKET, PACKET_RX_RING, &ring, sizeof(ring)))
		return -errno;
	return area_map(area, 0);
}

const struct backing backing_packet_ring = {
	.name = "packet_ring",
	.what = "ring of a packet socket (vm_insert_page())",
	.kind = BACKING_OF_DEVICE,
	.make = make,
	.drop = area_unmap,
};
