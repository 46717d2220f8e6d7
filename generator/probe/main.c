/* runq-probe: measures with nothing but libc. */
#include "probe/probe.h"

int main(int argc, char **argv)
{
	return probe_main(argc, argv, "runq-probe");
}
