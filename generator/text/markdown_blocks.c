/* Fences: data blocks, collected before the walk, and highlighted code. */
#include "text/highlight.h"
#include "text/markdown_int.h"

static const struct head_key chart_keys[] = {{"id", true, false}, {"title", true, false}, {"kind", true, false},
	{"unit", true, false}, {"scale", false, false}, {"key", false, false}, {"spread", false, false},
	{"claim", false, false}, {"covers", false, false}, {"x-unit", false, false},
	{"x-scale", false, false}, {"y-unit", false, false}, {NULL, false, false}};
static const struct head_key table_keys[] = {{"id", true, false}, {"title", true, false}, {"claim", false, false},
	{"covers", false, false}, {NULL, false, false}};
static const struct head_key claim_keys[] = {{"id", true, false}, {"says", true, false}, {"test", true, false},
	{"shows", false, false}, {"falsifier", false, false}, {"loose", false, false}, {"differs", false, true},
	{"covers", false, false}, {NULL, false, false}};
static const struct head_key predict_keys[] = {{"id", true, false}, {"unit", false, false}, {"scale", false, false},
	{"answer", true, false}, {"covers", false, false}, {NULL, false, false}};
static const struct head_key quiz_keys[] = {{"id", true, false}, {"kind", true, false}, {"answer", false, false},
	{"tolerance", false, false}, {"unit", false, false}, {"covers", false, false}, {NULL, false, false}};
static const struct head_key sim_keys[] = {{"id", true, false}, {"title", true, false}, {"profile", false, false},
	{"covers", false, false}, {NULL, false, false}};

static const struct {
	const char *word, *what;
	const struct head_key *keys;
} words[] = {
	{"chart", "chart block", chart_keys},
	{"table", "table block", table_keys},
	{"claim", "claim block", claim_keys},
	{"predict", "predict block", predict_keys},
	{"quiz", "quiz block", quiz_keys},
	{"sim", "sim block", sim_keys},
};
enum { N_WORDS = sizeof words / sizeof *words };

const struct head_key *md_block_keys(struct str word)
{
	for (int i = 0; i < N_WORDS; i++)
		if (str_eq(word, str_of(words[i].word)))
			return words[i].keys;
	return NULL;
}

static const char *what_of(struct str word)
{
	for (int i = 0; i < N_WORDS; i++)
		if (str_eq(word, str_of(words[i].word)))
			return words[i].what;
	return "block";
}

static struct str info_word(struct md_walk *c, cmark_node *node, struct str *rest)
{
	struct str info = str_trim(md_literal(c->arena, cmark_node_get_fence_info(node), false));
	ptrdiff_t n = 0;

	while (n < info.len && info.ptr[n] != ' ' && info.ptr[n] != '\t')
		n++;
	*rest = str_trim(str_from(info, n));
	return str_slice(info, 0, n);
}

/* The run of fence signs at a line's beginning, quote marks and list indentation aside. */
static ptrdiff_t fence_run(struct str line)
{
	ptrdiff_t n = 0;

	while (n < line.len && (line.ptr[0] == '`' || line.ptr[0] == '~') && line.ptr[n] == line.ptr[0])
		n++;
	return n;
}

static bool is_fenced(struct md_walk *c, cmark_node *node, struct str *opening)
{
	*opening = str_from(
		md_source_line(c->src, cmark_node_get_start_line(node)), cmark_node_get_start_column(node) - 1);
	return fence_run(*opening) >= 3;
}

/* cmark gives a fence the line that ended it, its closing fence or not. */
static bool is_closed(struct md_walk *c, cmark_node *node, struct str opening)
{
	int end = cmark_node_get_end_line(node);
	struct str last = md_content(c->src, end);
	ptrdiff_t run = fence_run(last);

	return end > cmark_node_get_start_line(node) && run >= fence_run(opening) && last.ptr[0] == opening.ptr[0] &&
	       !str_trim(str_from(last, run)).len;
}

static bool is_id(struct str s)
{
	if (s.len < 3 || s.len > 41 || s.ptr[0] < 'a' || s.ptr[0] > 'z')
		return false;
	for (ptrdiff_t i = 0; i < s.len; i++) {
		char ch = s.ptr[i];
		if (!(ch >= 'a' && ch <= 'z') && !(ch >= '0' && ch <= '9') && ch != '-')
			return false;
	}
	return true;
}

