/* Files of a tree that somebody else may have written: links must not lead out of it, and reading must not wait. */
#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_below(const char *folder, const char *path)
{
	char *root = realpath(folder, NULL), *real = realpath(path, NULL);
	size_t n = root ? strlen(root) : 0;
	bool below = root && real && strncmp(real, root, n) == 0 && (n == 1 || real[n] == '/');

	free(root);
	free(real);
	return below;
}

struct file_text file_read_inside(struct arena *a, const char *folder, const char *path, ptrdiff_t limit_bytes)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return (struct file_text){.err = errno};
	if (S_ISDIR(st.st_mode))
		return (struct file_text){.err = EISDIR};
	if (!S_ISREG(st.st_mode))
		return (struct file_text){.err = FILE_IRREGULAR};
	if (!is_below(folder, path))
		return (struct file_text){.err = FILE_OUTSIDE};
	return file_read(a, path, limit_bytes);
}

const char *file_error(int err)
{
	switch (err) {
	case FILE_OUTSIDE: return "is a link that leads out of the course's folder";
	case FILE_IRREGULAR: return "is no regular file";
	case EFBIG: return "is longer than such a file may be";
	default: return strerror(err);
	}
}
