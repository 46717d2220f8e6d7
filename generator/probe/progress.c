/* Progress on standard error: one line that rewrites itself on a terminal, a line a pass elsewhere. */
#include "probe/progress.h"

#include <stdio.h>
#include <unistd.h>

static void left_text(char *to, size_t cap, int64_t ns)
{
	int64_t s = (ns + 999999999) / 1000000000;

	if (s >= 120)
		snprintf(to, cap, "about %d min left", (int)((s + 59) / 60));
	else
		snprintf(to, cap, "about %d s left", (int)s);
}

void progress_step(void *ctx, const struct probe_table *t, int pass, int position, int64_t left_ns)
{
	struct progress *p = ctx;
	char left[40], where[40];

	left_text(left, sizeof left, left_ns + p->later_ns);
	if (pass < 0)
		snprintf(where, sizeof where, "warm-up");
	else
		snprintf(where, sizeof where, "pass %d/%d", pass + 1, t->env->passes);
	if (p->terminal) {
		fprintf(stderr, "\r\033[K%s %d/%d %s, %s", t->info->name, position + 1, t->n_cases, where, left);
		(void)fflush(stderr);
		p->open_line = true;
	} else if (position == 0) {
		fprintf(stderr, "%s %s, %s\n", t->info->name, where, left);
	}
}

void progress_end(struct progress *p)
{
	if (p->open_line)
		fprintf(stderr, "\r\033[K");
	p->open_line = false;
}

struct progress progress_new(void)
{
	return (struct progress){.terminal = isatty(STDERR_FILENO) == 1};
}
