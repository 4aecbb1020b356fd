// SPDX-License-Identifier: GPL-2.0
/* device memory that CPUs reach coherently, which the gate looks for: f25cbb7a95a2, v6.0 */
#include <linux/memremap.h>
#include <linux/mm.h>

bool probe(const struct folio *folio);
bool probe(const struct folio *folio)
{
	return folio_is_device_coherent(folio);
}
