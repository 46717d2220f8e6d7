# The second half of `make course`, with a probe that takes no time: measures once, imports, builds, says where the site is.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
mkdir "$C/.ci" "$T/tools"
cp "$REPO/.ci/course" "$C/.ci/"
ln -s "$OUT/runq" "$T/tools/runq"
cat >"$T/tools/runq-probe" <<END
#!/bin/sh
echo "\$*" >>"$T/calls"
[ -z "\${PROBE_STATUS:-}" ] || exit "\$PROBE_STATUS"
while [ "\$1" != -o ]; do shift; done
exec python3 "$REPO/tests/lib/make_run.py" -o "\$2" --quick --created "178000\$(date +%s | tail -c 8)" --note "\$(wc -l <"$T/calls")" create/fork=55000
END
chmod +x "$T/tools/runq-probe"
course() { (cd "$C" && sh .ci/course "$T/tools"); }
calls() { [ "$(wc -l <"$T/calls")" -eq "$1" ] || { cat "$T/calls"; return 1; }; }

check "the first call measures, imports and builds" runs 0 course
check "all probes, quickly, into data/local" matches "$T/calls" '^run --all --quick -o data/local/[0-9TZ]+\.run\.json$'
check "with progress, step by step" has "$T/out" "1 of 3: measuring" "2 of 3: importing" "3 of 3: making the site"
check "and says where the site is and how to look at it" sh -c 'tail -n 2 "$1" | head -n 1 | grep -qx "course: done: $2/site/index.html" && tail -n 1 "$1" | grep -q "browser"' - "$T/out" "$C"
check "which shows this machine's numbers" matches "$C/site/chapters/first.html" '55\.0.µs'
check "the second call" runs 0 course
check "does not measure again" calls 1
check "and says how to" has "$T/out" "MEASURE=1"
check "MEASURE=1" runs 0 env MEASURE=1 sh -c 'cd "$1" && sh .ci/course "$2"' - "$C" "$T/tools"
check "does" calls 2
check "and keeps both runs" sh -c 'test $(ls "$1"/data/local/*.run.json | wc -l) -eq 2' - "$C"
rm "$C"/data/local/*
check "where nothing can be measured" runs 0 env PROBE_STATUS=4 sh -c 'cd "$1" && sh .ci/course "$2"' - "$C" "$T/tools"
check "the site is made all the same, and that is said" has "$T/out" "nothing could be measured here" "done:"
check "a probe that cannot write stops it" runs 3 env PROBE_STATUS=3 sh -c 'cd "$1" && sh .ci/course "$2"' - "$C" "$T/tools"
check "and no success is claimed" lacks "$T/out" "done:"
finish
