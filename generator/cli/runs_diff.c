/* Two runs for people. */
#include "cli/runs_diff.h"

#include <math.h>
#include <string.h>

#include "app/import.h"
#include "cli/session.h"
#include "cli/table.h"
#include "model/format.h"

enum { DAY_MS = 86400000, ID_DIGITS_MIN = 7 };

/* Hexadecimal digits alone are an id; a file of such a name can be given as ./name. */
static bool is_id(struct str word)
{
	for (ptrdiff_t i = 0; i < word.len; i++)
		if (str_find_char(STR("0123456789abcdef"), word.ptr[i]) < 0)
			return false;
	return word.len >= ID_DIGITS_MIN && word.len <= SHA256_HEX;
}

static int read_file(struct args *args, const char *path, struct diff_side *side)
{
	struct diag d = diag_new(args->arena);
	struct import_file f = import_read(args->arena, &d, path);

	diag_print(&d, stderr, args->scratch);
	side->result = f.result;
	side->id_hex = f.id_hex;
	return f.status == IMPORT_ADDED ? CLI_FINE : f.status == IMPORT_UNREADABLE ? CLI_ENVIRONMENT : CLI_CONTENT;
}

static int read_stored(struct args *args, const char *id, struct diff_side *side)
{
	struct str canon, why;
	struct grid g;
	int status;
	struct store *s = session_open(args, STORE_READ, &status);

	if (!s)
		return status;
	if (!store_canon(s, str_of(id), args->arena, &canon, &side->id_hex)) {
		why = store_error(s);
		fprintf(stderr, "runq runs: %s: %.*s\n", id, STR_FMT(why));
		status = CLI_CONTENT;
	} else if (!store_rows(s, "SELECT m.kind FROM run r JOIN machine m ON m.key = r.machine WHERE lower(hex(r.run_id)) = ?1", &side->id_hex, 1,
			   args->arena, &g)) {
		status = session_failed(args, s);
	} else {
		side->emulated = g.rows && str_eq(g.text[0], STR("emulated"));
		side->result = run_validate(args->arena, canon);
		if (!side->result.run) {
			fprintf(stderr, "runq runs: %.*s: the stored record is damaged (%.*s); see `runq db verify`\n",
				STR_FMT(side->id_hex), STR_FMT(side->result.error.what));
			status = CLI_CONTENT;
		}
	}
	store_close(s);
	return status;
}

static int read_side(struct args *args, const char *word, struct diff_side *side)
{
	int status = is_id(str_of(word)) ? read_stored(args, word, side) : read_file(args, word, side);

	if (status == CLI_FINE)
		side->machine = run_machine_key(args->arena, side->result.run);
	return status;
}

static void print_side(const char *name, const struct diff_side *s)
{
	char when[64];

	session_time(s->result.run->created_utc_ms, when, sizeof when);
	printf("%-7s %.*s  %.*s  %s, %s\n", name, STR_FMT(str_slice(s->id_hex, 0, 12)), STR_FMT(s->machine), when,
		s->result.run->quick ? "quick" : "full");
}

static void print_config(const struct diff *d, struct arena scratch)
{
	struct table t = table_new(&scratch, 3, 0);

	if (!d->n_config_keys)
		return;
	printf("\nthe machines differ in\n");
	for (ptrdiff_t i = 0; i < d->n_config_keys; i++) {
		table_add(&t, d->config_keys[i]);
		table_add(&t, diff_fact_text(&scratch, d->before, d->config_keys[i].ptr));
		table_add(&t, diff_fact_text(&scratch, d->after, d->config_keys[i].ptr));
	}
	table_print(&t, stdout, "  ");
}

static struct str signed_text(struct arena *a, double v, struct str unit)
{
	struct str text = isnan(v) ? STR("-") : format_si(a, v, unit);

	return v > 0 ? str_printf(a, "+%.*s", STR_FMT(text)) : text;
}

static struct str shown(struct arena *a, double v, struct str unit)
{
	return isnan(v) ? STR("-") : format_si(a, v, unit);
}

static void add_row(struct table *t, const struct diff_row *r, struct arena *a)
{
	struct str unit = r->unit == RUN_UNIT_PPM ? STR("fraction") : str_of(run_unit_names[r->unit]);
	const struct stats_change *c = &r->change;
	bool judged = r->verdict != DIFF_NOT_COMPARED;

	table_add(t, r->key);
	table_add(t, shown(a, r->before, unit));
	table_add(t, shown(a, r->after, unit));
	if (!judged) {
		table_add(t, str_of(diff_reason_texts[r->reason]));
		return;
	}
	table_add(t, signed_text(a, c->effect, unit));
	table_add(t, signed_text(a, r->relative, STR("fraction")));
	table_add(t, signed_text(a, c->interval.lo, unit));
	table_add(t, signed_text(a, c->interval.hi, unit));
	table_add(t, shown(a, c->smallest, unit));
}

