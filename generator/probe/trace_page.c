#include "probe/trace_page.h"

#include <string.h>

#include "probe/sys.h"
#include "model/run.h"

/* A record's head is 32 bits: 5 of type or length, 27 of time. Documentation: the kernel's own events/header_event. */
enum {
	TYPE_BITS = 5,
	DELTA_BITS = 27,
	HEAD_BYTES = 4,
	TWO_HEADS = 8,
	TYPE_LONG = 0,
	TYPE_PADDING = 29,
	TYPE_TIME = 30,
	TYPE_STAMP = 31
};
/* Flags in a page's count of bytes: some were lost before it, and how many stands behind the data. */
static const uint64_t lost_flag = 1U << 31, lost_stored = 1U << 30, commit_mask = (1U << 20) - 1;
/* An absolute time has 59 bits; the rest is the page's. */
static const uint64_t stamp_high = ~((UINT64_C(1) << 59) - 1);
/* linux/sched.h: what a task's state reports; preempted tasks have none of these set. */
enum { STATE_REPORTED = 0xff, STATE_ENDED = 0x30 };
/* linux/trace_events.h, TRACE_FLAG_NEED_RESCHED in a record's common_flags. */
enum { FLAG_RESCHED = 0x04 };

/* "field:char prev_comm[16];" holds the name of `name`? */
static bool declares(struct str declaration, struct str name)
{
	struct str rest;
	struct str words = str_trim(str_cut(declaration, '[', &rest));
	ptrdiff_t at = words.len;

	while (at > 0 && words.ptr[at - 1] != ' ' && words.ptr[at - 1] != '*')
		at--;
	return str_eq(str_from(words, at), name);
}

struct trace_field trace_field_find(struct str format, const char *name)
{
	while (format.len) {
		struct str declaration, rest, line = str_trim(str_line(format, &format));
		if (!str_starts(line, STR("field:")))
			continue;
		declaration = str_cut(str_from(line, 6), ';', &rest);
		ptrdiff_t offset = str_find(rest, STR("offset:")), size = str_find(rest, STR("size:"));
		if (!declares(declaration, str_of(name)) || offset < 0 || size < 0)
			continue;
		int64_t at = sys_number(str_from(rest, offset + 7)), bytes = sys_number(str_from(rest, size + 5));
		if (at >= 0 && at < 65536 && bytes > 0 && bytes <= 65536)
			return (struct trace_field){(int)at, (int)bytes};
	}
	return (struct trace_field){0};
}

int64_t trace_format_id(struct str format)
{
	int64_t id = sys_number(sys_field(format, "ID"));

	return id > 0 ? id : -1;
}

static bool wide(struct trace_field f)
{
	return f.size == 4 || f.size == 8;
}

bool trace_layout_read(struct trace_layout *l, struct str header_page, struct str switch_format, struct str wake_format)
{
	*l = (struct trace_layout){
		.commit = trace_field_find(header_page, "commit"),
		.data = trace_field_find(header_page, "data"),
		.switch_id = trace_format_id(switch_format),
		.wake_id = trace_format_id(wake_format),
		.flags = trace_field_find(switch_format, "common_flags"),
		.pid = trace_field_find(switch_format, "common_pid"),
		.prev_comm = trace_field_find(switch_format, "prev_comm"),
		.prev_pid = trace_field_find(switch_format, "prev_pid"),
		.prev_state = trace_field_find(switch_format, "prev_state"),
		.next_comm = trace_field_find(switch_format, "next_comm"),
		.next_pid = trace_field_find(switch_format, "next_pid"),
		.comm = trace_field_find(wake_format, "comm"),
		.target = trace_field_find(wake_format, "target_cpu"),
	};
	return wide(l->commit) && l->data.size && l->switch_id > 0 && l->wake_id > 0 &&
	       l->prev_comm.size == TRACE_COMM_BYTES && l->next_comm.size == TRACE_COMM_BYTES &&
	       l->comm.size == TRACE_COMM_BYTES && wide(l->prev_pid) && wide(l->prev_state) && wide(l->next_pid) &&
	       wide(l->target);
}

static uint64_t number(const unsigned char *at, int bytes)
{
	uint32_t half = 0;
	uint64_t whole = 0;

	if (bytes == 8) {
		memcpy(&whole, at, 8);
		return whole;
	}
	memcpy(&half, at, 4);
	return half;
}

/* One record's fields. False: it is of another kind, or too short to hold them. */
struct record {
	const unsigned char *at;
	ptrdiff_t bytes;
	bool whole;
};

static uint64_t field_of(struct record *r, struct trace_field f)
{
	if (f.offset + f.size > r->bytes) {
		r->whole = false;
		return 0;
	}
	return number(r->at + f.offset, f.size);
}

static void name_of(struct record *r, struct trace_field f, char to[TRACE_COMM_BYTES + 1])
{
	to[0] = to[TRACE_COMM_BYTES] = '\0';
	if (f.offset + TRACE_COMM_BYTES > r->bytes)
		r->whole = false;
	else
		memcpy(to, r->at + f.offset, TRACE_COMM_BYTES);
}

