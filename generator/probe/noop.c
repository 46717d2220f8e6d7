/* The tiny program's bytes (noop/noop.c), and a descriptor to execute it from: no path, nothing left behind. */
#include "probe/noop.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "probe/linux.h"

__asm__(".pushsection .rodata\n"
	".global runq_noop_begin\n"
	".global runq_noop_bytes\n"
	"runq_noop_begin:\n"
	".incbin \"" RUNQ_NOOP "\"\n"
	"runq_noop_end:\n"
	".balign 8\n"
	"runq_noop_bytes: .quad runq_noop_end - runq_noop_begin\n"
	".popsection\n");
extern const char runq_noop_begin[];
extern const uint64_t runq_noop_bytes;

int noop_open(void)
{
	int fd = linux_memfd_exec("runq-noop");

	if (fd < 0)
		return -1;
	if (write(fd, runq_noop_begin, runq_noop_bytes) == (ssize_t)runq_noop_bytes)
		return fd;
	int err = errno;
	close(fd);
	errno = err;
	return -1;
}
