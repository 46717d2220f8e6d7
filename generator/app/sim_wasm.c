/* The simulator compiled for the page (sim/wasm.c), embedded where clang and wasm-ld could make it. */
#include "app/sims.h"

#ifdef RUNQ_SIM_WASM
__asm__(".pushsection .rodata\n"
	".global runq_sim_wasm_begin\n"
	".global runq_sim_wasm_bytes\n"
	"runq_sim_wasm_begin:\n"
	".incbin \"" RUNQ_SIM_WASM "\"\n"
	"runq_sim_wasm_end:\n"
	".balign 8\n"
	"runq_sim_wasm_bytes: .quad runq_sim_wasm_end - runq_sim_wasm_begin\n"
	".popsection\n");
extern const char runq_sim_wasm_begin[];
extern const uint64_t runq_sim_wasm_bytes;

struct str sim_wasm(void)
{
	return (struct str){runq_sim_wasm_begin, (ptrdiff_t)runq_sim_wasm_bytes};
}
#else
struct str sim_wasm(void)
{
	return (struct str){0};
}
#endif
