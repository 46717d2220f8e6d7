/* The probes' command line: runq-probe's main, and `runq probe`. Everything else of this room is private to it. */
#ifndef RUNQ_PROBE_PROBE_H
#define RUNQ_PROBE_PROBE_H

/* list | describe NAME... | run NAME... [--all] [--quick] [--passes N] [-o FILE] | --help
 * `program` is how the user calls it ("runq-probe", "runq probe"); argv[0] is skipped.
 * Returns the exit status: 0 a row is usable, 1 something failed, 2 wrong usage, 3 the file could not be written,
 * 4 every row was skipped, 128 + n stopped by signal n (what finished has been written). */
int probe_main(int argc, char **argv, const char *program);

/* trace SCENARIO -o FILE [--seconds N] [--stats]: a scenario of the simulator on this kernel, recorded through tracefs. argv[0] is
 * skipped. 0 recorded, 1 an error in the scenario or a failure, 2 wrong usage, 3 not written, 4 it cannot be recorded here. */
int trace_main(int argc, char **argv, const char *program);

#endif
