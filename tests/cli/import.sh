# Runs into the database: once, with their origin; what is refused says where and why.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
make_run -o "$T/r.run.json" --created 1780000100000 --quick
course() { runq -C "$C" "$@"; }
count() { course runs list --json | grep -c '"run":'; }
run_count() { [ "$(count)" -eq "$1" ] || { course runs list; return 1; }; }

check "a run is imported" runs 0 course import "$T/r.run.json"
check "with id, machine and probes" matches "$T/out" '^imported [0-9a-f]{12} machine x86-6.18-2cpu-[0-9a-f]{4} probes create switch nice$'
id=$(cut -d' ' -f2 "$T/out")
check "the same file adds nothing and says so" runs 0 course import "$T/r.run.json"
check "naming the run" has "$T/out" "already here: $id, nothing added"
check "one run is there" run_count 1
python3 -c 'import json,sys; print(json.dumps(json.load(open(sys.argv[1])), indent=3, sort_keys=True))' "$T/r.run.json" >"$T/spaced.json"
check "another spelling of the same run is the same run" runs 0 course import "$T/spaced.json"
check "and adds nothing" has "$T/out" "already here: $id"
{ printf '\357\273\277'; cat "$T/r.run.json"; } >"$T/bom.json"
check "a byte order mark does not matter" runs 0 course import "$T/bom.json"
check "and is not part of the run" has "$T/out" "already here: $id"
check "standard input is a file" sh -c '"$1" -C "$2" import - <"$3" | grep -q "already here"' - "$OUT/runq" "$C" "$T/r.run.json"
check "a folder is its files" runs 0 course import "$C/data/runs"
check "all of them" matches "$T/out" '^imported '
check "data/runs means committed" sh -c '"$1" -C "$2" runs list | grep -q " committed "' - "$OUT/runq" "$C"
cp "$T/r.run.json" "$C/data/local/r.run.json"
check "data/local means local" sh -c '"$1" -C "$2" import "$2/data/local/r.run.json" && "$1" -C "$2" runs list | grep -q " local "' - "$OUT/runq" "$C"
make_run -o "$T/l.run.json" --created 1780000200000
check "so does --local" sh -c '"$1" -C "$2" import --local "$3" && test $("$1" -C "$2" runs list | grep -c " local ") -eq 2' - "$OUT/runq" "$C" "$T/l.run.json"

refused() { # NAME FILE TEXT...
	name=$1 file=$2
	shift 2
	check "$name is refused" runs 1 course import "$file"
	check "$name: one line" lines 1 "$T/err"
	check "$name: says what" has "$T/err" "$@"
}
sed 's/"values": \[[^]]*\]/"values": "many"/' "$T/r.run.json" >"$T/bad.json"
refused "a text for numbers" "$T/bad.json" "error: tables[0].cases[0].metrics.wall.values: "
check "with path, line and column" matches "$T/err" '^/.*/bad.json:1:[0-9]+: error: .*; .*$'
head -c 1000 "$T/r.run.json" >"$T/cut.json"
refused "a file cut short" "$T/cut.json" "cut.json:1:" "; "
echo 'no run at all' >"$T/text.json"
refused "a text" "$T/text.json" "text.json:1:1: error:"
head -c 600000 /dev/zero | tr '\0' ' ' >"$T/long.json"
refused "more than 512 KiB" "$T/long.json" "512 KiB"
check "a missing file is the environment's fault" runs 3 course import "$T/none.json"
check "and says so" has "$T/err" "none.json: error: cannot be read"
mkdir "$T/empty"
check "an empty folder is no success" runs 1 course import "$T/empty"
check "a bad file does not stop the others" runs 1 course import "$T/bad.json" "$T/r.run.json"
check "which are taken" has "$T/out" "already here: $id"
check "nothing of all that was added" run_count 3

check "runs show prints one run" runs 0 course runs show "$id"
check "with its facts, load and noise" has "$T/out" "kernel_release" "6.18.0-test" "loadavg_milli" "noise of wall"
check "and n, min, median, max of each case" matches "$T/out" '^  fork +wall +6 +119.* +120.* +121.* +ok$'
check "runs show --json is JSON with the same" runs 0 course runs show "$id" --json
check "of this run" json "$T/out" "d['run'].startswith('$id') and d['tables'][0]['cases'][2]['metrics']['wall']['n'] == 6"
check "an unknown run is an error" runs 1 course runs show 0000000
check "a newer schema is refused" sh -c 'sqlite3 "$2/data/course.db" "PRAGMA user_version = 99" && ! "$1" -C "$2" runs list 2>"$3"' - "$OUT/runq" "$C" "$T/err"
check "with status 3" runs 3 course runs list
check "and says so" matches "$T/err" 'newer'
finish
