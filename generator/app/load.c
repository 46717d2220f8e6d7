/* Reads everything a build needs: the course's files, the templates, the machines and their runs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/build.h"
#include "base/file.h"

enum { PAGE_BYTES_MAX = 8 << 20 };

const char *build_path(struct build *b, struct str below)
{
	return file_in(b->perm, b->opt->root, below);
}

static const char *content_path(struct build *b, const char *folder, struct str name)
{
	return build_path(b, str_printf(b->perm, "content/%s%.*s", folder, STR_FMT(name)));
}

static struct page *load_page(struct build *b, struct str path)
{
	const char *file = content_path(b, "", path);
	struct str shown = str_printf(b->perm, "content/%.*s", STR_FMT(path));
	struct file_text t = file_read_inside(b->perm, b->opt->root, file, PAGE_BYTES_MAX);

	if (t.err) {
		diag_error(b->diag, (struct pos){.path = shown}, "%s; check that it is a readable file", file_error(t.err));
		return NULL;
	}
	return page_parse(b->perm, b->diag, path, shown, t.text);
}

static void add_page(struct build *b, struct page *p)
{
	if (!p || !p->ok)
		return;
	ARENA_GROW(b->perm, b->pages, b->n_pages, b->cap_pages); /* NOLINT(bugprone-sizeof-expression): an array of pointers */
	b->pages[b->n_pages++] = p;
}

/* A folder that is not there has no pages; one that cannot be read might. */
static struct file_list list_folder(struct build *b, const char *folder)
{
	struct file_list list = file_list(b->perm, content_path(b, folder, STR("")));

	if (list.err && list.err != ENOENT)
		diag_error(b->diag, (struct pos){.path = str_printf(b->perm, "content/%s", folder)},
			"%s; check the folder's permissions", strerror(list.err));
	return list;
}

/* Pages of a folder in the order of their names, chapters in the order of the course. */
static void load_folder(struct build *b, const char *folder)
{
	struct file_list list = list_folder(b, folder);

	for (ptrdiff_t i = 0; i < list.n; i++)
		if (str_ends(list.names[i], STR(".md")))
			add_page(b, load_page(b, str_printf(b->perm, "%s%.*s", folder, STR_FMT(list.names[i]))));
}

static void load_chapters(struct build *b)
{
	struct file_list list = list_folder(b, "chapters/");

	for (ptrdiff_t i = 0; i < b->course.n_chapters; i++) {
		struct str name = str_printf(b->perm, "%.*s.md", STR_FMT(b->course.chapters[i].slug));
		bool found = false;
		for (ptrdiff_t k = 0; k < list.n; k++)
			found = found || str_eq(list.names[k], name);
		if (found)
			add_page(b, load_page(b, str_printf(b->perm, "chapters/%.*s", STR_FMT(name))));
		else if (!list.err || list.err == ENOENT)
			diag_error(b->diag, b->course.chapters[i].at, "chapter '%.*s' has no file; write content/chapters/%.*s or remove the line",
				STR_FMT(b->course.chapters[i].slug), STR_FMT(name));
	}
	for (ptrdiff_t k = 0; k < list.n; k++)
		if (str_ends(list.names[k], STR(".md")) && !build_chapter(b, str_slice(list.names[k], 0, list.names[k].len - 3)))
			diag_warn(b->diag, (struct pos){.path = str_printf(b->perm, "content/chapters/%.*s", STR_FMT(list.names[k]))},
				"is in no part of the course; add a `chapter:` line to content/course.txt");
}

