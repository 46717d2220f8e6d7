/* A program that does nothing, to execute. */
#ifndef RUNQ_PROBE_NOOP_H
#define RUNQ_PROBE_NOOP_H

/* A descriptor of it, to be executed through /proc/self/fd; -1 leaves errno (no memfd, no memory). Close it. */
int noop_open(void);

#endif
