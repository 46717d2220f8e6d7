#include "app/judge.h"

#include "app/build.h"
#include "app/import.h"
#include "app/sims.h"
#include "text/json.h"

/* QEMU without KVM says so in the model's name. */
static bool is_emulated(const struct run *run)
{
	const struct run_fact *model = run_fact_get(&run->machine, "cpu_model");

	return model && str_find(model->text, STR("TCG")) >= 0;
}

static void field(struct buf *out, const char *name, struct str text, bool last)
{
	buf_printf(out, "\"%s\":", name);
	json_write_text(out, text);
	buf_add(out, last ? STR("}") : STR(","));
}

static void write_claims(const struct build *b, struct buf *out)
{
	buf_add(out, STR("{\"claims\":["));
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		const struct claim *c = &b->claims[i];
		buf_add(out, i ? STR(",\n{") : STR("\n{"));
		field(out, "id", c->id, false);
		field(out, "test", c->test, false);
		field(out, "shows", c->shows, false);
		field(out, "keys", claim_keys(b->perm, c), true);
	}
	buf_add(out, STR("],\n\"runs\":["));
}

static void write_results(const struct build *b, struct buf *out)
{
	for (ptrdiff_t i = 0; i < b->n_claims; i++) {
		const struct claim_result *r = b->claims[i].results;
		buf_printf(out, "%s{\"verdict\":\"%s\",", i ? ",\n" : "\n", verdict_names[r->verdict]);
		if (r->number.ptr)
			field(out, "number", r->number, true);
		else
			buf_add(out, STR("\"number\":null}"));
	}
	buf_add(out, STR("]}"));
}

static bool judge_file(struct build *b, const char *path, struct buf *out)
{
	struct import_file f = import_read(b->perm, b->diag, path);
	struct grid g;

	if (f.status != IMPORT_ADDED)
		return false;
	enum store_result put = store_put_run(b->store, &f.result, "imported", b->scratch);
	if ((put != STORE_OK && put != STORE_DUPLICATE) ||
		!store_rows(b->store, "SELECT id FROM run WHERE lower(hex(run_id)) = ?1", &f.id_hex, 1, b->perm, &g) || !g.rows ||
		!store_bind_run(b->store, (int64_t)g.num[0])) {
		diag_error(b->diag, (struct pos){.path = str_of(path)}, "%.*s", STR_FMT(store_error(b->store)));
		return false;
	}
	bool emulated = is_emulated(f.result.run);
	b->machines->kind = emulated ? STR("emulated") : STR("measured");
	claims_evaluate(b, b->machines);
	buf_add(out, STR("\n{"));
	field(out, "file", str_of(path), false);
	buf_printf(out, "\"emulated\":%s,\"results\":[", emulated ? "true" : "false");
	write_results(b, out);
	return true;
}

bool judge_files(const char *root, char *const *files, int n_files, struct arena *a, struct arena scratch, struct diag *d, struct buf *out)
{
	struct site_options opt = {.root = root, .jobs = 1};
	struct machine one = {0};
	struct build b = {.opt = &opt, .perm = a, .scratch = scratch, .diag = d, .out.arena = a, .machines = &one, .n_machines = 1};
	enum store_result result;
	struct str why = {0};
	bool ok = load_content(&b);

	sims_load(&b);
	claims_collect(&b);
	b.store = store_open(a, ":memory:", STORE_WRITE, &result, &why);
	if (!b.store) {
		diag_error(d, (struct pos){0}, "%.*s", STR_FMT(why));
		return false;
	}
	write_claims(&b, out);
	for (int i = 0; ok && i < n_files; i++) {
		buf_add(out, i ? STR(",") : STR(""));
		ok = judge_file(&b, files[i], out);
	}
	buf_add(out, STR("]}\n"));
	store_close(b.store);
	return ok && !d->errors;
}
