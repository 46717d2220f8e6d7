/* Prints scenarios drawn from seeds FIRST to LAST, each as a line "BYTES DIGEST" and the text: the digest is of the canonical text,
 * the result, the log and the figures, so that another build of the simulator can be held against this one. A scenario that
 * breaks an invariant ends it with status 1. */
#include <stdlib.h>
#include <string.h>

#include "base/sha256.h"
#include "sim_random.h"

enum { LOG_MAX = 400000 };
static struct sim_scenario scenario;
static struct sim_record records[LOG_MAX];
static int64_t scratch[LOG_MAX];
static struct sim_result result;

static void add_figures(struct sha256 *h)
{
	struct sim_figures f;

	for (int i = 0; i < scenario.n_tasks; i++) {
		sim_measure(&scenario, records, result.records, result.t, i, scratch, &f);
		sha256_add(h, (struct str){(const char *)&f, sizeof f});
	}
}

static int simulate(uint32_t seed, void *memory)
{
	static char text[20000], canonical[40000];
	struct sim_error e;
	uint32_t at;
	size_t n = draw_scenario(seed, true, true, text, sizeof text);

	if (n >= sizeof text || !sim_parse(text, n, &scenario, &e)) {
		fprintf(stderr, "seed %u: %d:%d: %s\n%s", (unsigned)seed, (int)e.line, (int)e.col, e.message, text);
		return 1;
	}
	sim_run(&scenario, memory, sim_memory_bytes(), records, LOG_MAX, SIM_FLAG_CHECK, &result);
	int defect = result.end == SIM_END_DEFECT ? result.defect : sim_check(&scenario, records, result.records, &at);
	if (defect || (result.end != SIM_END_HORIZON && result.end != SIM_END_EVENTS)) {
		fprintf(stderr, "seed %u: end %d, %s, at %lld ns\n%s", (unsigned)seed, result.end,
			sim_defect_text(defect), (long long)result.t, text);
		return 1;
	}
	struct sha256 h;
	unsigned char digest[SHA256_BYTES];
	char hex[SHA256_HEX];
	sha256_init(&h);
	sha256_add(&h, (struct str){canonical, (ptrdiff_t)sim_print(&scenario, canonical, sizeof canonical)});
	sha256_add(&h, (struct str){(const char *)&result, sizeof result});
	sha256_add(&h, (struct str){(const char *)records, (ptrdiff_t)(result.records * sizeof *records)});
	add_figures(&h);
	sha256_end(&h, digest);
	sha256_hex(digest, SHA256_BYTES, hex);
	printf("%zu %.64s\n%s\n", n, hex, text);
	return 0;
}

int main(int argc, char **argv)
{
	void *memory = malloc(sim_memory_bytes());
	int status = argc != 3 || !memory;

	for (long seed = status ? 1 : strtol(argv[1], NULL, 10), last = status ? 0 : strtol(argv[2], NULL, 10);
		seed <= last && !status; seed++)
		status = simulate((uint32_t)seed, memory);
	free(memory);
	return status;
}
