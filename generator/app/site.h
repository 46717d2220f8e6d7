/* Builds the site: content, templates and the store in, a folder of files out. Everything is made and checked in
 * memory first; the folder is touched only when there is no error, so an old site stays whole. */
#ifndef RUNQ_APP_SITE_H
#define RUNQ_APP_SITE_H

#include <stdbool.h>

struct site_options {
	const char *root;	/* course root, holding content/ templates/ assets/ data/ */
	const char *db;
	const char *out;	/* NULL: <root>/site */
	const char *machine;	/* key; NULL: the local machine, else course.txt's, else the first public one */
	int jobs;		/* >= 1; the output does not depend on it */
	bool strict;	/* a contradicted claim is an error */
	bool force;	/* write a draft in spite of content errors; the exit status stays 1 */
	bool check;	/* make and check everything, write nothing */
};

/* Prints diagnostics on stderr and one line of what was done on stdout. Exit status: 0, 1 content error, 3 environment. */
int site_build(const struct site_options *opt);

#endif
