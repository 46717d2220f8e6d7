/* What measured: version, sources, compiler, C library. RUNQ_BUILD is the hash of the probe's sources. */
#include <features.h>

#include "base/buf.h"
#include "probe/harness.h"

#ifndef RUNQ_BUILD
#define RUNQ_BUILD "0000000000000000000000000000000000000000000000000000000000000000"
#endif
#define RUNQ_PROBE_VERSION "1"

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

struct run_facts facts_tool(struct arena *a)
{
	struct run_facts f = {0};

	fact_text(&f, a, "version", STR(RUNQ_PROBE_VERSION));
	fact_text(&f, a, "build", STR(RUNQ_BUILD));
	fact_text(&f, a, "cc", STR(COMPILER));
#ifdef __GLIBC__
	fact_text(&f, a, "libc", str_printf(a, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__));
#else
	fact_text(&f, a, "libc", STR("other"));
#endif
	return f;
}
