/* Asks a Python interpreter, where there is one. */
#ifndef RUNQ_PROBE_PYTHON_H
#define RUNQ_PROBE_PYTHON_H

#include <stdint.h>

enum { PYTHON_ARGS_MAX = 4 };

/* Runs `python3 -I -c CODE ARGS...` to its end, which dies with us, and reads the n numbers that it prints. Returns 0;
 * ENOENT: no python3; EPROTO: it did not print them (no such module, too old); or the errno of not starting it. */
int python_ask(const char *code, const int *args, int n_args, int64_t *numbers, int n);

struct probe_step;
/* Skips the case with the cause of that error. */
void python_missing(struct probe_step *s, int err);

#endif
