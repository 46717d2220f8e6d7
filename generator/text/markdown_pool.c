/* cmark's memory: a page's tree lives and dies at once, so that it is carved from the far half of the page's arena, which
 * the results do not reach. cmark's allocator takes no context; the pool in use is the thread's. */
#include "text/markdown_int.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNED = 16 };

static _Thread_local struct md_pool *pool;

/* Each piece is led by its size, for realloc. A full arena is reported as its owner has it; it must not go on. */
static void *piece(size_t bytes)
{
	size_t room = ((bytes + ALIGNED - 1) & ~(size_t)(ALIGNED - 1)) + ALIGNED;

	if (room < bytes || room > (size_t)(pool->end - pool->at)) {
		if (pool->arena->full)
			pool->arena->full(room < bytes ? PTRDIFF_MAX : (ptrdiff_t)room);
		abort();
	}
	unsigned char *p = pool->at;
	memcpy(p, &bytes, sizeof bytes);
	pool->at += room;
	return p + ALIGNED;
}

static void *pool_calloc(size_t n, size_t size)
{
	return memset(piece(size && n > SIZE_MAX / size ? SIZE_MAX : n * size), 0, n * size);
}

static void *pool_realloc(void *old, size_t bytes)
{
	size_t had;

	if (!old)
		return piece(bytes);
	memcpy(&had, (unsigned char *)old - ALIGNED, sizeof had);
	return bytes <= had ? old : memcpy(piece(bytes), old, had);
}

static void pool_free(void *p)
{
	(void)p;
}

static cmark_mem functions = {pool_calloc, pool_realloc, pool_free};

cmark_node *md_pool_parse(struct md_pool *p, struct arena *a, struct str text)
{
	unsigned char *middle = a->at + (a->end - a->at) / 2;

	*p = (struct md_pool){a, middle + (-(uintptr_t)middle & (ALIGNED - 1)), a->end};
	a->end = middle;
	pool = p;
	cmark_parser *parser = cmark_parser_new_with_mem(CMARK_OPT_SOURCEPOS, &functions);
	cmark_parser_feed(parser, text.ptr, (size_t)text.len);
	cmark_node *document = cmark_parser_finish(parser);
	cmark_parser_free(parser);
	return document;
}

void md_pool_end(struct md_pool *p)
{
	p->arena->end = p->end;
	pool = NULL;
}
