/* A stretch of scheduling as a log of switches and wake-ups: what a kernel's trace and the simulator's log have in common. One
 * struct, one writer, one reader with validation, so that a recording can be compared wherever it was made. Freestanding.
 * Everything lives in the arena passed; strings of a read trace are copies there.
 *
 * The file: {"clock":"mono","cpus":1,"duration_ns":…,"events":[…],"format":"runq-trace","lost":0,"machine":{facts},"scenario":
 * "its text","steal_ns":…,"tasks":[{"kind":"idle","name":"idle"},{"kind":"other","name":"other"},{"kind":"task","name":"A"}…],
 * "version":1}. An event is [t_ns,cpu,"switch",prev,next,state] or [t_ns,cpu,"wake",task,target cpu]: tasks by index, CPUs as the
 * scenario counts them, t_ns from its start. The state of who leaves: R still wants to run, S sleeps, X has ended; I: this is
 * the idle task, and that it left was not told but inferred from what stands around it. The file
 * names no process but the scenario's tasks: all strangers are the one task "other". */
#ifndef RUNQ_MODEL_TRACE_H
#define RUNQ_MODEL_TRACE_H

#include "model/run.h"

enum {
	TRACE_IDLE,
	TRACE_OTHER,
	TRACE_FIRST, /* of the scenario's tasks */
	TRACE_TASKS_MAX = TRACE_FIRST + 64,
	TRACE_CPUS_MAX = 64,
	TRACE_EVENTS_MAX = 100000,
	TRACE_BYTES_MAX = 8 << 20,
	TRACE_SCENARIO_BYTES_MAX = 16 << 10,
};
#define TRACE_DURATION_MAX_NS INT64_C(60000000000)

#define TRACE_INFERRED 'I' /* a switch's state */

enum trace_kind { TRACE_SWITCH, TRACE_WAKE, TRACE_KIND_MAX };

struct trace_event {
	int64_t t_ns;
	int cpu;
	enum trace_kind kind;
	int task, other; /* switch: who leaves, who comes; wake: who is woken, to which CPU */
	char state; /* of who leaves */
};

struct trace {
	struct str scenario; /* its text; empty when there is none */
	struct str clock;
	struct run_facts machine; /* as a run's, and base_slice_ns */
	int64_t duration_ns;
	int64_t lost; /* events that did not fit */
	int64_t steal_ns; /* what the hypervisor took meanwhile; RUN_NULL: unknown */
	int n_cpus;
	struct str *tasks; /* names; the first two are "idle" and "other" */
	int n_tasks;
	struct trace_event *events; /* ascending; those of one time in the order they happened */
	ptrdiff_t n;
};

/* Canonical bytes: sorted keys, no spaces. Fails only by out->full. */
void trace_write(const struct trace *t, struct buf *out);

struct trace_result {
	struct trace *trace; /* NULL on error */
	struct run_error error; /* codes of text/json.h and model/run.h, and bad_task bad_event bad_order bad_chain */
};
/* Reads and checks: limits, indexes, ascending times, and that on each CPU who leaves is who came last (unless events were
 * lost). About 900 bytes of arena an event. */
struct trace_result trace_read(struct arena *a, struct str bytes);

#endif
