/* The kernel's ring buffer taken apart: pages and format files as a kernel gives them, made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "probe/trace_page.h"

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n";
static const char switch_format[] =
	"name: sched_switch\nID: 316\nformat:\n\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
	"\tfield:char prev_comm[16];\toffset:8;\tsize:16;\tsigned:0;\n\tfield:pid_t "
	"prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n\tfield:long "
	"prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
	"\tfield:char next_comm[16];\toffset:40;\tsize:16;\tsigned:0;\n\tfield:pid_t "
	"next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
	"\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n\nprint fmt: \"prev_comm=%s\"\n";
static const char wake_format[] =
	"name: sched_wakeup\nID: 318\nformat:\n\tfield:char comm[16];\toffset:8;\tsize:16;\tsigned:0;\n"
	"\tfield:pid_t pid;\toffset:24;\tsize:4;\tsigned:1;\n"
	"\tfield:int prio;\toffset:28;\tsize:4;\tsigned:1;\n"
	"\tfield:int target_cpu;\toffset:32;\tsize:4;\tsigned:1;\n";

static struct trace_layout layout(void)
{
	struct trace_layout l;

	assert_true(trace_layout_read(&l, str_of(header_page), str_of(switch_format), str_of(wake_format)));
	return l;
}

/* A page under construction. */
static struct {
	unsigned char bytes[4096];
	size_t used;
} page;

static void put(const void *from, size_t n)
{
	memcpy(page.bytes + 16 + page.used, from, n);
	page.used += n;
}

static void put_word(uint32_t word)
{
	put(&word, 4);
}

static void begin(uint64_t t_ns)
{
	memset(&page, 0, sizeof page);
	memcpy(page.bytes, &t_ns, 8);
}

static ptrdiff_t end(uint64_t flags)
{
	uint64_t commit = page.used | flags;

	memcpy(page.bytes + 8, &commit, 8);
	return sizeof page.bytes;
}

static void put_switch(uint32_t delta, const char *from, uint32_t pid, uint64_t state, const char *to, uint32_t to_pid)
{
	unsigned char data[64] = {0};

	memcpy(data, &(uint16_t){316}, 2);
	memcpy(data + 8, from, strlen(from));
	memcpy(data + 24, &pid, 4);
	memcpy(data + 32, &state, 8);
	memcpy(data + 40, to, strlen(to));
	memcpy(data + 56, &to_pid, 4);
	put_word(delta << 5 | 16);
	put(data, sizeof data);
}

static void put_wake(uint32_t delta, const char *who, uint32_t cpu)
{
	unsigned char data[36] = {0};

	memcpy(data, &(uint16_t){318}, 2);
	memcpy(data + 8, who, strlen(who));
	memcpy(data + 32, &cpu, 4);
	put_word(delta << 5 | 9);
	put(data, sizeof data);
}

static struct trace_raw got[16];
static int n_got;

static void take(void *ctx, const struct trace_raw *raw)
{
	(void)ctx;
	if (n_got < 16)
		got[n_got++] = *raw;
}

static int64_t read_page(ptrdiff_t bytes)
{
	struct trace_layout l = layout();

	n_got = 0;
	return trace_page_read(&l, page.bytes, bytes, take, NULL);
}

static void formats_tell_where_fields_are(void **state)
{
	struct trace_layout l = layout();

	(void)state;
	assert_int_equal(l.switch_id, 316);
	assert_int_equal(l.wake_id, 318);
	assert_int_equal(l.commit.offset, 8);
	assert_int_equal(l.data.size, 4080);
	assert_int_equal(l.prev_state.offset, 32);
	assert_int_equal(l.next_comm.offset, 40);
	assert_int_equal(l.target.offset, 32);
	/* A field that is needed and absent, or too wide to be what it was. */
	assert_false(trace_layout_read(&l, str_of(header_page), str_of(wake_format), str_of(wake_format)));
	assert_false(trace_layout_read(&l, STR(""), str_of(switch_format), str_of(wake_format)));
	assert_int_equal(trace_field_find(STR("\tfield:int a;\toffset:-1;\tsize:4;"), "a").size, 0);
	assert_int_equal(trace_field_find(STR("\tfield:int ab;\toffset:1;\tsize:4;"), "b").size, 0);
}

static void records_are_read_in_order(void **state)
{
	(void)state;
	begin(1000);
	put_switch(0, "rq-00", 7, 0x100, "swapper/0", 0);
	put_wake(5, "rq-01", 3);
	put_switch(20, "swapper/0", 0, 0, "rq-01", 8);
	put_switch(1, "rq-01", 8, 1, "kworker", 9);
	put_switch(1, "dying", 9, 0x10, "rq-01", 8);
	assert_int_equal(read_page(end(0)), 0);
	assert_int_equal(n_got, 5);
	assert_int_equal(got[0].t_ns, 1000);
	assert_int_equal(got[0].state, 'R'); /* preempted: a bit above those that are reported */
	assert_true(got[0].to_idle);
	assert_string_equal(got[0].from, "rq-00");
	assert_true(got[1].wake);
	assert_int_equal(got[1].t_ns, 1005);
	assert_int_equal(got[1].target, 3);
	assert_string_equal(got[1].from, "rq-01");
	assert_true(got[2].from_idle);
	assert_int_equal(got[2].t_ns, 1025);
	assert_int_equal(got[3].state, 'S');
	assert_int_equal(got[4].state, 'X');
}

