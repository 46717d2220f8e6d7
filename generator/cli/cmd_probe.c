/* runq probe: the program that runq-probe is, word for word. */
#include "cli/command.h"
#include "probe/probe.h"

static int probe(int argc, char **argv)
{
	return probe_main(argc, argv, "runq probe");
}

const struct command cmd_probe = {
	.name = "probe",
	.usage = "list | describe NAME | run NAME... [--all] [--quick] [--passes N] [-o FILE]",
	.summary = "measure this machine (the same code as runq-probe)",
	.pass = probe,
};
