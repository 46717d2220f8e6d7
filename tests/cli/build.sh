# The site: same input, same bytes; nothing touched without need; nothing written where it should not be.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
course() { runq -C "$C" "$@"; }
site=$C/site

check "a clone builds before it measures" runs 0 course build
check "its pages are there" ls "$site/index.html" "$site/chapters/first.html" "$site/chapters/second.html" "$site/labs/switching.html" \
	"$site/claims.html" "$site/machines/$KEY.html" "$site/404.html" "$site/sitemap.txt"
course runs list --json >"$T/runs.json"
id=$(json "$T/runs.json" "d[0]['run']")
check "one page for each run, with its file" ls "$site/runs/$(echo "$id" | cut -c1-12).html" "$site/runs/$(echo "$id" | cut -c1-12).run.json"
check "the file is the run" runs 0 course import "$site/runs/$(echo "$id" | cut -c1-12).run.json"
check "byte for byte" has "$T/out" "already here: $(echo "$id" | cut -c1-12)"

page=$site/runs/$(echo "$id" | cut -c1-12).html
check "which says how loaded the machine was" matches "$page" 'load average [0-9.]+ before, [0-9.]+ after'
check "and how much a repetition differed" matches "$page" 'A/A noise [0-9.]+.%'
make_run -o "$T/private.json" --fact cpu_model='A private CPU'
check "a run of a machine that no label makes public" runs 0 course import "$T/private.json"
check "changes nothing" runs 0 course build
check "and is not published" sh -c '! grep -rq "A private CPU" "$1" && test $(ls "$1"/runs/*.html | wc -l) -eq 1' - "$site"

stamps "$C" >"$T/before"
sleep 0.02
check "a build with nothing changed" runs 0 course build
stamps "$C" >"$T/after"
check "touches no file, of the site or of the data" cmp "$T/before" "$T/after"
check "another build with its own database" runs 0 course build --db "$T/other.db" --out "$T/other" --jobs 1
digests "$site" >"$T/one"
digests "$T/other" >"$T/two"
check "has the same bytes" cmp "$T/one" "$T/two"
check "and another number of threads has them too" sh -c '"$1" -C "$2" build --out "$3" --jobs 4 && diff -r "$2/site" "$3"' - "$OUT/runq" "$C" "$T/jobs"
check "from another folder too" sh -c 'cd / && "$1" -C "$2" build --out "$3" && diff -r "$2/site" "$3"' - "$OUT/runq" "$C" "$T/elsewhere"

mkdir "$T/foreign" && echo mine >"$T/foreign/notes.txt"
check "a folder it did not make is refused" sh -c '! "$1" -C "$2" build --out "$3" 2>"$4"' - "$OUT/runq" "$C" "$T/foreign" "$T/err"
check "saying what to do" matches "$T/err" 'foreign: error: .*; '
check "and stays as it was" sh -c 'test "$(ls -A "$1")" = notes.txt && grep -q mine "$1/notes.txt"' - "$T/foreign"
mkdir "$T/dots" && echo '*' >"$T/dots/.gitignore"
check "dotfiles alone count as empty" runs 0 course build --out "$T/dots"
check "and stay" test -f "$T/dots/.gitignore"

mv "$C/content/chapters/second.md" "$T/second.md"
cp "$C/content/course.txt" "$C/content/chapters/first.md" "$T/"
sed -i '/second/d' "$C/content/course.txt" "$C/content/chapters/first.md"
check "a chapter that is gone" runs 0 course build
check "leaves no page behind" test ! -e "$site/chapters/second.html"
mv "$T/second.md" "$T/first.md" "$C/content/chapters/"
mv "$T/course.txt" "$C/content/"
check "and comes back" runs 0 course build
digests "$site" >"$T/again"
check "with the same bytes" cmp "$T/one" "$T/again"

stamps "$site" >"$T/before"
echo '[gone](gone.md)' >>"$C/content/chapters/second.md"
check "check finds what build would" runs 1 course check
check "--force writes a draft and still exits 1" runs 1 course build --force --out "$T/draft"
check "with the pages" test -f "$T/draft/chapters/second.html"
stamps "$site" >"$T/after"
check "neither touched the site" cmp "$T/before" "$T/after"
chapter "$C" '## What follows'
check "check passes again" runs 0 course check
stamps "$site" >"$T/after"
check "and writes nothing" cmp "$T/before" "$T/after"
check "an unknown machine is an error" sh -c '! "$1" -C "$2" build --machine x86-0-0cpu-0000 2>"$3"' - "$OUT/runq" "$C" "$T/err"
check "that names it" has "$T/err" "x86-0-0cpu-0000"
finish
