#include "probe/trace_fs.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/run.h"
#include "probe/sys.h"

enum { TEXT_BYTES = 8192, PAGE_BYTES_MAX = 65536, READ_TRIES = 200 };
static const int64_t read_pause_ns = 1000000;

static const char as_root[] = "run it as root, outside a container";

/* Files of tracefs are root's alone, which sys_text does not read. */
static struct str read_text(const char *dir, const char *name, char room[TEXT_BYTES])
{
	char path[TRACE_PATH_MAX + 64];
	ptrdiff_t n = 0;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return (struct str){0};
	for (ssize_t got; n < TEXT_BYTES && (got = read(fd, room + n, (size_t)(TEXT_BYTES - n))) > 0;)
		n += got;
	close(fd);
	return str_trim((struct str){room, n});
}

/* 0 or an errno. */
static int write_text(const char *dir, const char *name, const char *text)
{
	char path[TRACE_PATH_MAX + 64];
	int err = 0;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err = errno;
	close(fd);
	return err;
}

static bool mounted(struct trace_fs *fs)
{
	static const char *const roots[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};
	char path[TRACE_PATH_MAX];

	for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) {
		snprintf(path, sizeof path, "%s/instances", roots[i]);
		if (access(path, F_OK) != 0 && errno != EACCES)
			continue;
		snprintf(fs->root, sizeof fs->root, "%s", roots[i]);
		return true;
	}
	return false;
}

static bool known_to_kernel(void)
{
	struct arena_block block;
	struct arena scratch = arena_new(&block, SYS_SCRATCH);
	bool known = str_find(sys_text(&scratch, "/proc/filesystems"), STR("\ttracefs")) >= 0;

	arena_free(&block);
	return known;
}

