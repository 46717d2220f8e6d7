/* The build: load, evaluate, render, check, and only then write. */
#include "app/site.h"

#include <stdio.h>
#include <string.h>

#include "app/build.h"
#include "app/import.h"
#include "app/kernel_check.h"
#include "app/sims.h"
#include "base/file.h"

enum { PERM_BYTES = 0x40000000, PAGE_BYTES = 0x20000000, SCRATCH_BYTES = 0x10000000, ASSET_BYTES_MAX = 16 << 20 };

/* Budgets of a page's weight: a reader on a train pays for every byte. */
static const struct {
	const char *prefix, *ending, *what;
	int kib_max;
} budgets[] = {{"chapters/", ".html", "a chapter", 150}, {"assets/", ".css", "the style sheet", 30},
	{"assets/", ".js", "JavaScript", 60}};

static void check_budgets(struct build *b)
{
	for (ptrdiff_t i = 0; i < b->out.n; i++)
		for (size_t k = 0; k < sizeof budgets / sizeof *budgets; k++) {
			const struct output *o = &b->out.items[i];
			if (str_starts(o->path, str_of(budgets[k].prefix)) && str_ends(o->path, str_of(budgets[k].ending)) &&
				o->bytes.len > (ptrdiff_t)1024 * budgets[k].kib_max)
				diag_error(b->diag, (struct pos){.path = o->from}, "makes %.*s of %td bytes; %s may have %d KiB: split it or shorten it",
					STR_FMT(o->path), o->bytes.len, budgets[k].what, budgets[k].kib_max);
		}
}

static void add_assets(struct build *b)
{
	const char *folder = build_path(b, STR("assets"));
	struct file_list list = file_list(b->perm, folder);

	if (list.err)
		diag_error(b->diag, (struct pos){.path = STR("assets")}, "%s; check the folder", strerror(list.err));
	for (ptrdiff_t i = 0; i < list.n; i++) {
		struct str path = str_printf(b->perm, "assets/%.*s", STR_FMT(list.names[i]));
		struct file_text t = file_read_inside(b->perm, b->opt->root, build_path(b, path), ASSET_BYTES_MAX);
		if (list.names[i].ptr[0] == '.')
			continue;
		if (t.err)
			diag_error(b->diag, (struct pos){.path = path}, "%s; check that it is a readable file", file_error(t.err));
		else
			outputs_add(&b->out, b->diag, path, t.text, path);
	}
}

/* Addresses of the root edition's pages, one a line. */
static void add_sitemap(struct build *b)
{
	struct buf t = buf_new(b->perm);

	for (ptrdiff_t i = 0; i < b->out.n; i++) {
		struct str path = b->out.items[i].path;
		if (str_ends(path, STR(".html")) && !str_starts(path, STR("m/")) && !str_eq(path, STR("404.html")))
			buf_printf(&t, "%.*s%.*s\n", STR_FMT(b->course.url), STR_FMT(path));
	}
	outputs_add(&b->out, b->diag, STR("sitemap.txt"), buf_str(&t), STR("the sitemap"));
}

static void page_missing(struct build *b, struct arena *a)
{
	struct view v = view_new(b, b->machines, NULL, STR("404.html"), a);
	struct tobj *c = view_context(&v, STR("There is no such page"), STR("The address leads nowhere."));

	view_finish(&v, "404", c);
}

static bool bind(struct build *b, const struct machine *m)
{
	if (store_bind(b->store, m->key))
		return true;
	diag_error(b->diag, (struct pos){0}, "%.*s; run `runq db verify`", STR_FMT(store_error(b->store)));
	return false;
}

static void render(struct build *b, struct arena page)
{
	for (ptrdiff_t k = 0; k < b->n_machines; k++)
		if (bind(b, &b->machines[k]))
			claims_evaluate(b, &b->machines[k]);
	for (ptrdiff_t k = 0; k < b->n_machines; k++) {
		const struct machine *m = &b->machines[k];
		if (!bind(b, m))
			return;
		page_machine(b, m, &(struct arena){page.at, page.end, page.full});
		if (k && str_eq(m->kind, STR("reported"))) /* it has a page and a column of the matrix, and too few figures for an edition */
			continue;
		for (ptrdiff_t i = 0; i < b->n_pages; i++) {
			struct arena a = page;
			bool once = b->pages[i]->kind == PAGE_PLAIN;
			if (!str_eq(b->pages[i]->out, STR("claims.html")) && (!once || k == 0))
				page_content(b, m, b->pages[i], &a);
		}
		page_home(b, m, &(struct arena){page.at, page.end, page.full});
		page_indexes(b, m, &(struct arena){page.at, page.end, page.full});
	}
	if (!bind(b, b->machines))
		return;
	claims_page(b, &(struct arena){page.at, page.end, page.full});
	page_machines(b, &(struct arena){page.at, page.end, page.full});
	page_compare(b, &(struct arena){page.at, page.end, page.full});
	page_changes(b, &(struct arena){page.at, page.end, page.full});
	page_kernel_check(b, &(struct arena){page.at, page.end, page.full});
	page_playground(b, &(struct arena){page.at, page.end, page.full});
	page_missing(b, &(struct arena){page.at, page.end, page.full});
	for (ptrdiff_t i = 0; i < b->n_runs; i++)
		if (build_machine(b, b->runs[i].machine)) /* a machine that is not public leaves no trace here */
			page_run(b, &b->runs[i], &(struct arena){page.at, page.end, page.full});
	add_assets(b);
	add_sitemap(b);
}

