#include "store/sql.h"

/* What a run must be to stand for its machine: DESIGN's rule of the current run. */
#define USABLE "c.status IN ('ok', 'contended', 'degraded') AND c.twin IS NULL AND c.median IS NOT NULL"
#define RANKS "'submitted reported imported committed local'"
#define CELL_COLUMNS \
	"(run, machine, probe, version, case_id, metric, key, params, unit, status, cause, try, twin," \
	" n, min, median, max, mad, noise, vals, hist, spans)"
#define CELL_VALUES " VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16,?17,?18,?19,?20,?21,?22)"

const char *const sql_texts[SQL_MAX] = {
	[SQL_BEGIN_READ] = "BEGIN",
	[SQL_BEGIN_WRITE] = "BEGIN IMMEDIATE",
	[SQL_COMMIT] = "COMMIT",
	[SQL_ROLLBACK] = "ROLLBACK",
	[SQL_SAVEPOINT] = "SAVEPOINT verb",
	[SQL_RELEASE] = "RELEASE verb",
	[SQL_ROLLBACK_TO] = "ROLLBACK TO verb",

	[SQL_META_GET] = "SELECT value FROM main.meta WHERE name = ?1",
	[SQL_META_PUT] = "INSERT INTO main.meta(name, value) VALUES (?1, ?2) ON CONFLICT(name) DO UPDATE SET value = ?2"
			 " WHERE value <> ?2",

	[SQL_MACHINE_GET] = "SELECT key FROM main.machine WHERE key = ?1",
	[SQL_MACHINE_PUT] = "INSERT INTO main.machine(key, config_id, label, public) VALUES (?1, ?2, ?1,"
			    " ?1 IS (SELECT value FROM main.meta WHERE name = 'local_machine'))"
			    " ON CONFLICT(key) DO UPDATE SET config_id = ?2 WHERE config_id IS NULL",
	[SQL_MACHINE_SAME_CONFIG] = "SELECT config_id IS ?2 FROM main.machine WHERE key = ?1 AND config_id IS NOT NULL",
	[SQL_MACHINE_DEFAULT_LABEL] = "UPDATE main.machine SET label = ?2 WHERE key = ?1 AND NOT labelled"
				      " AND label <> ?2",
	/* The last WHERE keeps a build that repeats what is known from touching the file. */
	[SQL_MACHINE_LABEL] =
		"INSERT INTO main.machine(key, label, kind, listed, public, labelled) VALUES (?1, ?2, ?3, ?4,"
		" ?4 OR ?1 IS (SELECT value FROM main.meta WHERE name = 'local_machine'), 1)"
		" ON CONFLICT(key) DO UPDATE SET label = excluded.label, kind = excluded.kind,"
		" listed = excluded.listed, public = excluded.public, labelled = 1"
		" WHERE (label, kind, listed, public, labelled)"
		" IS NOT (excluded.label, excluded.kind, excluded.listed, excluded.public, 1)",
	[SQL_MACHINE_PUBLIC] = "UPDATE main.machine SET public = (listed OR key IS ?1)"
			       " WHERE public IS NOT (listed OR key IS ?1)",
	[SQL_MACHINE_FIRST] = "SELECT key FROM main.machine m WHERE public ORDER BY"
			      " NOT EXISTS (SELECT 1 FROM main.run WHERE machine = m.key AND origin <> 'submitted'),"
			      " kind <> 'measured', key LIMIT 1",

	[SQL_FACTS_NEWER] = "SELECT 1 FROM main.run o, main.run r WHERE r.id = ?1 AND o.machine = r.machine"
			    " AND o.id <> r.id"
			    " AND o.origin <> 'reported' AND (o.origin <> 'submitted', o.created_ms, o.run_id) >"
			    " (r.origin <> 'submitted', r.created_ms, r.run_id) LIMIT 1",
	[SQL_FACTS_CLEAR] = "DELETE FROM main.machine_fact WHERE machine = ?1",
	[SQL_FACT_PUT] = "INSERT INTO main.machine_fact(machine, name, value, num) VALUES (?1, ?2, ?3, ?4)",

	[SQL_RUN_FIND] = "SELECT id, machine, origin FROM main.run WHERE run_id = ?1",
	[SQL_RUN_PUT] = "INSERT INTO main.run(run_id, machine, origin, created_ms, quick, flags, canon)"
			" VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	/* Whatever the order of imports, a run ends with the strongest origin it was given. */
	[SQL_RUN_RAISE] =
		"UPDATE main.run SET origin = ?2 WHERE id = ?1"
		" AND instr(" RANKS ", ?2) > instr(" RANKS ", origin)",
	[SQL_RUN_NOTE] = "SELECT lower(hex(run_id)), created_ms, quick FROM main.run WHERE id = ?1",
	[SQL_RUN_CANON] = "SELECT canon, lower(hex(run_id)) FROM main.run WHERE run_id BETWEEN ?1 AND ?2 LIMIT 2",
	[SQL_RUN_EACH] = "SELECT id, canon, run_id, machine, lower(hex(run_id)) FROM main.run"
			 " WHERE origin <> 'reported'"
			 " ORDER BY origin <> 'submitted', created_ms, run_id",

	[SQL_CELL_PUT] = "INSERT INTO main.cell" CELL_COLUMNS CELL_VALUES,
	[SQL_CELL_CLEAR] = "DELETE FROM main.cell",
	[SQL_CHECK_PUT] = "INSERT INTO temp.cell_check" CELL_COLUMNS CELL_VALUES,
	[SQL_CHECK_DIFF] =
		"SELECT DISTINCT lower(hex(r.run_id)) FROM main.run r JOIN"
		" (SELECT * FROM (SELECT * FROM main.cell EXCEPT SELECT * FROM temp.cell_check)"
		" UNION ALL SELECT * FROM (SELECT * FROM temp.cell_check EXCEPT SELECT * FROM main.cell)) d"
		" ON d.run = r.id ORDER BY 1",

	[SQL_BOUND_CLEAR] = "DELETE FROM temp.bound",
	[SQL_BOUND_PUT] = "INSERT INTO temp.bound(machine) VALUES (?1)",
	[SQL_CURRENT_CLEAR] = "DELETE FROM temp.current",
	[SQL_CURRENT_PUT] =
		"INSERT INTO temp.current(machine, probe, run, quick) SELECT machine, probe, id, quick FROM"
		" (SELECT r.machine AS machine, c.probe AS probe, r.id AS id, r.quick AS quick, row_number() OVER"
		" (PARTITION BY r.machine, c.probe ORDER BY r.origin = 'local' DESC, r.quick,"
		" r.created_ms DESC, r.run_id) AS place"
		" FROM main.run r JOIN main.cell c ON c.run = r.id"
		" WHERE r.origin <> 'submitted' AND r.flags = '' AND " USABLE
		" AND (r.origin = 'reported' OR c.version = probe_current_version(c.probe))"
		" AND r.machine IN (SELECT key FROM main.machine WHERE public UNION SELECT machine FROM temp.bound)"
		" GROUP BY r.id, c.probe) WHERE place = 1",
	[SQL_CURRENT_PUT_RUN] =
		"INSERT INTO temp.current(machine, probe, run, quick) SELECT r.machine, c.probe, r.id, r.quick"
		" FROM main.run r JOIN main.cell c ON c.run = r.id WHERE r.id = ?1 AND " USABLE
		" AND (r.origin = 'reported' OR c.version = probe_current_version(c.probe)) GROUP BY c.probe",
	[SQL_RUN_MACHINE] = "SELECT machine FROM main.run WHERE id = ?1",
	[SQL_KEY_COUNT] = "SELECT count(*) FROM temp.bound b JOIN temp.current u ON u.machine = b.machine"
			  " JOIN main.cell c ON c.run = u.run AND c.probe = u.probe",
	[SQL_KEY_EACH] = "SELECT c.key, c.probe || '/' || c.case_id, c.run, c.median, c.min, c.max, c.noise, c.vals"
			 " FROM temp.bound b JOIN temp.current u ON u.machine = b.machine"
			 " JOIN main.cell c ON c.run = u.run AND c.probe = u.probe WHERE " USABLE,

	[SQL_REPORTED_FIND] = "SELECT c.run, c.probe || '/' || c.case_id, c.median FROM main.run r JOIN main.cell c"
			      " ON c.run = r.id WHERE r.origin = 'reported' AND c.key = ?1 AND (?2 = ''"
			      " OR ?2 IN (c.machine, json_extract(c.params, '$.source'))) LIMIT 2",

	[SQL_LAB_PUT] = "INSERT INTO main.lab(slug, probes, due_ms) VALUES (?1, ?2, ?3) ON CONFLICT(slug) DO UPDATE SET"
			" probes = excluded.probes, due_ms = excluded.due_ms"
			" WHERE (probes, due_ms) IS NOT (excluded.probes, excluded.due_ms)",
	[SQL_LAB_GET] = "SELECT probes, due_ms FROM main.lab WHERE slug = ?1",
	[SQL_LAB_EACH] = "SELECT slug FROM main.lab ORDER BY slug",
	[SQL_STUDENT_PUT] = "INSERT INTO main.student(pseudonym, added_ms) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
	[SQL_RUN_HAS_PROBE] = "SELECT 1 FROM main.run r JOIN main.cell c ON c.run = r.id"
			      " WHERE r.run_id = ?1 AND c.probe = ?2 LIMIT 1",
	[SQL_SUBMISSION_FIND] = "SELECT t_begin_ms, late FROM main.submission WHERE run_id = ?1 AND student = ?2"
				" AND lab = ?3",
	[SQL_SUBMISSION_SHARED] = "SELECT 1 FROM main.submission WHERE run_id = ?1 AND student <> ?2 LIMIT 1",
	[SQL_SUBMISSION_FLAG] = "UPDATE main.submission SET flags = trim(flags || ' shared_run')"
				" WHERE run_id = ?1 AND instr(flags, 'shared_run') = 0",
	[SQL_SUBMISSION_PUT] = "INSERT INTO main.submission(run_id, student, lab, answers,"
			       " t_begin_ms, t_commit_ms, late)"
			       " VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6)",
	[SQL_ATTEMPT_PUT] = "INSERT INTO main.attempt(t_ms, run_id, student, lab, outcome, reason)"
			    " VALUES (?1, ?2, ?3, ?4, ?5, ?6)",

	[SQL_INTEGRITY] = "PRAGMA main.integrity_check(20)",
	[SQL_FOREIGN_KEYS] = "PRAGMA main.foreign_key_check",
};
