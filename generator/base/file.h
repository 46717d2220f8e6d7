/* Files: read whole, replace atomically and only if the bytes changed. Texts live in the arena passed. */
#ifndef RUNQ_BASE_FILE_H
#define RUNQ_BASE_FILE_H

#include "base/str.h"

struct file_text {
	struct str text;
	int err;	/* 0, or errno (EFBIG: longer than the limit), or one of ours */
};
enum { FILE_OUTSIDE = -1, FILE_IRREGULAR = -2 };
const char *file_error(int err);	/* what to print for `err` */

/* The whole file; "-" is standard input. At most `limit_bytes`. A pipe that nobody writes to is empty. */
struct file_text file_read(struct arena *a, const char *path, ptrdiff_t limit_bytes);
/* A regular file that lies below `folder` when its links are followed: for what gets published. */
struct file_text file_read_inside(struct arena *a, const char *folder, const char *path, ptrdiff_t limit_bytes);

enum file_result { FILE_SAME, FILE_WROTE, FILE_FAILED };	/* FILE_FAILED leaves errno */

/* Writes a temporary beside the target, syncs, renames; a file that has these bytes already is not touched.
 * A target that is no regular file ("-" is standard output) is written directly. */
enum file_result file_replace(const char *path, struct str bytes);
/* The same, where the temporary's name is `temp_start`, a dot and six characters; it must be on the same file system. FILE_LATER leaves
 * it to the caller to sync. */
enum file_sync { FILE_NOW, FILE_LATER };
enum file_result file_replace_by(const char *path, const char *temp_start, struct str bytes, enum file_sync when);

/* "folder/path", or `path` alone when the folder is ".": messages then show what an author would type. Terminated. */
const char *file_in(struct arena *a, const char *folder, struct str path);
bool file_make_dirs(const char *path);	/* like mkdir -p on the folder `path`; false leaves errno */

struct file_list {
	struct str *names;	/* sorted bytewise, without "." and ".." */
	ptrdiff_t n;
	int err;
};
struct file_list file_list(struct arena *a, const char *folder);

#endif
