#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "text/template.h"

static struct arena_block block;
static struct arena arena;

/* name, truth, price (texts), empty; person.name, person.pet.kind; list of n; names of "."; markup. */
static struct tobj *context(struct arena *a)
{
	struct tobj *o = tobj_new(a);

	tobj_text(o, "name", STR("Ada & <Bob> \"'"));
	tobj_text(o, "empty", STR(""));
	tobj_fmt(o, "price", "%d.%02d", 12, 5);
	tobj_bool(o, "yes", true);
	tobj_bool(o, "no", false);
	tobj_html(o, "markup", (struct html){STR("<b>x</b>")});
	struct tobj *person = tobj_object(o, "person");
	tobj_text(person, "name", STR("Cy"));
	tobj_text(tobj_object(person, "pet"), "kind", STR("cat"));
	for (int i = 1; i <= 3; i++) {
		struct tobj *item = tobj_item(o, "list");
		tobj_fmt(item, "n", "%d", i);
		tobj_bool(item, "second", i == 2);
	}
	tobj_text(tobj_item(o, "words"), ".", STR("a"));
	tobj_text(tobj_item(o, "words"), ".", STR("<"));
	tobj_list(o, "none");
	return o;
}

static void assert_renders(const char *text, const char *want)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct buf out = buf_new(&a);
	struct template_set *set = template_from(&a, &d, STR("t"), str_of(text));

	if (!set) {
		diag_print(&d, stderr, a);
		fail_msg("does not parse: %s", text);
	}
	assert_true(template_add(set, &d, STR("part"), (struct pos){STR("part"), 1, 1}, STR("[{{price}}]")));
	assert_true(template_add(set, &d, STR("partials/line"), (struct pos){STR("line"), 1, 1}, STR("> {{price}}\n")));
	assert_true(
		template_add(set, &d, STR("tree"), (struct pos){STR("tree"), 1, 1}, STR("{{#list}}{{n}}{{/list}}")));
	if (!template_render(set, "t", context(&a), &out, &d)) {
		diag_print(&d, stderr, a);
		fail_msg("does not render: %s", text);
	}
	if (!str_eq(buf_str(&out), str_of(want)))
		fail_msg("%s\ngave %.*s\nnot  %s", text, STR_FMT(buf_str(&out)), want);
}

static void interpolation(void **state)
{
	assert_renders("", "");
	assert_renders("no tags, { single } braces\n", "no tags, { single } braces\n");
	assert_renders("{{price}}", "12.05");
	assert_renders("|{{ price }}|{{\tprice\n}}|", "|12.05|12.05|");
	assert_renders("{{name}}", "Ada &amp; &lt;Bob&gt; &quot;&#39;");
	assert_renders("{{{markup}}}{{&markup}}{{& markup }}{{{ markup }}}", "<b>x</b><b>x</b><b>x</b><b>x</b>");
	assert_renders("{{markup}}", "&lt;b&gt;x&lt;/b&gt;");
	assert_renders("({{empty}})", "()");
	assert_renders("{{person.name}}, {{person.pet.kind}}", "Cy, cat");
	/* A line with only a value keeps its ends. */
	assert_renders("  {{price}}\n", "  12.05\n");
	assert_renders("  {{{markup}}}\n", "  <b>x</b>\n");
	(void)state;
}

static void sections(void **state)
{
	assert_renders("{{#yes}}a{{/yes}}{{#no}}b{{/no}}", "a");
	assert_renders("{{#price}}a{{/price}}{{#empty}}b{{/empty}}", "a");
	assert_renders("{{#markup}}a{{/markup}}", "a");
	assert_renders("{{#person}}{{name}} {{price}}{{/person}}", "Cy 12.05");
	assert_renders(
		"{{#person.pet}}{{kind}} of {{name}}{{/person.pet}}", "cat of Ada &amp; &lt;Bob&gt; &quot;&#39;");
	assert_renders("{{#list}}{{n}},{{/list}}", "1,2,3,");
	assert_renders("{{#none}}x{{/none}}", "");
	assert_renders("{{#words}}{{.}};{{/words}}", "a;&lt;;");
	assert_renders("{{#price}}{{.}}{{/price}}", "12.05");
	assert_renders("{{#words}}{{#yes}}{{.}}{{/yes}}{{/words}}", "a&lt;");
	assert_renders("{{#list}}{{#second}}{{n}}{{/second}}{{^second}}-{{/second}}{{/list}}", "-2-");
	assert_renders("{{#list}}{{#list}}{{n}}{{/list}} {{/list}}", "123 123 123 ");
	assert_renders("{{#yes}}{{#yes}}{{#yes}}x{{/yes}}{{/yes}}{{/yes}}", "x");
	assert_renders("{{# yes }}x{{/ yes }}", "x");
	(void)state;
}

