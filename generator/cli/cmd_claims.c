/* runq claims: the verdicts of the course on run files, for programs. */
#include "app/judge.h"
#include "cli/session.h"

static int claims(struct args *args)
{
	struct diag d = diag_new(args->arena);
	struct buf out = buf_new(args->arena);
	bool ok = judge_files(session_root(args), args->words, args->n_words, args->arena, args->scratch, &d, &out);

	diag_print(&d, stderr, args->scratch);
	if (!ok)
		return CLI_CONTENT;
	fwrite(out.ptr, 1, (size_t)out.len, stdout);
	return CLI_FINE;
}

const struct command cmd_claims = {
	.name = "claims",
	.usage = "[FILE...]",
	.summary = "the course's claims as JSON, with their verdicts on run files",
	.exec = claims,
};