static void check_id(struct md_walk *c, struct md_block *b)
{
	const struct head_field *f = head_get(&b->head, "id");

	if (!f || !f->value.len)
		return;
	b->id = f->value;
	if (!is_id(b->id))
		diag_error(c->diag, f->value_at,
			"`%.*s` is no block id; write 3 to 41 of a-z, 0-9 and -, beginning with a letter",
			STR_FMT(b->id));
	else if (!slug_take(&c->slugs, b->id))
		diag_error(c->diag, f->value_at, "id `%.*s` is taken on this page; choose another", STR_FMT(b->id));
}

/* The block's bytes in the clean text: they need none of cmark's changes, since the fence begins in column 1. */
static void read_block(struct md_walk *c, cmark_node *node, struct str word)
{
	const struct md_source *s = c->src;
	int first = cmark_node_get_start_line(node) + 1, end = cmark_node_get_end_line(node);
	ptrdiff_t from = first <= s->n_lines ? s->lines[first - 1].clean : s->clean.len;
	struct md_block b = {.word = word, .at = md_pos(c, node)};
	struct str text = str_slice(s->clean, from, s->lines[end - 1].clean);
	struct pos start = {s->start.path, b.at.line + 1, 1};

	b.head = head_parse(c->arena, c->diag, start, text, false);
	b.head.ok &= head_check(c->diag, &b.head, b.at, what_of(word), md_block_keys(word));
	b.body = str_from(text, b.head.body);
	b.body_at = b.head.body_at;
	check_id(c, &b);
	c->doc->blocks = md_push(c->arena, c->doc->blocks, &c->doc->n_blocks, sizeof b);
	c->doc->blocks[c->doc->n_blocks - 1] = b;
}

/* `## Old {#keep}`: the id, taken off the heading's last text; empty if there is none. */
static struct str take_own_id(struct md_walk *c, cmark_node *heading)
{
	cmark_node *last = cmark_node_last_child(heading);

	if (!last || cmark_node_get_type(last) != CMARK_NODE_TEXT)
		return (struct str){0};
	struct str s = str_of(cmark_node_get_literal(last));
	ptrdiff_t at = s.len;
	while (at > 0 && s.ptr[at - 1] != '{')
		at--;
	if (at == 0 || at >= s.len || s.ptr[at] != '#' || s.ptr[s.len - 1] != '}')
		return (struct str){0};
	struct str id = str_copy(c->arena, str_slice(s, at + 1, s.len - 1));
	s.len = at - 1;
	while (s.len && s.ptr[s.len - 1] == ' ')
		s.len--;
	cmark_node_set_literal(last, str_z(c->arena, s));
	if (!is_id(id))
		diag_error(c->diag, md_pos(c, heading),
			"`%.*s` is no id; write 3 to 41 of a-z, 0-9 and -, beginning with a letter", STR_FMT(id));
	else if (!slug_take(&c->slugs, id))
		diag_error(c->diag, md_pos(c, heading), "id `%.*s` is taken on this page; choose another", STR_FMT(id));
	return id;
}

static void collect_heading(struct md_walk *c, cmark_node *node)
{
	struct md_heading h = {cmark_node_get_heading_level(node), {0}, take_own_id(c, node), md_pos(c, node)};
	bool value;

	h.text = str_trim(md_plain(c->arena, node, &value));
	if (h.level == 1)
		diag_error(c->diag, h.at, "a page's title comes from its head; begin with `##`");
	int before = c->doc->n_headings ? c->doc->headings[c->doc->n_headings - 1].level : h.level;
	if (h.level > before + 1)
		diag_warn(c->diag, h.at, "a heading of level %d follows one of level %d; do not skip levels", h.level,
			before);
	if (!h.text.len)
		diag_error(c->diag, h.at, "this heading has no text; write one or remove it");
	c->doc->headings = md_push(c->arena, c->doc->headings, &c->doc->n_headings, sizeof h);
	c->doc->headings[c->doc->n_headings - 1] = h;
}

