#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"

struct file_text file_read(struct arena *a, const char *path, ptrdiff_t limit_bytes)
{
	struct file_text r = {0};
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct buf b = buf_new(a);
	char chunk[16384];
	ssize_t n = 0;

	if (fd < 0)
		return (struct file_text){.err = errno};
	/* Opening must not wait for a pipe's writer; reading may wait for what it writes. */
	if (!standard)
		(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	while (b.len <= limit_bytes && (n = read(fd, chunk, sizeof chunk)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			break;
		buf_add(&b, (struct str){chunk, n});
	}
	r.err = n < 0 ? errno : b.len > limit_bytes ? EFBIG : 0;
	if (!standard)
		close(fd);
	r.text = buf_str(&b);
	return r;
}

static bool write_all(int fd, struct str bytes)
{
	while (bytes.len) {
		ssize_t n = write(fd, bytes.ptr, (size_t)bytes.len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		bytes = str_from(bytes, n);
	}
	return true;
}

static bool same_bytes(const char *path, struct str bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char chunk[16384];
	bool same = fd >= 0 && fstat(fd, &st) == 0 && st.st_size == bytes.len;

	while (same && bytes.len) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		same = n > 0 && n <= bytes.len && memcmp(chunk, bytes.ptr, (size_t)n) == 0;
		bytes = str_from(bytes, n);
	}
	if (fd >= 0)
		close(fd);
	return same;
}

static enum file_result write_direct(const char *path, struct str bytes)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write_all(fd, bytes);

	if (fd >= 0 && !standard && close(fd) != 0)
		ok = false;
	return ok ? FILE_WROTE : FILE_FAILED;
}

enum file_result file_replace(const char *path, struct str bytes)
{
	return file_replace_by(path, path, bytes, FILE_NOW);
}

enum file_result file_replace_by(const char *path, const char *temp_start, struct str bytes, enum file_sync when)
{
	struct stat st;
	char temp[4096];

	if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
		return write_direct(path, bytes);
	if (same_bytes(path, bytes))
		return FILE_SAME;
	if (snprintf(temp, sizeof temp, "%s.XXXXXX", temp_start) >= (int)sizeof temp) {
		errno = ENAMETOOLONG;
		return FILE_FAILED;
	}
	int fd = mkstemp(temp);
	if (fd < 0)
		return FILE_FAILED;
	mode_t mask = umask(0);
	umask(mask);
	bool ok = write_all(fd, bytes) && fchmod(fd, 0666 & ~mask) == 0 && (when == FILE_LATER || fsync(fd) == 0);
	int err = ok ? 0 : errno;
	if (close(fd) != 0 && !err)
		err = errno;
	if (!err && rename(temp, path) != 0)
		err = errno;
	if (err) {
		unlink(temp);
		errno = err;
	}
	return err ? FILE_FAILED : FILE_WROTE;
}

const char *file_in(struct arena *a, const char *folder, struct str path)
{
	struct buf b = buf_new(a);

	if (strcmp(folder, ".") != 0) {
		buf_add(&b, str_of(folder));
		buf_char(&b, '/');
	}
	buf_add(&b, path);
	return str_z(a, buf_str(&b));
}

bool file_make_dirs(const char *path)
{
	char part[4096];
	size_t n = strlen(path);
	struct stat st;

	if (n >= sizeof part) {
		errno = ENAMETOOLONG;
		return false;
	}
	for (size_t i = 1; i <= n; i++) {
		if (path[i] != '/' && path[i] != '\0')
			continue;
		memcpy(part, path, i);
		part[i] = '\0';
		if (mkdir(part, 0777) != 0 && (errno != EEXIST || stat(part, &st) != 0 || !S_ISDIR(st.st_mode)))
			return false;
	}
	return true;
}

static int by_name(const void *a, const void *b)
{
	return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

struct file_list file_list(struct arena *a, const char *folder)
{
	struct file_list r = {0};
	DIR *dir = opendir(folder);
	ptrdiff_t cap = 0;

	if (!dir)
		return (struct file_list){.err = errno};
	for (struct dirent *e; (e = readdir(dir));) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		ARENA_GROW(a, r.names, r.n, cap);
		r.names[r.n++] = str_copy(a, str_of(e->d_name));
	}
	closedir(dir);
	if (r.n)
		qsort(r.names, (size_t)r.n, sizeof *r.names, by_name);
	return r;
}
