/* SPDX-License-Identifier: GPL-2.0 */
/* What pinprobe's exit codes mean; each command documents which it uses. */
#ifndef PINPROBE_EXIT_H
#define PINPROBE_EXIT_H

/**
 * enum pinprobe_exit - exit codes
 * @PINPROBE_OK:	nothing to mend; what was asked for is so
 * @PINPROBE_FOUND:	something was found, or the call that was tried failed
 * @PINPROBE_USAGE:	the command line is wrong
 * @PINPROBE_CRITICAL:	something was found that breaks registrations
 * @PINPROBE_CANNOT:	it cannot be told here
 * @PINPROBE_BROKEN:	pinprobe itself failed: out of memory, nowhere to write
 */
enum pinprobe_exit {
	PINPROBE_OK = 0,
	PINPROBE_FOUND = 1,
	PINPROBE_USAGE = 2,
	PINPROBE_CRITICAL = 3,
	PINPROBE_CANNOT = 4,
	PINPROBE_BROKEN = 126,
};

#endif
