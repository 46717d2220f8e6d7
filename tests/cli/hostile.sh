# Bad luck and ill will: what a course's files, the site's folder, the database or a student may do to a build.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
runq -C "$C" build >"$T/out" 2>&1 || { echo "not ok the course is sound"; cat "$T/out"; exit 1; }
echo 'a secret' >"$T/secret.txt"
mkdir "$T/others" && echo keep >"$T/others/keep.txt"
cp -a "$C" "$T/clean"
fresh() { rm -rf "$C" && cp -a "$T/clean" "$C"; }
build() { timeout 60 "$OUT/runq" -C "$C" build "$@"; }
lab() { runq -C "$C" import "$T/s.run.json" --student="$1" --lab="$2"; }

# refused NAME STATUS PATTERN OPTION...: one line that matches, no old page lost, nothing secret published.
refused() {
	name=$1 status=$2 pattern=$3
	shift 3
	check "$name: exit $status, no hang" runs "$status" build "$@"
	grep -v 'the site was left as it was' "$T/err" >"$T/errors"
	check "$name: one line" lines 1 "$T/errors"
	check "$name: says what, and what to do" matches "$T/errors" "$pattern.*; ."
	check "$name: nothing secret is published" sh -c '! grep -rqs "a secret" "$1/site"' - "$C"
	check "$name: other folders are as they were" sh -c 'test "$(ls "$1")" = keep.txt && grep -q keep "$1/keep.txt"' - "$T/others"
	fresh
}

page=$C/content/chapters/second.md
ln -sf "$T/secret.txt" "$page"; refused "a page that is a link out of the course" 1 '^content/chapters/second.md: error: .*link that leads out'
ln -s "$T/secret.txt" "$C/assets/secret.txt"; refused "an asset that is one" 1 '^assets/secret.txt: error: .*link that leads out'
ln -sf "$T/secret.txt" "$C/templates/secret.html"; refused "a template that is one" 1 'secret.html: error: .*link that leads out'
ln -sf second.md "$page"; refused "a link to itself" 1 '^content/chapters/second.md: error: '
rm "$page" && mkfifo "$page"; refused "a page that is a pipe" 1 '^content/chapters/second.md: error: is no regular file'
mkfifo "$C/assets/pipe.css"; refused "an asset that is a pipe" 1 '^assets/pipe.css: error: is no regular file'
mkfifo "$C/data/runs/pipe.run.json"; refused "a run that is a pipe" 1 'pipe.run.json:1:1: error: '
mkfifo "$C/data/machines/pipe.txt"; refused "a label that is a pipe" 1 'pipe.txt: error: .*no regular file'
printf 'key: a\nlabel: b\nkind: magic\n' >"$C/data/machines/x.txt"; refused "a label of no kind" 1 "x.txt:3:7: error: kind is 'magic'"
rm -rf "$C/data/runs" && echo >"$C/data/runs"; refused "a folder of runs that is none" 1 'data/runs: error: '
touch "$C/assets/$(printf 'a\nb\033[31m')"; refused "a name of control characters" 1 '^assets/a.x0Ab.x1B.*no name for a page'
mv "$page" "$C/content/inside.txt" && ln -s ../inside.txt "$page"
check "a link within the course is a page" runs 0 build
fresh

sql() { chapter "$C" '## What follows' '' "It costs \`=$1\`."; }
sql "(SELECT count(*) FROM student)"; refused "a query for students" 1 "second.md:9:[0-9]+: error: SQL: 'student' is not for content"
sql "(WITH summary AS (SELECT hex(hash) AS x FROM token) SELECT x FROM summary)"; refused "one for tokens in disguise" 1 "'token' is not for content"
sql "(WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c)"; refused "a query without an end" 1 'error: SQL: ran for more than a second'
sql "load_extension('x')"; refused "an extension" 1 "'load_extension' is no function for content"
sql "CAST(x'ff80c0' AS TEXT)"; refused "a value that is no UTF-8" 1 'second.md:9:[0-9]+: error: SQL: row 1, column 1 is no text'
sql "char(8238) || 'x'"; refused "a value that turns the text around" 1 'error: SQL: row 1, column 1 is no text'
printf 'key: %s\nlabel: a\377b\n' "$KEY" >"$C/data/machines/one.txt"; refused "a label that is no UTF-8" 1 'one.txt:2:9: error: byte 0xFF is not UTF-8'
printf 'key: %s\nlabel: a\033[31m\n' "$KEY" >"$C/data/machines/one.txt"; refused "a label of control characters" 1 'one.txt:2:9: error: control character U.001B'
sql "med(char(27, 10) || 'x')"; refused "an error about control characters" 1 "'.x1B.x0Ax'"

