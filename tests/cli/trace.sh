# runq-probe trace: what it records, what it refuses, and that nothing stays behind. Times are never asserted.
. tests/lib/tap.sh

# A name of its own, so that processes left behind can be told from anybody else's.
PROBE=$T/trace-under-test
cp "$OUT/runq-probe" "$PROBE"
chmod 755 "$T"

cat >"$T/two.sim" <<'END'
cpus 2
for 1s
task hog cpu 0: run
task s nice 5 cpu 0: run 1ms, sleep 5ms..6ms
END
printf 'cpus 2\nfor 1s\ntask a cpu 0: runn\n' >"$T/bad.sim"
printf 'profile rr\nquantum 1ms\nfor 1s\ntask a: run\n' >"$T/book.sim"
printf 'cpus 16\nfor 1s\ntask a cpu 15: run\n' >"$T/wide.sim"
printf 'cpus 2\nfor 1s\ntask a deadline 4ms 10ms 10ms cpu 0: run\n' >"$T/pinned.sim"
printf 'cpus 1\nfor 1s\ngroup g quota 20ms/100ms\ntask a in g cpu 0: run\n' >"$T/quota.sim"
printf 'cpus 1\nfor 1s\ntask r fifo 1 cpu 0: run\ntask f cpu 0: run\n' >"$T/fifo.sim"

