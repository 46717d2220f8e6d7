/* The probes there are. */
#include <string.h>

#include "probe/harness.h"

/* clang-format off: one a line */
extern const struct probe_ops create_ops;
extern const struct probe_ops switch_ops;
extern const struct probe_ops nice_ops;
extern const struct probe_ops quota_ops;

const struct probe_ops *const probe_ops_all[] = {
	&create_ops,
	&switch_ops,
	&nice_ops,
	&quota_ops,
	NULL,
};
/* clang-format on */

const struct probe_ops *probe_ops_find(const char *name)
{
	for (const struct probe_ops *const *p = probe_ops_all; *p; p++)
		if (strcmp((*p)->name, name) == 0)
			return *p;
	return NULL;
}
