/* Reads what counts of each student's hand-ins, and what was refused. */
#include "app/class.h"

static const char progress_sql[] =
	"SELECT student, lab, run, reason, t_ms, late, times FROM ("
	" SELECT student, lab, lower(hex(run_id)) AS run, '' AS reason, t_begin_ms AS t_ms, late, 1 AS times, 0 AS "
	"refused,"
	"  row_number() OVER (PARTITION BY student, lab ORDER BY late, t_begin_ms DESC, id DESC) AS place FROM "
	"submission"
	" UNION ALL"
	" SELECT student, lab, coalesce(lower(hex(run_id)), ''), reason, max(t_ms), 0, count(*), 1, 1 FROM attempt"
	"  WHERE outcome = 'refused' GROUP BY student, lab, reason"
	") WHERE place = 1 ORDER BY student, lab, refused, t_ms, reason";

struct class_progress class_progress_read(struct store *s, struct arena *a)
{
	struct class_progress p = {0};
	struct grid g = {0};

	if (!store_rows(s, progress_sql, NULL, 0, a, &g))
		return p;
	p.entries = ARENA_NEW(a, struct class_entry, g.rows);
	p.n = g.rows;
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		const struct str *text = g.text + i * g.cols;
		const double *num = g.num + i * g.cols;
		p.entries[i] = (struct class_entry){
			.student = text[0],
			.lab = text[1],
			.run_id_hex = text[2],
			.reason = text[3],
			.t_ms = (int64_t)num[4],
			.late = num[5] > 0,
			.times = (int64_t)num[6],
		};
	}
	p.ok = true;
	return p;
}
