/* Tables: a paragraph whose second line is a delimiter row. cmark has read it as text, so that its inlines are right
 * already; here its direct text is cut at the pipes. Leading pipes are required. */
#include "text/markdown_int.h"

static bool is_delimiter_like(struct str line)
{
	bool pipe = false, dash = false;

	for (ptrdiff_t i = 0; i < line.len; i++) {
		char ch = line.ptr[i];
		if (ch != '|' && ch != '-' && ch != ':' && ch != ' ' && ch != '\t')
			return false;
		pipe |= ch == '|';
		dash |= ch == '-';
	}
	return pipe && dash;
}

/* Reads `|:--|--:|`; 0 when it is no delimiter row, or has more columns than MD_COLUMNS. */
static int read_delimiters(struct str line, bool *right)
{
	int cols = 0;

	line = str_trim(line);
	if (str_ends(line, STR("|")))
		line.len--;
	for (struct str rest = str_from(line, 1); rest.len && cols <= MD_COLUMNS; cols++) {
		struct str cell = str_trim(str_cut(rest, '|', &rest));
		bool left_colon = str_starts(cell, STR(":")), right_colon = cell.len > 1 && str_ends(cell, STR(":"));
		struct str dashes = str_slice(cell, left_colon, cell.len - right_colon);
		for (ptrdiff_t i = 0; i < dashes.len; i++)
			if (dashes.ptr[i] != '-')
				return 0;
		if (!dashes.len)
			return 0;
		if (cols < MD_COLUMNS)
			right[cols] = right_colon && !left_colon;
	}
	return cols;
}

/* A delimiter row that makes no table is an error: other viewers would show one, or nothing would. */
static void check_stray(struct md_walk *c, int first, int last)
{
	for (int line = first; line <= last; line++) {
		struct str l = md_content(c->src, line);
		if (!l.len || (l.ptr[0] != '|' && l.ptr[0] != '-' && l.ptr[0] != ':') || !is_delimiter_like(l))
			continue;
		diag_error(c->diag, md_source_pos(c->src, line, 1),
			"this row makes no table; put a blank line before the table, and a pipe before its first "
			"column");
		return;
	}
}

static void open_table(struct md_walk *c)
{
	md_fresh_line(c);
	md_open_class(&c->w, "div", "tbl");
	html_attr(&c->w, "role", STR("region"));
	html_attr(&c->w, "tabindex", STR("0"));
	html_attr(&c->w, "aria-label", STR("Table"));
	html_text(&c->w, STR("\n"));
	html_open(&c->w, "table");
	html_text(&c->w, STR("\n"));
	html_open(&c->w, "thead");
	html_open(&c->w, "tr");
}

bool md_table_begin(struct md_walk *c, cmark_node *para)
{
	int line = cmark_node_get_start_line(para), end = cmark_node_get_end_line(para);
	struct md_table t = {.para = para, .line = line};

	struct str head = str_from(md_source_line(c->src, line), cmark_node_get_start_column(para) - 1);
	struct str delimiters = end > line ? md_content(c->src, line + 1) : STR("");
	bool like = is_delimiter_like(delimiters) && delimiters.ptr[0] == '|' && str_starts(head, STR("|"));
	if (like)
		t.cols = read_delimiters(delimiters, t.right);
	if (t.cols > MD_COLUMNS) {
		diag_error(c->diag, md_source_pos(c->src, line, 1), "a table has at most %d columns; split it",
			MD_COLUMNS);
		return false;
	}
	check_stray(c, t.cols ? line + 2 : line + 1, end);
	if (!t.cols && str_starts(head, STR("|")) && !is_delimiter_like(delimiters))
		diag_error(c->diag, md_pos(c, para),
			"a line begins with `|`, but no line of dashes such as |---|---| follows; add it, or write "
			"\\|");
	if (!t.cols)
		return false;
	c->table = t;
	open_table(c);
	return true;
}

static struct pos row_pos(const struct md_walk *c)
{
	int line = c->table.line + c->table.row;
	struct str l = md_source_line(c->src, line), content = md_content(c->src, line);

	return md_source_pos(c->src, line, (int)(l.len - content.len) + 1);
}

static void open_cell(struct md_walk *c, bool empty)
{
	struct md_table *t = &c->table;
	bool head = (t->row == 0 || t->col == 0) && !empty;

	html_open(&c->w, head ? "th" : "td");
	if (head)
		html_attr(&c->w, "scope", t->row == 0 ? STR("col") : STR("row"));
	if (t->col < t->cols && t->right[t->col])
		html_attr(&c->w, "class", STR("r"));
	t->pending = false;
	t->open = true;
	c->in_word = false;
}