foreign() { rm -rf "$C/site" && mkdir "$C/site" && echo mine >"$C/site/index.html" && printf "$1" >"$C/site/.runq-site"; }
foreign ''; refused "a folder with an empty mark" 1 'site: error: holds files that no build made'
foreign 'index.html\n'; refused "a folder with another's mark" 1 'site: error: holds files that no build made'
rm -rf "$C/site/chapters" && ln -s "$T/others" "$C/site/chapters"; refused "a folder of the site that is a link" 3 '^chapters/first.html: error: cannot write below'
check "an empty --out is wrong usage" runs 2 build --out ''
ln -s "$T/others" "$C/site/others" && printf '../../others/keep.txt\nothers/keep.txt\n%s\n' "$T/others/keep.txt" >>"$C/site/.runq-site"
rm "$C/site/index.html" && mkfifo "$C/site/index.html" && ln -sf "$T/others/keep.txt" "$C/site/404.html"
check "a mark, a link and a pipe that lead elsewhere" runs 0 build
check "lead nowhere" grep -q keep "$T/others/keep.txt"
check "the pages are files again" sh -c 'test -f "$1/index.html" && test -f "$1/404.html" && ! test -L "$1/404.html"' - "$C/site"
fresh

# Killed while it writes: each file is the old one or the new one, and the next build completes the site.
echo 'One more line.' >>"$page" && make_run -o "$C/data/runs/two.run.json" --created 1780000500000 create/fork=77000
digests "$C/site" >"$T/old" && cp -a "$C" "$T/edited" && build >"$T/out" && digests "$C/site" >"$T/new"
for after in 0.02 0.05 0.1 0.15 0.2 0.25 0.3 0.4 0.5; do
	rm -rf "$C" && cp -a "$T/edited" "$C"
	timeout -s KILL "$after" "$OUT/runq" -C "$C" build >"$T/out" 2>&1
	digests "$C/site" | grep -v '/\.runq-' >"$T/now"
	check "killed after $after s: whole files" sh -c '! grep -vxFf "$1" "$3" | grep -vxF -f "$2"' - "$T/old" "$T/new" "$T/now"
	check "the next build completes it" sh -c '"$1" -C "$2" build' - "$OUT/runq" "$C"
	digests "$C/site" >"$T/now"
	check "and leaves no rest" cmp "$T/new" "$T/now"
done
rm -rf "$C" && cp -a "$T/edited" "$C"
build >"$T/one" 2>&1 & build >"$T/two" 2>&1
check "two builds at once both succeed" wait $!
digests "$C/site" >"$T/now"
check "and make one site" cmp "$T/new" "$T/now"
fresh

sqlite() { python3 -c 'import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); [c.execute(s) for s in sys.argv[2:]]; c.commit()' "$C/data/course.db" "$@"; }
sqlite 'PRAGMA user_version = -5'; refused "a schema version below zero" 3 'course.db: its schema version is -5'
sqlite 'PRAGMA user_version = 0'; refused "a schema without its version" 3 'course.db: its schema version is 0'
sqlite 'DROP TABLE cell'; refused "a database without its tables" 3 'course.db: no such table: main.cell'
sqlite "UPDATE run SET canon = x'00ff'"; refused "a run that is no record" 1 'course.db: error: run [0-9a-f]* does not read'
head -c 9000 /dev/urandom >"$C/data/course.db"; refused "a database of noise" 3 'course.db: file is not a database'
head -c 20000 "$T/clean/data/course.db" >"$C/data/course.db"; refused "half a database" 3 'course.db: '
python3 -c 'import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute("BEGIN IMMEDIATE"); open(sys.argv[2], "w"); time.sleep(30)' \
	"$C/data/course.db" "$T/held" & holder=$!
while ! test -e "$T/held"; do sleep 0.1; done
check "a database another program writes is read as it is" runs 0 build
check "and that is said" has "$T/err" "course.db: note: in use by another process; nothing new was imported"
kill "$holder"
fresh

make_run -o "$T/s.run.json" --created 1790000300000 create/fork=999000 --fact cpu_model='Of a student'
digests "$C/site" >"$T/before"
for name in '-x' '..' '=1' 'a b' '../x' "$(printf 'a\nb')"; do
	check "$(printf %s "$name" | tr '\n' ' ') is no pseudonym" runs 2 lab "$name" switching
done
check "a student hands in" runs 0 lab somebody switching
check "a lab of control characters is refused" runs 1 lab somebody "$(printf 'sw\033[31m')"
check "and not sent to the terminal" sh -c '! grep -q "$(printf "\033")" "$1"' - "$T/err"
check "a build after that" runs 0 build
digests "$C/site" >"$T/after"
check "changes no page" cmp "$T/before" "$T/after"
check "full standard output is no success" sh -c '"$1" -C "$2" build >/dev/full 2>"$3"; test $? -eq 3' - "$OUT/runq" "$C" "$T/err"
finish
