# kill -9 of a probe that changes the system, at random moments: what must be gone a few seconds later. Sourced.
# killed PROBE-PROGRAM TIMES: prints what was left behind; status 0 if that is nothing.

# Groups whose maker is dead; those of a living probe, anybody's, are its own business.
groups_left() {
	find /sys/fs/cgroup -maxdepth 6 -type d -name 'runq-*' 2>/dev/null | while read -r group; do
		maker=${group##*/runq-}
		[ -d "/proc/${maker%%-*}" ] || echo "$group"
	done
}

tasks_left() {
	for exe in /proc/[0-9]*/exe; do
		[ "$(readlink "$exe" 2>/dev/null)" = "$1" ] && echo "process ${exe#/proc/}"
	done
}

knobs() {
	for knob in /proc/sys/kernel/sched_*; do
		[ -r "$knob" ] && echo "$knob $(cat "$knob")"
	done
	cat /sys/fs/cgroup/cgroup.subtree_control 2>/dev/null
}

killed() {
	before=$(knobs)
	bad=0
	for try in $(seq "$2"); do
		# In turn, each from its beginning; the moment is random.
		probes=$(echo "quota cpu-weight psi rt rr deadline" | tr ' ' '\n' | sed -n "$(((try - 1) % 6 + 1))p")
		"$1" run "$probes" --quick -o /dev/null >/dev/null 2>&1 &
		victim=$!
		sleep "0.$(($(od -An -N2 -tu2 /dev/urandom) % 10))"
		sleep "$(($(od -An -N1 -tu1 /dev/urandom) % 3))"
		kill -9 "$victim" 2>/dev/null
		{ wait "$victim"; } 2>/dev/null
		for _ in $(seq 50); do
			left=$(tasks_left "$1"; groups_left)
			[ -z "$left" ] && break
			sleep 0.2
		done
		[ -z "$left" ] || {
			echo "# killed in $probes, left behind: $left"
			bad=1
		}
	done
	[ "$(knobs)" = "$before" ] || {
		echo "# a setting has changed"
		bad=1
	}
	return "$bad"
}
