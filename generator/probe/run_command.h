/* `run`: measures the tables asked for, writes the record, says what came out. */
#ifndef RUNQ_PROBE_RUN_COMMAND_H
#define RUNQ_PROBE_RUN_COMMAND_H

#include "probe/options.h"

struct run;
int run_command(const struct probe_options *o, const char *program); /* the exit status */
/* 0 a row is usable; 1 none, and one failed; 4 all were skipped or refused. */
int run_exit_status(const struct run *r);

#endif
