/* runq trace: what runq-probe trace does, word for word. */
#include "cli/command.h"
#include "probe/probe.h"

static int trace(int argc, char **argv)
{
	return trace_main(argc, argv, "runq");
}

const struct command cmd_trace = {
	.name = "trace",
	.usage = "SCENARIO -o FILE [--seconds N] [--stats]",
	.summary = "run a scenario on this kernel and record who ran when",
	.pass = trace,
};
