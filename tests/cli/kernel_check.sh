# The simulator beside recordings made by hand: runq sim --compare, and the page made of data/traces.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
site=$C/site
page=$site/kernel-check.html
build() { runs "${1:-0}" runq -C "$C" build; }

# trace FILE RUN_MS LAST_TASK: tasks a and b take turns of RUN_MS for ten seconds on a kernel of 250 Hz.
trace() {
	python3 - "$@" <<'END'
import json, sys
out, run, last = sys.argv[1], int(float(sys.argv[2]) * 10**6), sys.argv[3]
events, t, now = [[0, 0, "switch", 0, 2, "R"]], run, 2
while t < 10**10:
    events.append([t, 0, "switch", now, 5 - now, "R"])
    now, t = 5 - now, t + run
names = [("idle", "idle"), ("other", "other"), ("task", "a"), ("task", last)]
d = {"clock": "mono", "cpus": 1, "duration_ns": 10**10, "events": events, "format": "runq-trace", "lost": 0, "steal_ns": 0, "version": 1,
     "machine": {"kernel_release": "6.18.1", "hz": 250, "cpus_online": 2}, "scenario": open(sys.argv[4]).read(),
     "tasks": [{"kind": k, "name": n} for k, n in names]}
json.dump(d, open(out, "w"), sort_keys=True, separators=(",", ":"))
END
}

mkdir -p "$C/content/scenarios"
S=$C/content/scenarios/two.sim
printf '# Two alike.\ncpus 2\nhz 250\nfor 10s\ntask a cpu 0: run\ntask b cpu 0: run\n' >"$S"
trace "$T/good.json" 4 b "$S"
trace "$T/bad.json" 9 b "$S"
trace "$T/other.json" 4 c "$S"

check "what agrees" runs 0 runq sim "$S" --compare "$T/good.json"
check "is said line by line" has "$T/out" "profile eevdf618, 250 Hz, 2 CPUs" "agrees: 6 of 6 lines agree" "A kernel may differ because"
check "the median of three decides" runs 0 runq sim "$S" --compare "$T/good.json" "$T/bad.json" "$T/good.json"
check "what misses is a failure" runs 1 runq sim "$S" --compare "$T/bad.json"
check "and says which line" matches "$T/out" '^a +run length, median +4\.000 ms +9\.000 ms .* MISSES'
check "as JSON" runs 1 runq sim "$S" --format json --compare "$T/bad.json"
check "for programs" json "$T/out" '(d["agrees"], sum(not l["agrees"] for l in d["lines"]), d["profile"]) == (False, 4, "eevdf618")'
check "another task's recording is refused" runs 1 runq sim "$S" --compare "$T/other.json"
check "with a remedy" has "$T/err" "other names; record the scenario"
printf '{"format":"runq-trace"' >"$T/broken.json"
check "a broken file is refused" runs 1 runq sim "$S" --compare "$T/broken.json"
check "with its place" matches "$T/err" "broken.json:1:[0-9]+: error: .*; "
check "a file that is not there is the environment's fault" runs 3 runq sim "$S" --compare "$T/none.json"
sed 's/"kernel_release":"6.18.1"/"kernel_release":"6.1.0-57"/' "$T/good.json" >"$T/old.json"
runq sim "$S" --compare "$T/old.json" >"$T/out" 2>&1
check "the kernel that was recorded chooses the rules" has "$T/out" "profile cfs65"

check "a course without recordings" build
check "says how to make them" has "$page" "Not recorded here." "make kernel-check"
check "and is linked from the front page" has "$site/index.html" 'href="kernel-check.html"'
traces=$C/data/traces/$KEY
mkdir -p "$traces"
for i in 1 2 3 4; do cp "$T/good.json" "$traces/two-$i.stats.json"; done
check "four recordings, with their events or without" build
check "are judged" has "$page" "agrees: 6 of 6 lines" "Five are asked for." "4 recordings of 10"
cp "$T/bad.json" "$traces/two-5.stats.json"
cp "$T/good.json" "$traces/two.trace.json"
check "five" build
check "are enough" lacks "$page" "Five are asked for."
check "the spread is shown" matches "$page" '4\.000 to 9\.000.{1,2}ms'
check "and who ran when, as simulated and as recorded" sh -c 'grep -c "recorded</" "$1" >/dev/null && grep -q "id=\"alt-two-" "$1"' - "$page"
check "the machine's page leads there" has "$site/machines/$KEY.html" 'kernel-check.html'
for i in 1 2 3; do cp "$T/bad.json" "$traces/two-$i.stats.json"; done
check "three of five that miss" build
check "are a miss, told with its spread" has "$page" "Each miss, with its spread" "misses: 2 of 6 lines agree"
printf '# Two alike, they say.\ncpus 2\nhz 250\nfor 10s\ntask a cpu 0: run\ntask b nice 1 cpu 0: run\n' >"$S"
check "a scenario changed since" build
check "has no recordings" has "$page" "recorded for another text"
printf 'task a cpu 0 run\n' >"$S"
check "a scenario with an error stops the build" build 1
check "at its place" matches "$T/err" "content/scenarios/two.sim:1:[0-9]+: error: "
rm -r "$C/content/scenarios"
check "a course without scenarios" build
check "has no such page" test ! -e "$page"
check "and no link to it" lacks "$site/index.html" 'kernel-check'
finish
