/* The course root, the database's path and the open store of a command. */
#include "cli/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

const char *session_root(const struct args *args)
{
	const char *root = option_get(args, "C");

	return root ? root : ".";
}

static const char *in_root(const struct args *args, const char *path)
{
	return file_in(args->arena, session_root(args), str_of(path));
}

const char *session_db(const struct args *args)
{
	const char *db = option_get(args, "db");

	return db ? db : in_root(args, "data/course.db");
}

/* The default database is made in a course only: a wrong folder must not gain a data/ of its own. */
static bool course_has_data_folder(const struct args *args)
{
	struct file_text course = file_read(args->arena, in_root(args, "content/course.txt"), 1 << 20);

	if (course.err) {
		fprintf(stderr, "runq %s: '%s' is no course folder (%s: %s); use -C DIR, or --db FILE\n",
			args->cmd->name, session_root(args), in_root(args, "content/course.txt"), strerror(course.err));
		return false;
	}
	if (!file_make_dirs(in_root(args, "data"))) {
		fprintf(stderr, "runq %s: %s: cannot be made: %s; check its permissions\n", args->cmd->name,
			in_root(args, "data"), strerror(errno));
		return false;
	}
	return true;
}

struct store *session_open(const struct args *args, enum store_mode mode, int *status)
{
	enum store_result result = STORE_ERROR;
	struct str why = {0};

	*status = CLI_ENVIRONMENT;
	if (!option_get(args, "db") && !course_has_data_folder(args))
		return NULL;
	struct store *s = store_open(args->arena, session_db(args), mode, &result, &why);
	if (!s)
		fprintf(stderr, "runq %s: %s: %.*s\n", args->cmd->name, session_db(args), STR_FMT(why));
	else
		*status = CLI_FINE;
	return s;
}

int session_failed(const struct args *args, const struct store *s)
{
	struct str why = store_error(s);

	fprintf(stderr, "runq %s: %s: %.*s\n", args->cmd->name, session_db(args), STR_FMT(why));
	return CLI_ENVIRONMENT;
}

void session_time(int64_t utc_ms, char *out, size_t size)
{
	time_t seconds = (time_t)(utc_ms / 1000);
	struct tm parts;
	char date[32], offset[8];

	if (!localtime_r(&seconds, &parts) || !strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts) ||
		strftime(offset, sizeof offset, "%z", &parts) != 5) {
		snprintf(out, size, "%lld ms", (long long)utc_ms);
		return;
	}
	/* ISO 8601 wants a colon in the offset; strftime's %z has none. */
	snprintf(out, size, "%s%.3s:%s", date, offset, offset + 3);
}