/* What gave nothing on any machine is a mistake in the content, or a probe nobody ever ran. */
static void check_measured(struct build *b)
{
	for (ptrdiff_t i = 0; i < b->n_measured; i++)
		if (!b->measured[i].yes)
			diag_error(b->diag, b->measured[i].at, "%.*s gives nothing on any machine; correct it, or measure it and import the run",
				STR_FMT(b->measured[i].text));
}

static void note_busy(struct build *b)
{
	diag_add(b->diag, DIAG_NOTE, (struct pos){.path = str_of(b->opt->db)}, "in use by another process; nothing new was imported");
}

/* What could not be imported for another reason than a busy database would make a site of old numbers: false. */
static bool catch_up(struct build *b, struct store *s, struct str *why)
{
	bool ok = import_missing(s, b->opt->root, b->diag);

	if (!ok && store_last(s) == STORE_BUSY) {
		note_busy(b);
		ok = true;
	}
	if (!ok)
		*why = str_copy(b->perm, store_error(s));
	store_close(s);
	return ok;
}

static struct store *open_store(struct build *b)
{
	enum store_result result;
	struct str why = {0};
	struct store *s = store_open(b->perm, b->opt->db, STORE_WRITE, &result, &why);

	if (s) {
		s = catch_up(b, s, &why) ? store_open(b->perm, b->opt->db, STORE_READ, &result, &why) : NULL;
	} else if (result == STORE_BUSY) { /* a server holds it: use what is there, and say so */
		note_busy(b);
		s = store_open(b->perm, b->opt->db, STORE_READ, &result, &why);
	}
	if (!s)
		fprintf(stderr, "runq: %s: %.*s\n", b->opt->db, STR_FMT(why));
	return s;
}

static int finish(struct build *b, const char *out, struct arena scratch)
{
	bool write = !b->opt->check && (b->diag->errors == 0 || b->opt->force);
	struct outputs_result r = {.ok = true};

	if (write)
		r = outputs_write(&b->out, out, b->diag, scratch);
	diag_print(b->diag, stderr, scratch);
	if (!r.ok)
		return 3;
	if (write && !sim_wasm().len)
		printf("simulations are still pictures: this runq was made without clang and wasm-ld (packages clang, lld)\n");
	if (write)
		printf("%s: %td files, %d written, %d unchanged, %d removed; %d of %td pictures drawn; machine %.*s\n", out, b->out.n,
			r.wrote, r.same, r.removed, b->drawn, b->n_drawings, STR_FMT(b->machines[0].key));
	else if (b->opt->check && !b->diag->errors)
		printf("%td pages and files, %td claims, %td runs: no error\n", b->out.n, b->n_claims, b->n_runs);
	else
		fprintf(stderr, "runq: %d error%s; the site was left as it was\n", b->diag->errors, b->diag->errors == 1 ? "" : "s");
	return b->diag->errors ? 1 : 0;
}

int site_build(const struct site_options *opt)
{
	struct arena_block perm_block, page_block, scratch_block;
	struct arena perm = arena_new(&perm_block, PERM_BYTES), page = arena_new(&page_block, PAGE_BYTES);
	struct diag diag = diag_new(&perm);
	struct build b = {.opt = opt, .perm = &perm, .scratch = arena_new(&scratch_block, SCRATCH_BYTES), .diag = &diag, .out.arena = &perm};
	const char *out = opt->out ? opt->out : build_path(&b, STR("site"));
	int status = 3;

	if (!opt->check && !outputs_may_write(out, &diag, page)) {
		diag_print(&diag, stderr, page);
		status = 1;
	} else if ((b.store = open_store(&b))) {
		if (load_content(&b) && load_machines(&b)) {
			sims_load(&b);
			claims_collect(&b);
			/* Pages would only repeat what the sources' errors say. */
			if (!diag.errors || opt->force)
				render(&b, page);
			if (!diag.errors)
				check_measured(&b);
			if (!opt->check && (!diag.errors || opt->force))
				draw_all(&b, out);
			if (!diag.errors)
				outputs_check(&b.out, &diag, page);
			check_budgets(&b);
			status = finish(&b, out, page);
		} else {
			if (!diag.errors)
				fprintf(stderr, "runq: %s: %.*s\n", opt->db, STR_FMT(store_error(b.store)));
			diag_print(&diag, stderr, page);
			status = diag.errors ? 1 : 3;
		}
	}
	draw_free(&b);
	store_close(b.store);
	arena_free(&scratch_block);
	arena_free(&page_block);
	arena_free(&perm_block);
	return status;
}
