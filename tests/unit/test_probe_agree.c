/* The registry, the probes, `describe` and the pages speak of the same probes, cases and metrics. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "app/labs.h"
#include "base/buf.h"
#include "base/file.h"
#include "probe/harness.h"
#include "probe/probe.h"

enum { PAGE_BYTES_MAX = 1 << 20, DESCRIPTION_BYTES_MAX = 1 << 16 };

static struct arena_block block;
static struct arena arena;

static void every_entry_is_measured(void **state)
{
	for (const struct probe_info *const *p = probe_infos; *p; p++)
		if (!probe_ops_find((*p)->name))
			fail_msg("%s is in the registry but not in probe/ops.c", (*p)->name);
	for (const struct probe_ops *const *o = probe_ops_all; *o; o++) {
		if (!probe_info_find(str_of((*o)->name)))
			fail_msg("%s is in probe/ops.c but not in the registry", (*o)->name);
		for (const struct probe_ops *const *other = probe_ops_all; other < o; other++)
			if (strcmp((*other)->name, (*o)->name) == 0)
				fail_msg("%s is in probe/ops.c twice", (*o)->name);
	}
	(void)state;
}

static bool ops_have(const struct probe_ops *o, const char *name)
{
	for (const struct probe_case *c = o->cases; c->name; c++)
		if (strcmp(c->name, name) == 0)
			return true;
	return false;
}

static void every_case_is_measured(void **state)
{
	for (const struct probe_ops *const *o = probe_ops_all; *o; o++) {
		const struct probe_info *info = probe_info_find(str_of((*o)->name));
		int n_cases = 0, n_metrics = 0;
		assert_non_null(info);
		for (const struct case_info *c = info->cases; c->name; c++, n_cases++)
			if (!ops_have(*o, c->name))
				fail_msg("%s/%s is in the registry but has no measurement", info->name, c->name);
		for (const struct probe_case *c = (*o)->cases; c->name; c++)
			if (!probe_case_find(info, str_of(c->name)))
				fail_msg("%s/%s is measured but not in the registry", info->name, c->name);
		while (info->metrics[n_metrics].name)
			n_metrics++;
		if (n_cases + 1 > PROBE_CASES_MAX || n_metrics > PROBE_METRICS_MAX)
			fail_msg("%s: %d cases and the twin, %d metrics: more than a table holds", info->name, n_cases,
				n_metrics);
		if (!(*o)->twin || !ops_have(*o, (*o)->twin))
			fail_msg("%s: its twin is none of its cases", info->name);
		assert_true((*o)->limit_ms > 0 && (*o)->run);
	}
	(void)state;
}

/* What `runq-probe describe NAME` prints. */
static struct str description(const char *name)
{
	char text[40];
	char verb[] = "describe", program[] = "runq-probe";
	FILE *to = tmpfile();

	assert_non_null(to);
	snprintf(text, sizeof text, "%s", name);
	char *argv[] = {program, verb, text, NULL};
	assert_int_equal(fflush(stdout), 0);
	int was = dup(STDOUT_FILENO);
	assert_true(was >= 0 && dup2(fileno(to), STDOUT_FILENO) >= 0);
	int status = probe_main(3, argv, program);
	assert_int_equal(fflush(stdout), 0);
	assert_true(dup2(was, STDOUT_FILENO) >= 0);
	close(was);
	assert_int_equal(status, 0);
	char *into = ARENA_NEW(&arena, char, DESCRIPTION_BYTES_MAX);
	rewind(to);
	struct str all = {into, (ptrdiff_t)fread(into, 1, DESCRIPTION_BYTES_MAX, to)};
	assert_int_equal(fclose(to), 0);
	return all;
}

static void assert_told(const struct probe_info *p, struct str text, const char *part)
{
	if (str_find(text, str_of(part)) < 0)
		fail_msg("describe %s does not tell '%s'", p->name, part);
}

static void describe_tells_all(void **state)
{
	for (const struct probe_info *const *p = probe_infos; *p; p++) {
		struct arena mark = arena;
		struct str text = description((*p)->name);
		assert_told(*p, text, (*p)->title);
		assert_told(*p, text, (*p)->what);
		assert_told(*p, text, (*p)->how);
		assert_told(*p, text, (*p)->needs);
		assert_told(*p, text, (*p)->sources);
		for (const struct case_info *c = (*p)->cases; c->name; c++) {
			assert_told(*p, text, c->name);
			assert_told(*p, text, c->label);
		}
		for (const struct metric_info *m = (*p)->metrics; m->name; m++) {
			assert_told(*p, text, m->name);
			assert_told(*p, text, m->label);
		}
		arena = mark;
	}
	(void)state;
}

static void labs_name_known_probes(void **state)
{
	struct diag d = diag_new(&arena);
	struct labs labs = labs_read(&arena, &d, ".");

	assert_true(labs.n > 0);
	for (ptrdiff_t i = 0; i < labs.n; i++) {
		struct str rest = labs.items[i].probes;
		if (!str_trim(rest).len)
			fail_msg("content/labs/%.*s.md names no probe", STR_FMT(labs.items[i].slug));
		while ((rest = str_trim(rest)).len) {
			struct str name = str_cut(rest, ' ', &rest);
			if (!probe_info_find(name))
				fail_msg("content/labs/%.*s.md wants the probe '%.*s', which is not there",
					STR_FMT(labs.items[i].slug), STR_FMT(name));
		}
	}
	(void)state;
}

/* Every key between `open` and the next quote, in a page. */
static void check_keys(struct str path, struct str text, const char *open)
{
	ptrdiff_t at;

	while ((at = str_find(text, str_of(open))) >= 0) {
		struct str key = str_cut(str_from(text, at + (ptrdiff_t)strlen(open)), '\'', &text);
		if (str_find_char(key, '/') >= 0 && !probe_key_parse(key).ok)
			fail_msg("%.*s: the registry has no '%.*s'", STR_FMT(path), STR_FMT(key));
	}
}

static void check_page(struct str path, struct str text)
{
	static const char *const opens[] = {"med('", "lo('", "hi('", "noise('"};

	for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
		check_keys(path, text, opens[i]);
	/* SQL that picks a probe's rows. */
	for (ptrdiff_t at; (at = str_find(text, STR("probe = '"))) >= 0;) {
		struct str name = str_cut(str_from(text, at + 9), '\'', &text);
		if (!probe_info_find(name))
			fail_msg("%.*s: the registry has no probe '%.*s'", STR_FMT(path), STR_FMT(name));
	}
}

static void pages_use_known_keys(void **state)
{
	static const char *const folders[] = {"content", "content/chapters", "content/labs", "content/questions"};

	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		struct file_list files = file_list(&arena, folders[i]);
		for (ptrdiff_t k = 0; k < files.n; k++) {
			struct arena mark = arena;
			struct str path = str_printf(&mark, "%s/%.*s", folders[i], STR_FMT(files.names[k]));
			if (!str_ends(path, STR(".md")))
				continue;
			struct file_text file = file_read(&mark, str_z(&mark, path), PAGE_BYTES_MAX);
			assert_int_equal(file.err, 0);
			check_page(path, file.text);
		}
	}
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_is_measured),
		cmocka_unit_test(every_case_is_measured),
		cmocka_unit_test(describe_tells_all),
		cmocka_unit_test(labs_name_known_probes),
		cmocka_unit_test(pages_use_known_keys),
	};

	arena = arena_new(&block, 64 << 20);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(&block);
	return failed;
}
