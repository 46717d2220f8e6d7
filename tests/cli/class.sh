# Handing in: receipt, refusals, the class's view.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
course() { runq -C "$C" "$@"; }
export TZ=Europe/Berlin
make_run -o "$T/r.run.json" --created 1780000300000 create/fork=999000
make_run -o "$T/create.run.json" --created 1780000400000 --probes create

check "the site is built before" runs 0 course build
digests "$C/site" >"$T/before"
check "a run is handed in" runs 0 course import "$T/r.run.json" --student p1 --lab switching
check "an unknown student is added, and that is said" has "$T/out" "student p1 is new: added"
check "the receipt has run, lab, student, time with offset, on time" \
	matches "$T/out" '^accepted: run [0-9a-f]{12} lab switching student p1 time 20[0-9-]{8}T[0-9:]{8}\+0[12]:00 on time$'
cp "$T/out" "$T/receipt"
check "handing it in again is no error" runs 0 course import "$T/r.run.json" --student p1 --lab switching
check "and gives the first receipt's time" sh -c 'test "$(grep -o "time [^ ]*" "$1")" = "$(grep -o "time [^ ]*" "$2")"' - "$T/out" "$T/receipt"
check "the student is not new twice" lacks "$T/out" "is new"
check "a file without the lab's probe is refused" runs 1 course import "$T/create.run.json" --student p2 --lab switching
check "in one line that names field and remedy" has "$T/err" "create.run.json: error: tables: no table of probe switch, which lab 'switching' needs" "; run \`runq-probe run switch"
check "one line" lines 1 "$T/err"
check "an unknown lab is refused" runs 1 course import "$T/r.run.json" --student p1 --lab swiching
check "in one line that names field and remedy" has "$T/err" "error: lab: no lab 'swiching'; did you mean 'switching'?"
make_run -o "$T/skipped.run.json" --probes switch
python3 - "$T/skipped.run.json" <<'END'
import json, sys
run = json.load(open(sys.argv[1]))
run["tables"][0]["cases"] = [{"case": "pipe-thread-same", "status": "skipped", "cause": "no pipe", "try": "plumbing"}]
json.dump(run, open(sys.argv[1], "w"))
END
check "a table of skipped cases answers no lab" runs 1 course import "$T/skipped.run.json" --student p3 --lab switching
check "and says what to do" has "$T/err" "tables[0]" "measure again"
check "a broken file is refused" sh -c 'echo "{" >"$3"; ! "$1" -C "$2" import "$3" --student p4 --lab switching 2>"$4"' - "$OUT/runq" "$C" "$T/broken.json" "$T/err"
check "with its place" matches "$T/err" 'broken.json:[0-9]+:[0-9]+: error: '
check "a lab's broken head is told by the path an author would type" \
	sh -c 'cd "$1" && printf "%s\n" --- "probes switch" --- >content/labs/bad.md && ! "$2" import "$3" --student p1 --lab switching 2>"$4"; rm content/labs/bad.md; grep -q "^content/labs/bad.md:2:" "$4"' \
	- "$C" "$OUT/runq" "$T/r.run.json" "$T/err"
check "a student without a lab is wrong usage" runs 2 course import "$T/r.run.json" --student p1
check "a pseudonym is a word" runs 2 course import "$T/r.run.json" --student 'p 1' --lab switching

check "class progress shows the class" runs 0 course class progress
check "students against labs" matches "$T/out" '^student +swiching +switching$'
check "what was accepted" matches "$T/out" '^p1 +switching +on time +20[^ ]+ +[0-9a-f]{12}'
check "what was refused, and why" matches "$T/out" '^p2 +switching +refused +20[^ ]+ +[0-9a-f]{12}  tables: no table of probe switch'
check "for an unknown lab too" matches "$T/out" '^p1 +swiching +refused .*no lab'
check "and a file that is no run" matches "$T/out" '^p4 +switching +refused +20[^ ]+ +- '
check "--json is JSON" runs 0 course class progress --json
check "with the same" json "$T/out" "len([e for e in d if e['result'] == 'refused']) == 4"

sqlite3 "$C/data/course.db" "UPDATE lab SET due_ms = 1000 WHERE slug = 'switching'"
check "after the due time a run is accepted and marked" runs 0 course import "$T/r.run.json" --student p5 --lab switching
check "late" matches "$T/out" ' late$'
check "and shown so" sh -c '"$1" -C "$2" class progress | grep -Eq "^p5 +switching +late "' - "$OUT/runq" "$C"
check "which leaves the first receipt on time" sh -c '"$1" -C "$2" import "$3" --student p1 --lab switching | grep -q "on time$"' - "$OUT/runq" "$C" "$T/r.run.json"

check "a rebuild after all that" runs 0 course build
digests "$C/site" >"$T/after"
check "leaves the public pages unchanged" cmp "$T/before" "$T/after"
check "db rebuild recomputes" runs 0 course db rebuild
check "and keeps what was handed in" sh -c '"$1" -C "$2" class progress | grep -Eq "^p1 +switching +on time "' - "$OUT/runq" "$C"
check "db verify finds it sound" runs 0 course db verify
finish
