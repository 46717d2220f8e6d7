/* What most commands begin with: the course root, the database's path, the open store. */
#ifndef RUNQ_CLI_SESSION_H
#define RUNQ_CLI_SESSION_H

#include "cli/option.h"
#include "store/store.h"

const char *session_root(const struct args *args);
const char *session_db(const struct args *args);
/* NULL when it cannot be opened: said on stderr, with the exit status in *status. */
struct store *session_open(const struct args *args, enum store_mode mode, int *status);
/* Says what the store could not do; returns CLI_ENVIRONMENT. */
int session_failed(const struct args *args, const struct store *s);
/* Local time with its offset, "2026-11-30T21:15:04+01:00". */
void session_time(int64_t utc_ms, char *out, size_t size);

#endif
