# sim blocks in pages, their figures in SQL, the playground, and the module held against the published vectors.
. tests/lib/tap.sh
. tests/lib/course.sh
C=$T/course
make_course "$C"
build() { runq build -C "$C" --db "$T/c.db" --out "$T/site"; }

# with TEXT: the second chapter ends with it.
cp "$C/content/chapters/second.md" "$T/second.md"
with() { cp "$T/second.md" "$C/content/chapters/second.md" && printf '\n%s\n' "$1" >>"$C/content/chapters/second.md"; }
block='```sim
id: two-hogs
title: Nice 10 gets one tick in ten

for 1s
task a cpu 0: run
task b nice 10 cpu 0: run
```'

with "$block

A share of \`=pct(sim('two-hogs:share-a'))\`, runs of \`=ms(sim('two-hogs:run-median-b'))\`, at 5 ms \`=sim('two-hogs:at-5ms')\`.

\`\`\`claim
id: simulated-share
says: A fork costs less than the simulated tick.
test: med('create/fork') / sim('two-hogs:run-median-b') BETWEEN 0.001 AND 0.9
loose: a fork depends on the size of the process
\`\`\`

\`\`\`chart
id: split-of-shares
title: Predicted and measured
kind: split
unit: fraction
spread: none, both are simulated

SELECT 'a' AS label, 0.9 AS measured, sim('two-hogs:share-a') AS predicted
\`\`\`"
check "a page with a simulation" runs 0 build
P=$T/site/chapters/second.html
check "draws it" has "$P" 'id="two-hogs"' 'Who runs' 'What each task does'
check "with the rules, the CPUs and the tick" has "$P" 'Linux 6.18, late stable (EEVDF), 2 CPUs, 250'
check "each switch with its reason" has "$P" 'its request was served: the deadline moved on, at a tick'
check "figures of its tasks" has "$P" '>90.0' '>10.0'
check "the commands that repeat it" has "$P" 'build/runq sim two-hogs.sim' 'sudo build/runq trace two-hogs.sim -o t.json'
check "values in sentences, linked to it" has "$P" 'chapters/second.html#two-hogs">90.0' '>4.00' '>b</a>.'
check "a claim's test has the number itself, for whoever judges it in the page" has "$T/site/claims.html" '/ 4000000.0 BETWEEN'
for ending in sim csv svg png; do
	check "its $ending file" sh -c 'ls "$1"/charts/*/two-hogs."$2"' - "$T/site" "$ending"
done
check "the scenario file runs as it is" sh -c '"$1" sim "$2"/charts/*/two-hogs.sim' - "$OUT/runq" "$T/site"
check "a playground" has "$T/site/playground.html" 'nice 0 beside nice 10' '>90.3' 'Three tasks on one CPU'
check "the module as a plain script of at most 88 KiB" sh -c 'test "$(wc -c <"$1")" -gt 20000 && test "$(wc -c <"$1")" -le 90112' - "$T/site/sim-wasm.js"
check "all scripts of the site together within 60 KiB" sh -c 'test "$(cat "$1"/assets/*.js | wc -c)" -le 61440' - "$T/site"

with '```sim
id: broken
title: A slip

for 1s
task a: run 2ms, slep 3ms
```'
check "a fault in a scenario" runs 1 build
line=$(grep -n 'slep' "$C/content/chapters/second.md" | cut -d: -f1)
check "has its place in the page" has "$T/err" "content/chapters/second.md:$line:18: error: unknown operation 'slep'; did you mean 'sleep'?"
with '```sim
id: broken
title: Rules
profile: cfs66

for 1s
task a: run
```'
check "unknown rules" runs 1 build
check "have the nearest name" has "$T/err" "unknown profile 'cfs66'; did you mean cfs65"
with "$block

\`=sim('two-hog:share-a')\`"
check "an unknown block" runs 1 build
check "has the nearest id" has "$T/err" "no sim block 'two-hog'; did you mean two-hogs"
with "$block

\`=sim('two-hogs:shares-a')\`"
check "an unknown metric" runs 1 build
check "has the nearest name" has "$T/err" "no metric 'shares-a'; did you mean share-a"
with '```sim
id: endless
title: Too much

hz 1000
for 1000s
task a cpu 0: run
task b cpu 0: run
```'
check "more events than allowed" runs 1 build
check "say what to do" has "$T/err" "simulate a shorter time"
with "$block"
printf '\n%s\n' "$block" >>"$C/content/chapters/first.md"
check "one id on two pages" runs 1 build
check "names the other" has "$T/err" "stands in content/chapters/first.md already"

printf 'for 200ms\ntask a cpu 0: run\ntask b nice 10 cpu 0: run\n' >"$T/hogs.sim"
check "a picture from the command line" runs 0 runq sim "$T/hogs.sim" --format svg
check "with rules and lanes" has "$T/out" '<svg xmlns' 'Linux 6.18' 'What each task does'
node tests/wasm/vectors.mjs "$OUT/sim.wasm" "$OUT/runq" >"$T/vectors" 2>&1
check "every vector of the specification, simulated by the module, with the log that native runq writes" sh -c '! grep "^not ok" -A1 "$1" && test "$(grep -c "^ok" "$1")" -ge 20' - "$T/vectors"
finish
