/* Words, numbers and times of the scenario language, and its errors. */
#include "sim/parse.h"

static bool word_end(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == ',' || c == ':' || c == ';' || c == '#';
}

void sim_parse_next(struct sim_parser *p)
{
	struct sim_token *t = &p->token;

	while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\r'))
		p->at++;
	if (p->at < p->end && *p->at == '#')
		while (p->at < p->end && *p->at != '\n')
			p->at++;
	*t = (struct sim_token){.ptr = p->at, .line = p->line, .col = (int32_t)(p->at - p->line_start) + 1};
	if (p->at == p->end)
		return;
	char c = *p->at;
	t->len = 1;
	if (c == '\n' || c == ';' || c == ',' || c == ':') {
		t->kind = c == '\n' ? ';' : c;
		p->at++;
		if (c == '\n') {
			p->line++;
			p->line_start = p->at;
		}
		return;
	}
	t->kind = 'w';
	while (p->at < p->end && !word_end(*p->at))
		p->at++;
	t->len = (size_t)(p->at - t->ptr);
}

struct sim_token sim_parse_take(struct sim_parser *p)
{
	struct sim_token t = p->token;

	sim_parse_next(p);
	return t;
}

bool sim_token_is(struct sim_token t, const char *word)
{
	size_t i = 0;

	if (t.kind != 'w')
		return false;
	for (; i < t.len && word[i]; i++)
		if (t.ptr[i] != word[i])
			return false;
	return i == t.len && !word[i];
}

static size_t add(struct sim_error *e, size_t at, const char *ptr, size_t len)
{
	for (size_t i = 0; i < len && at + 1 < sizeof e->message; i++, at++)
		e->message[at] = ptr[i];
	e->message[at] = '\0';
	return at;
}

static size_t add_z(struct sim_error *e, size_t at, const char *z)
{
	size_t n = 0;

	while (z[n])
		n++;
	return add(e, at, z, n);
}

static size_t add_token(struct sim_error *e, size_t at, struct sim_token t)
{
	char clean[40];
	size_t n = 0;

	if (t.kind == ';' || !t.kind)
		return add_z(e, at, "the end of the line");
	for (; n < t.len && n < sizeof clean; n++) /* a message never carries bytes a terminal would obey */
		clean[n] = (unsigned char)t.ptr[n] < ' ' || t.ptr[n] == 127 ? '?' : t.ptr[n];
	at = add_z(e, at, "'");
	at = add(e, at, clean, n);
	return add_z(e, at, t.len > n ? "…'" : "'");
}

bool sim_parse_fail(struct sim_parser *p, struct sim_token t, const char *before, const char *after)
{
	size_t at = add_z(p->error, 0, before);

	p->error->line = t.line;
	p->error->col = t.col;
	if (after)
		add_z(p->error, add_token(p->error, at, t), after);
	return false;
}

/* Levenshtein distance of words of up to 23 bytes; longer ones are far from all. */
static int distance(const char *a, size_t n, const char *b)
{
	int row[24] = {0};
	int m = 0;

	while (b[m])
		m++;
	if (n > 23 || m > 23)
		return 99;
	for (int j = 0; j <= m; j++)
		row[j] = j;
	for (int i = 1; i <= (int)n; i++) {
		int corner = row[0];
		row[0] = i;
		for (int j = 1; j <= m; j++) {
			int change = corner + (a[i - 1] != b[j - 1]);
			corner = row[j];
			int step = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
			row[j] = change < step ? change : step;
		}
	}
	return row[m];
}

