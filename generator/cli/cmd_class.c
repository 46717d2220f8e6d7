/* runq class: the instructor's view of what was handed in. */
#include "app/class.h"
#include "cli/session.h"
#include "cli/table.h"
#include "text/json.h"

static const struct option options[] = {
	{"json", NULL, "print JSON, for programs"},
	{0},
};

static struct str verdict(const struct class_entry *e)
{
	return e->reason.len ? STR("refused") : e->late ? STR("late") : STR("on time");
}

/* Entries of a lab, by student: the first one found is what counts. */
static const struct class_entry *find(const struct class_progress *p, struct str student, struct str lab)
{
	for (ptrdiff_t i = 0; i < p->n; i++)
		if (str_eq(p->entries[i].student, student) && str_eq(p->entries[i].lab, lab))
			return &p->entries[i];
	return NULL;
}

static ptrdiff_t distinct_labs(const struct class_progress *p, struct str *labs, ptrdiff_t max)
{
	ptrdiff_t n = 0;

	for (ptrdiff_t i = 0; i < p->n; i++) {
		ptrdiff_t at = n;
		while (at > 0 && str_cmp(labs[at - 1], p->entries[i].lab) > 0)
			at--;
		if ((at > 0 && str_eq(labs[at - 1], p->entries[i].lab)) || n == max)
			continue;
		for (ptrdiff_t k = n++; k > at; k--)
			labs[k] = labs[k - 1];
		labs[at] = p->entries[i].lab;
	}
	return n;
}

/* Students against labs. With more labs than fit, the list below it still has them all. */
static void print_grid(const struct class_progress *p, struct arena scratch)
{
	struct str labs[TABLE_COLUMNS_MAX - 1];
	ptrdiff_t n_labs = distinct_labs(p, labs, TABLE_COLUMNS_MAX - 1);
	struct table t = table_new(&scratch, (int)n_labs + 1, 0);

	table_add(&t, STR("student"));
	for (ptrdiff_t k = 0; k < n_labs; k++)
		table_add(&t, labs[k]);
	for (ptrdiff_t i = 0; i < p->n; i++) {
		if (i && str_eq(p->entries[i].student, p->entries[i - 1].student))
			continue;
		table_add(&t, p->entries[i].student);
		for (ptrdiff_t k = 0; k < n_labs; k++) {
			const struct class_entry *e = find(p, p->entries[i].student, labs[k]);
			table_add(&t, e ? verdict(e) : STR("-"));
		}
	}
	table_print(&t, stdout, "");
}

static void print_list(const struct class_progress *p, struct arena scratch)
{
	struct table t = table_new(&scratch, 6, 0);
	static const char *const heads[] = {"student", "lab", "result", "time", "run", "reason"};
	char when[64];

	for (int i = 0; i < 6; i++)
		table_add(&t, str_of(heads[i]));
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct class_entry *e = &p->entries[i];
		session_time(e->t_ms, when, sizeof when);
		table_add(&t, e->student);
		table_add(&t, e->lab);
		table_add(&t,
			e->times > 1 ? str_printf(&scratch, "refused %lld times", (long long)e->times) : verdict(e));
		table_add(&t, str_copy(&scratch, str_of(when)));
		table_add(&t, e->run_id_hex.len ? str_slice(e->run_id_hex, 0, 12) : STR("-"));
		table_add(&t, e->reason);
	}
	table_print(&t, stdout, "");
}

static void print_json(const struct class_progress *p, struct arena scratch)
{
	struct buf b = buf_new(&scratch);

	buf_char(&b, '[');
	for (ptrdiff_t i = 0; i < p->n; i++) {
		const struct class_entry *e = &p->entries[i];
		buf_add(&b, i ? STR(",\n{\"lab\":") : STR("{\"lab\":"));
		json_write_text(&b, e->lab);
		buf_printf(&b, ",\"late\":%s,\"reason\":", e->late ? "true" : "false");
		json_write_text(&b, e->reason);
		buf_add(&b, STR(",\"result\":"));
		json_write_text(&b, verdict(e));
		buf_add(&b, STR(",\"run\":"));
		json_write_text(&b, e->run_id_hex);
		buf_add(&b, STR(",\"student\":"));
		json_write_text(&b, e->student);
		buf_printf(&b, ",\"t_ms\":%lld,\"times\":%lld}", (long long)e->t_ms, (long long)e->times);
	}
	buf_add(&b, STR("]\n"));
	fwrite(b.ptr, 1, (size_t)b.len, stdout);
}

static int progress(struct args *args)
{
	int status;

	if (args->n_words)
		return option_misuse(args, "unexpected '%s'", *args->words);
	struct store *s = session_open(args, STORE_READ, &status);
	if (!s)
		return status;
	struct class_progress p = class_progress_read(s, args->arena);
	if (!p.ok) {
		status = session_failed(args, s);
	} else if (option_get(args, "json")) {
		print_json(&p, args->scratch);
	} else if (!p.n) {
		printf("nothing was handed in yet; `runq import FILE --student P --lab L` does that\n");
	} else {
		print_grid(&p, args->scratch);
		putchar('\n');
		print_list(&p, args->scratch);
	}
	store_close(s);
	return status;
}

static const struct verb verbs[] = {
	{"progress", "[--json]", "students against labs: handed in on time or late, or refused and why", progress},
	{0},
};

const struct command cmd_class = {
	.name = "class",
	.usage = "",
	.summary = "what the class has handed in",
	.options = options,
	.verbs = verbs,
};
