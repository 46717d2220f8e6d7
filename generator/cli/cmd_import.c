/* runq import: run files into the database, or, with --student and --lab, a hand-in with its receipt. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "app/submit.h"
#include "cli/session.h"

static const struct option options[] = {
	{"local", NULL, "these runs are of this machine: its numbers become the course's (implied below data/local)"},
	{"student", "P", "hand the run in for this pseudonym; wants --lab"},
	{"lab", "L", "the lab it is handed in for; wants --student"},
	{0},
};

struct task {
	struct args *args;
	struct store *store;
	struct labs labs;
	const char *student, *lab;
	int status;
};

static void worsen(struct task *t, int status)
{
	if (status > t->status)
		t->status = status;
}

static int64_t now_utc_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void import_one(struct task *t, struct arena *a, struct diag *d, const char *path)
{
	const char *origin = option_get(t->args, "local") ? "local" : import_origin_of(session_root(t->args), path, *a);
	struct import_outcome o = import_run(t->store, a, d, path, origin);
	struct str id = str_slice(o.id_hex, 0, 12);

	switch (o.status) {
	case IMPORT_ADDED:
		printf("imported %.*s machine %.*s probes %.*s", STR_FMT(id), STR_FMT(o.machine), STR_FMT(o.probes));
		printf(o.flags.len ? " flagged: %.*s\n" : "%.*s\n", STR_FMT(o.flags));
		break;
	case IMPORT_ALREADY: printf("already here: %.*s, nothing added\n", STR_FMT(id)); break;
	case IMPORT_REFUSED: worsen(t, CLI_CONTENT); break;
	case IMPORT_UNREADABLE: worsen(t, CLI_ENVIRONMENT); break;
	case IMPORT_FAILED: worsen(t, session_failed(t->args, t->store)); break;
	}
}

static void print_receipt(const struct store_submission *r, enum import_status status)
{
	char when[64];

	session_time(r->t_ms, when, sizeof when);
	if (r->student_added)
		printf("student %.*s is new: added\n", STR_FMT(r->student));
	printf("%s: run %.*s lab %.*s student %.*s time %s %s\n",
		status == IMPORT_ADDED ? "accepted" : "already handed in", STR_FMT(str_slice(r->run_id_hex, 0, 12)),
		STR_FMT(r->lab), STR_FMT(r->student), when, r->late ? "late" : "on time");
}

static void submit_one(struct task *t, struct arena *a, struct diag *d, const char *path)
{
	struct submit_outcome o =
		submit_accept(t->store, a, d, &t->labs, path, str_of(t->student), str_of(t->lab), now_utc_ms());

	switch (o.status) {
	case IMPORT_ADDED:
	case IMPORT_ALREADY: print_receipt(&o.receipt, o.status); break;
	case IMPORT_REFUSED:
		if (o.receipt.student_added)
			printf("student %.*s is new: added\n", STR_FMT(o.receipt.student));
		worsen(t, CLI_CONTENT);
		break;
	case IMPORT_UNREADABLE: worsen(t, CLI_ENVIRONMENT); break;
	case IMPORT_FAILED: worsen(t, session_failed(t->args, t->store)); break;
	}
}

/* What was read is said at once: a folder of runs shows its progress, and a refused file does not stop the next. */
static void take_file(struct task *t, const char *path)
{
	struct arena_block block;
	struct arena a = arena_new(&block, (ptrdiff_t)1 << 28);
	struct diag d = diag_new(&a);

	if (t->student)
		submit_one(t, &a, &d, path);
	else
		import_one(t, &a, &d, path);
	(void)fflush(stdout); /* main checks the last one */
	diag_print(&d, stderr, t->args->scratch);
	arena_free(&block);
}

static void take_path(struct task *t, const char *path)
{
	struct stat st;

	if (strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		take_file(t, path);
		return;
	}
	struct file_list files = import_folder(t->args->arena, path);
	if (files.err || !files.n) {
		fprintf(stderr, "%s: error: %s; name a run file or a folder of *.json files\n", path,
			files.err ? strerror(files.err) : "no *.json file in this folder");
		worsen(t, files.err ? CLI_ENVIRONMENT : CLI_CONTENT);
	}
	for (ptrdiff_t i = 0; i < files.n; i++)
		take_file(t, str_z(t->args->arena, files.names[i]));
}

static int check_usage(const struct args *args, const char *student, const char *lab)
{
	if (!args->n_words)
		return option_misuse(args, "what to import is missing");
	if (!student != !lab)
		return option_misuse(
			args, "--%s wants --%s too", student ? "student" : "lab", student ? "lab" : "student");
	if (student && option_get(args, "local"))
		return option_misuse(args, "--local and --student exclude each other");
	if (student && args->n_words > 1)
		return option_misuse(args, "hand in one file at a time, not %d", args->n_words);
	if (student && !submit_student_ok(str_of(student)))
		return option_misuse(
			args, "student: '%s' is no pseudonym; use 1 to 64 letters, digits and . _ -, first a letter or digit", student);
	return -1;
}

static int import(struct args *args)
{
	struct task t = {.args = args, .student = option_get(args, "student"), .lab = option_get(args, "lab")};
	int status = check_usage(args, t.student, t.lab);

	if (status >= 0)
		return status;
	if (t.student) {
		struct diag d = diag_new(args->arena);
		t.labs = labs_read(args->arena, &d, session_root(args));
		if (diag_print(&d, stderr, args->scratch))
			return CLI_CONTENT;
	}
	t.store = session_open(args, STORE_WRITE, &status);
	if (!t.store)
		return status;
	for (int i = 0; i < args->n_words; i++)
		take_path(&t, args->words[i]);
	store_close(t.store);
	return t.status;
}

const struct command cmd_import = {
	.name = "import",
	.usage = "[--local] FILE|DIR|- ... | --student P --lab L FILE|-",
	.summary = "add run files to the database; a run that is there already adds nothing",
	.options = options,
	.exec = import,
};