bool sim_parse_unknown(struct sim_parser *p, struct sim_token t, const char *what, const char *const *names, int n)
{
	int best = SIM_NONE, best_distance = (int)t.len / 3 + 2;

	for (int i = 0; i < n; i++) {
		int d = distance(t.ptr, t.len, names[i]);
		if (d < best_distance) {
			best_distance = d;
			best = i;
		}
	}
	sim_parse_fail(p, t, "", "");
	size_t at = add_z(p->error, 0, t.kind == 'w' ? "unknown " : "missing ");
	at = add_z(p->error, at, what);
	at = add_z(p->error, at, t.kind == 'w' ? " " : " before ");
	at = add_token(p->error, at, t);
	if (best != SIM_NONE && t.kind == 'w') {
		at = add_z(p->error, at, "; did you mean '");
		at = add_z(p->error, at, names[best]);
		add_z(p->error, at, "'?");
		return false;
	}
	at = add_z(p->error, at, "; known:");
	for (int i = 0; i < n; i++) {
		at = add_z(p->error, at, i ? ", " : " ");
		at = add_z(p->error, at, names[i]);
	}
	return false;
}

bool sim_number_of(const char *ptr, size_t len, int64_t *out)
{
	bool minus = len > 1 && *ptr == '-';
	int64_t v = 0;

	if (len < (size_t)minus + 1 || len > 18)
		return false;
	for (size_t i = minus; i < len; i++) {
		if (ptr[i] < '0' || ptr[i] > '9')
			return false;
		v = v * 10 + (ptr[i] - '0');
	}
	*out = minus ? -v : v;
	return true;
}

bool sim_parse_int(struct sim_parser *p, int64_t min, int64_t max, const char *what, int32_t *out)
{
	struct sim_token t = sim_parse_take(p);
	int64_t v = 0;

	if (t.kind != 'w' || !sim_number_of(t.ptr, t.len, &v) || v < min || v > max)
		return sim_parse_fail(p, t, what, " is none");
	*out = (int32_t)v;
	return true;
}

/* Exact: "5.123457ms" is 5123457 ns; more digits than a ns has are refused. */
bool sim_time_of(const char *ptr, size_t len, int64_t *ns)
{
	static const struct {
		const char *name;
		int64_t ns;
	} units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
	int64_t whole = 0, part = 0, scale = 1, unit = 0;
	size_t i = 0;

	for (; i < len && ptr[i] >= '0' && ptr[i] <= '9' && i < 12; i++)
		whole = whole * 10 + (ptr[i] - '0');
	if (i == 0)
		return false;
	if (i < len && ptr[i] == '.') {
		size_t from = ++i;
		for (; i < len && ptr[i] >= '0' && ptr[i] <= '9' && i < from + 9; i++, scale *= 10)
			part = part * 10 + (ptr[i] - '0');
		if (i == from)
			return false;
	}
	if (i == len && whole == 0 && part == 0) {
		*ns = 0;
		return true;
	}
	for (size_t u = 0; u < sizeof units / sizeof *units; u++)
		if (sim_token_is((struct sim_token){.ptr = ptr + i, .len = len - i, .kind = 'w'}, units[u].name))
			unit = units[u].ns;
	if (!unit || part * unit % scale || whole > SIM_TIME_MAX / unit)
		return false;
	*ns = whole * unit + part * unit / scale;
	return *ns <= SIM_TIME_MAX;
}

bool sim_parse_time(struct sim_parser *p, int64_t min, const char *what, int64_t *out)
{
	struct sim_token t = sim_parse_take(p);
	int64_t v = 0;

	if (t.kind != 'w' || !sim_time_of(t.ptr, t.len, &v))
		return sim_parse_fail(p, t, "no time: ", "; write a number with ns, us, ms or s, up to 3600s");
	if (v < min)
		return sim_parse_fail(p, t, what, " is too short");
	*out = v;
	return true;
}

bool sim_parse_name(struct sim_parser *p, const char *what, char out[SIM_NAME_BYTES])
{
	struct sim_token t = sim_parse_take(p);
	bool fine = t.kind == 'w' && t.len < SIM_NAME_BYTES;

	for (size_t i = 0; fine && i < t.len; i++) {
		char c = t.ptr[i];
		fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
		       c == '_';
	}
	if (!fine)
		return sim_parse_fail(p, t, what, " is none; use up to 15 letters, digits, - and _");
	for (size_t i = 0; i < SIM_NAME_BYTES; i++)
		out[i] = i < t.len ? t.ptr[i] : '\0';
	return true;
}
