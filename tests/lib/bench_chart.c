/* What one chart costs: bench_chart TSV N draws the chart of tests/cases/chart N times, and prints CPU microseconds and bytes of one, as
 * SVG for a page and as PNG (a fiftieth as often). */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "chart/chart.h"
#include "../unit/chart_case.h"

static double cpu_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char **argv)
{
	struct arena_block block, out_block;
	struct arena a = arena_new(&block, 1 << 28), out = arena_new(&out_block, 1 << 28);
	struct diag d = diag_new(&a);
	struct chart c;
	ptrdiff_t bytes = 0;
	int n = argc == 3 ? (int)strtol(argv[2], NULL, 10) : 0;

	if (n < 50 || !case_chart(&a, file_read(&a, argv[1], 1 << 20).text, &c, &d) || !chart_png_begin())
		return 2;
	double start = cpu_us();
	for (int i = 0; i < n; i++) {
		struct arena once = out;
		struct buf b = buf_new(&once);
		struct html_out w = html_out_new(&b);
		chart_svg(&c, &w, a);
		bytes = b.len;
	}
	printf("%.2f %td ", (cpu_us() - start) / n, bytes);
	start = cpu_us();
	for (int i = 0; i < n / 50; i++) {
		struct arena once = a;
		bytes = chart_png(&once, &c, &d).len;
	}
	printf("%.2f %td\n", (cpu_us() - start) / (n / 50), bytes);
	chart_png_end();
	return 0;
}
