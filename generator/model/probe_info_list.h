/* The entries of the registry that other files hold, one file a group of probes. Private to the registry. */
#ifndef RUNQ_MODEL_PROBE_INFO_LIST_H
#define RUNQ_MODEL_PROBE_INFO_LIST_H

#include "model/probe_info.h"

#define MS (INT64_C(1000000))
#define SECOND (1000 * MS)
#define WHOLE_PPM (INT64_C(1000000))

/* probe_info_counters.c */

/* probe_info_bands.c */
extern const struct probe_info probe_info_quota;

#endif
