#include "store/schema.h"

#include <stddef.h>

/* Step 1. `cell` and `machine_fact` are derived from run.canon and can be recomputed; all else is a truth of its own.
 *
 * Values of cells are natural: ns, counts, bytes, fractions (of ppm) and ratios (of milli); `unit` says which. `vals`
 * is a JSON array with one number or null per pass, `hist` {"name":[[lo,hi,count],…]}, `spans` [[lane,t0,t1,state],…].
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
	" created_ms INTEGER NOT NULL, quick INTEGER NOT NULL, flags TEXT NOT NULL DEFAULT '', canon BLOB NOT NULL)"
	" STRICT;"
	"CREATE INDEX run_by_machine ON run(machine) WHERE origin <> 'submitted';"
	"CREATE TABLE machine_fact(machine TEXT NOT NULL REFERENCES machine(key), name TEXT NOT NULL, value TEXT,"
	" num INTEGER, PRIMARY KEY (machine, name)) STRICT, WITHOUT ROWID;"
	"CREATE TABLE cell(run INTEGER NOT NULL REFERENCES run(id), machine TEXT NOT NULL, probe TEXT NOT NULL,"
	" version INTEGER, case_id TEXT NOT NULL, metric TEXT NOT NULL, key TEXT NOT NULL,"
	" params TEXT NOT NULL DEFAULT '{}',"
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
	"(-20,88761),(-19,71755),(-18,56483),(-17,46273),(-16,36291),(-15,29154),(-14,23254),(-13,18705),"
	"(-12,14949),(-11,11916),"
	"(-10,9548),(-9,7620),(-8,6100),(-7,4904),(-6,3906),(-5,3121),(-4,2501),(-3,1991),(-2,1586),(-1,1277),"
	"(0,1024),(1,820),(2,655),(3,526),(4,423),(5,335),(6,272),(7,215),(8,172),(9,137),"
	"(10,110),(11,87),(12,70),(13,56),(14,45),(15,36),(16,29),(17,23),(18,18),(19,15);";

const char *const schema_steps[] = {step_1, NULL};
_Static_assert(sizeof schema_steps / sizeof *schema_steps == SCHEMA_VERSION + 1, "a step for each version");

const char *const schema_public_views[] = {"summary", "all_cells", "sample", "bucket", "span", "fact", "reported_cells",
	"kernel_constant", NULL};

/* The values of a cell, noted with their run. */
#define NOTED(column) "note(c.run, c.probe || '/' || c.case_id, c." #column ") AS " #column
#define CELLS \
	" c.run AS run, c.probe AS probe, c.case_id AS case_id, c.metric AS metric, c.key AS key," \
	" probe_label(c.probe, c.case_id) AS label, c.params AS params, c.unit AS unit, c.status AS status," \
	" c.cause AS cause, c.try AS try," \
	" " NOTED(n) ", " NOTED(min) ", " NOTED(median) ", " NOTED(max) ", " NOTED(mad)
#define ORDER " probe_order(c.probe, c.case_id) AS ord"
/* CROSS JOIN keeps the order: with cells first, note() would see those of machines that are not bound. */
#define BOUND \
	" FROM temp.bound b CROSS JOIN temp.current u ON u.machine = b.machine" \
	" CROSS JOIN main.cell c ON c.run = u.run AND c.probe = u.probe"

/* `bound` has one row or none; `current` the run that stands for each probe of the bound and all public machines.
 * They are filled at each store_bind, so that a query pays nothing for the choice. */
const char *const schema_temp[] = {
	"CREATE TEMP TABLE bound(machine TEXT PRIMARY KEY) WITHOUT ROWID",
	"CREATE TEMP TABLE current(machine TEXT, probe TEXT, run INTEGER, quick INTEGER, PRIMARY KEY (machine, probe))"
	" WITHOUT ROWID",
	"CREATE TEMP VIEW summary AS SELECT" CELLS ", u.quick AS quick," ORDER BOUND " WHERE c.twin IS NULL",
	"CREATE TEMP VIEW all_cells AS SELECT u.machine AS machine, m.label AS machine_label,"
	" m.kind AS machine_kind," CELLS
	", u.quick AS quick," ORDER " FROM temp.current u JOIN main.machine m ON m.key = u.machine"
	" JOIN main.cell c ON c.run = u.run AND c.probe = u.probe WHERE c.twin IS NULL",
	"CREATE TEMP VIEW sample AS SELECT c.key AS key, j.pass AS pass, j.value AS value, j.label AS label,"
	" c.probe AS probe, c.case_id AS case_id, c.metric AS metric, c.unit AS unit, j.ord AS ord" BOUND
	", each_value(c.vals, c.run, c.probe, c.case_id) j WHERE c.twin IS NULL",
	"CREATE TEMP VIEW bucket AS SELECT c.key AS key, h.key AS hist, json_extract(j.value, '$[0]') AS lo,"
	" json_extract(j.value, '$[1]') AS hi,"
	" note(c.run, c.probe || '/' || c.case_id, json_extract(j.value, '$[2]')) AS count,"
	" probe_label(c.probe, c.case_id) AS label," ORDER BOUND
	", json_each(c.hist) h, json_each(h.value) j WHERE c.twin IS NULL",
	"CREATE TEMP VIEW span AS SELECT c.key AS key, json_extract(j.value, '$[0]') AS lane,"
	" note(c.run, c.probe || '/' || c.case_id, json_extract(j.value, '$[1]')) AS t0,"
	" json_extract(j.value, '$[2]') AS t1,"
	" json_extract(j.value, '$[3]') AS state, probe_label(c.probe, c.case_id) AS label," ORDER BOUND
	", json_each(c.spans) j WHERE c.twin IS NULL",
	"CREATE TEMP VIEW fact AS SELECT f.name AS name, coalesce(f.value, f.num) AS value"
	" FROM temp.bound b JOIN main.machine_fact f ON f.machine = b.machine",
	/* What others reported, whatever machine is bound; n is 0 where they do not say it. */
	"CREATE TEMP VIEW reported_cells AS SELECT json_extract(c.params, '$.source') AS source, m.label AS machine_label,"
	" m.key AS machine, json_extract(c.params, '$.label') AS reported_as," CELLS "," ORDER
	" FROM main.machine m JOIN main.cell c ON c.machine = m.key WHERE m.kind = 'reported' AND c.probe <> 'constant'",
	"CREATE TEMP VIEW kernel_constant AS SELECT c.case_id AS name, note(c.run, c.key, c.median) AS value, c.unit AS unit,"
	" c.metric AS kernel, json_extract(c.params, '$.file') AS file, json_extract(c.params, '$.note') AS remark"
	" FROM main.cell c WHERE c.probe = 'constant'",
	/* Of each student and lab the last run in time, else the last; who handed it in stays out. */
	"CREATE TEMP VIEW class_cells AS SELECT s.lab AS lab, s.late AS late, c.machine AS machine," CELLS
	", r.quick AS quick," ORDER
	" FROM (SELECT *, row_number() OVER (PARTITION BY student, lab ORDER BY late, t_begin_ms DESC, id DESC)"
	" AS place"
	" FROM main.submission) s JOIN main.run r ON r.run_id = s.run_id JOIN main.cell c ON c.run = r.id"
	" WHERE s.place = 1 AND s.flags = '' AND r.flags = '' AND c.twin IS NULL",
	NULL,
};
