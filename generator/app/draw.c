/* PNG charts cost more than all else of a build, and none depends on another: they are drawn last, by several threads, and only
 * where the site has not them already. The site's file .runq-drawn says what each was drawn from; a picture whose digest
 * stands there, and whose bytes are still those, is taken as it is. The list holds nothing but digests of what was drawn, so that a
 * build which draws all and one which draws none write the same bytes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "app/build.h"
#include "base/file.h"
#include "base/sha256.h"
#include "chart/chart.h"
#include "chart/digest.h"

#define DRAWN ".runq-drawn"
enum { WORKER_BYTES = 0x10000000, WORKERS_MAX = 16, LIST_MAX = 64 << 20, PICTURE_MAX = 64 << 20 };

struct drawing {
	struct chart chart;	/* a copy of its own */
	ptrdiff_t output;
	bool card;
	char from[SHA256_HEX], bytes[SHA256_HEX];	/* digests: of what is drawn, of the picture */
};

/* Takes drawings until none is left. Bytes and diagnostics live in the worker's arena until the build ends. */
struct worker {
	struct build *b;
	const char *out;
	const struct str_map *known;	/* "PATH FROM" to the place of the picture's digest in `list` */
	struct str list;
	atomic_ptrdiff_t *next;
	struct arena_block block, scratch_block;
	struct arena arena, scratch;
	struct diag diag;
	pthread_t thread;
	int drawn;
};

static void later(struct build *b, const struct chart *c, struct str path, struct str from, bool card)
{
	if (!outputs_add(&b->out, b->diag, path, STR(""), from))
		return;
	ARENA_GROW(b->perm, b->drawings, b->n_drawings, b->cap_drawings);
	b->drawings[b->n_drawings++] = (struct drawing){.chart = chart_copy(b->perm, c), .output = b->out.n - 1, .card = card};
}

void draw_later(struct build *b, const struct chart *c, struct str path, struct str from)
{
	later(b, c, path, from, false);
}

void draw_card_later(struct build *b, const struct chart *c, struct str path, struct str from)
{
	later(b, c, path, from, true);
}

static void hex_of(struct sha256 *h, char hex[SHA256_HEX])
{
	unsigned char digest[SHA256_BYTES];

	sha256_end(h, digest);
	sha256_hex(digest, SHA256_BYTES, hex);
}

static void digest_bytes(struct str bytes, char hex[SHA256_HEX])
{
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, bytes);
	hex_of(&h, hex);
}

static void digest_input(const struct build *b, struct drawing *d)
{
	struct sha256 h;

	sha256_init(&h);
	chart_digest_tools(&h);
	sha256_add(&h, d->card ? STR("card\n") : STR("chart\n"));
	if (d->card)
		sha256_add(&h, b->course.title);
	chart_digest(&h, &d->chart);
	hex_of(&h, d->from);
}

/* The picture that is there, if it is the one that would be drawn; else the empty slice. */
static struct str kept(const struct worker *w, struct drawing *d, struct str path)
{
	struct arena scratch = w->scratch;
	struct str name = str_printf(&scratch, "%.*s %.*s", STR_FMT(path), SHA256_HEX, d->from);
	ptrdiff_t at = str_map_get(w->known, name);

	if (at < 0)
		return (struct str){0};
	struct file_text file = file_read_inside(&scratch, w->out, file_in(&scratch, w->out, path), PICTURE_MAX);
	digest_bytes(file.text, d->bytes);
	if (file.err || memcmp(d->bytes, w->list.ptr + at, SHA256_HEX) != 0)
		return (struct str){0};
	return file.text;
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (ptrdiff_t i; (i = atomic_fetch_add(w->next, 1)) < w->b->n_drawings;) {
		struct drawing *d = &w->b->drawings[i];
		struct output *out = &w->b->out.items[d->output];
		struct arena scratch = w->scratch;
		digest_input(w->b, d);
		struct str png = kept(w, d, out->path);
		if (!png.len) {
			png = d->card ? chart_card_png(&scratch, &d->chart, w->b->course.title, &w->diag)
				      : chart_png(&scratch, &d->chart, &w->diag);
			digest_bytes(png, d->bytes);
			w->drawn++;
		}
		out->bytes = str_copy(&w->arena, png);
	}
	return NULL;
}

static void take_diagnostics(struct build *b, const struct diag *d)
{
	for (const struct diag_item *i = d->items; i; i = i->next)
		diag_add(b->diag, i->level, i->at, "%.*s", STR_FMT(i->text));
}

/* Lines of the list: "FROM BYTES PATH". */
static struct str read_list(struct build *b, const char *out, struct str_map *known)
{
	struct str list = file_read_inside(b->perm, out, file_in(b->perm, out, STR(DRAWN)), LIST_MAX).text, rest = list;

	while (rest.len) {
		struct str path, line = str_line(rest, &rest), from = str_cut(line, ' ', &path), bytes = str_cut(path, ' ', &path);
		if (from.len == SHA256_HEX && bytes.len == SHA256_HEX)
			str_map_put(known, b->perm, str_printf(b->perm, "%.*s %.*s", STR_FMT(path), STR_FMT(from)), bytes.ptr - list.ptr);
	}
	return list;
}

static void write_list(struct build *b)
{
	struct buf t = buf_new(b->perm);

	for (ptrdiff_t i = 0; i < b->n_drawings; i++) {
		const struct drawing *d = &b->drawings[i];
		const struct output *o = &b->out.items[d->output];
		if (o->bytes.len)
			buf_printf(&t, "%.*s %.*s %.*s\n", SHA256_HEX, d->from, SHA256_HEX, d->bytes, STR_FMT(o->path));
	}
	if (t.len)
		outputs_add(&b->out, b->diag, STR(DRAWN), buf_str(&t), STR("the list of pictures"));
}

void draw_all(struct build *b, const char *out)
{
	int wanted = b->opt->jobs > WORKERS_MAX ? WORKERS_MAX : b->opt->jobs, started = 0;
	atomic_ptrdiff_t next = 0;
	struct str_map known = {0};
	struct str list = b->n_drawings ? read_list(b, out, &known) : (struct str){0};

	b->workers = ARENA_NEW(b->perm, struct worker, WORKERS_MAX);
	if (!chart_png_begin())
		wanted = 1;
	for (int i = 0; i < (wanted > 1 ? wanted : 1); i++) {
		struct worker *w = &b->workers[i];
		*w = (struct worker){.b = b, .out = out, .known = &known, .list = list, .next = &next};
		w->arena = arena_new(&w->block, WORKER_BYTES);
		w->scratch = arena_new(&w->scratch_block, WORKER_BYTES);
		w->diag = diag_new(&w->arena);
		/* The first works in this thread, which also serves where no other can be started. */
		if (i && pthread_create(&w->thread, NULL, work, w) != 0)
			break;
		started += i > 0;
	}
	work(&b->workers[0]);
	for (int i = 1; i <= started; i++)
		pthread_join(b->workers[i].thread, NULL);
	chart_png_end();
	for (int i = 0; i < WORKERS_MAX; i++) {
		take_diagnostics(b, &b->workers[i].diag);
		b->drawn += b->workers[i].drawn;
	}
	write_list(b);
}

void draw_free(struct build *b)
{
	for (int i = 0; b->workers && i < WORKERS_MAX; i++) {
		arena_free(&b->workers[i].block);
		arena_free(&b->workers[i].scratch_block);
	}
}
