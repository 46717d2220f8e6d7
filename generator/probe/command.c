/* What each word of the command line does, but for run. */
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>

#include "probe/options.h"
#include "probe/run_command.h"

static void list(void)
{
	for (const struct probe_info *const *p = probe_infos; *p; p++) {
		int cases = 0;
		while ((*p)->cases[cases].name)
			cases++;
		printf("%-16s %-36s %2d cases, about %d s, quick %d s\n", (*p)->name, (*p)->title, cases,
			((*p)->full_ms + 999) / 1000, ((*p)->quick_ms + 999) / 1000);
	}
}

static void describe(const struct probe_info *p)
{
	printf("%s: %s\n\nmeasures  %s\nhow       %s\nneeds     %s\nsources   %s\n\ncases\n", p->name, p->title,
		p->what, p->how, p->needs, p->sources);
	for (const struct case_info *c = p->cases; c->name; c++)
		printf("  %-30s %s\n", c->name, c->label);
	printf("metrics, the first is the default\n");
	for (const struct metric_info *m = p->metrics; m->name; m++)
		printf("  %-30s %s, %s\n", m->name, m->label, run_unit_names[m->unit]);
}

int probe_main(int argc, char **argv, const char *program)
{
	struct probe_options o;

	if (argc > 1 && strcmp(argv[1], "trace") == 0)
		return trace_main(argc - 1, argv + 1, program);
	if (!options_read(&o, argc, argv, program))
		return 2;
	switch (o.verb) {
	case VERB_HELP: options_help(program); break;
	case VERB_LIST: list(); break;
	case VERB_DESCRIBE:
		for (int i = 0; i < o.n_probes; i++) {
			printf("%s", i ? "\n" : "");
			describe(o.probes[i]);
		}
		break;
	case VERB_RUN: return run_command(&o, program);
	}
	if (fflush(stdout) != 0) {
		perror(program);
		return 3;
	}
	return 0;
}
