/* The course's claims on run files, each by itself, for programs. Results live in the arena passed. */
#ifndef RUNQ_APP_JUDGE_H
#define RUNQ_APP_JUDGE_H

#include "base/buf.h"
#include "base/diag.h"

/* Writes {"claims":[{"id","test","shows","keys"}],"runs":[{"file","emulated","results":[{"verdict","number"}]}]}, results in the order of
 * the claims. Verdicts: ok bad unclear no. `keys` as claim_keys (build.h). A run counts as emulated when its machine facts name an emulated
 * CPU. False when a file or the database in memory failed: what is wrong is in `d`. */
bool judge_files(const char *root, char *const *files, int n_files, struct arena *a, struct arena scratch, struct diag *d, struct buf *out);

#endif
