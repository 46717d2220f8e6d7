#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

static struct arena_block block;
static struct arena arena;
static char folder[] = "/tmp/runq-file-XXXXXX";

static const char *path_of(const char *name)
{
	return str_z(&arena, str_printf(&arena, "%s/%s", folder, name));
}

static void writes_reads_and_leaves_alone(void **state)
{
	const char *path = path_of("a");
	struct stat before, after;

	assert_int_equal(file_replace(path, STR("one\0two")), FILE_WROTE);
	struct file_text r = file_read(&arena, path, 100);
	assert_int_equal(r.err, 0);
	assert_true(str_eq(r.text, STR("one\0two")));
	assert_int_equal(stat(path, &before), 0);
	assert_int_equal(file_replace(path, STR("one\0two")), FILE_SAME);
	assert_int_equal(stat(path, &after), 0);
	assert_true(before.st_ino == after.st_ino && before.st_mtim.tv_nsec == after.st_mtim.tv_nsec);
	assert_int_equal(file_replace(path, STR("other")), FILE_WROTE);
	assert_int_equal(stat(path, &after), 0);
	assert_true(before.st_ino != after.st_ino);
	assert_int_equal(file_replace(path, STR("")), FILE_WROTE);
	assert_int_equal(file_read(&arena, path, 100).text.len, 0);
	(void)state;
}

