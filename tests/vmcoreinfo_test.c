// SPDX-License-Identifier: GPL-2.0
/* Addresses of variables from the note for crash dumps in /proc/kcore. */
#include <sys/stat.h>
#include "unit.h"
#include "../tools/vmcoreinfo.c"

#define PRSTATUS_LEN	13	/* odd, so that it is padded */

struct core {
	Elf64_Ehdr header;
	Elf64_Phdr segment[2];
	char notes[512];
	size_t len;
};

static void add_note(struct core *core, const char *name, const char *text,
		     size_t len)
{
	Elf64_Nhdr note = { .n_namesz = strlen(name) + 1, .n_descsz = len };

	memcpy(core->notes + core->len, &note, sizeof(note));
	core->len += sizeof(note);
	memcpy(core->notes + core->len, name, note.n_namesz);
	core->len += padded(note.n_namesz);
	memcpy(core->notes + core->len, text, len);
	core->len += padded(len);
}

/* As the kernel has it: notes of others come first, and no NUL ends the text. */
static struct core whole(const char *text)
{
	struct core core = {
		.header = {
			.e_ident = ELFMAG, .e_phoff = offsetof(struct core, segment),
			.e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 2,
		},
		.segment = {
			{ .p_type = PT_LOAD },
			{ .p_type = PT_NOTE, .p_offset = offsetof(struct core, notes) },
		},
	};

	core.header.e_ident[EI_CLASS] = ELFCLASS64;
	add_note(&core, "CORE", "0123456789abc", PRSTATUS_LEN);
	add_note(&core, NOTE, text, strlen(text));
	core.segment[1].p_filesz = core.len;
	return core;
}

static uint64_t looked_up(const struct core *core, size_t len, const char *name)
{
	char *root = text_format("%s/core", unit_scratch);
	char *path = text_format("%s/proc/kcore", root);
	const struct source source = { .root = root };
	uint64_t value;
	FILE *f;

	mkdir(root, 0755);
	*strrchr(path, '/') = 0;
	mkdir(path, 0755);
	path[strlen(path)] = '/';
	f = fopen(path, "w");
	CHECK(f);
	fwrite(core, len, 1, f);
	fclose(f);
	value = vmcoreinfo_symbol(&source, name);
	unlink(path);
	free(path);
	free(root);
	return value;
}

#define TEXT	"OSRELEASE=6.1.0\nSYMBOL(mem_section_x)=1\nLENGTH(mem_section)=8192\n" \
		"SYMBOL(mem_section)=ffff0000ffdd4000\nSYMBOL(last)=ffff800008000000"

TEST(vmcoreinfo_symbols)
{
	struct core core = whole(TEXT);

	CHECK(looked_up(&core, sizeof(core), "mem_section") == 0xffff0000ffdd4000);
	CHECK(looked_up(&core, sizeof(core), "last") == 0xffff800008000000);
	CHECK(!looked_up(&core, sizeof(core), "mem"));
	CHECK(!looked_up(&core, sizeof(core), "absent"));
}

/* A file that is none, or ends too early, or says that a note is longer than all. */
TEST(vmcoreinfo_broken)
{
	const struct source nowhere = { .root = "/nonexistent" };
	struct core core = whole(TEXT);
	size_t first = sizeof(Elf64_Nhdr) + padded(sizeof("CORE")) +
		       padded(PRSTATUS_LEN);
	Elf64_Nhdr note;

	CHECK(!vmcoreinfo_symbol(&nowhere, "mem_section"));
	CHECK(!looked_up(&core, 32, "mem_section"));
	CHECK(!looked_up(&core, offsetof(struct core, notes) + 8, "mem_section"));
	core.header.e_ident[1] = 'x';
	CHECK(!looked_up(&core, sizeof(core), "mem_section"));
	core = whole(TEXT);
	memcpy(&note, core.notes + first, sizeof(note));
	note.n_descsz += 8;
	memcpy(core.notes + first, &note, sizeof(note));
	CHECK(!looked_up(&core, sizeof(core), "mem_section"));
	core = whole(TEXT);
	core.segment[1].p_type = PT_NULL;
	CHECK(!looked_up(&core, sizeof(core), "mem_section"));
	core = whole(TEXT);
	core.segment[1].p_filesz = (uint64_t)NOTES_MAX + 1;
	CHECK(!looked_up(&core, sizeof(core), "mem_section"));
}
