#include "probe/run_command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "probe/harness.h"
#include "probe/progress.h"
#include "probe/summary.h"

enum { PASSES = 6, PASSES_QUICK = 5, PASSES_LEAST = 5, SLOW_CLOCK_NS = 200, ARENA_BYTES = 64 << 20 };

int run_exit_status(const struct run *r)
{
	bool failed = false;

	for (ptrdiff_t i = 0; i < r->n_tables; i++)
		for (ptrdiff_t k = 0; k < r->tables[i].n_cases; k++) {
			if (run_status_usable(r->tables[i].cases[k].status))
				return 0;
			failed |= r->tables[i].cases[k].status == RUN_FAILED;
		}
	return failed ? 1 : 4;
}

/* Minutes of measuring must not end at a folder that was never writable. */
static bool can_write(const char *out)
{
	const char *slash = strrchr(out, '/');
	struct stat st;
	char folder[4096];

	if (strcmp(out, "-") == 0)
		return true;
	if (stat(out, &st) == 0) {
		errno = EISDIR;
		return !S_ISDIR(st.st_mode) && access(out, W_OK) == 0;
	}
	snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - out) + 1 : 1, slash ? out : ".");
	return access(folder, W_OK | X_OK) == 0;
}

/* data/local/<time>-<id>.run.json where there is a course, else <id>.run.json here. */
static const char *default_path(struct arena *a, const struct run *r, struct str id7)
{
	time_t seconds = (time_t)(r->created_utc_ms / 1000);
	struct tm tm;
	char when[32];
	struct stat st;

	if (stat("data", &st) != 0 || !S_ISDIR(st.st_mode) || !file_make_dirs("data/local") ||
		access("data/local", W_OK) != 0)
		return str_z(a, str_printf(a, "%.*s.run.json", STR_FMT(id7)));
	gmtime_r(&seconds, &tm);
	strftime(when, sizeof when, "%Y%m%d-%H%M%S", &tm);
	return str_z(a, str_printf(a, "data/local/%s-%.*s.run.json", when, STR_FMT(id7)));
}

static int write_record(struct arena *a, const struct run *r, const char *out, const char *program)
{
	struct buf text = buf_new(a);
	struct sha256 hash;
	unsigned char id[SHA256_BYTES];
	char hex[SHA256_HEX];

	run_write(r, &text);
	/* The reader's own rules decide: a record that it would refuse is a bug here, and says so here. */
	struct run_result check = run_validate(a, buf_str(&text));
	if (!check.run) {
		fprintf(stderr, "%s: bug: the record breaks its own rules: %.*s: %.*s; please report this\n", program,
			STR_FMT(check.error.field), STR_FMT(check.error.what));
		return 1;
	}
	sha256_init(&hash);
	sha256_add(&hash, STR("runq-run/1\n"));
	sha256_add(&hash, buf_str(&text));
	sha256_end(&hash, id);
	sha256_hex(id, SHA256_BYTES, hex);
	if (!out)
		out = default_path(a, r, (struct str){hex, 7});
	if (file_replace(out, buf_str(&text)) == FILE_FAILED) {
		fprintf(stderr, "%s: cannot write %s: %s; choose another place with -o\n", program, out,
			strerror(errno));
		return 3;
	}
	FILE *say = strcmp(out, "-") == 0 ? stderr : stdout;
	fprintf(say, "run      %.*s\nmachine  %.*s\n", SHA256_HEX, hex, STR_FMT(run_machine_key(a, r)));
	if (say == stdout)
		fprintf(say, "file     %s\n", out);
	return 0;
}

static int budget_ms(const struct probe_options *o, int from)
{
	int sum = 0;

	for (int i = from; i < o->n_probes; i++)
		sum += o->quick ? o->probes[i]->quick_ms : o->probes[i]->full_ms;
	return sum;
}

/* Measures until a signal stops it. Keeps a stopped table if it has the passes a table needs. Returns that signal. */
static int measure_all(
	struct arena *a, const struct probe_options *o, const struct probe_env *env, struct probe_table *tables, int *n)
{
	struct progress progress = progress_new();
	struct probe_watch watch = {progress_step, &progress};
	int sig = 0;

	stop_signals_block();
	for (int i = 0; i < o->n_probes && !sig; i++) {
		struct probe_table *t = &tables[*n];
		*t = (struct probe_table){.info = o->probes[i], .ops = probe_ops_find(o->probes[i]->name), .env = env};
		if (!t->ops)
			continue;
		progress.later_ns = (int64_t)budget_ms(o, i + 1) * 1000000;
		sig = table_measure(t, a, &watch);
		*n += !sig || t->passes_done >= PASSES_LEAST;
	}
	progress_end(&progress);
	return sig;
}

int run_command(const struct probe_options *o, const char *program)
{
	struct probe_table tables[OPTIONS_PROBES_MAX];
	struct arena_block block;
	struct arena a = arena_new(&block, ARENA_BYTES);
	struct probe_env *env = ARENA_NEW(&a, struct probe_env, 1);
	int n = 0;

	if (o->out && !can_write(o->out)) {
		fprintf(stderr, "%s: cannot write %s: %s; choose another place with -o\n", program, o->out,
			strerror(errno));
		return 3;
	}
	env_read(env, o->quick, o->passes ? o->passes : o->quick ? PASSES_QUICK : PASSES);
	if (env->clock_cost_ns > SLOW_CLOCK_NS)
		fprintf(stderr, "%s: warning: reading the clock takes %lld ns here; short times are less certain\n",
			program, (long long)env->clock_cost_ns);
	int sig = measure_all(&a, o, env, tables, &n);
	int status = sig ? 128 + sig : 0;
	if (n == 0) {
		fprintf(stderr, "%s: stopped before a probe was finished; nothing was written\n", program);
	} else {
		struct run *r = record_build(&a, env, tables, n);
		summary_print(strcmp(o->out ? o->out : "", "-") == 0 ? stderr : stdout, r);
		int wrote = write_record(&a, r, o->out, program);
		status = wrote ? wrote : sig ? status : run_exit_status(r);
	}
	for (int i = 0; i < n; i++)
		table_free(&tables[i]);
	arena_free(&block);
	return fflush(stdout) != 0 ? 3 : status;
}
