/* runq check: everything build makes and checks, and nothing written. */
#include "app/site.h"
#include "cli/session.h"

static const struct option options[] = {
	{"machine", "KEY", "whose numbers the claims are checked on (default: this course's local machine)"},
	{"strict", NULL, "a contradicted claim is an error"},
	{0},
};

static int check(struct args *args)
{
	struct site_options opt = {
		.root = session_root(args),
		.db = session_db(args),
		.machine = option_get(args, "machine"),
		.jobs = 1,
		.strict = option_get(args, "strict"),
		.check = true,
	};

	if (args->n_words)
		return option_misuse(args, "unexpected '%s'", *args->words);
	return site_build(&opt);
}

const struct command cmd_check = {
	.name = "check",
	.usage = "[--machine KEY] [--strict]",
	.summary = "check content, links, anchors, questions and claims; write nothing",
	.options = options,
	.exec = check,
};
