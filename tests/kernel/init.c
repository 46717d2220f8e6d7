/* The first process of the emulated machine: mounts what the probes read, runs runq-probe with the kernel's arguments
 * behind "--", sends the record out on the second serial port and turns the machine off. The first port has the console;
 * its last line of ours, "status N", is the probe's exit status. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define RECORD "/record.run.json"

enum { ARGS_MAX = 64 };

static void mount_at(const char *type, const char *path)
{
	mkdir(path, 0755);
	if (mount(type, path, type, 0, NULL) != 0)
		printf("init: cannot mount %s at %s: %s\n", type, path, strerror(errno));
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		printf("init: cannot write %s to %s: %s\n", text, path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

/* The kernel takes a provisional clock until it has measured the real one, about two seconds after its start. */
static void await_clock(void)
{
	for (int tenths = 0; tenths < 100; tenths++) {
		char name[32] = {0};
		int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY);
		ssize_t n = fd >= 0 ? read(fd, name, sizeof name - 1) : -1;
		if (fd >= 0)
			close(fd);
		if (n < 0 || (!strstr(name, "early") && !strstr(name, "jiffies")))
			return;
		usleep(100000);
	}
	printf("init: the kernel still has a provisional clock\n");
}

/* Waits for the probe and for orphans alike: the first process inherits them. */
static int run_probe(char **argv)
{
	pid_t child = fork(), got;
	int status, end = 0;

	if (child == 0) {
		setsid();
		execv(argv[0], argv);
		_exit(127);
	}
	while ((got = wait(&status)) > 0 || errno == EINTR)
		if (got == child)
			end = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return end;
}

/* Byte for byte: a terminal would turn line ends into two. */
static void send_record(void)
{
	int in = open(RECORD, O_RDONLY), out = open("/dev/ttyS1", O_RDWR | O_NOCTTY);
	struct termios t;
	char bytes[4096];
	ssize_t n;

	if (in < 0 || out < 0 || tcgetattr(out, &t) != 0) {
		printf("init: no record, or no second serial port: %s\n", strerror(errno));
		return;
	}
	cfmakeraw(&t);
	cfsetspeed(&t, B115200);
	tcsetattr(out, TCSANOW, &t);
	while ((n = read(in, bytes, sizeof bytes)) > 0)
		for (ssize_t done = 0, w; done < n; done += w)
			if ((w = write(out, bytes + done, (size_t)(n - done))) < 0)
				w = errno == EINTR ? 0 : n;
	tcdrain(out);
}

int main(int argc, char **argv)
{
	char *args[ARGS_MAX + 4] = {"/runq-probe"};
	int n = 1;

	setvbuf(stdout, NULL, _IONBF, 0);
	mount_at("proc", "/proc");
	mount_at("sysfs", "/sys");
	mount_at("devtmpfs", "/dev");
	mount_at("cgroup2", "/sys/fs/cgroup");
	put("/sys/fs/cgroup/cgroup.subtree_control", "+cpu");
	put("/sys/fs/cgroup/cgroup.subtree_control", "+cpuset");
	for (int i = 1; i < argc && n < ARGS_MAX; i++)
		args[n++] = argv[i];
	if (n > 1 && (strcmp(args[1], "run") == 0 || strcmp(args[1], "trace") == 0)) {
		args[n++] = "-o";
		args[n++] = RECORD;
	}
	await_clock();
	int status = run_probe(args);
	if (access(RECORD, R_OK) == 0)
		send_record();
	printf("\nstatus %d\n", status);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
