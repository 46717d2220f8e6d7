#include "store/schema.h"

#include <stddef.h>

/* Step 1. `cell` and `machine_fact` are derived from run.canon and can be recomputed; all else is a truth of its own.
 *
 * Values of cells are natural: ns, counts, bytes, fractions (of ppm) and ratios (of milli); `unit` says which. `vals` is
 * a JSON array with one number or null per pass, `hist` {"name":[[lo,hi,count],…]}, `spans` [[lane,t0,t1,state],…].
 * A case without metrics (skipped, say) has one cell, of its probe's default metric. */
static const char step_1[] =
	"CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;"
	"CREATE TABLE machine(key TEXT PRIMARY KEY, config_id BLOB, label TEXT NOT NULL,"
	" kind TEXT NOT NULL DEFAULT 'measured' CHECK (kind IN ('measured', 'emulated', 'reported')),"
	" listed INTEGER NOT NULL DEFAULT 0,"	/* the label file says public */
	" public INTEGER NOT NULL DEFAULT 0,"	/* listed, or the local machine */
	" labelled INTEGER NOT NULL DEFAULT 0) STRICT;"
	"CREATE TABLE run(id INTEGER PRIMARY KEY, run_id BLOB NOT NULL UNIQUE CHECK (length(run_id) = 32),"
	" machine TEXT NOT NULL REFERENCES machine(key),"
	" origin TEXT NOT NULL CHECK (origin IN ('local', 'committed', 'reported', 'imported', 'submitted')),"
	" created_ms INTEGER NOT NULL, quick INTEGER NOT NULL, flags TEXT NOT NULL DEFAULT '', canon BLOB NOT NULL) STRICT;"
	"CREATE INDEX run_by_machine ON run(machine) WHERE origin <> 'submitted';"
	"CREATE TABLE machine_fact(machine TEXT NOT NULL REFERENCES machine(key), name TEXT NOT NULL, value TEXT, num INTEGER,"
	" PRIMARY KEY (machine, name)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE cell(run INTEGER NOT NULL REFERENCES run(id), machine TEXT NOT NULL, probe TEXT NOT NULL,"
	" version INTEGER, case_id TEXT NOT NULL, metric TEXT NOT NULL, key TEXT NOT NULL, params TEXT NOT NULL DEFAULT '{}',"
	" unit TEXT NOT NULL, status TEXT NOT NULL, cause TEXT, try TEXT, twin TEXT,"
	" n INTEGER NOT NULL, min REAL, median REAL, max REAL, mad REAL,"
	" noise REAL,"	/* of this probe's table in this metric, as a fraction; NULL without a twin */
	" vals TEXT, hist TEXT, spans TEXT, PRIMARY KEY (run, probe, case_id, metric)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE kernel_weight(nice INTEGER PRIMARY KEY, weight INTEGER NOT NULL) STRICT;"
	"CREATE TABLE student(pseudonym TEXT PRIMARY KEY, added_ms INTEGER NOT NULL) STRICT;"
	"CREATE TABLE token(hash BLOB PRIMARY KEY CHECK (length(hash) = 32),"
	" student TEXT NOT NULL REFERENCES student(pseudonym), issued_ms INTEGER NOT NULL, revoked_ms INTEGER) STRICT;"
	"CREATE TABLE lab(slug TEXT PRIMARY KEY, probes TEXT NOT NULL, due_ms INTEGER) STRICT;"
	"CREATE TABLE submission(id INTEGER PRIMARY KEY, run_id BLOB NOT NULL REFERENCES run(run_id),"
	" student TEXT NOT NULL REFERENCES student(pseudonym), lab TEXT NOT NULL REFERENCES lab(slug),"
	" answers TEXT NOT NULL DEFAULT '{}', t_begin_ms INTEGER NOT NULL, t_commit_ms INTEGER NOT NULL,"
	" late INTEGER NOT NULL, flags TEXT NOT NULL DEFAULT '', UNIQUE (run_id, student, lab)) STRICT;"
	"CREATE INDEX submission_by_student ON submission(student, lab);"
	"CREATE TABLE attempt(id INTEGER PRIMARY KEY, t_ms INTEGER NOT NULL, run_id BLOB, student TEXT NOT NULL,"
	" lab TEXT NOT NULL, outcome TEXT NOT NULL CHECK (outcome IN ('accepted', 'duplicate', 'refused')),"
	" reason TEXT NOT NULL DEFAULT '') STRICT;"
	"CREATE INDEX attempt_by_student ON attempt(student, lab);"
	"CREATE TABLE audit(id INTEGER PRIMARY KEY, t_ms INTEGER NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,"
	" detail TEXT NOT NULL DEFAULT '') STRICT;"
	/* sched_prio_to_weight of kernel/sched/core.c: each step is about 1.25 times the next. */
	"INSERT INTO kernel_weight(nice, weight) VALUES"
	"(-20,88761),(-19,71755),(-18,56483),(-17,46273),(-16,36291),(-15,29154),(-14,23254),(-13,18705),(-12,14949),(-11,11916),"
	"(-10,9548),(-9,7620),(-8,6100),(-7,4904),(-6,3906),(-5,3121),(-4,2501),(-3,1991),(-2,1586),(-1,1277),"
	"(0,1024),(1,820),(2,655),(3,526),(4,423),(5,335),(6,272),(7,215),(8,172),(9,137),"
	"(10,110),(11,87),(12,70),(13,56),(14,45),(15,36),(16,29),(17,23),(18,18),(19,15);";

const char *const schema_steps[] = {step_1, NULL};
_Static_assert(sizeof schema_steps / sizeof *schema_steps == SCHEMA_VERSION + 1, "a step for each version");