static void files_get_the_usual_mode(void **state)
{
	struct stat st;
	mode_t mask = umask(027);

	assert_int_equal(file_replace(path_of("mode"), STR("x")), FILE_WROTE);
	umask(mask);
	assert_int_equal(stat(path_of("mode"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	(void)state;
}

static void limits_and_missing_files_are_errors(void **state)
{
	const char *path = path_of("big");
	struct buf b = buf_new(&arena);

	for (int i = 0; i < 50000; i++)
		buf_char(&b, (char)('a' + i % 26));
	assert_int_equal(file_replace(path, buf_str(&b)), FILE_WROTE);
	assert_int_equal(file_read(&arena, path, 50000).err, 0);
	assert_int_equal(file_read(&arena, path, 49999).err, EFBIG);
	assert_true(str_eq(file_read(&arena, path, 60000).text, buf_str(&b)));
	assert_int_equal(file_read(&arena, path_of("missing"), 10).err, ENOENT);
	assert_int_equal(file_read(&arena, folder, 10).err, EISDIR);
	(void)state;
}

static void nothing_is_left_when_writing_fails(void **state)
{
	assert_int_equal(file_replace(path_of("no/such/folder"), STR("x")), FILE_FAILED);
	assert_int_equal(errno, ENOENT);
	struct file_list list = file_list(&arena, folder);
	for (ptrdiff_t i = 0; i < list.n; i++)
		assert_true(str_find_char(list.names[i], '.') < 0);
	(void)state;
}

/* A device is written to, and stays a device; its errors are told. */
static void what_is_no_file_is_written_directly(void **state)
{
	struct stat st;

	assert_int_equal(file_replace("/dev/null", STR("x")), FILE_WROTE);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
	assert_int_equal(file_replace("/dev/full", STR("x")), FILE_FAILED);
	assert_int_equal(errno, ENOSPC);
	assert_int_equal(file_replace(folder, STR("x")), FILE_FAILED);
	assert_int_equal(errno, EISDIR);
	(void)state;
}

static void dash_is_standard_input_and_output(void **state)
{
	int saved_in = dup(STDIN_FILENO), saved_out = dup(STDOUT_FILENO);
	int in = open(path_of("in"), O_RDWR | O_CREAT, 0600), out = open(path_of("out"), O_WRONLY | O_CREAT, 0600);

	assert_true(saved_in >= 0 && saved_out >= 0 && in >= 0 && out >= 0);
	assert_int_equal(write(in, "piped", 5), 5);
	lseek(in, 0, SEEK_SET);
	fflush(stdout);
	dup2(in, STDIN_FILENO);
	dup2(out, STDOUT_FILENO);
	struct file_text r = file_read(&arena, "-", 100);
	enum file_result w = file_replace("-", STR("shown"));
	dup2(saved_in, STDIN_FILENO);
	dup2(saved_out, STDOUT_FILENO);
	close(saved_in), close(saved_out), close(in), close(out);
	assert_true(str_eq(r.text, STR("piped")));
	assert_int_equal(w, FILE_WROTE);
	assert_true(str_eq(file_read(&arena, path_of("out"), 100).text, STR("shown")));
	(void)state;
}

static void folders_are_made_with_their_parents(void **state)
{
	struct stat st;

	assert_true(file_make_dirs(path_of("x/y/z")));
	assert_true(file_make_dirs(path_of("x/y/z")));
	assert_true(file_make_dirs(path_of("x//w/")));
	assert_int_equal(stat(path_of("x/w"), &st), 0);
	assert_int_equal(file_replace(path_of("x/plain"), STR("")), FILE_WROTE);
	assert_false(file_make_dirs(path_of("x/plain/y")));
	assert_true(file_make_dirs("/"));
	(void)state;
}

static void inside_means_after_links(void **state)
{
	assert_true(file_make_dirs(path_of("box/sub")));
	assert_int_equal(file_replace(path_of("box/sub/a"), STR("a")), FILE_WROTE);
	assert_int_equal(file_replace(path_of("box-not"), STR("b")), FILE_WROTE);
	assert_int_equal(symlink("sub/a", path_of("box/good")), 0);
	assert_int_equal(symlink("../box-not", path_of("box/out")), 0);
	assert_int_equal(symlink("..", path_of("box/up")), 0);
	assert_int_equal(symlink("loop", path_of("box/loop")), 0);
	assert_int_equal(mkfifo(path_of("box/pipe"), 0600), 0);
	static const struct {
		const char *path;
		int err;
	} cases[] = {{"box/sub/a", 0}, {"box/good", 0}, {"box/sub/../sub/a", 0}, {"box/out", FILE_OUTSIDE}, {"box/up/box-not", FILE_OUTSIDE},
		{"box/../box-not", FILE_OUTSIDE}, {"box/loop", ELOOP}, {"box/pipe", FILE_IRREGULAR}, {"box/sub", EISDIR}, {"box/none", ENOENT}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(file_read_inside(&arena, path_of("box"), path_of(cases[i].path), 9).err, cases[i].err);
	assert_int_equal(file_read_inside(&arena, path_of("box"), path_of("box/good"), 0).err, EFBIG);
	/* Nobody writes to the pipe: it is empty, and not waited for. */
	assert_int_equal(file_read(&arena, path_of("box/pipe"), 9).err, 0);
	(void)state;
}

static void lists_are_sorted(void **state)
{
	static const char *const names[] = {"l/b", "l/B", "l/a", "l/.hidden", "l/a.x"};
	static const char *const want[] = {".hidden", "B", "a", "a.x", "b"};

	assert_true(file_make_dirs(path_of("l")));
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		assert_int_equal(file_replace(path_of(names[i]), STR("x")), FILE_WROTE);
	struct file_list list = file_list(&arena, path_of("l"));
	assert_int_equal(list.err, 0);
	assert_int_equal(list.n, 5);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		assert_true(str_eq(list.names[i], str_of(want[i])));
	assert_int_equal(file_list(&arena, path_of("none")).err, ENOENT);
	assert_int_equal(file_list(&arena, path_of("l/a")).err, ENOTDIR);
	(void)state;
}

static int set_up(void **state)
{
	arena = arena_new(&block, (ptrdiff_t)1 << 26);
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

static void paths_are_told_as_they_would_be_typed(void **state)
{
	assert_string_equal(file_in(&arena, ".", STR("content/labs")), "content/labs");
	assert_string_equal(file_in(&arena, "/srv/course", STR("data")), "/srv/course/data");
	assert_string_equal(file_in(&arena, "..", STR("data")), "../data");
	(void)state;
}

static void remove_all(const char *path)
{
	if (unlink(path) == 0)
		return; /* a link too, which is not followed */
	struct file_list list = file_list(&arena, path);

	for (ptrdiff_t i = 0; i < list.n; i++)
		remove_all(str_z(&arena, str_printf(&arena, "%s/%.*s", path, STR_FMT(list.names[i]))));
	remove(path);
}

static int tear_down(void **state)
{
	remove_all(folder);
	arena_free(&block);
	(void)state;
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(writes_reads_and_leaves_alone),
		cmocka_unit_test(files_get_the_usual_mode),
		cmocka_unit_test(limits_and_missing_files_are_errors),
		cmocka_unit_test(nothing_is_left_when_writing_fails),
		cmocka_unit_test(what_is_no_file_is_written_directly),
		cmocka_unit_test(dash_is_standard_input_and_output),
		cmocka_unit_test(folders_are_made_with_their_parents),
		cmocka_unit_test(inside_means_after_links),
		cmocka_unit_test(lists_are_sorted),
		cmocka_unit_test(paths_are_told_as_they_would_be_typed),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
