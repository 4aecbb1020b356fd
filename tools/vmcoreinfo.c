// SPDX-License-Identifier: GPL-2.0
/*
 * The note VMCOREINFO of /proc/kcore, lines "SYMBOL(name)=hexadecimal": variables
 * of kernels whose /proc/kallsyms has functions alone.
 */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "vmcoreinfo.h"

#define NOTE		"VMCOREINFO"
#define NOTES_MAX	(1 << 20)

static bool read_at(int fd, void *to, size_t len, uint64_t at)
{
	return pread(fd, to, len, at) == (ssize_t)len;
}

static bool is_elf(const Elf64_Ehdr *header)
{
	return !memcmp(header->e_ident, ELFMAG, SELFMAG) &&
	       header->e_ident[EI_CLASS] == ELFCLASS64 &&
	       header->e_phentsize == sizeof(Elf64_Phdr);
}

/* All notes of the first segment that has some; NULL: there are none. */
static char *notes_of(int fd, size_t *len)
{
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	char *notes;
	int i;

	if (!read_at(fd, &header, sizeof(header), 0) || !is_elf(&header))
		return NULL;
	for (i = 0; i < header.e_phnum; i++) {
		if (!read_at(fd, &segment, sizeof(segment),
			     header.e_phoff + i * sizeof(segment)))
			return NULL;
		if (segment.p_type == PT_NOTE)
			break;
	}
	if (i == header.e_phnum || segment.p_filesz > NOTES_MAX)
		return NULL;
	*len = segment.p_filesz;
	notes = malloc(*len + 1);
	if (notes && !read_at(fd, notes, *len, segment.p_offset)) {
		free(notes);
		return NULL;
	}
	return notes;
}

static size_t padded(size_t len)
{
	return (len + 3) & ~(size_t)3;
}

/* The text of the note, ended by NUL in place. */
static char *find_note(char *notes, size_t len)
{
	Elf64_Nhdr note;
	size_t at = 0, name, text;

	while (at + sizeof(note) <= len) {
		memcpy(&note, notes + at, sizeof(note));
		name = at + sizeof(note);
		text = name + padded(note.n_namesz);
		if (text > len || note.n_descsz > len - text)
			return NULL;
		if (note.n_namesz >= strlen(NOTE) &&
		    !memcmp(notes + name, NOTE, strlen(NOTE))) {
			notes[text + note.n_descsz] = 0;
			return notes + text;
		}
		at = text + padded(note.n_descsz);
	}
	return NULL;
}

static uint64_t value_of(const char *text, const char *name)
{
	char wanted[128];
	const char *line;

	snprintf(wanted, sizeof(wanted), "SYMBOL(%s)=", name);
	for (line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, wanted, strlen(wanted)))
			return strtoull(line + strlen(wanted), NULL, 16);
	}
	return 0;
}

uint64_t vmcoreinfo_symbol(const struct source *source, const char *name)
{
	char path[512], *notes, *text;
	uint64_t value = 0;
	size_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/proc/kcore", source->root);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	notes = notes_of(fd, &len);
	text = notes ? find_note(notes, len) : NULL;
	if (text)
		value = value_of(text, name);
	free(notes);
	close(fd);
	return value;
}
