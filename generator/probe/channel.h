/* Ways for two sides to take turns: one asks and waits, the other waits and answers. A side whose partner died ends its
 * process: the harness marks the row. */
#ifndef RUNQ_PROBE_CHANNEL_H
#define RUNQ_PROBE_CHANNEL_H

#include <stdatomic.h>
#include <stdbool.h>

enum channel_kind { CHANNEL_PIPE, CHANNEL_SOCKETPAIR, CHANNEL_FUTEX };

/* In memory that both sides share; the word is on a line of its own. */
struct channel { // NOLINT(clang-analyzer-optin.performance.Padding): the word's line is the point
	enum channel_kind kind;
	bool within_process;
	int ask[2], answer[2]; /* read from [0], write to [1]; a socket pair uses ask alone */
	_Alignas(64) _Atomic int turn; /* 0: the asker's */
};

bool channel_open(struct channel *ch, enum channel_kind kind, bool between_processes); /* false leaves errno */
void channel_close(struct channel *ch);
void channel_ask(struct channel *ch); /* hands over and waits for the answer */
void channel_answer(struct channel *ch); /* waits to be asked, answers: the next two at once */
void channel_wait(struct channel *ch);
void channel_reply(struct channel *ch);
void channel_alone(struct channel *ch); /* one side writes and reads; no futex */

#endif