static void inverted_sections(void **state)
{
	assert_renders("{{^no}}a{{/no}}{{^yes}}b{{/yes}}", "a");
	assert_renders("{{^none}}a{{/none}}{{^list}}b{{/list}}", "a");
	assert_renders("{{^empty}}a{{/empty}}{{^name}}b{{/name}}{{^person}}c{{/person}}", "a");
	assert_renders("{{^no}}{{price}}{{/no}}", "12.05");
	(void)state;
}

static void standalone_tags_take_their_line(void **state)
{
	assert_renders("a\n{{#yes}}\nb\n{{/yes}}\nc\n", "a\nb\nc\n");
	assert_renders("a\n  {{#yes}}  \nb\n\t{{/yes}}\t\nc", "a\nb\nc");
	assert_renders("a\r\n{{#yes}}\r\nb\r\n{{/yes}}\r\nc", "a\r\nb\r\nc");
	assert_renders("{{#yes}}\nb\n{{/yes}}", "b\n");
	assert_renders("{{^no}}\nb\n  {{/no}}", "b\n");
	assert_renders("a\n{{! comment }}\nb", "a\nb");
	assert_renders("a\n{{!\n two\n lines }}\nb", "a\nb");
	assert_renders("a\n {{=| |=}} \nb |price|", "a\nb 12.05");
	assert_renders("a\n  {{>part}}  \nb", "a\n[12.05]b");
	assert_renders("  {{#yes}}\n\n  {{/yes}}\n", "\n");
	/* Something else on the line: all of it stays. */
	assert_renders("a {{#yes}}\nb{{/yes}}\n", "a \nb\n");
	assert_renders("{{#yes}}{{/yes}}\n", "\n");
	assert_renders(" {{#yes}} x {{/yes}} \n", "  x  \n");
	assert_renders("x {{! c }}\n", "x \n");
	assert_renders("{{! c }} x\n", " x\n");
	assert_renders("  {{>part}}x\n", "  [12.05]x\n");
	assert_renders("{{#yes}}\n{{#yes}}\na\n{{/yes}}\n{{/yes}}\nb", "a\nb");
	(void)state;
}

static void comments_and_delimiters(void **state)
{
	assert_renders("1{{! {{ not a tag }}2", "12");
	assert_renders("1{{!}}2", "12");
	assert_renders("{{=<% %>=}}<%price%>{{price}}", "12.05{{price}}");
	assert_renders("{{= | | =}}|#yes|a|/yes||={{ }}=|{{price}}", "a12.05");
	assert_renders("{{=<% %>=}}<%{markup}%><%&markup%>", "<b>x</b><b>x</b>");
	assert_renders("{{#yes}}{{=| |=}}|price||/yes|", "12.05");
	/* A partial starts with the usual delimiters, and does not pass on its own. */
	assert_renders("{{=| |=}}|>part|", "[12.05]");
	(void)state;
}

static void partials(void **state)
{
	assert_renders("{{>part}}{{> part }}", "[12.05][12.05]");
	assert_renders("a\n{{>partials/line}}\nb", "a\n> 12.05\nb");
	assert_renders("{{#person}}{{>part}}{{/person}}", "[12.05]");
	assert_renders("{{>tree}}", "123");
	(void)state;
}

