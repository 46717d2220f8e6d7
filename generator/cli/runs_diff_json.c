/* Two runs for programs: sorted keys, natural values, null where there is none. */
#include <math.h>
#include <stdio.h>

#include "cli/runs_diff.h"
#include "text/json.h"

/* 17 digits give the double back. */
static void number(struct buf *b, const char *key, double v)
{
	if (isfinite(v))
		buf_printf(b, "\"%s\":%.17g,", key, v);
	else
		buf_printf(b, "\"%s\":null,", key);
}

static void text(struct buf *b, const char *key, struct str value)
{
	buf_printf(b, "\"%s\":", key);
	json_write_text(b, value);
}

static void side(struct buf *b, const char *name, const struct diff_side *s)
{
	buf_printf(b, "\"%s\":{\"created_utc_ms\":%lld,", name, (long long)s->result.run->created_utc_ms);
	text(b, "machine", s->machine);
	buf_printf(b, ",\"quick\":%s,", s->result.run->quick ? "true" : "false");
	text(b, "run", s->id_hex);
	buf_char(b, '}');
}

static void row(struct buf *b, const struct diff_row *r)
{
	static const char *const words[DIFF_VERDICT_MAX] = {"moved", "none", "not_compared"};
	const struct stats_change *c = &r->change;
	double none = (double)NAN;
	bool judged = r->reason == DIFF_COMPARED;

	buf_char(b, '{');
	number(b, "after", r->after);
	number(b, "before", r->before);
	number(b, "change", judged ? c->effect : none);
	number(b, "coverage", judged ? c->interval.coverage : none);
	number(b, "hi", judged ? c->interval.hi : none);
	text(b, "key", r->key);
	buf_char(b, ',');
	number(b, "lo", judged ? c->interval.lo : none);
	number(b, "p", judged ? c->p : none);
	buf_printf(b, "\"pairs\":%td,", c->pairs);
	text(b, "reason", str_of(diff_reason_texts[r->reason]));
	buf_char(b, ',');
	number(b, "relative", r->relative);
	number(b, "smallest", judged ? c->smallest : none);
	buf_printf(b, "\"unit\":\"%s\",\"verdict\":\"%s\"}", run_unit_names[r->unit], words[r->verdict]);
}

static void flips(struct buf *b, const struct flips *f)
{
	buf_add(b, STR("\"claims\":"));
	if (!f->course) {
		buf_add(b, STR("null,"));
		return;
	}
	buf_printf(b, "{\"content_errors\":%d,\"flipped\":[", f->errors);
	for (ptrdiff_t i = 0; i < f->n; i++) {
		const struct flip_text *t = &f->items[i];
		buf_printf(b, "%s{\"after\":\"%s\",\"before\":\"%s\",", i ? "," : "", t->after, t->before);
		text(b, "id", t->id);
		buf_char(b, '}');
	}
	buf_printf(b, "],\"judged\":%td},", f->n_judged);
}

static void config(struct buf *b, const struct diff *d, struct arena *a)
{
	buf_add(b, STR("\"config\":{"));
	for (ptrdiff_t i = 0; i < d->n_config_keys; i++) {
		buf_add(b, i ? STR(",") : STR(""));
		json_write_text(b, d->config_keys[i]);
		buf_char(b, ':');
		buf_char(b, '[');
		json_write_text(b, diff_fact_text(a, d->before, d->config_keys[i].ptr));
		buf_char(b, ',');
		json_write_text(b, diff_fact_text(a, d->after, d->config_keys[i].ptr));
		buf_char(b, ']');
	}
	buf_add(b, STR("},"));
}

void runs_diff_json(const struct diff_report *r, struct arena scratch)
{
	/* The text grows in an arena of its own, because a value's words take room meanwhile. */
	struct arena_block block;
	struct arena room = arena_new(&block, (ptrdiff_t)1 << 26);
	struct buf b = buf_new(&room);

	buf_char(&b, '{');
	side(&b, "after", &r->sides[1]);
	buf_char(&b, ',');
	side(&b, "before", &r->sides[0]);
	buf_char(&b, ',');
	flips(&b, &r->flips);
	config(&b, &r->diff, &scratch);
	buf_printf(&b, "\"other_days\":%s,\"rows\":[", r->other_days ? "true" : "false");
	for (ptrdiff_t i = 0; i < r->diff.n; i++) {
		buf_add(&b, i ? STR(",\n") : STR("\n"));
		row(&b, &r->diff.rows[i]);
	}
	buf_add(&b, STR("]}\n"));
	fwrite(b.ptr, 1, (size_t)b.len, stdout);
	arena_free(&block);
}
