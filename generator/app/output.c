/* How a site is written. Every file appears whole or not at all, to a reader and after a killed build: a temporary is renamed over it.
 * Against a power failure the list of what the site owns is on the disk before any file of it; the files themselves are synced
 * together at the end, before the build says that it is done. A sync for each would make a first build of many pages wait for the disk
 * as often as it has files, and buys nothing: a site cut short by a power failure is made whole by the next build, which
 * compares bytes, not times. */
#include "app/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"

#define MARK ".runq-site"
#define TEMP ".runq-temp-"
#define MARK_HEAD "runq site; the next build may replace or remove these files\n"

enum { LIST_MAX = 64 << 20 };

/* A path this program may make and find again in its list: relative, without "..", one line. */
static bool is_safe(struct str path)
{
	bool plain = path.len && path.ptr[0] != '/' && str_find(path, STR("..")) < 0;

	for (ptrdiff_t i = 0; i < path.len; i++)
		plain = plain && (unsigned char)path.ptr[i] >= ' ' && path.ptr[i] != 0x7f;
	return plain;
}

bool outputs_add(struct outputs *o, struct diag *d, struct str path, struct str bytes, struct str from)
{
	if (!is_safe(path)) {
		diag_error(d, (struct pos){.path = from}, "makes '%.*s', which is no name for a page; rename it", STR_FMT(path));
		return false;
	}
	if (!str_map_put(&o->by_path, o->arena, path, o->n)) {
		diag_error(d, (struct pos){.path = from}, "makes %.*s, as does %.*s; rename one of them", STR_FMT(path),
			STR_FMT(o->items[str_map_get(&o->by_path, path)].from));
		return false;
	}
	ARENA_GROW(o->arena, o->items, o->n, o->cap);
	o->items[o->n++] = (struct output){path, bytes, from};
	return true;
}

void outputs_link(struct outputs *o, struct output_link link)
{
	ARENA_GROW(o->arena, o->links, o->n_links, o->cap_links);
	o->links[o->n_links++] = link;
}

static const char *join(struct arena *a, const char *folder, struct str path)
{
	struct buf b = buf_new(a);

	buf_printf(&b, "%s/%.*s", folder, STR_FMT(path));
	return str_z(a, buf_str(&b));
}

/* A build cut short leaves no mark or a whole one. */
static bool is_our_mark(struct arena *a, const char *folder)
{
	struct file_text t = file_read(a, join(a, folder, STR(MARK)), LIST_MAX);

	return !t.err && str_starts(t.text, STR(MARK_HEAD));
}

bool outputs_may_write(const char *folder, struct diag *d, struct arena scratch)
{
	struct file_list list = file_list(&scratch, folder);
	bool marked = false, foreign = false;

	if (list.err == ENOENT)
		return true;
	if (list.err) {
		diag_error(d, (struct pos){.path = str_of(folder)}, "%s; choose a folder with --out", strerror(list.err));
		return false;
	}
	for (ptrdiff_t i = 0; i < list.n; i++) {
		marked = marked || (str_eq(list.names[i], STR(MARK)) && is_our_mark(&scratch, folder));
		foreign = foreign || list.names[i].ptr[0] != '.';
	}
	if (foreign && !marked)
		diag_error(d, (struct pos){.path = str_copy(d->arena, str_of(folder))},
			"holds files that no build made; choose an empty or new folder with --out");
	return !foreign || marked;
}