/* Block ids are anchors and file names, so they are unique in the course; a page's own were compared when it was parsed. */
static void check_block_ids(struct build *b, struct arena scratch)
{
	struct str_map pages = {0};

	for (ptrdiff_t p = 0; p < b->n_pages; p++)
		for (ptrdiff_t i = 0; i < b->pages[p]->body->n_blocks; i++) {
			const struct md_block *block = &b->pages[p]->body->blocks[i];
			if (str_map_put(&pages, &scratch, block->id, p) || str_map_get(&pages, block->id) == p)
				continue;
			const struct md_doc *other = b->pages[str_map_get(&pages, block->id)]->body;
			ptrdiff_t k = 0;
			while (!str_eq(other->blocks[k].id, block->id))
				k++;
			diag_error(b->diag, block->at, "block id '%.*s' is taken at %.*s:%d; choose another", STR_FMT(block->id),
				STR_FMT(other->blocks[k].at.path), other->blocks[k].at.line);
		}
}

bool load_content(struct build *b)
{
	struct str shown = STR("content/course.txt");
	struct file_text t = file_read_inside(b->perm, b->opt->root, content_path(b, "", STR("course.txt")), PAGE_BYTES_MAX);

	if (t.err) {
		diag_error(b->diag, (struct pos){.path = shown}, "%s; run this in the course's folder, or name it with -C", file_error(t.err));
		return false;
	}
	b->course = course_parse(b->perm, b->diag, shown, t.text);
	load_chapters(b);
	load_folder(b, "labs/");
	load_folder(b, "questions/");
	load_folder(b, "");
	check_block_ids(b, b->scratch);
	b->templates = template_load(b->perm, b->diag, build_path(b, STR("templates")));
	return b->templates != NULL;
}

const struct page *build_page(const struct build *b, enum page_kind kind, struct str slug)
{
	for (ptrdiff_t i = 0; i < b->n_pages; i++)
		if (b->pages[i]->kind == kind && str_eq(b->pages[i]->slug, slug))
			return b->pages[i];
	return NULL;
}

const struct course_chapter *build_chapter(const struct build *b, struct str slug)
{
	for (ptrdiff_t i = 0; i < b->course.n_chapters; i++)
		if (str_eq(b->course.chapters[i].slug, slug))
			return &b->course.chapters[i];
	return NULL;
}

const struct machine *build_machine(const struct build *b, struct str key)
{
	for (ptrdiff_t i = 0; i < b->n_machines; i++)
		if (str_eq(b->machines[i].key, key))
			return &b->machines[i];
	return NULL;
}

const struct run_entry *build_run(const struct build *b, int64_t row)
{
	for (ptrdiff_t i = 0; i < b->n_runs; i++)
		if (b->runs[i].row == row)
			return &b->runs[i];
	return NULL;
}

void build_measured(struct build *b, struct pos at, bool yes, const char *text)
{
	struct str place = str_printf(b->perm, "%.*s:%d:%d", STR_FMT(at.path), at.line, at.col);
	ptrdiff_t known = str_map_get(&b->measured_at, place);

	if (known >= 0) {
		b->measured[known].yes = b->measured[known].yes || yes;
		return;
	}
	str_map_put(&b->measured_at, b->perm, place, b->n_measured);
	ARENA_GROW(b->perm, b->measured, b->n_measured, b->cap_measured);
	b->measured[b->n_measured++] = (struct measured){yes, at, str_of(text)};
}

static struct str kernel_line(struct build *b, const struct run *run)
{
	const struct run_fact *release = run_fact_get(&run->machine, "kernel_release");
	const struct run_fact *cpus = run_fact_get(&run->machine, "cpus_online");
	const struct run_fact *hz = run_fact_get(&run->machine, "hz");
	struct buf t = buf_new(b->perm);

	buf_add(&t, STR("Linux"));
	if (release && release->text.len) /* the version alone: what follows a dash names a distribution's build */
		buf_printf(&t, " %.*s", STR_FMT(str_cut(release->text, '-', &(struct str){0})));
	if (cpus && !cpus->text.ptr && cpus->num != RUN_NULL)
		buf_printf(&t, ", %lld\u00a0CPU%s", (long long)cpus->num, cpus->num == 1 ? "" : "s");
	if (hz && !hz->text.ptr && hz->num != RUN_NULL)
		buf_printf(&t, ", %lld\u00a0Hz", (long long)hz->num);
	return buf_str(&t);
}

