/* Small files of /proc and /sys. Only files that everybody may read count, so that root and nobody see the same. */
#ifndef RUNQ_PROBE_SYS_H
#define RUNQ_PROBE_SYS_H

#include "base/str.h"

enum { SYS_SCRATCH = 4 << 20 }; /* room for a dozen of the longest files */

/* The file's text without surrounding white space, in the arena; empty when it cannot be read. At most 256 KiB. */
struct str sys_text(struct arena *a, const char *path);
int64_t sys_int(const char *path); /* the file's leading integer; RUN_NULL when there is none */
/* What follows `key` (and ":" or "=", and blanks) on its line; empty when absent. */
struct str sys_field(struct str text, const char *key);
/* The n-th word (from 0) of a line. */
struct str sys_word(struct str line, int n);
int64_t sys_number(struct str digits); /* leading decimal digits; RUN_NULL when there are none */
int64_t sys_schedstat(int pid, int field); /* /proc/PID/schedstat: 0 on CPU, 1 waiting, ns; pid 0 is all our threads */
bool sys_cap_sys_nice(void); /* effective */

#endif
