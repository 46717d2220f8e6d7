/* Runs and labels into the store. Importing is idempotent: a run that is there already changes nothing. */
#ifndef RUNQ_APP_IMPORT_H
#define RUNQ_APP_IMPORT_H

#include "base/diag.h"
#include "base/file.h"
#include "store/store.h"

enum import_status {
	IMPORT_ADDED,
	IMPORT_ALREADY,
	IMPORT_REFUSED, /* the file is not a run record: diagnosed with its place */
	IMPORT_UNREADABLE, /* the file could not be read: diagnosed */
	IMPORT_FAILED, /* the store could not take it: store_error */
};

struct import_outcome {
	enum import_status status;
	struct str id_hex; /* 64 digits */
	struct str machine, probes, flags; /* machine key; probes separated by spaces */
};

/* A run file read and validated, "-" being standard input; diagnosed as `path:line:col: error: field: what; what to do`. */
struct import_file {
	enum import_status status; /* IMPORT_ADDED when `result` holds a run */
	struct run_result result;
	struct str id_hex, probes;
	struct str machine; /* key, once the store has the run */
};
struct import_file import_read(struct arena *a, struct diag *d, const char *path);

/* local, committed or imported: by where the file lies below the course root. */
const char *import_origin_of(const char *root, const char *path, struct arena scratch);

/* One file into the store, in a transaction of its own. `origin` local also makes its machine the local one. */
struct import_outcome import_run(
	struct store *s, struct arena *a, struct diag *d, const char *path, const char *origin);

/* What the database lacks of data/machines, data/runs, data/local and data/reference below `root`: build calls this first. False when the
 * store failed (store_error); files that are refused are errors in `d`. */
bool import_missing(struct store *s, const char *root, struct diag *d);

/* The files of a folder that may be runs (*.json), as paths, sorted. */
struct file_list import_folder(struct arena *a, const char *folder);

#endif
