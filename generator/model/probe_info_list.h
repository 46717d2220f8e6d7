/* The entries of the registry that other files hold, one file a group of probes. Private to the registry. */
#ifndef RUNQ_MODEL_PROBE_INFO_LIST_H
#define RUNQ_MODEL_PROBE_INFO_LIST_H

#include "model/probe_info.h"

#define MS (INT64_C(1000000))
#define SECOND (1000 * MS)
#define WHOLE_PPM (INT64_C(1000000))

/* probe_info_counters.c */
extern const struct probe_info probe_info_sweep;
extern const struct probe_info probe_info_states;
extern const struct probe_info probe_info_signatures;
extern const struct probe_info probe_info_blocking;
extern const struct probe_info probe_info_counters;
extern const struct probe_info probe_info_preemption;
extern const struct probe_info probe_info_turn_length;
extern const struct probe_info probe_info_ticks;
extern const struct probe_info probe_info_clocks;
extern const struct probe_info probe_info_noise;

/* probe_info_bands.c */
extern const struct probe_info probe_info_rt;
extern const struct probe_info probe_info_rr;
extern const struct probe_info probe_info_deadline;
extern const struct probe_info probe_info_quota;
extern const struct probe_info probe_info_psi;
extern const struct probe_info probe_info_cpu_weight;
extern const struct probe_info probe_info_quota_latency;

/* probe_info_task.c */
extern const struct probe_info probe_info_clone_flags;
extern const struct probe_info probe_info_thread_shares;
extern const struct probe_info probe_info_create_rss;
extern const struct probe_info probe_info_pool_breakeven;
extern const struct probe_info probe_info_python_start;
extern const struct probe_info probe_info_switch_footprint;
extern const struct probe_info probe_info_handoff;

/* probe_info_lock.c */
extern const struct probe_info probe_info_gil_model;
extern const struct probe_info probe_info_convoy;
extern const struct probe_info probe_info_python_gil;
extern const struct probe_info probe_info_event_loop;

/* probe_info_classes.c */
extern const struct probe_info probe_info_classes;
extern const struct probe_info probe_info_inversion;
extern const struct probe_info probe_info_race;
extern const struct probe_info probe_info_proc_stat;

/* probe_info_fair.c */
extern const struct probe_info probe_info_nice_idle;
extern const struct probe_info probe_info_autogroup;
extern const struct probe_info probe_info_slice;
extern const struct probe_info probe_info_wakeup;
extern const struct probe_info probe_info_idle_batch;
extern const struct probe_info probe_info_affinity;
extern const struct probe_info probe_info_cpu_count;
extern const struct probe_info probe_info_asymmetry;
extern const struct probe_info probe_info_run_delay;
extern const struct probe_info probe_info_thread_nice;

#endif