bool trace_fs_find(struct probe_step *s, struct trace_fs *fs)
{
	const char *call = NULL;

	*fs = (struct trace_fs){0};
	if (mounted(fs))
		return true;
	if (!known_to_kernel()) {
		step_status(s, RUN_SKIPPED, "use a kernel with CONFIG_FTRACE, as distributions build theirs",
			"this kernel has no tracefs: it was built without tracing");
		return false;
	}
	if (unshare(CLONE_NEWNS) != 0)
		call = "unshare";
	else if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
		call = "making mounts private";
	else if (mount("tracefs", "/sys/kernel/tracing", "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) != 0)
		call = "mounting tracefs";
	if (call)
		step_status(s, RUN_SKIPPED, as_root, "tracefs is not mounted, and %s: %s", call,
			errno == EPERM ? "EPERM, no CAP_SYS_ADMIN" : strerror(errno));
	else if (mounted(fs))
		return true;
	else
		step_status(s, RUN_SKIPPED, as_root, "tracefs has no instances of its own");
	return false;
}

/* Ends of the interrupts that make an idle CPU take somebody: who was on the CPU shows where a switch is not told. No kernel
 * need have them. */
static const char *const signs[TRACE_SIGNS] = {
	"timer/hrtimer_expire_exit", "irq_vectors/reschedule_exit", "irq_vectors/call_function_single_exit"};

static void read_signs(struct trace_fs *fs)
{
	char name[64], room[TEXT_BYTES];

	for (int i = 0; i < TRACE_SIGNS; i++) {
		snprintf(name, sizeof name, "events/%s/format", signs[i]);
		fs->layout.sign_ids[i] = trace_format_id(read_text(fs->dir, name, room));
	}
}

static bool read_layout(struct trace_fs *fs)
{
	char header[TEXT_BYTES], on_switch[TEXT_BYTES], on_wake[TEXT_BYTES];
	bool known = trace_layout_read(&fs->layout, read_text(fs->root, "events/header_page", header),
		read_text(fs->dir, "events/sched/sched_switch/format", on_switch),
		read_text(fs->dir, "events/sched/sched_wakeup/format", on_wake));

	read_signs(fs);
	return known;
}

static bool set(struct probe_step *s, const struct trace_fs *fs, const char *file, const char *text)
{
	int err = write_text(fs->dir, file, text);

	if (err)
		step_status(s, RUN_SKIPPED, err == ENOMEM ? "record a shorter time" : as_root, "writing %s to %s: %s",
			text, file, strerror(err));
	return !err;
}

/* The kernel takes a mask of CPUs in groups of 32 bits, the highest first. */
static bool set_cpus(struct probe_step *s, const struct trace_fs *fs, const int *cpus, int n, int kib)
{
	enum { WORDS = PROBE_CPUS_MAX / 32 };
	uint32_t mask[WORDS] = {0};
	char text[WORDS * 9 + 1], file[64], size[16];
	int top = 0, at = 0;

	snprintf(size, sizeof size, "%d", kib);
	for (int i = 0; i < n; i++) {
		mask[cpus[i] / 32] |= UINT32_C(1) << cpus[i] % 32;
		top = cpus[i] / 32 > top ? cpus[i] / 32 : top;
		snprintf(file, sizeof file, "per_cpu/cpu%d/buffer_size_kb", cpus[i]);
		if (!set(s, fs, file, size))
			return false;
	}
	for (int i = top; i >= 0; i--)
		at += snprintf(text + at, sizeof text - (size_t)at, "%s%08x", i == top ? "" : ",", mask[i]);
	return set(s, fs, "tracing_cpumask", text);
}

/* In this order: enabling an event makes the buffer. */
static bool set_up(struct probe_step *s, const struct trace_fs *fs, const int *cpus, int n, int kib)
{
	if (!set(s, fs, "tracing_on", "0") || !set(s, fs, "trace_clock", "mono"))
		return false;
	/* New events are dropped when the buffer is full, not old ones. The second is not on every kernel, nor needed. */
	write_text(fs->dir, "options/overwrite", "0");
	write_text(fs->dir, "options/record-cmd", "0");
	for (int i = 0; i < TRACE_SIGNS; i++) {
		char name[64];
		snprintf(name, sizeof name, "events/%s/enable", signs[i]);
		write_text(fs->dir, name, "1");
	}
	return set(s, fs, "events/sched/sched_switch/enable", "1") &&
	       set(s, fs, "events/sched/sched_wakeup/enable", "1") && set_cpus(s, fs, cpus, n, kib);
}

bool trace_fs_make(struct probe_step *s, struct trace_fs *fs, struct guard *guard, const int *cpus, int n, int kib)
{
	char path[TRACE_PATH_MAX];

	snprintf(path, sizeof path, "%s/instances/runq-%d-%llx", fs->root, (int)getpid(),
		(unsigned long long)clock_ns() & 0xffffffU);
	if (!guard_group(guard, path)) {
		step_status(s, RUN_FAILED, "run it again", "the guard has no room for the trace");
		return false;
	}
	if (mkdir(path, 0700) != 0) {
		step_status(s, RUN_SKIPPED, as_root, "no trace of our own below %s: %s", fs->root, strerror(errno));
		return false;
	}
	memcpy(fs->dir, path, sizeof path);
	if (!set_up(s, fs, cpus, n, kib))
		return false;
	if (read_layout(fs))
		return true;
	step_status(s, RUN_SKIPPED, "tell us the kernel's version",
		"the events sched_switch and sched_wakeup have fields unknown here");
	return false;
}

bool trace_fs_switch(struct trace_fs *fs, bool on)
{
	return write_text(fs->dir, "tracing_on", on ? "1" : "0") == 0;
}

/* A count of this CPU's buffer; 0 if the kernel does not tell. */
static int64_t count_of(const struct trace_fs *fs, int cpu, const char *what)
{
	char name[64], room[TEXT_BYTES];

	snprintf(name, sizeof name, "per_cpu/cpu%d/stats", cpu);
	int64_t n = sys_number(sys_field(read_text(fs->dir, name, room), what));
	return n > 0 ? n : 0;
}

/* Without `overwrite` new events are dropped when the buffer is full. */
static int64_t counted_lost(const struct trace_fs *fs, int cpu)
{
	return count_of(fs, cpu, "overrun") + count_of(fs, cpu, "commit overrun") + count_of(fs, cpu, "dropped events");
}

int64_t trace_fs_read(struct trace_fs *fs, int cpu, void (*take)(void *ctx, const struct trace_raw *raw), void *ctx)
{
	static unsigned char page[PAGE_BYTES_MAX] __attribute__((aligned(8)));
	char path[TRACE_PATH_MAX + 64];
	ptrdiff_t bytes = fs->layout.data.offset + fs->layout.data.size;
	int64_t lost = counted_lost(fs, cpu), left = 0;
	ssize_t got;

	if (bytes > PAGE_BYTES_MAX) {
		errno = E2BIG;
		return -1;
	}
	snprintf(path, sizeof path, "%s/per_cpu/cpu%d/trace_pipe_raw", fs->dir, cpu);
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	/* An end that comes while events are left is none: the kernel could not take a page out just then. */
	for (int tries = 0; tries < READ_TRIES; tries++) {
		while ((got = read(fd, page, (size_t)bytes)) > 0)
			lost += trace_page_read(&fs->layout, page, got, take, ctx);
		left = count_of(fs, cpu, "entries");
		if (!left)
			break;
		clock_sleep(read_pause_ns);
	}
	close(fd);
	return lost + left;
}
