/* runq db: the database's own upkeep. */
#include "cli/session.h"

static int no_more_words(const struct args *args)
{
	return args->n_words ? option_misuse(args, "unexpected '%s'", *args->words) : -1;
}

/* Opening for writing migrates. */
static int migrate(struct args *args)
{
	int status = no_more_words(args);

	if (status >= 0)
		return status;
	struct store *s = session_open(args, STORE_WRITE, &status);
	if (s)
		printf("%s: schema is current\n", session_db(args));
	store_close(s);
	return status;
}

static int verify(struct args *args)
{
	int status = no_more_words(args);
	struct diag d = diag_new(args->arena);

	if (status >= 0)
		return status;
	struct store *s = session_open(args, STORE_READ, &status);
	if (!s)
		return status;
	if (!store_verify(s, &d, args->scratch) && !d.errors)
		status = session_failed(args, s);
	if (diag_print(&d, stderr, args->scratch))
		status = CLI_CONTENT;
	if (status == CLI_FINE)
		printf("%s: sound: integrity, run ids, cells against their runs\n", session_db(args));
	store_close(s);
	return status;
}

static int rebuild(struct args *args)
{
	int status = no_more_words(args);

	if (status >= 0)
		return status;
	struct store *s = session_open(args, STORE_WRITE, &status);
	if (!s)
		return status;
	if (store_rebuild(s, args->scratch))
		printf("%s: cells and machine facts recomputed from the runs\n", session_db(args));
	else
		status = session_failed(args, s);
	store_close(s);
	return status;
}

static const struct verb verbs[] = {
	{"migrate", "", "bring the schema up to date (opening for writing does so too)", migrate},
	{"verify", "", "check integrity, run ids, and derived tables against the runs", verify},
	{"rebuild", "", "recompute the derived tables from the runs; nothing else changes", rebuild},
	{0},
};

const struct command cmd_db = {
	.name = "db",
	.usage = "",
	.summary = "keep the database sound: migrate, verify, rebuild",
	.verbs = verbs,
};