/* Ids that authors chose come first, so that those made from headings give way. */
void md_blocks_collect(struct md_walk *c, cmark_node *document, cmark_node *end)
{
	struct str rest, opening;

	slug_take(&c->slugs, STR("main"));
	slug_take(&c->slugs, STR("runs"));
	for (cmark_node *node = cmark_node_first_child(document); node && node != end; node = cmark_node_next(node)) {
		if (cmark_node_get_type(node) == CMARK_NODE_HEADING)
			collect_heading(c, node);
		if (cmark_node_get_type(node) != CMARK_NODE_CODE_BLOCK || !is_fenced(c, node, &opening))
			continue;
		struct str word = info_word(c, node, &rest);
		if (md_block_keys(word) && cmark_node_get_start_column(node) == 1 && is_closed(c, node, opening))
			read_block(c, node, word);
	}
	for (ptrdiff_t i = 0; i < c->doc->n_headings; i++)
		if (!c->doc->headings[i].id.len)
			c->doc->headings[i].id = slug_make(&c->slugs, c->doc->headings[i].text);
}

static void report_word(struct md_walk *c, cmark_node *node, struct str word)
{
	struct str names[32];
	ptrdiff_t n = 0;
	struct buf all = buf_new(c->arena);

	for (; highlight_languages[n].ptr; n++)
		names[n] = highlight_languages[n];
	for (int i = 0; i < N_WORDS; i++)
		names[n++] = str_of(words[i].word);
	struct str near = str_nearest(word, names, n);
	for (ptrdiff_t i = 0; i < n; i++) {
		buf_add(&all, i ? STR(" ") : STR(""));
		buf_add(&all, names[i]);
	}
	if (near.len)
		diag_error(c->diag, md_pos(c, node), "`%.*s` is no language or block; did you mean `%.*s`?",
			STR_FMT(word), STR_FMT(near));
	else
		diag_error(c->diag, md_pos(c, node), "`%.*s` is no language or block; use one of: %.*s", STR_FMT(word),
			STR_FMT(buf_str(&all)));
}

static struct str code_label(struct md_walk *c, struct str language)
{
	struct buf b = buf_new(c->arena);

	buf_add(&b, language);
	buf_add(&b, STR(" code"));
	return buf_str(&b);
}

static void write_code(struct md_walk *c, cmark_node *node, struct str language)
{
	struct html_out *w = &c->w;
	struct str code = md_literal(c->arena, cmark_node_get_literal(node), false);

	if (str_ends(code, STR("\n")))
		code.len--;
	md_fresh_line(c);
	md_open_class(w, "div", "code");
	md_open_class(w, "div", "code-head");
	html_leaf(w, "span", NULL, language);
	md_open_class(w, "button", "copy");
	html_attr(w, "type", STR("button"));
	html_flag(w, "hidden");
	html_text(w, STR("Copy"));
	html_close(w, "button");
	html_close(w, "div");
	html_text(w, STR("\n"));
	html_open(w, "pre");
	html_attr(w, "tabindex", STR("0"));
	html_attr(w, "role", STR("group"));
	html_attr(w, "aria-label", code_label(c, language));
	html_open(w, "code");
	highlight_write(w, language, code);
	html_close(w, "code");
	html_close(w, "pre");
	html_close(w, "div");
	html_text(w, STR("\n"));
}

void md_fence(struct md_walk *c, cmark_node *node)
{
	struct str rest = {0}, opening, word = {0};
	bool fenced = is_fenced(c, node, &opening), top = c->depth == 0 && !c->quotes && !c->note;

	if (fenced) {
		word = info_word(c, node, &rest);
		if (!is_closed(c, node, opening)) {
			diag_error(c->diag, md_pos(c, node), "this fence is not closed; add a line of %d %s",
				(int)fence_run(opening), opening.ptr[0] == '~' ? "tildes" : "backticks");
			return;
		}
	}
	if (rest.len)
		diag_error(c->diag, md_pos(c, node), "`%.*s` follows the fence's word; only the word may stand there",
			STR_FMT(rest));
	if (md_block_keys(word)) {
		if (top && cmark_node_get_start_column(node) == 1)
			md_flush(c, (struct md_op){.kind = MD_BLOCK, .n = (int)c->next_block++});
		else
			diag_error(c->diag, md_pos(c, node),
				"a %s stands inside a list, quote or footnote, or is indented; begin it in column 1",
				what_of(word));
		return;
	}
	if (word.len && !highlight_knows(word)) {
		report_word(c, node, word);
		return;
	}
	write_code(c, node, word.len ? word : STR("text"));
}
