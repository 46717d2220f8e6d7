/* The simulator as a WebAssembly module: sim.h's functions under their names, with 64-bit arguments handed over in memory, so
 * that a page needs no BigInt. The page owns the memory: what it hands over lies from sim_heap() on, which it grows itself.
 * Natively this file is empty. */
#include "sim/sim.h"

#ifdef __wasm__

#define EXPORT(name) __attribute__((export_name(#name)))

extern unsigned char __heap_base;

/* Where the page may put things; 16-byte aligned. */
EXPORT(sim_heap) unsigned char *wasm_heap(void);
unsigned char *wasm_heap(void)
{
	return &__heap_base;
}

/* sizes[8]: of the engine's block, scenario, error, result, record, state, figures, and the offset of a state's members. */
EXPORT(sim_sizes) void wasm_sizes(int32_t *sizes);
void wasm_sizes(int32_t *sizes)
{
	sizes[0] = (int32_t)sim_memory_bytes();
	sizes[1] = (int32_t)sizeof(struct sim_scenario);
	sizes[2] = (int32_t)sizeof(struct sim_error);
	sizes[3] = (int32_t)sizeof(struct sim_result);
	sizes[4] = (int32_t)sizeof(struct sim_record);
	sizes[5] = (int32_t)sizeof(struct sim_state);
	sizes[6] = (int32_t)sizeof(struct sim_figures);
	sizes[7] = (int32_t)offsetof(struct sim_state, members);
}

EXPORT(sim_parse) int wasm_parse(const char *text, size_t bytes, struct sim_scenario *out, struct sim_error *error);
int wasm_parse(const char *text, size_t bytes, struct sim_scenario *out, struct sim_error *error)
{
	return sim_parse(text, bytes, out, error);
}

EXPORT(sim_print) size_t wasm_print(const struct sim_scenario *scenario, char *out, size_t cap);
size_t wasm_print(const struct sim_scenario *scenario, char *out, size_t cap)
{
	return sim_print(scenario, out, cap);
}

EXPORT(sim_run)
void wasm_run(const struct sim_scenario *scenario, void *memory, struct sim_record *log, uint32_t log_max,
	unsigned flags, struct sim_result *result);
void wasm_run(const struct sim_scenario *scenario, void *memory, struct sim_record *log, uint32_t log_max,
	unsigned flags, struct sim_result *result)
{
	sim_run(scenario, memory, sim_memory_bytes(), log, log_max, flags, result);
}

EXPORT(sim_check)
int wasm_check(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, uint32_t *at);
int wasm_check(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, uint32_t *at)
{
	return sim_check(scenario, log, n, at);
}

EXPORT(sim_state_at_record)
int wasm_state_at_record(const struct sim_scenario *scenario, void *memory, uint32_t record, struct sim_state *out);
int wasm_state_at_record(const struct sim_scenario *scenario, void *memory, uint32_t record, struct sim_state *out)
{
	return sim_state_at_record(scenario, memory, sim_memory_bytes(), record, out);
}

EXPORT(sim_state_at_time)
int wasm_state_at_time(const struct sim_scenario *scenario, void *memory, const int64_t *t, struct sim_state *out);
int wasm_state_at_time(const struct sim_scenario *scenario, void *memory, const int64_t *t, struct sim_state *out)
{
	return sim_state_at_time(scenario, memory, sim_memory_bytes(), *t, out);
}

EXPORT(sim_measure)
void wasm_measure(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, const int64_t *end,
	int task, int64_t *scratch, struct sim_figures *out);
void wasm_measure(const struct sim_scenario *scenario, const struct sim_record *log, uint32_t n, const int64_t *end,
	int task, int64_t *scratch, struct sim_figures *out)
{
	sim_measure(scenario, log, n, *end, task, scratch, out);
}

/* Texts, as addresses of terminated strings; 0 out of range. */
EXPORT(sim_profile_name) const char *wasm_profile_name(int profile);
const char *wasm_profile_name(int profile)
{
	return sim_profile_name(profile);
}

EXPORT(sim_profile_label) const char *wasm_profile_label(int profile);
const char *wasm_profile_label(int profile)
{
	return sim_profile_label(profile);
}

EXPORT(sim_reason_name) const char *wasm_reason_name(int reason);
const char *wasm_reason_name(int reason)
{
	return sim_reason_name(reason);
}

EXPORT(sim_reason_text) const char *wasm_reason_text(int reason);
const char *wasm_reason_text(int reason)
{
	return sim_reason_text(reason);
}

EXPORT(sim_point_text) const char *wasm_point_text(int point);
const char *wasm_point_text(int point)
{
	return sim_point_text(point);
}

#endif