static void presence(const struct trace_layout *l, const struct record *r, struct trace_raw *raw)
{
	if (l->flags.size != 1 || l->pid.size != 4 || l->flags.offset >= r->bytes || l->pid.offset + 4 > r->bytes)
		return;
	raw->resched = r->at[l->flags.offset] & FLAG_RESCHED;
	raw->by_idle = number(r->at + l->pid.offset, l->pid.size) == 0;
	raw->by_other = !raw->by_idle;
}

static bool is_sign(const struct trace_layout *l, uint16_t type)
{
	bool is = false;

	for (int i = 0; i < TRACE_SIGNS; i++)
		is |= l->sign_ids[i] > 0 && l->sign_ids[i] == type;
	return is;
}

static bool decode(const struct trace_layout *l, struct record r, struct trace_raw *raw)
{
	uint16_t type = 0;

	if (r.bytes < 2)
		return false;
	memcpy(&type, r.at, 2); /* common_type */
	presence(l, &r, raw);
	raw->sign = is_sign(l, type);
	if (raw->sign)
		return true;
	if (type == l->wake_id) {
		raw->wake = true;
		name_of(&r, l->comm, raw->from);
		raw->target = (int)field_of(&r, l->target);
		return r.whole;
	}
	if (type != l->switch_id)
		return false;
	uint64_t state = field_of(&r, l->prev_state) & STATE_REPORTED;
	raw->state = !state ? 'R' : state & STATE_ENDED ? 'X' : 'S';
	raw->from_idle = field_of(&r, l->prev_pid) == 0;
	raw->to_idle = field_of(&r, l->next_pid) == 0;
	name_of(&r, l->prev_comm, raw->from);
	name_of(&r, l->next_comm, raw->to);
	return r.whole;
}

/* The record at `at` of data that ends at `end`: its bytes, head included; 0 at the end or if it is broken. Moves the time. */
static ptrdiff_t step_over(const unsigned char *at, const unsigned char *end, uint64_t *t_ns, struct record *r)
{
	uint64_t head = number(at, HEAD_BYTES), delta = head >> TYPE_BITS;
	unsigned type = (unsigned)(head & ((1U << TYPE_BITS) - 1));
	bool has_word = end - at >= TWO_HEADS;
	uint64_t word = has_word ? number(at + HEAD_BYTES, HEAD_BYTES) : 0;

	*r = (struct record){.whole = true};
	if (type > TYPE_LONG && type < TYPE_PADDING) {
		*r = (struct record){at + HEAD_BYTES, (ptrdiff_t)type * HEAD_BYTES, true};
		*t_ns += delta;
		return HEAD_BYTES + r->bytes;
	}
	if (!has_word || (type == TYPE_PADDING && !delta))
		return 0;
	if (type == TYPE_TIME)
		*t_ns += delta | word << DELTA_BITS;
	if (type == TYPE_STAMP)
		*t_ns = (*t_ns & stamp_high) | delta | word << DELTA_BITS;
	if (type == TYPE_TIME || type == TYPE_STAMP)
		return TWO_HEADS;
	if (type == TYPE_LONG) {
		*r = (struct record){at + TWO_HEADS, (ptrdiff_t)word - HEAD_BYTES, true};
		*t_ns += delta;
	}
	return word >= HEAD_BYTES && word < (1U << 20) ? HEAD_BYTES + (ptrdiff_t)word : 0;
}

static int64_t lost_before(const struct trace_layout *l, const unsigned char *page, ptrdiff_t bytes, uint64_t commit)
{
	ptrdiff_t behind = l->data.offset + (ptrdiff_t)(commit & commit_mask);

	if (!(commit & lost_flag))
		return 0;
	if (!(commit & lost_stored) || behind + l->commit.size > bytes)
		return 1;
	uint64_t lost = number(page + behind, l->commit.size);
	return lost && lost < INT32_MAX ? (int64_t)lost : 1;
}

int64_t trace_page_read(const struct trace_layout *l, const unsigned char *page, ptrdiff_t bytes,
	void (*take)(void *ctx, const struct trace_raw *raw), void *ctx)
{
	struct record r;
	ptrdiff_t step;

	if (bytes < l->data.offset || bytes < l->commit.offset + l->commit.size || bytes < 8)
		return 1;
	uint64_t t_ns = number(page, 8), commit = number(page + l->commit.offset, l->commit.size);
	int64_t lost = lost_before(l, page, bytes, commit);
	const unsigned char *at = page + l->data.offset, *end = at + (commit & commit_mask);
	if (end > page + bytes)
		return lost + 1;
	for (; end - at >= HEAD_BYTES && (step = step_over(at, end, &t_ns, &r)) > 0; at += step) {
		struct trace_raw raw = {.t_ns = t_ns};
		if (step > end - at)
			return lost + 1;
		if (r.at && decode(l, r, &raw))
			take(ctx, &raw);
	}
	return lost;
}