static void close_cell(struct md_walk *c)
{
	if (c->table.open)
		html_close(&c->w, c->w.open[c->w.depth - 1]);
	c->table.open = false;
	c->table.col++;
}

static void pipe(struct md_walk *c)
{
	struct md_table *t = &c->table;

	if (t->pending)
		open_cell(c, true);
	if (t->open)
		close_cell(c);
	t->pending = t->piped = true;
}

/* False, once per row, when content stands before the row's first pipe. */
static bool begin_content(struct md_walk *c)
{
	struct md_table *t = &c->table;

	if (!t->piped) {
		diag_error(c->diag, row_pos(c),
			"a row of a table begins with `|`; add it, or put a blank line after the table");
		pipe(c);
	}
	if (t->pending)
		open_cell(c, false);
	return true;
}

static void table_text(struct md_walk *c, cmark_node *node, struct str s)
{
	for (bool more = true; more;) {
		ptrdiff_t at = str_find_char(s, '|');
		struct str part = at < 0 ? s : str_slice(s, 0, at);
		more = at >= 0;
		if (!c->table.open || c->table.pending)
			while (part.len && (part.ptr[0] == ' ' || part.ptr[0] == '\t'))
				part = str_from(part, 1);
		while (more && part.len && (part.ptr[part.len - 1] == ' ' || part.ptr[part.len - 1] == '\t'))
			part.len--;
		if (part.len) {
			begin_content(c);
			md_text(c, node, part);
		}
		if (more)
			pipe(c);
		s = str_from(s, at + 1);
	}
}

static void end_row(struct md_walk *c)
{
	struct md_table *t = &c->table;

	if (t->row != 1) {
		if (t->open)
			close_cell(c);
		if (t->col != t->cols)
			diag_error(c->diag, row_pos(c),
				"cells in this row: %d, in the line of dashes: %d; make them equal (\\| is a pipe in a "
				"cell)",
				t->col, t->cols);
		html_close(&c->w, "tr");
		if (t->row == 0)
			html_close(&c->w, "thead");
		html_text(&c->w, STR("\n"));
	}
	t->row++;
	t->col = 0;
	t->pending = t->open = t->piped = false;
}

static void begin_row(struct md_walk *c)
{
	if (c->table.row < 2)
		return;
	if (c->table.row == 2)
		html_open(&c->w, "tbody");
	if (c->table.row == 2)
		html_text(&c->w, STR("\n"));
	html_open(&c->w, "tr");
}

static void crosses(struct md_walk *c, const char *what)
{
	diag_error(c->diag, row_pos(c), "%s crosses cells or rows of this table; close it within its cell", what);
}

bool md_table_child(struct md_walk *c, cmark_node *node)
{
	struct md_table *t = &c->table;
	int type = (int)cmark_node_get_type(node);
	bool direct = cmark_node_parent(node) == t->para;
	bool text = type == CMARK_NODE_TEXT, line_break = type == CMARK_NODE_SOFTBREAK || type == CMARK_NODE_LINEBREAK;

	if (direct && line_break) {
		end_row(c);
		begin_row(c);
		return true;
	}
	if (t->row == 1)
		return true;
	if (direct && text) {
		table_text(c, node, str_of(cmark_node_get_literal(node)));
		return true;
	}
	bool comment = type == CMARK_NODE_HTML_INLINE && md_only_comments(str_of(cmark_node_get_literal(node)));
	if (direct && !comment)
		begin_content(c);
	if (line_break || (text && str_find_char(str_of(cmark_node_get_literal(node)), '|') >= 0))
		crosses(c, "emphasis or a link");
	if (type == CMARK_NODE_CODE && str_find_char(str_of(cmark_node_get_literal(node)), '|') >= 0)
		diag_error(c->diag, md_pos(c, node), "a bare `|` in code ends the cell in other viewers; write \\|");
	if (type == CMARK_NODE_CODE && cmark_node_get_end_line(node) > cmark_node_get_start_line(node))
		crosses(c, "code");
	return false;
}

void md_table_end(struct md_walk *c)
{
	end_row(c);
	if (c->table.row > 2) {
		html_close(&c->w, "tbody");
		html_text(&c->w, STR("\n"));
	}
	html_close(&c->w, "table");
	html_close(&c->w, "div");
	html_text(&c->w, STR("\n"));
	c->table = (struct md_table){0};
}
