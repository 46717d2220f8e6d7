/* One table per command drives parsing, --help and the hints of error messages. */
#include "cli/option.h"

#include <stdarg.h>

#include "base/buf.h"

/* Every command takes these. */
static const struct option global_options[] = {
	{"C", "DIR", "course root (default: the current folder)"},
	{"db", "FILE", "database (default: data/course.db in the course root)"},
	{"help", NULL, "print this text"},
	{0},
};

static void merge_options(struct args *args)
{
	const struct option *const tables[] = {args->cmd->options, global_options};
	int n = 0;

	for (int t = 0; t < 2; t++)
		for (const struct option *o = tables[t]; o && o->name && n < CLI_OPTIONS_MAX - 1; o++)
			args->options[n++] = o;
	args->options[n] = NULL;
}

static int find_option(const struct args *args, struct str name)
{
	for (int i = 0; args->options[i]; i++)
		if (str_eq(name, str_of(args->options[i]->name)))
			return i;
	return -1;
}

const char *option_get(const struct args *args, const char *name)
{
	int i = find_option(args, str_of(name));

	if (i < 0) {
		fprintf(stderr, "runq: bug: command '%s' has no option '%s'\n", args->cmd->name, name);
		abort();
	}
	return args->values[i];
}

static const char *dashes(const struct option *o)
{
	return o->name[1] ? "--" : "-";
}

static void print_option(const struct option *o, FILE *out)
{
	char left[64];

	snprintf(left, sizeof left, "%s%s%s%s", dashes(o), o->name, o->arg ? " " : "", o->arg ? o->arg : "");
	fprintf(out, "  %-16s %s\n", left, o->help);
}

void option_help(const struct command *cmd, FILE *out)
{
	if (cmd->verbs) {
		for (const struct verb *v = cmd->verbs; v->name; v++)
			fprintf(out, "%s runq %s %s%s%s%s%s\n", v == cmd->verbs ? "usage:" : "      ", cmd->name,
				v->name, *v->args ? " " : "", v->args, *cmd->usage ? " " : "", cmd->usage);
	} else {
		fprintf(out, "usage: runq %s %s\n", cmd->name, cmd->usage);
	}
	fprintf(out, "\n%s\n\n", cmd->summary);
	for (const struct verb *v = cmd->verbs; v && v->name; v++)
		fprintf(out, "  %-16s %s\n", v->name, v->summary);
	if (cmd->verbs)
		putc('\n', out);
	for (const struct option *o = cmd->options; o && o->name; o++)
		print_option(o, out);
	for (const struct option *o = global_options; o->name; o++)
		print_option(o, out);
}

int option_misuse(const struct args *args, const char *fmt, ...)
{
	va_list ap;

	const char *name = args->cmd->name, *space = *name ? " " : "";

	fprintf(stderr, "runq%s%s: ", space, name);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "; see `runq%s%s --help`\n", space, name);
	return CLI_USAGE;
}

struct str option_hint(struct arena *a, const char *given, const struct str *names, ptrdiff_t n)
{
	struct str near = str_nearest(str_of(given), names, n);

	return near.len ? str_printf(a, ", did you mean '%.*s'", STR_FMT(near)) : STR("");
}

static int unknown_option(const struct args *args, const char *given)
{
	struct str names[CLI_OPTIONS_MAX];
	ptrdiff_t n = 0;
	struct str bare;
	struct str value;

	for (; args->options[n]; n++)
		names[n] = str_printf(args->arena, "%s%s", dashes(args->options[n]), args->options[n]->name);
	bare = str_cut(str_of(given), '=', &value);
	struct str hint = option_hint(args->arena, str_z(args->arena, bare), names, n);
	return option_misuse(args, "unknown option '%.*s'%.*s", STR_FMT(bare), STR_FMT(hint));
}

/* One argument that begins with a dash, and its value, which may be the next one. Returns how many were used, 0 on an error. */
static int take_option(struct args *args, int argc, char **argv)
{
	struct str name = str_from(str_of(argv[0]), argv[0][1] == '-' ? 2 : 1), value;
	struct str bare = str_cut(name, '=', &value);
	int i = find_option(args, bare);

	/* `-help` and `--C` are not what the table says. */
	if (i < 0 || (bare.len == 1) == (argv[0][1] == '-')) {
		unknown_option(args, argv[0]);
		return 0;
	}
	const struct option *o = args->options[i];
	if (!o->arg && value.ptr) {
		option_misuse(args, "option '--%s' takes no value", o->name);
		return 0;
	}
	/* An empty value is what a script's unset variable gives: as a folder it would mean the root of the file system. */
	const char *given = value.ptr ? value.ptr : argc > 1 ? argv[1] : "";
	if (o->arg && !*given) {
		option_misuse(args, "option '%s%s' wants a value: %s", dashes(o), o->name, o->arg);
		return 0;
	}
	if (args->values[i]) {
		option_misuse(args, "option '%s%s' is given twice", dashes(o), o->name);
		return 0;
	}
	args->values[i] = o->arg ? given : "";
	return o->arg && !value.ptr ? 2 : 1;
}

int option_parse(struct args *args, int argc, char **argv)
{
	bool only_words = false;

	merge_options(args);
	args->words = ARENA_NEW(args->arena, char *, argc + 1);
	for (int i = 0; i < argc;) {
		if (only_words || argv[i][0] != '-' || !argv[i][1]) {
			args->words[args->n_words++] = argv[i++];
		} else if (argv[i][1] == '-' && !argv[i][2]) {
			only_words = true;
			i++;
		} else {
			int used = take_option(args, argc - i, argv + i);
			if (!used)
				return CLI_USAGE;
			i += used;
		}
	}
	if (option_get(args, "help")) {
		option_help(args->cmd, stdout);
		return CLI_FINE;
	}
	return -1;
}