static bool load_runs(struct build *b)
{
	struct grid g;

	if (!store_rows(b->store, "SELECT id, lower(hex(run_id)), machine, origin, created_ms, quick FROM run WHERE origin NOT IN ('submitted', 'reported') "
		"ORDER BY created_ms DESC, run_id", NULL, 0, b->perm, &g))
		return false;
	b->runs = ARENA_NEW(b->perm, struct run_entry, g.rows);
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		struct str *row = g.text + i * g.cols, full;
		struct run_entry *r = &b->runs[b->n_runs];
		*r = (struct run_entry){.id = row[1], .machine = row[2], .origin = row[3], .quick = g.num[i * g.cols + 5] > 0};
		r->row = (int64_t)g.num[i * g.cols];
		r->created_ms = (int64_t)g.num[i * g.cols + 4];
		if (!store_canon(b->store, r->id, b->perm, &r->canon, &full))
			return false;
		r->run = run_validate(b->perm, r->canon).run;
		if (!r->run)
			diag_error(b->diag, (struct pos){.path = str_of(b->opt->db)}, "run %.*s does not read as a run record; restore the database "
				"from a backup, or move it away and import the run files of data/ again", STR_FMT(r->id));
		b->n_runs += r->run != NULL;
	}
	return true;
}

/* The machine asked for, else the local one, else the course's own, else the first public one (an empty key binds that). *at is where that is
 * written, if in a file. */
static struct str wanted_machine(struct build *b, struct pos *at)
{
	struct grid g;

	if (b->opt->machine)
		return str_of(b->opt->machine);
	if (store_rows(b->store, "SELECT value FROM meta WHERE name = 'local_machine'", NULL, 0, b->perm, &g) && g.rows)
		return g.text[0];
	*at = b->course.machine_at;
	return b->course.machine;
}

bool load_machines(struct build *b)
{
	struct pos at = {0};
	struct str wanted = wanted_machine(b, &at);
	struct grid g;

	if (!load_runs(b) || !sources_load(b))
		return false;
	if (!store_bind(b->store, wanted)) {
		if (!str_starts(store_error(b->store), STR("no machine ")))
			return false;
		diag_error(b->diag, at, "no machine '%.*s' in %s; `runq runs list` names those that are there", STR_FMT(wanted), b->opt->db);
		return false;
	}
	struct str root = str_copy(b->perm, store_machine(b->store));
	if (!store_rows(b->store, "SELECT key, label, kind FROM machine m WHERE (public = 1 AND EXISTS (SELECT 1 FROM run r WHERE r.machine = m.key"
		" AND r.origin <> 'submitted')) OR key = ?1 ORDER BY key <> ?1, kind, key", &root, 1, b->perm, &g))
		return false;
	if (!g.rows) {
		diag_error(b->diag, (struct pos){0}, "no machine was measured yet; run `runq-probe run --all` and import the file it writes");
		return false;
	}
	b->machines = ARENA_NEW(b->perm, struct machine, g.rows);
	for (ptrdiff_t i = 0; i < g.rows; i++) {
		struct machine *m = &b->machines[b->n_machines++];
		*m = (struct machine){.key = g.text[i * 3], .label = g.text[i * 3 + 1], .kind = g.text[i * 3 + 2]};
		if (!str_eq(m->key, root) && !str_eq(m->kind, STR("reported"))) /* which has no edition: its page leads to the root's */
			m->prefix = str_printf(b->perm, "m/%.*s/", STR_FMT(m->key));
		for (ptrdiff_t k = b->n_runs; k-- > 0;)
			if (str_eq(b->runs[k].machine, m->key))
				m->newest = b->runs[k].run;
		m->kernel_line = m->newest ? kernel_line(b, m->newest) : m->label;
	}
	return true;
}
