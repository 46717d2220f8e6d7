#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "text/html.h"

static unsigned char mem[1 << 16];
static struct arena arena;

static struct html_out writer(struct buf *b)
{
	arena = arena_over(mem, sizeof mem);
	*b = buf_new(&arena);
	return html_out_new(b);
}

#define assert_written(b, z)                                                                                           \
	if (!str_eq(buf_str(b), str_of(z)))                                                                            \
	fail_msg("got %.*s", STR_FMT(buf_str(b)))

static void elements_and_attributes(void **state)
{
	struct buf b;
	struct html_out w = writer(&b);

	html_open(&w, "a");
	html_attr(&w, "href", STR("x?a=1&b=\"2\""));
	html_attr_fmt(&w, "data-n", "%d<", 5);
	html_flag(&w, "hidden");
	html_text(&w, STR("1 < 2"));
	html_open(&w, "br");
	html_void(&w);
	html_text_fmt(&w, "%s", "&");
	html_close(&w, "a");
	assert_written(&b, "<a href=\"x?a=1&amp;b=&quot;2&quot;\" data-n=\"5&lt;\" hidden>1 &lt; 2<br/>&amp;</a>");
	assert_int_equal(w.depth, 0);
	(void)state;
}

static void leaves_nest(void **state)
{
	struct buf b;
	struct html_out w = writer(&b);

	html_open(&w, "ul");
	html_leaf(&w, "li", "x y", STR("<>"));
	html_leaf(&w, "li", NULL, STR(""));
	html_close(&w, "ul");
	html_open(&w, "p");
	html_close(&w, "p");
	html_insert(&w, (struct html){STR("<i>ready</i>")});
	assert_written(&b, "<ul><li class=\"x y\">&lt;&gt;</li><li></li></ul><p></p><i>ready</i>");
	(void)state;
}

static void markup_ends_an_open_tag(void **state)
{
	struct buf b;
	struct html_out w = writer(&b);

	html_open(&w, "p");
	html_insert(&w, (struct html){STR("<b>x</b>")});
	html_close(&w, "p");
	assert_written(&b, "<p><b>x</b></p>");
	(void)state;
}

/* The texts attackers try; none may leave with a live character. */
static void every_attack_is_text(void **state)
{
	static const char *const attacks[] = {"<script>alert(1)</script>", "\"><svg/onload=alert(1)>",
		"'onmouseover='alert(1)", "</title><script>", "]]>", "<!--", "&lt;script", "</script>",
		"<a xlink:href=\"javascript:x\">", "\x1b]0;x\x07", "\0"};

	for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
		struct buf b;
		writer(&b);
		html_escape(&b, str_of(attacks[i]));
		for (ptrdiff_t j = 0; j < b.len; j++)
			assert_true(!strchr("<>\"'", b.ptr[j]) && (unsigned char)b.ptr[j] >= 0x20);
		struct str s = buf_str(&b);
		for (ptrdiff_t at; (at = str_find_char(s, '&')) >= 0; s = str_from(s, at + 1)) {
			struct str e = str_from(s, at);
			assert_true(str_starts(e, STR("&amp;")) || str_starts(e, STR("&lt;")) ||
				    str_starts(e, STR("&gt;")) || str_starts(e, STR("&quot;")) ||
				    str_starts(e, STR("&#39;")));
		}
	}
	(void)state;
}

static void controls_become_a_visible_sign(void **state)
{
	struct buf b;

	writer(&b);
	html_escape(&b, (struct str){"a\tb\nc\0d\x7f\xc3\xa9", 10});
	assert_written(&b, "a\tb\nc\xef\xbf\xbd"
			   "d\xef\xbf\xbd\xc3\xa9");
	(void)state;
}

/* A wrong nesting is a bug: the program ends. */
static int status_of(void (*bug)(void))
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		close(STDERR_FILENO);
		bug();
		_exit(0);
	}
	assert_true(child > 0 && waitpid(child, &status, 0) == child);
	return status;
}

static void close_another(void)
{
	struct buf b;
	struct html_out w = writer(&b);

	html_open(&w, "p");
	html_open(&w, "b");
	html_close(&w, "p");
}

static void close_nothing(void)
{
	struct buf b;
	struct html_out w = writer(&b);

	html_close(&w, "p");
}

static void open_too_many(void)
{
	struct buf b;
	struct html_out w = writer(&b);

	for (int i = 0; i <= HTML_DEPTH; i++)
		html_open(&w, "p");
}

static void wrong_nesting_aborts(void **state)
{
	static void (*const bugs[])(void) = {close_another, close_nothing, open_too_many};

	for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++) {
		int status = status_of(bugs[i]);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_and_attributes),
		cmocka_unit_test(leaves_nest),
		cmocka_unit_test(markup_ends_an_open_tag),
		cmocka_unit_test(every_attack_is_text),
		cmocka_unit_test(controls_become_a_visible_sign),
		cmocka_unit_test(wrong_nesting_aborts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
