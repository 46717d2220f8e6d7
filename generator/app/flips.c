/* Claims that two runs answer differently: each run is bound alone, and the claims are judged as ever. */
#include "app/flips.h"

#include <string.h>

#include "app/build.h"
#include "app/sims.h"
#include "base/file.h"

const char *verdict_word(enum verdict v)
{
	static const char *const words[VERDICT_MAX] = {"holds", "contradicted", "unclear", "not measured"};

	return words[v];
}

/* A build of the same claims whose two machines are the two runs. */
static struct build twin_build(struct build *b, struct site_options *opt, struct machine machines[2], struct str kind, struct arena *a)
{
	struct build sub = *b;

	*opt = *b->opt;
	opt->strict = false; /* an old run may contradict what the course says */
	machines[0].kind = machines[1].kind = kind;
	sub.opt = opt;
	sub.perm = a;
	sub.machines = machines;
	sub.n_machines = 2;
	sub.claims = ARENA_NEW(a, struct claim, b->n_claims);
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		sub.claims[i] = b->claims[i];
		sub.claims[i].results = ARENA_NEW(a, struct claim_result, 2);
	}
	return sub;
}

bool flips_find(struct build *b, const int64_t runs[2], struct str kind, struct arena *a, struct flip **flips, ptrdiff_t *n, ptrdiff_t *n_judged)
{
	struct machine machines[2] = {0};
	struct site_options opt;
	struct build sub = twin_build(b, &opt, machines, kind, a);

	*n = *n_judged = 0;
	*flips = ARENA_NEW(a, struct flip, b->n_claims);
	for (int k = 0; k < 2; k++) {
		if (!store_bind_run(b->store, runs[k]))
			return false;
		claims_evaluate(&sub, &machines[k]);
	}
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		const struct claim_result *r = sub.claims[i].results;
		if (r[0].verdict == VERDICT_UNMEASURED || r[1].verdict == VERDICT_UNMEASURED)
			continue;
		++*n_judged;
		if (r[0].verdict != r[1].verdict)
			(*flips)[(*n)++] = (struct flip){&b->claims[i], {r[0], r[1]}};
	}
	return true;
}

static bool put(struct build *b, const struct run_result *r, int64_t *row)
{
	char hex[SHA256_HEX];
	struct str id = {hex, sizeof hex};
	struct grid g;

	sha256_hex(r->id, SHA256_BYTES, hex);
	enum store_result put = store_put_run(b->store, r, "imported", b->scratch);
	if ((put != STORE_OK && put != STORE_DUPLICATE) ||
		!store_rows(b->store, "SELECT id FROM run WHERE lower(hex(run_id)) = ?1", &id, 1, b->perm, &g) || !g.rows)
		return false;
	*row = (int64_t)g.num[0];
	return true;
}

static void tell(struct flips *out, const struct flip *flips, struct arena *a)
{
	out->items = ARENA_NEW(a, struct flip_text, out->n);
	for (ptrdiff_t i = 0; i < out->n; i++)
		out->items[i] = (struct flip_text){.id = flips[i].claim->id,
			.says = head_value(&flips[i].claim->block->src->head, "says"),
			.before = verdict_word(flips[i].results[0].verdict),
			.after = verdict_word(flips[i].results[1].verdict),
			.number_before = flips[i].results[0].number,
			.number_after = flips[i].results[1].number};
}

bool flips_between(const char *root, const struct run_result *before, const struct run_result *after, bool emulated, struct arena *a,
	struct arena scratch, struct flips *out, struct str *why)
{
	struct site_options opt = {.root = root, .jobs = 1};
	struct diag d = diag_new(a);
	struct build b = {.opt = &opt, .perm = a, .scratch = scratch, .diag = &d, .out.arena = a};
	enum store_result result;
	struct flip *flips;
	int64_t runs[2];

	*out = (struct flips){0};
	if (file_read(a, build_path(&b, STR("content/course.txt")), 1 << 20).err)
		return true;
	out->course = load_content(&b) || b.n_pages;
	sims_load(&b);
	claims_collect(&b);
	b.store = store_open(a, ":memory:", STORE_WRITE, &result, why);
	if (!b.store)
		return false;
	bool ok = put(&b, before, &runs[0]) && put(&b, after, &runs[1]) &&
		  flips_find(&b, runs, emulated ? STR("emulated") : STR("measured"), a, &flips, &out->n, &out->n_judged);
	if (ok)
		tell(out, flips, a);
	else
		*why = str_copy(a, store_error(b.store));
	out->errors = d.errors;
	store_close(b.store);
	return ok;
}