/* An interrupt's end: its record is read for who was on the CPU, and whether that one was told to leave. */
static void put_sign(uint32_t delta, uint16_t type, unsigned char flags, uint32_t pid)
{
	unsigned char data[12] = {0};

	memcpy(data, &type, 2);
	data[2] = flags;
	memcpy(data + 4, &pid, 4);
	put_word(delta << 5 | 3);
	put(data, sizeof data);
}

static void signs_tell_who_was_there(void **state)
{
	struct trace_layout l = layout();

	(void)state;
	l.sign_ids[1] = 77;
	begin(0);
	put_sign(0, 77, 0x09, 0);
	put_sign(1, 77, 0x0d, 0); /* TRACE_FLAG_NEED_RESCHED beside hardirq and irqs off */
	put_sign(1, 78, 0x0d, 0); /* of a type that nobody asked for */
	put_sign(1, 77, 0x02, 9); /* the lazy flag alone tells nobody to leave */
	put_wake(1, "rq-01", 3);
	end(0);
	n_got = 0;
	assert_int_equal(trace_page_read(&l, page.bytes, sizeof page.bytes, take, NULL), 0);
	assert_int_equal(n_got, 4);
	assert_true(got[0].sign && got[0].by_idle && !got[0].by_other && !got[0].resched);
	assert_true(got[1].sign && got[1].by_idle && got[1].resched);
	assert_true(got[2].sign && got[2].by_other && !got[2].by_idle && !got[2].resched);
	assert_true(got[3].wake && !got[3].sign);
	/* A kernel that does not say who was there. */
	l.pid.size = 0;
	n_got = 0;
	trace_page_read(&l, page.bytes, sizeof page.bytes, take, NULL);
	assert_true(!got[1].by_idle && !got[1].by_other && !got[1].resched);
}

static void times_beyond_27_bits_and_padding(void **state)
{
	unsigned char eight[8] = {0};

	(void)state;
	begin(UINT64_C(3) << 60);
	put_word(3U << 5 | 30); /* a time extension: 3 + (2 << 27) */
	put_word(2);
	put_switch(1, "a", 1, 0, "b", 2);
	put_word(4U << 5 | 31); /* an absolute time, whose upper bits are the page's */
	put_word(1);
	put_switch(0, "b", 2, 0, "a", 1);
	put_word(7U << 5 | 29); /* a record that was taken back: 8 bytes behind its head */
	put_word(8);
	put(eight, 4);
	put_word(9U << 5 | 0); /* a record with its length in a word: of a type unknown here */
	put_word(12);
	put(eight, 8);
	put_switch(1, "a", 1, 0, "b", 2);
	put_word(29); /* the rest of the page is empty */
	put(eight, 8);
	assert_int_equal(read_page(end(0)), 0);
	assert_int_equal(n_got, 3);
	assert_true(got[0].t_ns == (UINT64_C(3) << 60) + 3 + (UINT64_C(2) << 27) + 1);
	assert_true(got[1].t_ns == (UINT64_C(3) << 60) + 4 + (UINT64_C(1) << 27));
	assert_true(got[2].t_ns == got[1].t_ns + 10);
}

static void losses_are_counted(void **state)
{
	(void)state;
	begin(0);
	put_switch(0, "a", 1, 0, "b", 2);
	memcpy(page.bytes + 16 + page.used, &(uint64_t){42}, 8);
	assert_int_equal(read_page(end(UINT64_C(3) << 30)), 42);
	assert_int_equal(n_got, 1);
	assert_int_equal(read_page(end(UINT64_C(1) << 31)), 1); /* lost, and not said how many */
}

/* Whatever bytes come, nothing is read beyond the page: the sanitizers watch. */
static void broken_pages_end_early(void **state)
{
	uint32_t dice = 1;

	(void)state;
	begin(0);
	put_switch(0, "a", 1, 0, "b", 2);
	assert_int_equal(read_page(8), 1);
	end(0);
	assert_int_equal(read_page(40), 1); /* it says that it holds more */
	for (int i = 0; i < 20000; i++) {
		begin(0);
		for (size_t k = 16; k < 256; k++) {
			dice = dice * 1664525 + 1013904223;
			page.bytes[k] = (unsigned char)(dice >> 24);
		}
		page.used = dice >> 8 & 0xff;
		end(0);
		unsigned char exact[256];
		memcpy(exact, page.bytes, sizeof exact);
		struct trace_layout l = layout();
		n_got = 0;
		trace_page_read(&l, exact, sizeof exact, take, NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_tell_where_fields_are),
		cmocka_unit_test(records_are_read_in_order),
		cmocka_unit_test(signs_tell_who_was_there),
		cmocka_unit_test(times_beyond_27_bits_and_padding),
		cmocka_unit_test(losses_are_counted),
		cmocka_unit_test(broken_pages_end_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
