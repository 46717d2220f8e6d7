/* The course: its order (content/course.txt) and its pages' heads. Slices point into the texts, which must outlive
 * them; arrays live in the arena. */
#ifndef RUNQ_MODEL_COURSE_H
#define RUNQ_MODEL_COURSE_H

#include "text/head.h"
#include "text/markdown.h"

struct course_chapter {
	struct str slug;
	int n;	/* its number */
	int part;	/* index */
	struct pos at;
};

struct course {
	struct str title, lede, machine, url, hero;	/* hero: id of the front page's chart */
	struct pos machine_at;
	struct str *parts;
	ptrdiff_t n_parts, cap_parts;
	struct course_chapter *chapters;
	ptrdiff_t n_chapters, cap_chapters;
};

/* A head (title, lede, machine, url, hero), a blank line, then `part: TITLE` and `chapter: slug [n]` lines, # comments. A chapter
 * without n follows its predecessor. */
struct course course_parse(struct arena *a, struct diag *d, struct str path, struct str text);

enum page_kind { PAGE_CHAPTER, PAGE_LAB, PAGE_QUESTIONS, PAGE_PLAIN, PAGE_KIND_MAX };

/* A block with the inline texts of its head and the two halves of its body parsed. */
struct page_block {
	const struct md_block *src;
	struct md_doc *title, *says;	/* inline; NULL if the key is absent */
	struct md_doc *question, *answer;	/* predict, quiz: before and after the `---` line; NULL otherwise */
};

struct page {
	enum page_kind kind;
	struct str slug, path;	/* path: below content/, "chapters/nice.md" */
	struct str out;	/* "chapters/nice.html" */
	struct str title, minutes, probes, root;
	struct md_doc *lede;	/* inline */
	struct md_doc *body;
	struct page_block *blocks;	/* parallel to body->blocks */
	struct pos at;
	bool ok;
};

/* `path` is relative to content/, `shown` the path for diagnostics. */
struct page *page_parse(struct arena *a, struct diag *d, struct str path, struct str shown, struct str text);

#endif
