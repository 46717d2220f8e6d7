/* runq build: the site from content, templates and the store. */
#include <unistd.h>

#include "app/site.h"
#include "cli/session.h"

static const struct option options[] = {
	{"machine", "KEY", "whose numbers the pages show (default: this course's local machine)"},
	{"out", "DIR", "the site's folder (default: site in the course root)"},
	{"jobs", "N", "threads (default: one per CPU); the output does not depend on it"},
	{"strict", NULL, "a contradicted claim is an error"},
	{"force", NULL, "write a draft in spite of content errors; the exit status stays 1"},
	{0},
};

static int jobs_of(const struct args *args)
{
	const char *given = option_get(args, "jobs");
	int64_t n = 0;

	if (!given) {
		long online = sysconf(_SC_NPROCESSORS_ONLN);
		return online < 1 ? 1 : online > 64 ? 64 : (int)online;
	}
	return str_int(str_of(given), &n) && n >= 1 && n <= 64 ? (int)n : 0;
}

static int build(struct args *args)
{
	struct site_options opt = {
		.root = session_root(args),
		.db = session_db(args),
		.out = option_get(args, "out"),
		.machine = option_get(args, "machine"),
		.jobs = jobs_of(args),
		.strict = option_get(args, "strict"),
		.force = option_get(args, "force"),
	};

	if (args->n_words)
		return option_misuse(args, "unexpected '%s'", *args->words);
	if (!opt.jobs)
		return option_misuse(args, "--jobs wants a number from 1 to 64, not '%s'", option_get(args, "jobs"));
	return site_build(&opt);
}

const struct command cmd_build = {
	.name = "build",
	.usage = "[--machine KEY] [--out DIR] [--jobs N] [--strict] [--force]",
	.summary = "make the site from the content and the measurements",
	.options = options,
	.exec = build,
};
