/* The probes there are. */
#include <string.h>

#include "probe/harness.h"

/* clang-format off: one a line */
extern const struct probe_ops create_ops;
extern const struct probe_ops switch_ops;
extern const struct probe_ops nice_ops;
extern const struct probe_ops rr_ops;
extern const struct probe_ops rt_ops;
extern const struct probe_ops quota_ops;
extern const struct probe_ops psi_ops;
extern const struct probe_ops cpu_weight_ops;
extern const struct probe_ops quota_latency_ops;
extern const struct probe_ops deadline_ops;
extern const struct probe_ops clone_flags_ops;
extern const struct probe_ops thread_shares_ops;
extern const struct probe_ops create_rss_ops;
extern const struct probe_ops pool_breakeven_ops;
extern const struct probe_ops python_start_ops;
extern const struct probe_ops switch_footprint_ops;
extern const struct probe_ops handoff_ops;
extern const struct probe_ops gil_model_ops;
extern const struct probe_ops convoy_ops;
extern const struct probe_ops python_gil_ops;
extern const struct probe_ops event_loop_ops;
extern const struct probe_ops nice_idle_ops;
extern const struct probe_ops autogroup_ops;
extern const struct probe_ops slice_ops;
extern const struct probe_ops wakeup_ops;
extern const struct probe_ops idle_batch_ops;
extern const struct probe_ops affinity_ops;
extern const struct probe_ops cpu_count_ops;
extern const struct probe_ops asymmetry_ops;
extern const struct probe_ops run_delay_ops;
extern const struct probe_ops thread_nice_ops;
extern const struct probe_ops sweep_ops;
extern const struct probe_ops states_ops;
extern const struct probe_ops signatures_ops;
extern const struct probe_ops blocking_ops;
extern const struct probe_ops counters_ops;
extern const struct probe_ops preemption_ops;
extern const struct probe_ops turn_length_ops;
extern const struct probe_ops ticks_ops;
extern const struct probe_ops clocks_ops;
extern const struct probe_ops noise_ops;
extern const struct probe_ops classes_ops;
extern const struct probe_ops inversion_ops;
extern const struct probe_ops race_ops;
extern const struct probe_ops proc_stat_ops;

const struct probe_ops *const probe_ops_all[] = {
	&create_ops,
	&switch_ops,
	&nice_ops,
	&rr_ops,
	&rt_ops,
	&quota_ops,
	&psi_ops,
	&cpu_weight_ops,
	&quota_latency_ops,
	&deadline_ops,
	&clone_flags_ops,
	&thread_shares_ops,
	&create_rss_ops,
	&pool_breakeven_ops,
	&python_start_ops,
	&switch_footprint_ops,
	&handoff_ops,
	&gil_model_ops,
	&convoy_ops,
	&python_gil_ops,
	&event_loop_ops,
	&nice_idle_ops,
	&autogroup_ops,
	&slice_ops,
	&wakeup_ops,
	&idle_batch_ops,
	&affinity_ops,
	&cpu_count_ops,
	&asymmetry_ops,
	&run_delay_ops,
	&thread_nice_ops,
	&sweep_ops,
	&states_ops,
	&signatures_ops,
	&blocking_ops,
	&counters_ops,
	&preemption_ops,
	&turn_length_ops,
	&ticks_ops,
	&clocks_ops,
	&noise_ops,
	&classes_ops,
	&inversion_ops,
	&race_ops,
	&proc_stat_ops,
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