static int by_path(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct path_list {
	struct str *items;
	ptrdiff_t n;
};

static struct path_list read_mark(struct arena *a, const char *folder)
{
	struct file_text t = file_read(a, join(a, folder, STR(MARK)), LIST_MAX);
	struct path_list list = {0};
	struct str rest = t.text, line;
	ptrdiff_t lines = 0;

	for (ptrdiff_t i = 0; i < t.text.len; i++)
		lines += t.text.ptr[i] == '\n';
	if (t.err || !lines)
		return list;
	list.items = ARENA_NEW(a, struct str, lines);
	str_line(rest, &rest);
	while (rest.len) {
		line = str_line(rest, &rest);
		if (is_safe(line))
			list.items[list.n++] = line;
	}
	return list;
}

/* Whether the folders on the way to a file of the site are folders: through a link the site would reach into others. */
static bool has_own_folders(const char *folder, struct str path, struct arena scratch)
{
	struct stat st;

	for (ptrdiff_t i = 0; i < path.len; i++) {
		struct arena once = scratch;
		if (path.ptr[i] == '/' && lstat(join(&once, folder, str_slice(path, 0, i)), &st) == 0 && !S_ISDIR(st.st_mode)) {
			errno = ENOTDIR;
			return false;
		}
	}
	return true;
}

/* A link, pipe or device where a file of the site belongs is replaced, never followed or written to. */
static enum file_result put_file(const char *folder, struct str name, struct str bytes, enum file_sync when, struct arena scratch)
{
	struct stat st;
	const char *path = join(&scratch, folder, name);
	const char *temp = join(&scratch, folder, str_printf(&scratch, TEMP "%ld", (long)getpid()));
	bool there = lstat(path, &st) == 0;

	if (there && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return FILE_FAILED;
	}
	if (there && !S_ISREG(st.st_mode) && unlink(path) != 0)
		return FILE_FAILED;
	return file_replace_by(path, temp, bytes, when);
}

/* What builds that were killed left behind; a build that runs now keeps its own. */
static void remove_temporaries(const char *folder, struct arena scratch)
{
	struct file_list list = file_list(&scratch, folder);

	for (ptrdiff_t i = 0; i < list.n; i++) {
		struct str rest, pid = str_cut(str_from(list.names[i], (ptrdiff_t)sizeof TEMP - 1), '.', &rest);
		int64_t n = 0;
		if (str_starts(list.names[i], STR(TEMP)) && str_int(pid, &n) && n > 0 && kill((pid_t)n, 0) != 0 && errno == ESRCH)
			unlink(join(&scratch, folder, list.names[i]));
	}
}

static bool write_mark(const char *folder, struct path_list list, struct arena scratch)
{
	struct buf b = buf_new(&scratch);

	qsort(list.items, (size_t)list.n, sizeof *list.items, by_path);
	buf_add(&b, STR(MARK_HEAD));
	for (ptrdiff_t i = 0; i < list.n; i++) {
		if (i && str_eq(list.items[i], list.items[i - 1]))
			continue;
		buf_add(&b, list.items[i]);
		buf_char(&b, '\n');
	}
	return put_file(folder, STR(MARK), buf_str(&b), FILE_NOW, scratch) != FILE_FAILED;
}

static bool fail_write(struct diag *d, struct str path, const char *folder)
{
	diag_error(d, (struct pos){.path = path}, "cannot write below %s: %s; make room or fix its permissions, then build again", folder,
		strerror(errno));
	return false;
}

static enum file_result write_one(const struct output *out, const char *folder, struct arena scratch)
{
	ptrdiff_t slash = out->path.len;

	while (slash > 0 && out->path.ptr[slash - 1] != '/')
		slash--;
	if (!has_own_folders(folder, out->path, scratch))
		return FILE_FAILED;
	if (slash > 1 && !file_make_dirs(join(&scratch, folder, str_slice(out->path, 0, slash - 1))))
		return FILE_FAILED;
	return put_file(folder, out->path, out->bytes, FILE_LATER, scratch);
}

/* Folders that became empty go too; rmdir refuses any other. */
static void remove_empty_parents(const char *folder, struct str path, struct arena scratch)
{
	while (path.len > 0) {
		while (path.len > 0 && path.ptr[path.len - 1] != '/')
			path.len--;
		path.len -= path.len > 0;
		if (!path.len || rmdir(join(&scratch, folder, path)) != 0)
			return;
	}
}

static int remove_stale(const char *folder, struct path_list old, struct path_list now, struct arena scratch)
{
	int removed = 0;

	for (ptrdiff_t i = 0; i < old.n; i++) {
		if (bsearch(&old.items[i], now.items, (size_t)now.n, sizeof *now.items, by_path))
			continue;
		struct arena once = scratch;
		if (!has_own_folders(folder, old.items[i], once))
			continue;
		removed += unlink(join(&once, folder, old.items[i])) == 0;
		remove_empty_parents(folder, old.items[i], once);
	}
	return removed;
}

/* All that was written to the folder's file system is on the disk. */
static bool sync_all(const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool ok = fd >= 0 && syncfs(fd) == 0;
	int err = errno;

	if (fd >= 0)
		close(fd);
	errno = err;
	return ok;
}

struct outputs_result outputs_write(const struct outputs *o, const char *folder, struct diag *d, struct arena scratch)
{
	struct outputs_result r = {.ok = true};
	struct path_list old, now = {ARENA_NEW(&scratch, struct str, o->n), 0}, both = {0};

	if (!file_make_dirs(folder)) {
		diag_error(d, (struct pos){.path = str_of(folder)}, "cannot make the folder: %s; choose another with --out", strerror(errno));
		return (struct outputs_result){0};
	}
	remove_temporaries(folder, scratch);
	old = read_mark(&scratch, folder);
	for (ptrdiff_t i = 0; i < o->n; i++)
		now.items[now.n++] = o->items[i].path;
	both.items = ARENA_NEW(&scratch, struct str, old.n + now.n);
	for (ptrdiff_t i = 0; i < old.n; i++)
		both.items[both.n++] = old.items[i];
	for (ptrdiff_t i = 0; i < now.n; i++)
		both.items[both.n++] = now.items[i];
	/* Owned before written: a build cut short leaves nothing that the next one would not recognise. */
	r.ok = write_mark(folder, both, scratch) || fail_write(d, STR(MARK), folder);
	for (ptrdiff_t i = 0; i < o->n && r.ok; i++) {
		enum file_result w = write_one(&o->items[i], folder, scratch);
		r.ok = w != FILE_FAILED || fail_write(d, o->items[i].path, folder);
		r.wrote += w == FILE_WROTE;
		r.same += w == FILE_SAME;
	}
	if (r.ok) {
		qsort(now.items, (size_t)now.n, sizeof *now.items, by_path);
		r.removed = remove_stale(folder, old, now, scratch);
		r.ok = write_mark(folder, now, scratch) || fail_write(d, STR(MARK), folder);
	}
	if (r.ok && r.wrote)
		r.ok = sync_all(folder) || fail_write(d, STR(MARK), folder);
	return r;
}
