# The simulator from the command line, and the module for the page held against it.
. tests/lib/tap.sh

printf 'for 200ms\ntask a cpu 0: run\ntask b nice 10 cpu 0: run\n' >"$T/hogs.sim"
check "a prediction" runs 0 runq sim "$T/hogs.sim"
check "names the kernel and the machine" has "$T/out" 'Linux 6.18' '2 CPUs, HZ 250'
check "has shares" matches "$T/out" '^  a +180.000 +90.00%'
check "and reasons" has "$T/out" 'a -> b after 36.000000 ms: its request was served'
check "a few lines of the log" runs 0 runq sim "$T/hogs.sim" --lines 2
check "say how many more there are" has "$T/out" 'and 11 more'
check "from standard input" sh -c 'echo "task a: run" | "$1" sim -' - "$OUT/runq"
check "as JSON" runs 0 runq sim "$T/hogs.sim" --format json
check "with the log" json "$T/out" 'len(d["records"]) == 13 and d["records"][3][:6] == [4000000, 0, "switch", "a", "b", "tick_deadline"]'
check "with figures" json "$T/out" 'd["tasks"][1]["cpu_ns"] == 20000000 and d["t_ns"] == 200000000 and d["stopped"] is None'
cp "$T/out" "$T/first.json"
check "again" runs 0 runq sim "$T/hogs.sim" --format json
check "the same bytes" cmp "$T/out" "$T/first.json"
python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["scenario"], end="")' "$T/first.json" >"$T/canonical.sim"
check "its canonical text" runs 0 runq sim "$T/canonical.sim" --format json
check "is the same scenario" cmp "$T/out" "$T/first.json"

check "why b runs at 46 ms" runs 0 runq sim "$T/hogs.sim" --explain 46ms
check "is told" matches "$T/out" '^CPU 0 at 46.000000 ms: b, since 44.000000 ms, when it followed a: its request was served'
check "with v, deadline and lag of both" matches "$T/out" '^  a +waits +1024 +40.000000 .* no$'
check "and who may run" matches "$T/out" '^  b +runs +110 +37.236363 .* yes$'
check "a time outside" runs 2 runq sim "$T/hogs.sim" --explain 200ms
check "other rules" runs 0 runq sim "$T/hogs.sim" --profile cfs65
check "are named" has "$T/out" 'Linux 6.5 (CFS)'
check "unknown rules" runs 2 runq sim "$T/hogs.sim" --profile cfs66
check "have a nearest name" has "$T/err" "did you mean 'cfs65'"

printf 'for 2s\ntask f fifo 7 cpu 0: run\ntask h cpu 0: run\n' >"$T/starved.sim"
check "why a real-time task runs" runs 0 runq sim "$T/starved.sim" --explain 1200ms
check "is its priority" matches "$T/out" '^  f +runs +priority 7$'
check "and what the fair server waits for" matches "$T/out" 'fair server\) +waits +deadline 2000.000000 ms, budget 50.000000 ms; waits until'
check "when the server takes over" runs 0 runq sim "$T/starved.sim" --explain 960ms
check "is told" has "$T/out" 'h, since 950.000000 ms, when it followed f: the fair server takes the CPU for fair tasks'
printf 'for 1s\ngroup g quota 20ms/100ms\ntask a in g cpu 0: run\n' >"$T/quota.sim"
check "why a group's task does not run" runs 0 runq sim "$T/quota.sim" --explain 50ms
check "is told" has "$T/out" 'idle, since 20.000000 ms, when it followed a: its group is out of quota'
check "what it used" runs 0 runq sim "$T/quota.sim"
check "and how often it was throttled" has "$T/out" 'group g, 20.000 ms each 100.000: used 200.000 ms; throttled in 9 of 9 periods, 720.000 ms in all'
check "as JSON" runs 0 runq sim "$T/quota.sim" --format json
check "too" json "$T/out" 'd["groups"] == [{"cpu_ns": 200000000, "name": "g", "periods": 9, "throttled": 9, "throttled_ns": 720000000}]'
check "the decision" runs 0 runq sim "$T/quota.sim" --explain 50ms
check "of a task that is throttled" matches "$T/out" '^  a +throttled '
printf 'cpus 1\nfor 1s\ntask d deadline 10ms 100ms 100ms: run\ntask h: run\n' >"$T/reserved.sim"
check "why a reservation does not run" runs 0 runq sim "$T/reserved.sim" --explain 50ms
check "is its budget" matches "$T/out" '^  d +throttled +deadline 100.000000 ms, budget -2.000000 ms$'

printf 'cpus 2\ntask a: run 2ms, slep 3ms\n' >"$T/bad.sim"
check "a fault in a scenario" runs 1 runq sim "$T/bad.sim"
check "has its place and a remedy" has "$T/err" "bad.sim:2:18: error: unknown operation 'slep'; did you mean 'sleep'?"
check "a policy that a profile lacks" sh -c 'printf "task a fifo 5: run" | "$1" sim - --profile rr; test $? -eq 1' - "$OUT/runq"
check "too many events" runs 1 runq sim "$T/hogs.sim" --events 20
check "end it with the remedy" has "$T/err" 'raise --events'
check "and show what was simulated" has "$T/out" 'a -> b'
check "no such file" runs 3 runq sim "$T/none.sim"
check "no scenario" runs 2 runq sim
check "a wrong format" runs 2 runq sim "$T/hogs.sim" --format xml

# SIM_DRAWS=100000 for the long check.
differential() { "$OUT/unit/sim_draw" 1 "${SIM_DRAWS:-2000}" >"$T/draws" && node tests/wasm/sim.mjs "$OUT/sim.wasm" <"$T/draws"; }
check "drawn scenarios keep the invariants, and the module for the page makes the same bytes of them" differential
finish
