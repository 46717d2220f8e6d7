#include "probe/sys.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/run.h"

enum { TEXT_MAX = 256 * 1024, CAP_SYS_NICE_BIT = 23 };

static ptrdiff_t read_file(const char *path, char *to, ptrdiff_t cap)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	ptrdiff_t n = 0;

	if (fd < 0)
		return 0;
	if (fstat(fd, &st) == 0 && (st.st_mode & S_IROTH)) {
		while (n < cap) {
			ssize_t got = read(fd, to + n, (size_t)(cap - n));
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				break;
			n += got;
		}
	}
	close(fd);
	return n;
}

struct str sys_text(struct arena *a, const char *path)
{
	/* These files do not tell their length: read into the arena's free part, then take what was filled. */
	char *room = (char *)a->at;
	ptrdiff_t cap = a->end - a->at < TEXT_MAX ? a->end - a->at : TEXT_MAX;
	struct str s = str_trim((struct str){room, read_file(path, room, cap)});

	if (!s.len)
		return (struct str){0};
	a->at = (unsigned char *)room + (s.ptr - room) + s.len;
	return s;
}

int64_t sys_number(struct str digits)
{
	int64_t v = RUN_NULL;
	ptrdiff_t n = digits.len && digits.ptr[0] == '-';

	while (n < digits.len && digits.ptr[n] >= '0' && digits.ptr[n] <= '9')
		n++;
	return str_int(str_slice(digits, 0, n), &v) ? v : RUN_NULL;
}

int64_t sys_int(const char *path)
{
	char text[64] = {0};

	return sys_number(str_trim((struct str){text, read_file(path, text, sizeof text)}));
}

struct str sys_field(struct str text, const char *key)
{
	struct str name = str_of(key);

	while (text.len) {
		struct str line = str_line(text, &text);
		if (!str_starts(line, name))
			continue;
		struct str rest = str_from(line, name.len);
		struct str value = str_trim(rest);
		if (value.len && (value.ptr[0] == ':' || value.ptr[0] == '='))
			return str_trim(str_from(value, 1));
		if (value.ptr != rest.ptr)
			return value;
	}
	return (struct str){0};
}

struct str sys_word(struct str line, int n)
{
	struct str word = {0};

	do {
		line = str_trim(line);
		ptrdiff_t end = 0;
		while (end < line.len && line.ptr[end] != ' ' && line.ptr[end] != '\t' && line.ptr[end] != '\n')
			end++;
		word = str_slice(line, 0, end);
		line = str_from(line, end);
	} while (n-- > 0 && line.len);
	if (n >= 0)
		word = (struct str){0};
	return word;
}

static int64_t schedstat_of(const char *path, int field)
{
	char text[128];
	ptrdiff_t n = read_file(path, text, sizeof text);

	return sys_number(sys_word((struct str){text, n}, field));
}

int64_t sys_schedstat(int pid, int field)
{
	char path[64];
	int64_t sum = 0;

	if (pid) {
		snprintf(path, sizeof path, "/proc/%d/schedstat", pid);
		return schedstat_of(path, field);
	}
	DIR *dir = opendir("/proc/self/task");
	if (!dir)
		return RUN_NULL;
	for (struct dirent *e; (e = readdir(dir));) {
		int64_t tid = sys_number(str_of(e->d_name));
		if (tid == RUN_NULL)
			continue;
		snprintf(path, sizeof path, "/proc/self/task/%lld/schedstat", (long long)tid);
		int64_t v = schedstat_of(path, field);
		if (v == RUN_NULL) {
			sum = RUN_NULL;
			break;
		}
		sum += v;
	}
	closedir(dir);
	return sum;
}

bool sys_cap_sys_nice(void)
{
	char text[8192];
	struct str caps = sys_field((struct str){text, read_file("/proc/self/status", text, sizeof text)}, "CapEff");
	uint64_t bits = 0;

	for (ptrdiff_t i = 0; i < caps.len; i++) {
		char c = caps.ptr[i];
		bits = bits * 16 + (uint64_t)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
	}
	return bits >> CAP_SYS_NICE_BIT & 1;
}