/* What only one of the runs has is named by its probes: there is nothing beside it. */
static void print_alone(const struct diff *d, enum diff_reason reason)
{
	struct str probe = {0};

	if (!d->reasons[reason])
		return;
	printf("  %s: %d, of", diff_reason_texts[reason], d->reasons[reason]);
	for (ptrdiff_t i = 0; i < d->n; i++)
		if (d->rows[i].reason == reason && !str_eq(d->rows[i].probe, probe)) {
			probe = d->rows[i].probe;
			putchar(' ');
			table_print_text(stdout, probe);
		}
	putchar('\n');
}

static bool is_alone(const struct diff_row *r)
{
	return r->reason == DIFF_ONLY_BEFORE || r->reason == DIFF_ONLY_AFTER;
}

static void print_rows(const struct diff *d, enum diff_verdict verdict, struct arena scratch)
{
	static const char *const heads[] = {"key", "before", "after", "change", "", "from", "to", "smallest that would show"};
	int cols = verdict == DIFF_NOT_COMPARED ? 4 : 8;
	struct table t = table_new(&scratch, cols, verdict == DIFF_NOT_COMPARED ? 0x6 : 0xfe);

	printf("\n%s: %d\n", diff_verdict_texts[verdict], d->verdicts[verdict]);
	int alone = 0;
	if (verdict == DIFF_NOT_COMPARED) {
		alone = d->reasons[DIFF_ONLY_BEFORE] + d->reasons[DIFF_ONLY_AFTER];
		print_alone(d, DIFF_ONLY_BEFORE);
		print_alone(d, DIFF_ONLY_AFTER);
	}
	if (d->verdicts[verdict] == alone)
		return;
	for (int i = 0; i < cols; i++)
		table_add(&t, cols == 4 && i == 3 ? STR("because") : str_of(heads[i]));
	for (ptrdiff_t i = 0; i < d->n; i++)
		if (d->rows[i].verdict == verdict && !is_alone(&d->rows[i]))
			add_row(&t, &d->rows[i], &scratch);
	table_print(&t, stdout, "  ");
}

static void print_flips(const struct diff_report *r)
{
	const struct flips *f = &r->flips;

	if (!f->course) {
		printf("\nclaims: no course here (content/course.txt); give its folder with -C to see which flipped\n");
		return;
	}
	printf("\nclaims that flipped: %td of %td judged on both\n", f->n, f->n_judged);
	for (ptrdiff_t i = 0; i < f->n; i++) {
		const struct flip_text *t = &f->items[i];
		printf("  %.*s: %s%s%.*s%s, now %s%s%.*s%s\n    ", STR_FMT(t->id), t->before, t->number_before.len ? " (" : "",
			STR_FMT(t->number_before), t->number_before.len ? ")" : "", t->after, t->number_after.len ? " (" : "",
			STR_FMT(t->number_after), t->number_after.len ? ")" : "");
		table_print_text(stdout, t->says);
		putchar('\n');
	}
	if (f->errors)
		printf("  the content has %d error%s, and claims with one were left out; see `runq check`\n", f->errors, f->errors == 1 ? "" : "s");
}

static void print_report(const struct diff_report *r, struct arena scratch)
{
	print_side("before", &r->sides[0]);
	print_side("after", &r->sides[1]);
	if (r->quick[0] != r->quick[1])
		printf("One of them is quick: its windows are shorter, and of five passes no difference can be called.\n");
	if (r->other_days)
		printf("Taken on different days, one session each: a difference is the machine's own once a second session a side agrees.\n");
	print_config(&r->diff, scratch);
	for (int v = 0; v < DIFF_VERDICT_MAX; v++)
		print_rows(&r->diff, (enum diff_verdict)v, scratch);
	print_flips(r);
}

int runs_diff(struct args *args)
{
	struct diff_report r = {0};
	struct str why = {0};

	for (int i = 0; i < 2; i++) {
		int status = read_side(args, args->words[i], &r.sides[i]);
		if (status != CLI_FINE || !r.sides[i].result.run)
			return status;
		r.quick[i] = r.sides[i].result.run->quick;
	}
	const struct run *before = r.sides[0].result.run, *after = r.sides[1].result.run;
	bool emulated = r.sides[0].emulated || r.sides[1].emulated;
	r.other_days = before->created_utc_ms / DAY_MS != after->created_utc_ms / DAY_MS;
	r.diff = diff_runs(args->arena, before, after, emulated, args->scratch);
	if (!flips_between(session_root(args), &r.sides[0].result, &r.sides[1].result, emulated, args->arena, args->scratch, &r.flips, &why)) {
		fprintf(stderr, "runq runs: the claims could not be judged: %.*s\n", STR_FMT(why));
		return CLI_ENVIRONMENT;
	}
	if (option_get(args, "json"))
		runs_diff_json(&r, args->scratch);
	else
		print_report(&r, args->scratch);
	return CLI_FINE;
}
