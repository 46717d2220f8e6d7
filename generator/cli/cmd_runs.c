/* runq runs: what was measured. */
#include "cli/runs_diff.h"
#include "cli/runs_show.h"
#include "cli/session.h"
#include "cli/table.h"
#include "text/json.h"

static const struct option options[] = {
	{"json", NULL, "print JSON, for programs"},
	{0},
};

enum { COL_RUN, COL_MACHINE, COL_ORIGIN, COL_CREATED, COL_QUICK, COL_PROBES, COL_FLAGS, N_COLS };

static const char list_sql[] = "SELECT lower(hex(run_id)), machine, origin, created_ms, quick,"
			       " coalesce((SELECT group_concat(probe, ' ') FROM (SELECT DISTINCT probe FROM cell WHERE "
			       "run = r.id ORDER BY probe)), ''),"
			       " flags FROM run AS r ORDER BY created_ms, run_id";

static void list_text(const struct grid *g, struct arena scratch)
{
	static const char *const heads[N_COLS] = {"run", "machine", "origin", "measured", "", "probes", "flags"};
	struct table t = table_new(&scratch, N_COLS, 0);
	char when[64];

	for (int i = 0; i < N_COLS; i++)
		table_add(&t, str_of(heads[i]));
	for (ptrdiff_t i = 0; i < g->rows; i++) {
		const struct str *row = g->text + i * g->cols;
		bool reported = str_eq(row[COL_ORIGIN], STR("reported")); /* a file of figures: it has no time and no length */
		session_time((int64_t)g->num[i * g->cols + COL_CREATED], when, sizeof when);
		table_add(&t, str_slice(row[COL_RUN], 0, 12));
		table_add(&t, row[COL_MACHINE]);
		table_add(&t, row[COL_ORIGIN]);
		table_add(&t, reported ? STR("") : str_copy(&scratch, str_of(when)));
		table_add(&t, reported ? STR("") : str_eq(row[COL_QUICK], STR("1")) ? STR("quick") : STR("full"));
		table_add(&t, row[COL_PROBES]);
		table_add(&t, row[COL_FLAGS]);
	}
	table_print(&t, stdout, "");
}

static void list_json(const struct grid *g, struct arena scratch)
{
	struct buf b = buf_new(&scratch);

	buf_char(&b, '[');
	for (ptrdiff_t i = 0; i < g->rows; i++) {
		const struct str *row = g->text + i * g->cols;
		buf_printf(&b, "%s{\"created_utc_ms\":%.*s,\"flags\":", i ? ",\n" : "", STR_FMT(row[COL_CREATED]));
		json_write_text(&b, row[COL_FLAGS]);
		buf_add(&b, STR(",\"machine\":"));
		json_write_text(&b, row[COL_MACHINE]);
		buf_add(&b, STR(",\"origin\":"));
		json_write_text(&b, row[COL_ORIGIN]);
		buf_add(&b, STR(",\"probes\":"));
		json_write_text(&b, row[COL_PROBES]);
		buf_printf(&b, ",\"quick\":%s,\"run\":", str_eq(row[COL_QUICK], STR("1")) ? "true" : "false");
		json_write_text(&b, row[COL_RUN]);
		buf_char(&b, '}');
	}
	buf_add(&b, STR("]\n"));
	fwrite(b.ptr, 1, (size_t)b.len, stdout);
}

static int list(struct args *args)
{
	struct grid g = {0};
	int status;

	if (args->n_words)
		return option_misuse(args, "unexpected '%s'", *args->words);
	struct store *s = session_open(args, STORE_READ, &status);
	if (!s)
		return status;
	if (!store_rows(s, list_sql, NULL, 0, args->arena, &g))
		status = session_failed(args, s);
	else if (option_get(args, "json"))
		list_json(&g, args->scratch);
	else if (!g.rows)
		printf("no run yet; `runq probe run --all --quick -o FILE` measures, `runq import --local FILE` adds "
		       "it\n");
	else
		list_text(&g, args->scratch);
	store_close(s);
	return status;
}

static int show(struct args *args)
{
	struct runs_show out = {0};
	struct str canon = {0};
	int status;

	if (args->n_words != 1)
		return option_misuse(args, "show wants one run id, or its first digits (7 or more)");
	struct store *s = session_open(args, STORE_READ, &status);
	if (!s)
		return status;
	if (!store_canon(s, str_of(*args->words), args->arena, &canon, &out.id_hex)) {
		struct str why = store_error(s);
		fprintf(stderr, "runq runs: %s: %.*s\n", *args->words, STR_FMT(why));
		store_close(s);
		return CLI_CONTENT;
	}
	struct str machine, origin = {0};
	store_run_of(s, out.id_hex, args->arena, &machine, &origin);
	if (str_eq(origin, STR("reported"))) { /* the figures as the file has them */
		fwrite(canon.ptr, 1, (size_t)canon.len, stdout);
		store_close(s);
		return status;
	}
	struct run_result r = run_validate(args->arena, canon);
	if (!r.run) {
		fprintf(stderr, "runq runs: %.*s: the stored record is damaged (%.*s); see `runq db verify`\n",
			STR_FMT(out.id_hex), STR_FMT(r.error.what));
		status = CLI_CONTENT;
	} else {
		out.run = r.run;
		out.machine = run_machine_key(args->arena, r.run);
		out.flags = r.flags;
		(option_get(args, "json") ? runs_show_json : runs_show_text)(&out, args->scratch);
	}
	store_close(s);
	return status;
}

static int diff(struct args *args)
{
	if (args->n_words != 2)
		return option_misuse(args, "diff wants two runs, the older one first: ids (7 digits or more) or files");
	return runs_diff(args);
}

static const struct verb verbs[] = {
	{"list", "[--json]", "every run in the database, oldest first", list},
	{"show", "ID [--json]", "one run: facts, and per case n, min, median, max, with load and noise", show},
	{"diff", "A B [--json]", "two runs, ids or files: what moved beyond noise, which claims flipped", diff},
	{0},
};

const struct command cmd_runs = {
	.name = "runs",
	.usage = "",
	.summary = "list the measured runs, show one, or compare two",
	.options = options,
	.verbs = verbs,
};
