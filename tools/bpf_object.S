/* SPDX-License-Identifier: GPL-2.0 */
/* The compiled BPF programs, as a part of the command. */
	.section .rodata
	.balign 16
	.globl trace_object, trace_object_end
trace_object:
#ifdef BPF_OBJECT
	.incbin BPF_OBJECT
#endif
trace_object_end:
	.byte 0
	.section .note.GNU-stack, "", %progbits
