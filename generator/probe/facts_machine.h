/* Parts of the machine's facts that tests check alone. */
#ifndef RUNQ_PROBE_FACTS_MACHINE_H
#define RUNQ_PROBE_FACTS_MACHINE_H

#include "base/str.h"

/* The value of a kernel parameter: "yes" when it has none, "none" when it is absent; empty when `cmdline` is. */
struct str cmdline_value(struct str cmdline, const char *name);

#endif
