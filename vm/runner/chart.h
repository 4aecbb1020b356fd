/* SPDX-License-Identifier: GPL-2.0 */
#ifndef VMRUN_CHART_H
#define VMRUN_CHART_H

#include "placement.h"

/* A self-contained SVG document, to be freed; NULL: out of memory. */
char *chart_svg(const struct placement *p);

#endif