static void setting_twice_replaces(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct buf out = buf_new(&a);
	struct tobj *o = context(&a);

	tobj_text(o, "yes", STR("now a text"));
	tobj_text(tobj_item(o, "price"), "n", STR("now a list"));
	assert_true(template_render(
		template_from(&a, &d, STR("t"), STR("{{yes}}, {{#price}}{{n}}{{/price}}")), "t", o, &out, &d));
	assert_true(str_eq(buf_str(&out), STR("now a text, now a list")));
	(void)state;
}

/* The one diagnostic of d, printed. */
static const char *printed(struct arena *a, const struct diag *d)
{
	char *text = ARENA_NEW(a, char, 4096);
	FILE *f = fmemopen(text, 4095, "w");

	diag_print(d, f, *a);
	assert_int_equal(fclose(f), 0);
	return text;
}

static void mistakes_in_a_template_are_placed(void **state)
{
	static const char *const cases[][2] = {
		{"a\n {{#yes}}\n", "t:2:2: error: the section is never closed; add {{/yes}}\n"},
		{"a{{/yes}}",
			"t:1:2: error: {{/yes}} closes a section that is not open; remove it or open the section\n"},
		{"{{#a}}\n{{#b}}\n{{/a}}{{/b}}",
			"t:3:1: error: {{/a}} closes {{#b}} of line 2; close the inner section first\n"
			"t:3:7: error: {{/b}} closes {{#a}} of line 1; close the inner section first\n"},
		{"x {{name", "t:1:3: error: the tag is never closed; add '}}'\n"},
		{"\xc3\xa9{{{name}}", "t:1:3: error: the tag is never closed; add '}}}'\n"},
		{"{{}}", "t:1:1: error: '' is no name; use letters, digits, '_' and '-', with '.' between names\n"},
		{"{{a b}}",
			"t:1:1: error: 'a b' is no name; use letters, digits, '_' and '-', with '.' between names\n"},
		{"{{a.}}", "t:1:1: error: 'a.' is no name; use letters, digits, '_' and '-', with '.' between names\n"},
		{"{{<parent}}", "t:1:1: error: '<parent' is no name; use letters, digits, '_' and '-', with '.' "
				"between names\n"},
		{"{{=a=}}", "t:1:1: error: no delimiters: 'a'; write two, as in {{=<% %>=}}\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		assert_null(template_from(&a, &d, STR("t"), str_of(cases[i][0])));
		assert_string_equal(printed(&a, &d), cases[i][1]);
	}
	(void)state;
}

static void mistakes_in_rendering_are_placed(void **state)
{
	static const char *const cases[][2] = {
		{"\n {{nmae}}", "t:2:2: error: no value is named 'nmae'; set it, or remove the tag\n"},
		{"{{nam}}", "t:1:1: error: no value is named 'nam'; did you mean 'name'?\n"},
		{"{{#lits}}{{/lits}}", "t:1:1: error: no value is named 'lits'; set it, or remove the tag\n"},
		{"{{^lis}}{{/lis}}", "t:1:1: error: no value is named 'lis'; did you mean 'list'?\n"},
		{"{{person.age}}", "t:1:1: error: no value is named 'person.age'; set it, or remove the tag\n"},
		{"{{price.name}}", "t:1:1: error: no value is named 'price.name'; set it, or remove the tag\n"},
		{"{{{price}}}", "t:1:1: error: 'price' is plain text, not markup; write {{price}}\n"},
		{"{{&price}}", "t:1:1: error: 'price' is plain text, not markup; write {{price}}\n"},
		{"{{list}}", "t:1:1: error: 'list' is no text; use a section: {{#list}}\n"},
		{"{{yes}}", "t:1:1: error: 'yes' is no text; use a section: {{#yes}}\n"},
		{"{{.}}", "t:1:1: error: no value is named '.'; set it, or remove the tag\n"},
		{"{{#list}}\n{{m}}{{/list}}", "t:2:1: error: no value is named 'm'; did you mean 'n'?\n"},
		{"{{#person}}{{second}}{{/person}}",
			"t:1:12: error: no value is named 'second'; set it, or remove the tag\n"},
		{"{{>nothing}}", "t:1:1: error: no partial is named 'nothing'; add nothing.html to the templates\n"},
		{"{{#yes}}{{>t}}{{/yes}}", "t:1:9: error: partials nest deeper than 16; does 't' include itself?\n"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena a = arena;
		struct diag d = diag_new(&a);
		struct buf out = buf_new(&a);
		struct template_set *set = template_from(&a, &d, STR("t"), str_of(cases[i][0]));
		assert_non_null(set);
		assert_false(template_render(set, "t", context(&a), &out, &d));
		assert_string_equal(printed(&a, &d), cases[i][1]);
	}
	(void)state;
}

/* Sections that are not entered name nothing that must exist. */
static void what_is_not_rendered_need_not_exist(void **state)
{
	assert_renders("{{#no}}{{unknown}}{{/no}}{{#none}}{{unknown}}{{/none}}{{^yes}}{{unknown}}{{/yes}}", "");
	(void)state;
}

static void deep_sections_are_refused(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct buf text = buf_new(&a);

	for (int i = 0; i < 100000; i++)
		buf_add(&text, STR("{{#yes}}"));
	assert_null(template_from(&a, &d, STR("t"), buf_str(&text)));
	assert_int_equal(d.errors, 1);
	(void)state;
}

static const char *put(struct arena *a, const char *folder, const char *name, const char *text)
{
	struct str path = str_printf(a, "%s/%s", folder, name);

	assert_int_equal(file_replace(str_z(a, path), str_of(text)), FILE_WROTE);
	return str_z(a, path);
}

static void a_folder_is_loaded_by_name(void **state)
{
	struct arena a = arena;
	struct diag d = diag_new(&a);
	struct buf out = buf_new(&a);
	char folder[] = "/tmp/runq-templates-XXXXXX";

	assert_non_null(mkdtemp(folder));
	const char *partials = str_z(&a, str_printf(&a, "%s/partials", folder));
	assert_true(file_make_dirs(partials));
	const char *page = put(&a, folder, "page.html", "{{>partials/f}}!\n"),
		   *f = put(&a, partials, "f.html", "f {{price}}");
	const char *other = put(&a, folder, "NOTES.md", "{{#not a template}}"),
		   *hidden = put(&a, folder, ".x.html", "{{");
	struct template_set *set = template_load(&a, &d, folder);
	assert_non_null(set);
	assert_true(template_render(set, "page", context(&a), &out, &d));
	assert_true(str_eq(buf_str(&out), STR("f 12.05!\n")));
	assert_false(template_render(set, "pages", context(&a), &out, &d));

	/* A partial that is not there is found before anything is rendered. */
	put(&a, folder, "page.html", "x\n{{>partials/g}}");
	struct diag d2 = diag_new(&a);
	assert_null(template_load(&a, &d2, folder));
	struct str want =
		str_printf(&a, "%s:2:1: error: no partial is named 'partials/g'; did you mean 'partials/f'?\n", page);
	assert_string_equal(printed(&a, &d2), str_z(&a, want));
	unlink(page), unlink(f), unlink(other), unlink(hidden), rmdir(partials), rmdir(folder);
	struct diag d3 = diag_new(&a);
	assert_null(template_load(&a, &d3, folder));
	assert_int_equal(d3.errors, 1);
	(void)state;
}

static int set_up(void **state)
{
	arena = arena_new(&block, (ptrdiff_t)1 << 28);
	(void)state;
	return 0;
}

static int tear_down(void **state)
{
	arena_free(&block);
	(void)state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(interpolation),
		cmocka_unit_test(sections),
		cmocka_unit_test(inverted_sections),
		cmocka_unit_test(standalone_tags_take_their_line),
		cmocka_unit_test(comments_and_delimiters),
		cmocka_unit_test(partials),
		cmocka_unit_test(setting_twice_replaces),
		cmocka_unit_test(mistakes_in_a_template_are_placed),
		cmocka_unit_test(mistakes_in_rendering_are_placed),
		cmocka_unit_test(what_is_not_rendered_need_not_exist),
		cmocka_unit_test(deep_sections_are_refused),
		cmocka_unit_test(a_folder_is_loaded_by_name),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
