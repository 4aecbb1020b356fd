/* SPDX-License-Identifier: GPL-2.0 */
/* Of the picture; told apart without colour vision, by outline and mark as well. */
#ifndef PINPROBE_MAP_STYLE_H
#define PINPROBE_MAP_STYLE_H

#define MAP_STYLE							\
	"svg{color-scheme:light dark;font:13px system-ui,sans-serif;"	\
	"--bg:#fff;--fg:#1b1f24;--dim:#5b6573;--bar:#0b3d63;"		\
	"--stuck:#b3161b;--held:#e69f00}"				\
	"@media (prefers-color-scheme:dark){svg{--bg:#14171b;--fg:#e4e7eb;"	\
	"--dim:#97a1af;--bar:#dbeeff;--stuck:#ff6b6b;--held:#ffc04d}}"	\
	".ground{fill:var(--bg)}text{fill:var(--fg)}"			\
	".title{font-size:18px;font-weight:600}.panel{font-weight:600}"	\
	".note{fill:var(--dim)}"					\
	".row{fill:var(--dim);font:11px ui-monospace,monospace;text-anchor:end}"	\
	".unmovable{fill:#8fa3b8}.movable{fill:#9fd3b4}"		\
	".reclaimable{fill:#d9c58f}.highatomic{fill:#c3a5d6}"		\
	".cma{fill:#f08a5d}.isolate{fill:#f2e35c}"			\
	".unknown{fill:#c9ced6;fill-opacity:.45}"			\
	".area{fill:none;stroke:var(--fg);stroke-width:1.2}"		\
	".process{fill:var(--bar);stroke:var(--bg);stroke-width:.6}"	\
	".held{fill:var(--held);stroke:var(--fg)}"			\
	".stuck{fill:none;stroke:var(--stuck);stroke-width:2.4}"

#endif
