#include "probe/python.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/harness.h"

enum { NO_PYTHON = 127, NUMBER_BYTES = 16, TEXT_BYTES = 256 };

static _Noreturn void become_python(char *const argv[], int out, pid_t parent)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0 || dup2(null, 0) < 0 || dup2(null, 2) < 0 || dup2(out, 1) < 0)
		_exit(1);
	execvp(argv[0], argv);
	_exit(NO_PYTHON);
}

static int start(char *const argv[], int *out, pid_t *child)
{
	pid_t parent = getpid();
	int ends[2];

	if (pipe(ends) != 0)
		return errno;
	/* Else the interpreter's own children would hold them. */
	(void)fcntl(ends[0], F_SETFD, FD_CLOEXEC);
	(void)fcntl(ends[1], F_SETFD, FD_CLOEXEC);
	*child = fork();
	if (*child == 0)
		become_python(argv, ends[1], parent);
	int err = *child < 0 ? errno : 0;
	close(ends[1]);
	if (err)
		close(ends[0]);
	*out = ends[0];
	return err;
}

static bool read_numbers(int fd, int64_t *numbers, int n)
{
	char text[TEXT_BYTES] = {0}, *at = text;
	size_t have = 0;
	ssize_t got;

	while (have < sizeof text - 1 &&
		((got = read(fd, text + have, sizeof text - 1 - have)) > 0 || (got < 0 && errno == EINTR)))
		have += got > 0 ? (size_t)got : 0;
	for (int i = 0; i < n; i++) {
		char *end;
		numbers[i] = strtoll(at, &end, 10);
		if (end == at)
			return false;
		at = end;
	}
	return true;
}

int python_ask(const char *code, const int *args, int n_args, int64_t *numbers, int n)
{
	char name[] = "python3", isolated[] = "-I", run[] = "-c", *own = strdup(code);
	char texts[PYTHON_ARGS_MAX][NUMBER_BYTES], *argv[4 + PYTHON_ARGS_MAX + 1] = {name, isolated, run, own};
	pid_t child = -1;
	int out = -1, status = 0;

	if (!own)
		return ENOMEM;
	for (int i = 0; i < n_args && i < PYTHON_ARGS_MAX; i++) {
		snprintf(texts[i], sizeof texts[i], "%d", args[i]);
		argv[4 + i] = texts[i];
	}
	int err = start(argv, &out, &child);
	free(own);
	if (err)
		return err;
	bool ok = read_numbers(out, numbers, n);
	close(out);
	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		continue;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_PYTHON)
		return ENOENT;
	return ok && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : EPROTO;
}

void python_missing(struct probe_step *s, int err)
{
	if (err == ENOENT)
		step_status(s, RUN_SKIPPED, "install python3", "no python3 in PATH");
	else if (err == EPROTO)
		step_status(s, RUN_SKIPPED, "install a python3 of 3.8 or later with its standard library",
			"python3 did not run the program");
	else
		step_status(s, RUN_SKIPPED, "raise 'ulimit -u' and 'ulimit -n'", "python3 does not start: %s",
			strerror(err));
}
