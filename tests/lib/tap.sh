# For the shell tests: one line "ok NAME" or "not ok NAME" a check, which tests/run counts. Sourced with $1 the build folder.
OUT=$(cd "${1:?the build folder}" && pwd)
REPO=$(pwd)
runq() { "$OUT/runq" "$@"; }
T=$(mktemp -d "${TMPDIR:-/tmp}/runq-test.XXXXXX")
trap 'rm -rf "$T"' EXIT
trap 'exit 1' HUP INT TERM
failed=0

# check NAME COMMAND...: the command's status decides; its output is shown when it fails.
check() {
	_check=$1
	shift
	if "$@" >"$T/check.log" 2>&1; then
		echo "ok $_check"
	else
		echo "not ok $_check"
		sed 's/^/#   /' "$T/check.log" | head -n 40
		echo "#   failed: $*"
		failed=1
	fi
}

# runs STATUS COMMAND...: its standard output and error land in $T/out and $T/err, which are shown when the status is another.
runs() {
	want=$1
	shift
	got=0
	"$@" >"$T/out" 2>"$T/err" </dev/null || got=$?
	[ "$got" -eq "$want" ] && return 0
	echo "exit status $got instead of $want: $*"
	cat "$T/out" "$T/err"
	return 1
}

# has FILE TEXT...: every text stands in the file, literally.
has() {
	file=$1
	shift
	for text in "$@"; do
		grep -qF -e "$text" "$file" || { echo "'$text' is not in $file:"; head -n 40 "$file"; return 1; }
	done
}

lacks() { ! grep -nF -e "$2" "$1"; }
matches() { grep -qE -e "$2" "$1" || { echo "no line of $1 matches $2:"; head -n 40 "$1"; return 1; }; }
lines() { [ "$(wc -l <"$2")" -eq "$1" ] || { echo "not $1 line(s) but:"; cat "$2"; return 1; }; }
differs() { ! cmp -s "$1" "$2" || { echo "$1 and $2 are the same"; return 1; }; }
# json FILE EXPRESSION: a Python expression about the document d.
json() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); x = eval(sys.argv[2]); print(x); sys.exit(not x)' "$1" "$2"; }
make_run() { python3 "$REPO/tests/lib/make_run.py" "$@"; }

# Every file below a folder with its digest, and with its time and inode: what a build must not touch.
digests() { (cd "$1" 2>/dev/null && find . -type f | LC_ALL=C sort | xargs -d '\n' sha256sum); }
stamps() { (cd "$1" 2>/dev/null && find . -printf '%p %T@ %i %s\n' | LC_ALL=C sort); }

finish() { exit "$failed"; }
