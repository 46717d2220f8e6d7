/* The kernel's ring buffer as trace_pipe_raw gives it: pages of records, taken apart without a system call. What the kernel
 * says of its own layout (events/header_page, events/.../format) decides where fields are. Little-endian machines. */
#ifndef RUNQ_PROBE_TRACE_PAGE_H
#define RUNQ_PROBE_TRACE_PAGE_H

#include "base/str.h"

enum { TRACE_COMM_BYTES = 16 }; /* of a thread's name in the kernel, with its end */
enum { TRACE_SIGNS = 3 };

struct trace_field {
	int offset, size; /* size 0: there is none */
};
/* In the text of a format or header_page file. */
struct trace_field trace_field_find(struct str format, const char *name);
int64_t trace_format_id(struct str format); /* -1: there is none */

struct trace_layout {
	struct trace_field commit, data; /* of a page */
	int64_t switch_id, wake_id;
	int64_t sign_ids[TRACE_SIGNS]; /* of events that are wanted only for who was on the CPU; 0: none */
	struct trace_field flags, pid; /* of every record; size 0: the kernel does not tell */
	struct trace_field prev_comm, prev_pid, prev_state, next_comm, next_pid; /* of sched_switch */
	struct trace_field comm, target; /* of sched_wakeup */
};
/* False: a field that is needed is not there. */
bool trace_layout_read(
	struct trace_layout *l, struct str header_page, struct str switch_format, struct str wake_format);

struct trace_raw {
	uint64_t t_ns;
	bool wake, sign; /* else a switch; a sign says nothing but what the next three do */
	bool by_idle, by_other; /* the idle task, or somebody else, was on the CPU; neither: the kernel does not tell */
	bool resched; /* who was there was told to leave */
	bool from_idle, to_idle; /* a switch */
	char state; /* of who leaves: R S X */
	char from[TRACE_COMM_BYTES + 1]; /* who leaves, or is woken */
	char to[TRACE_COMM_BYTES + 1];
	int target; /* a wake-up: the kernel's number of the CPU */
};
/* Gives each record of the page to `take`. Returns how many events the kernel says it lost before the page; at least 1 if
 * it lost some without counting, or if the page cannot be read to its end. */
int64_t trace_page_read(const struct trace_layout *l, const unsigned char *page, ptrdiff_t bytes,
	void (*take)(void *ctx, const struct trace_raw *raw), void *ctx);

#endif
