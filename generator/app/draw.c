/* PNG charts cost more than all else of a build, and none depends on another: they are drawn last, by several threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "app/build.h"
#include "chart/chart.h"

enum { WORKER_BYTES = 0x10000000, WORKERS_MAX = 16 };

struct drawing {
	struct chart chart;	/* a copy of its own */
	ptrdiff_t output;
};

/* Takes drawings until none is left. Bytes and diagnostics live in the worker's arena until the build ends. */
struct worker {
	struct build *b;
	atomic_ptrdiff_t *next;
	struct arena_block block;
	struct arena arena;
	struct diag diag;
	pthread_t thread;
};

void draw_later(struct build *b, const struct chart *c, struct str path, struct str from)
{
	if (!outputs_add(&b->out, b->diag, path, STR(""), from))
		return;
	ARENA_GROW(b->perm, b->drawings, b->n_drawings, b->cap_drawings);
	b->drawings[b->n_drawings++] = (struct drawing){chart_copy(b->perm, c), b->out.n - 1};
}

static void *work(void *arg)
{
	struct worker *w = arg;

	for (ptrdiff_t i; (i = atomic_fetch_add(w->next, 1)) < w->b->n_drawings;) {
		const struct drawing *d = &w->b->drawings[i];
		w->b->out.items[d->output].bytes = chart_png(&w->arena, &d->chart, &w->diag);
	}
	return NULL;
}

static void take_diagnostics(struct build *b, const struct diag *d)
{
	for (const struct diag_item *i = d->items; i; i = i->next)
		diag_add(b->diag, i->level, i->at, "%.*s", STR_FMT(i->text));
}

void draw_all(struct build *b)
{
	int wanted = b->opt->jobs > WORKERS_MAX ? WORKERS_MAX : b->opt->jobs, started = 0;
	atomic_ptrdiff_t next = 0;

	b->workers = ARENA_NEW(b->perm, struct worker, WORKERS_MAX);
	if (!chart_png_begin())
		wanted = 1;
	for (int i = 0; i < (wanted > 1 ? wanted : 1); i++) {
		struct worker *w = &b->workers[i];
		w->b = b;
		w->next = &next;
		w->arena = arena_new(&w->block, WORKER_BYTES);
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
	for (int i = 0; i < WORKERS_MAX; i++)
		take_diagnostics(b, &b->workers[i].diag);
}

void draw_free(struct build *b)
{
	for (int i = 0; b->workers && i < WORKERS_MAX; i++)
		arena_free(&b->workers[i].block);
}
