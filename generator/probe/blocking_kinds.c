#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/blocking.h"
#include "probe/linux.h"

enum { NAP_NS = 20000, TIMEOUT_S = 5 };

static void take_byte(struct blocking *b)
{
	char byte;

	if (read(b->fd[0], &byte, 1) != 1)
		b->err = EIO;
}

static void put_byte(struct blocking *b)
{
	char byte = 1;

	if (write(b->fd[1], &byte, 1) != 1)
		b->err = EIO;
}

static bool open_pipe(struct blocking *b)
{
	return pipe(b->fd) == 0;
}

static bool open_sockets(struct blocking *b)
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, b->fd) == 0;
}

static void receive(struct blocking *b)
{
	char byte;

	if (recv(b->fd[0], &byte, 1, 0) != 1)
		b->err = EIO;
}

static bool open_timed_sockets(struct blocking *b)
{
	struct timeval limit = {.tv_sec = TIMEOUT_S};

	return open_sockets(b) && setsockopt(b->fd[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit) == 0;
}

static void poll_and_take(struct blocking *b)
{
	struct pollfd p = {.fd = b->fd[0], .events = POLLIN};

	if (poll(&p, 1, -1) != 1)
		b->err = EIO;
	take_byte(b);
}

static bool open_epoll(struct blocking *b)
{
	struct epoll_event e = {.events = EPOLLIN};

	if (!open_pipe(b))
		return false;
	b->epoll = epoll_create1(EPOLL_CLOEXEC);
	return b->epoll >= 0 && epoll_ctl(b->epoll, EPOLL_CTL_ADD, b->fd[0], &e) == 0;
}

static void epoll_and_take(struct blocking *b)
{
	struct epoll_event e;

	if (epoll_wait(b->epoll, &e, 1, -1) != 1)
		b->err = EIO;
	take_byte(b);
}

static void futex_clear(struct blocking *b)
{
	b->word = 0;
}

static void futex_block(struct blocking *b)
{
	while (b->word == 0)
		linux_futex_wait(&b->word, 0, true);
}

static void futex_wake(struct blocking *b)
{
	b->word = 1;
	linux_futex_wake(&b->word, 1, true);
}

static void mutex_hold(struct blocking *b)
{
	pthread_mutex_lock(&b->mutex);
}

static void mutex_pass(struct blocking *b)
{
	pthread_mutex_lock(&b->mutex);
	pthread_mutex_unlock(&b->mutex);
}

static void mutex_release(struct blocking *b)
{
	pthread_mutex_unlock(&b->mutex);
}

static void cond_clear(struct blocking *b)
{
	b->told = false;
}

static void cond_block(struct blocking *b)
{
	pthread_mutex_lock(&b->mutex);
	while (!b->told)
		pthread_cond_wait(&b->cond, &b->mutex);
	pthread_mutex_unlock(&b->mutex);
}

/* Told outside the lock: inside, the woken one might have to wait a second time. */
static void cond_wake(struct blocking *b)
{
	pthread_mutex_lock(&b->mutex);
	b->told = true;
	pthread_mutex_unlock(&b->mutex);
	pthread_cond_signal(&b->cond);
}

static void sem_block(struct blocking *b)
{
	while (sem_wait(&b->sem) != 0)
		if (errno != EINTR)
			b->err = errno;
}

static void sem_wake(struct blocking *b)
{
	sem_post(&b->sem);
}

/* A child that ends when its pipe is closed or written to. */
static void child_start(struct blocking *b)
{
	pid_t parent = getpid();

	b->child = fork();
	if (b->child != 0) {
		b->err = b->child < 0 ? errno : b->err;
		return;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		take_byte(b);
	_exit(0);
}

static void child_wait(struct blocking *b)
{
	if (b->child > 0 && waitpid(b->child, NULL, 0) != b->child)
		b->err = errno;
}

static void nap(struct blocking *b)
{
	struct timespec t = {.tv_nsec = NAP_NS};

	b->err = clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}

static void cond_nap(struct blocking *b)
{
	struct timespec t;
	int err = 0;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += NAP_NS;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		t.tv_sec++;
	}
	pthread_mutex_lock(&b->mutex);
	while (!err)
		err = pthread_cond_timedwait(&b->cond, &b->mutex, &t);
	pthread_mutex_unlock(&b->mutex);
	b->err = err == ETIMEDOUT ? 0 : err;
}

static void give_way(struct blocking *b)
{
	b->err = sched_yield() ? errno : 0;
}

const struct blocking_kind blocking_kinds[BLOCK_KINDS] = {
	[BLOCK_PIPE] = {open_pipe, NULL, take_byte, put_byte},
	[BLOCK_RECV] = {open_sockets, NULL, receive, put_byte},
	[BLOCK_RECV_TIMEOUT] = {open_timed_sockets, NULL, receive, put_byte},
	[BLOCK_POLL] = {open_pipe, NULL, poll_and_take, put_byte},
	[BLOCK_EPOLL] = {open_epoll, NULL, epoll_and_take, put_byte},
	[BLOCK_FUTEX] = {NULL, futex_clear, futex_block, futex_wake},
	[BLOCK_MUTEX] = {NULL, mutex_hold, mutex_pass, mutex_release},
	[BLOCK_COND] = {NULL, cond_clear, cond_block, cond_wake},
	[BLOCK_SEM] = {NULL, NULL, sem_block, sem_wake},
	[BLOCK_WAITPID] = {open_pipe, child_start, child_wait, put_byte},
	[BLOCK_NANOSLEEP] = {NULL, NULL, nap, NULL},
	[BLOCK_COND_TIMED] = {NULL, NULL, cond_nap, NULL},
	[BLOCK_MUTEX_FREE] = {NULL, NULL, mutex_pass, NULL},
	[BLOCK_YIELD] = {NULL, NULL, give_way, NULL},
};

bool blocking_open(struct blocking *b, const struct blocking_kind *k)
{
	*b = (struct blocking){.fd = {-1, -1}, .epoll = -1};
	pthread_mutex_init(&b->mutex, NULL);
	pthread_cond_init(&b->cond, NULL);
	sem_init(&b->sem, 0, 0);
	if (!k->open || k->open(b))
		return true;
	int err = errno;
	blocking_close(b);
	errno = err;
	return false;
}

void blocking_close(struct blocking *b)
{
	if (b->fd[0] >= 0)
		close(b->fd[0]);
	if (b->fd[1] >= 0)
		close(b->fd[1]);
	if (b->epoll >= 0)
		close(b->epoll);
	pthread_mutex_destroy(&b->mutex);
	pthread_cond_destroy(&b->cond);
	sem_destroy(&b->sem);
}