left() {
	for exe in /proc/[0-9]*/exe; do
		[ "$(readlink "$exe" 2>/dev/null)" = "$PROBE" ] && echo "process ${exe#/proc/}"
	done
	find /sys/fs/cgroup -maxdepth 6 -type d -name 'runq-*' 2>/dev/null | while read -r group; do
		maker=${group##*/runq-}
		[ -d "/proc/${maker%%-*}" ] || echo "$group"
	done
	# In a mount namespace of its own: tracefs need not be mounted here, and is not by us.
	unshare -m sh -c 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; ls /sys/kernel/tracing/instances' 2>/dev/null |
		while read -r instance; do
			maker=${instance#runq-}
			[ "$maker" = "$instance" ] || [ -d "/proc/${maker%%-*}" ] || echo "instance $instance"
		done
}

# What a killed recording leaves is gone within ten seconds.
gone() {
	for _ in $(seq 50); do
		[ -z "$(left)" ] && return 0
		sleep 0.2
	done
	left
	return 1
}

check "help" runs 0 "$PROBE" trace --help
check "names every option" has "$T/out" "-o FILE" "--seconds N" "--stats" "Exit status"
check "no scenario is wrong usage" runs 2 "$PROBE" trace -o x
check "no file is wrong usage" runs 2 "$PROBE" trace "$T/two.sim"
check "an unknown option is wrong usage" runs 2 "$PROBE" trace "$T/two.sim" -o x --bogus
check "seconds are 1 to 60" runs 2 "$PROBE" trace "$T/two.sim" -o x --seconds 61
check "an error in the scenario is the scenario's" runs 1 "$PROBE" trace "$T/bad.sim" -o "$T/x"
check "with its place" matches "$T/err" "bad.sim:3:[0-9]+: error: .*; "
check "a scenario that is not there is the environment's" runs 3 "$PROBE" trace "$T/none.sim" -o "$T/x"
check "a textbook's policy is not recorded" runs 4 "$PROBE" trace "$T/book.sim" -o "$T/x"
check "and why" has "$T/err" "no kernel has it; "
check "more CPUs than there are" runs 4 "$PROBE" trace "$T/wide.sim" -o "$T/x"
check "are told" has "$T/err" "allowed here; "
check "nothing was written" test ! -e "$T/x"

if [ "$(id -u)" -ne 0 ]; then
	check "without privilege it is refused" runs 4 "$PROBE" trace "$T/two.sim" -o "$T/x"
	check "with cause and remedy" matches "$T/err" "cannot record .*: .*; "
	finish
fi
nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all --no-new-privs "$@"; }
check "without privilege it is refused" runs 4 nobody "$PROBE" trace "$T/two.sim" -o "$T/x"
check "with cause and remedy" matches "$T/err" "cannot record .*: .*; "

mounts=$(cat /proc/self/mounts)
if ! "$PROBE" trace "$T/two.sim" -o "$T/t.json" >"$T/out" 2>"$T/err"; then
	check "a kernel that cannot trace says why" matches "$T/err" "tracefs|tracing"
	finish
fi
check "a recording has its form" json "$T/t.json" \
	'd["format"] == "runq-trace" and d["version"] == 1 and d["cpus"] == 1 and d["duration_ns"] == 10**9 and d["clock"] == "mono"'
check "its tasks" json "$T/t.json" '[t["name"] for t in d["tasks"]] == ["idle", "other", "hog", "s"]'
check "the scenario's text" json "$T/t.json" "d['scenario'] == open('$T/two.sim').read()"
check "the machine's facts" json "$T/t.json" 'd["machine"]["hz"] > 0 and "base_slice_ns" in d["machine"]'
check "switches of both tasks and wake-ups of the sleeper" json "$T/t.json" \
	'{e[3] for e in d["events"] if e[2] == "switch"} >= {2, 3} and sum(e[2] == "wake" and e[3] == 3 for e in d["events"]) > 20'
check "events in order, within the time" json "$T/t.json" \
	'all(a[0] <= b[0] for a, b in zip(d["events"], d["events"][1:])) and all(0 <= e[0] <= d["duration_ns"] for e in d["events"])'
check "only letters of states and numbers of tasks" json "$T/t.json" \
	'all(len(e) == 6 and e[5] in ("RSXI" if e[3] == 0 else "RSX") and 0 <= e[4] < 4 if e[2] == "switch" else len(e) == 5 for e in d["events"])'
check "no host" sh -c "! grep -qw -F -e \"\$(uname -n)\" '$T/t.json'"
check "no path" lacks "$T/t.json" "$T"
check "canonical" python3 -c 'import json,sys; s=open(sys.argv[1]).read(); sys.exit(s != json.dumps(json.loads(s), sort_keys=True, separators=(",", ":"), ensure_ascii=False))' "$T/t.json"
check "statistics instead" runs 0 "$PROBE" trace "$T/two.sim" -o "$T/s.json" --stats --seconds 1
check "have their form" json "$T/s.json" 'd["format"] == "runq-trace-stats" and len(d["tasks"]) == 2 and len(d["tasks"][0]["runs"]["q"]) == 41'
check "a pinned reservation is refused, with its reason" runs 4 "$PROBE" trace "$T/pinned.sim" -o "$T/x"
check "and the reason" has "$T/err" "a reservation counts on every CPU"
check "a full disk is an error" runs 3 "$PROBE" trace "$T/two.sim" -o /dev/full
check "quota and real-time tasks are recorded, or refused with a cause" sh -c "
	for s in quota fifo; do
		'$PROBE' trace '$T/'\$s.sim -o '$T/'\$s.json >'$T/out' 2>'$T/err' && continue
		[ \$? -eq 4 ] && grep -q 'cannot record .*; ' '$T/err' || { cat '$T/err'; exit 1; }
	done"
check "nothing stays behind" gone
check "no mount either" test "$mounts" = "$(cat /proc/self/mounts)"

# kill -9 cannot be caught: the tasks notice by themselves, the guard removes instance and group.
for scenario in two quota fifo; do
	"$PROBE" trace "$T/$scenario.sim" -o "$T/killed.json" >/dev/null 2>&1 &
	pid=$!
	sleep "0.$(($(od -An -N1 -tu1 /dev/urandom) % 10))"
	kill -9 "$pid" 2>/dev/null
	{ wait "$pid"; } 2>/dev/null
	check "kill -9 of $scenario leaves no task, group or instance" gone
done
finish
