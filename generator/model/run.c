/* Names of the record, facts, and what identifies a configuration. */
#include "model/run.h"

const char *const run_status_names[] = {"ok", "contended", "degraded", "skipped", "refused", "failed"};
_Static_assert(sizeof run_status_names / sizeof *run_status_names == RUN_STATUS_MAX, "a name for each status");

const char *const run_config_keys[] = {
	"cpu_vendor",
	"cpu_model",
	"cpu_family",
	"cpu_model_id",
	"cpu_stepping",
	"cpus_online",
	"topology",
	"ram_gib",
	"arch",
	"virt",
	"kernel_release",
	"hz",
	"preempt",
	"rt_group_sched",
	"autogroup",
	"sched_rt_period_us",
	"sched_rt_runtime_us",
	"clocksource",
	"thp",
	"cpuidle",
	"mitigations",
	"sched_ext",
	"cgroup",
	"cmdline_isolcpus",
	"cmdline_nohz_full",
	"cmdline_rcu_nocbs",
	"cmdline_preempt",
	"cmdline_threadirqs",
	NULL,
};

bool run_status_usable(enum run_status s)
{
	return s == RUN_OK || s == RUN_CONTENDED || s == RUN_DEGRADED;
}

const struct run_fact *run_fact_get(const struct run_facts *f, const char *key)
{
	for (ptrdiff_t i = 0; i < f->n; i++)
		if (str_eq(f->items[i].key, str_of(key)))
			return &f->items[i];
	return NULL;
}

/* One line for each key of the whitelist: key=null, key=integer or key=bytes:text. An absent fact counts as null. */
static void add_fact(struct sha256 *h, const char *key, const struct run_fact *f)
{
	unsigned char room[128];
	struct arena digits = arena_over(room, sizeof room);
	struct buf b = buf_new(&digits);
	bool is_text = f && f->text.ptr;

	if (is_text)
		buf_i64(&b, f->text.len);
	else if (f && f->num != RUN_NULL)
		buf_i64(&b, f->num);
	else
		buf_add(&b, STR("null"));
	sha256_add(h, str_of(key));
	sha256_add(h, STR("="));
	sha256_add(h, buf_str(&b));
	if (is_text) {
		sha256_add(h, STR(":"));
		sha256_add(h, f->text);
	}
	sha256_add(h, STR("\n"));
}

void run_config_id(const struct run *r, unsigned char out[SHA256_BYTES])
{
	struct sha256 h;

	sha256_init(&h);
	sha256_add(&h, STR("runq-config/1\n"));
	for (const char *const *key = run_config_keys; *key; key++)
		add_fact(&h, *key, run_fact_get(&r->machine, *key));
	sha256_end(&h, out);
}

static struct str fact_text(const struct run *r, const char *key)
{
	const struct run_fact *f = run_fact_get(&r->machine, key);

	return f && f->text.ptr ? f->text : (struct str){0};
}

/* The key is part of file names and addresses. */
static void add_word(struct buf *b, struct str s, struct str others)
{
	enum { SHOWN = 12 };
	ptrdiff_t before = b->len;

	for (ptrdiff_t i = 0; i < s.len && b->len - before < SHOWN; i++) {
		char c = s.ptr[i];
		c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
		if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || str_find_char(others, c) >= 0)
			buf_char(b, c);
	}
	if (b->len == before)
		buf_add(b, STR("unknown"));
}

struct str run_machine_key(struct arena *a, const struct run *r)
{
	struct buf b = buf_new(a);
	struct str arch = fact_text(r, "arch"), rest, more;
	struct str major = str_cut(fact_text(r, "kernel_release"), '.', &rest);
	const struct run_fact *cpus = run_fact_get(&r->machine, "cpus_online");
	unsigned char id[SHA256_BYTES];
	char hex[4];

	arch = str_eq(arch, STR("x86_64")) ? STR("x86") : str_eq(arch, STR("aarch64")) ? STR("arm64") : arch;
	add_word(&b, arch, STR(""));
	buf_char(&b, '-');
	add_word(&b, major, STR(""));
	if (rest.len) {
		buf_char(&b, '.');
		add_word(&b, str_cut(rest, '.', &more), STR(""));
	}
	buf_char(&b, '-');
	buf_i64(&b, cpus && !cpus->text.ptr && cpus->num > 0 ? cpus->num : 0);
	buf_add(&b, STR("cpu-"));
	run_config_id(r, id);
	sha256_hex(id, sizeof hex / 2, hex);
	buf_add(&b, (struct str){hex, sizeof hex});
	return buf_str(&b);
}
