/* SPDX-License-Identifier: GPL-2.0 */
/* The style sheet of the page; no character that XML would escape. */
#ifndef VMRUN_GRID_STYLE_H
#define VMRUN_GRID_STYLE_H

#define GRID_STYLE							\
	":root { color-scheme: light dark; --bg: #fff; --fg: #1b1f24;"	\
	" --line: #d0d5dc; --head: #eef1f5; --pass: #1a6b34;"		\
	" --skip: #7a5b00; --fail: #b3161b; --failbg: #fde8e8;"		\
	" --diff: #fff6d6; --dim: #667080; }\n"				\
	"@media (prefers-color-scheme: dark) {"				\
	" :root { --bg: #14171b; --fg: #e4e7eb; --line: #363c45;"	\
	" --head: #20252c; --pass: #6fd08c; --skip: #e2bd52;"		\
	" --fail: #ff8b8b; --failbg: #451c1f; --diff: #3a3213;"		\
	" --dim: #97a1af; } }\n"					\
	"body { margin: 1rem; background: var(--bg); color: var(--fg);"	\
	" font: 15px/1.4 system-ui, sans-serif; }\n"			\
	"h1 { font-size: 1.3rem; margin: 0 0 .3rem; }\n"		\
	".scroll { overflow: auto; max-height: 92vh;"			\
	" border: 1px solid var(--line); }\n"				\
	"table { border-collapse: separate; border-spacing: 0; }\n"	\
	"th, td { padding: .25rem .6rem; text-align: left;"		\
	" vertical-align: top; border-bottom: 1px solid var(--line);"	\
	" border-right: 1px solid var(--line); }\n"			\
	"small { display: block; font-size: .8rem; max-width: 24rem;"	\
	" overflow-wrap: anywhere; }\n"					\
	"thead th { position: sticky; top: 0; z-index: 2;"		\
	" background: var(--head); white-space: nowrap; }\n"		\
	"thead th small { font-weight: normal; }\n"			\
	"tbody th { position: sticky; left: 0; z-index: 1;"		\
	" background: var(--bg); font: 13px/1.5 ui-monospace, monospace;"	\
	" overflow-wrap: anywhere; min-width: 22rem; }\n"		\
	"thead th:first-child { left: 0; z-index: 3; }\n"		\
	"tbody th i { color: var(--dim); }\n"				\
	"tr.differs td, tr.differs th { background: var(--diff); }\n"	\
	"em { color: var(--skip); font-style: normal; }\n"		\
	".pass { color: var(--pass); } .skip { color: var(--skip); }\n"	\
	".none { color: var(--dim); }\n"				\
	".fail, tr.differs td.fail { color: var(--fail);"		\
	" background: var(--failbg); font-weight: bold; }\n"		\
	".fail small { font-weight: normal; }\n"			\
	"thead th.pass { color: inherit; }\n"				\
	"summary { margin: 1rem 0 .5rem; cursor: pointer; }\n"

#endif
