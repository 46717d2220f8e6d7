#include "probe/channel.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "probe/linux.h"

bool channel_open(struct channel *ch, enum channel_kind kind, bool between_processes)
{
	*ch = (struct channel){.kind = kind, .ask = {-1, -1}, .answer = {-1, -1}};
	/* A private futex is found by address alone, which is only right within one process. */
	ch->within_process = !between_processes;
	if (kind == CHANNEL_FUTEX)
		return true;
	if (kind == CHANNEL_SOCKETPAIR)
		return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ch->ask) == 0;
	if (pipe(ch->ask) == 0 && pipe(ch->answer) == 0)
		return true;
	int err = errno;
	channel_close(ch);
	errno = err;
	return false;
}

void channel_close(struct channel *ch)
{
	for (int i = 0; i < 2; i++) {
		if (ch->ask[i] >= 0)
			close(ch->ask[i]);
		if (ch->answer[i] >= 0)
			close(ch->answer[i]);
		ch->ask[i] = ch->answer[i] = -1;
	}
}

static void put(int fd)
{
	char byte = 1;

	while (write(fd, &byte, 1) != 1)
		if (errno != EINTR)
			_exit(1);
}

static void get(int fd)
{
	char byte;
	ssize_t n;

	while ((n = read(fd, &byte, 1)) != 1)
		if (n == 0 || errno != EINTR)
			_exit(1);
}

static void turn_set(struct channel *ch, int turn)
{
	atomic_store_explicit(&ch->turn, turn, memory_order_release);
	linux_futex_wake(&ch->turn, 1, ch->within_process);
}

static void turn_wait(struct channel *ch, int turn)
{
	while (atomic_load_explicit(&ch->turn, memory_order_acquire) != turn)
		linux_futex_wait(&ch->turn, !turn, ch->within_process);
}

void channel_ask(struct channel *ch)
{
	if (ch->kind == CHANNEL_FUTEX) {
		turn_set(ch, 1);
		turn_wait(ch, 0);
	} else if (ch->kind == CHANNEL_SOCKETPAIR) {
		put(ch->ask[0]);
		get(ch->ask[0]);
	} else {
		put(ch->ask[1]);
		get(ch->answer[0]);
	}
}

void channel_wait(struct channel *ch)
{
	if (ch->kind == CHANNEL_FUTEX)
		turn_wait(ch, 1);
	else
		get(ch->kind == CHANNEL_SOCKETPAIR ? ch->ask[1] : ch->ask[0]);
}

void channel_reply(struct channel *ch)
{
	if (ch->kind == CHANNEL_FUTEX)
		turn_set(ch, 0);
	else
		put(ch->kind == CHANNEL_SOCKETPAIR ? ch->ask[1] : ch->answer[1]);
}

void channel_answer(struct channel *ch)
{
	channel_wait(ch);
	channel_reply(ch);
}

void channel_alone(struct channel *ch)
{
	put(ch->ask[1]);
	get(ch->ask[0]);
}
