# What an author gets wrong is one line, `path:line:col: error: what; what to do`, exit 1, and the old site stays.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
course() { runq -C "$C" "$@"; }
check "the course is sound" runs 0 course build
stamps "$C/site" >"$T/before"

# error NAME LINE PATTERN TEXT...: TEXT begins at line 9 of the second chapter.
error() {
	name=$1 line=$2 pattern=$3
	shift 3
	chapter "$C" '## What follows' '' "$@"
	check "$name: exit 1" runs 1 course build
	grep 'error:' "$T/err" >"$T/errors"
	check "$name: one line" lines 1 "$T/errors"
	check "$name: path:line:col: error: what; what to do" \
		matches "$T/errors" "^content/chapters/second\.md:$line:[1-9][0-9]*: error: .*$pattern.*; ."
	stamps "$C/site" >"$T/after"
	check "$name: the old site is intact" cmp "$T/before" "$T/after"
}

error "an unknown key in a block" 12 "'?kinds'?" '```chart' 'id: a-chart' 'title: A chart' 'kinds: bar' 'kind: bar' 'unit: ns' 'spread: none, a test' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create'" '```'
error "raw HTML" 9 "<?prio" 'Run chrt -f <prio> with care.'
error "a broken page link" 9 'gone' 'See [this](gone.md).'
error "a broken anchor" 9 'gone' 'See [this](first.md#gone).'
error "a broken anchor of the page itself" 9 'gone' 'See [this](#gone).'
error "an SQL error in a sentence" 9 'medd' "It costs \`=us(medd('create/fork'))\`."
error "an SQL error in a chart" '(9|1[0-9])' 'nowhere' '```chart' 'id: a-chart' 'title: A chart' 'kind: bar' 'unit: ns' 'spread: none, a test' '' \
	'SELECT label, median AS value FROM nowhere' '```'
error "zero rows everywhere" '(9|1[0-9])' 'nothing on any machine' '```chart' 'id: a-chart' 'title: A chart' 'kind: bar' 'unit: ns' 'spread: none, a test' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create' AND median < 0" '```'
error "a duplicate id" '(9|10)' 'fork-chart' '```chart' 'id: fork-chart' 'title: A chart' 'kind: bar' 'unit: ns' 'spread: none, a test' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create' AND median IS NOT NULL" '```'
error "an unknown measurement key" 9 "create/fork'?" "It costs \`=us(med('create/forkk'))\`."
error "an unknown key in a claim" '(9|1[0-9])' "create/fork'?" '```claim' 'id: a-claim' 'says: It costs.' "test: med('create/forkk') BETWEEN 1 AND 2" '```'
error "a claim always true" 12 "is true whatever is measured" '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') BETWEEN 0 AND 1" '```'
error "a claim always false" 12 "is false whatever is measured" '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') BETWEEN 1.5 AND 2" '```'
error "an inequality without falsifier" 12 'is an inequality' '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') > 0.5" '```'
error "a denied equality without falsifier" 12 'is an inequality' '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') <> 0.5" '```'
error "a falsifier that names nothing" 13 'says too little' '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') > 0.5" 'falsifier: none' '```'
error "bounds wider than a decade" 12 'wider than a decade' '```claim' 'id: a-claim' 'says: It costs.' "test: med('create/fork') BETWEEN 1000 AND 100000" '```'
error "a reason for no machine fact" 13 "no machine fact 'autogrup'" '```claim' 'id: a-claim' 'says: It is a share.' "test: med('nice/0-5') BETWEEN 0.7 AND 0.8" 'differs: autogrup=0: Groups are off.' '```'
error "a missing key in a block" '(9|10)' 'kind' '```chart' 'id: a-chart' 'title: A chart' 'unit: ns' 'spread: none, a test' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create' AND median IS NOT NULL" '```'
error "an unknown block" 9 'chrat' '```chrat' 'id: a-chart' '```'
error "a missing spread" '(9|1[0-9])' 'spread|min' '```chart' 'id: a-chart' 'title: A chart' 'kind: bar' 'unit: ns' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create' AND median IS NOT NULL" '```'
error "a claim nobody wrote" '(9|1[0-9])' 'no-such-claim' '```chart' 'id: a-chart' 'title: A chart' 'claim: no-such-claim' 'kind: bar' 'unit: ns' 'spread: none, a test' '' \
	"SELECT label, median AS value FROM summary WHERE probe = 'create' AND median IS NOT NULL" '```'
error "a table's claim nobody wrote" 12 'no-such-claim' '```table' 'id: a-table' 'title: A table' 'claim: no-such-claim' '' \
	"SELECT label, median FROM summary WHERE probe = 'create'" '```'
error "statements that write" 9 '' "It costs \`=(SELECT 1); DELETE FROM run\`."

error "a kind of question that is not made" 11 'bogus' '```quiz' 'id: a-quiz' 'kind: bogus' '' 'Why?' '' '---' '' 'So.' '```'

chapter "$C" '## What follows' '' 'See [this](gone.md).' '' 'See [that](first.md#gone).'
check "two errors: exit 1" runs 1 course build
check "in the order of the source" sh -c 'grep error: "$1" | cut -d: -f2 | sort -nc && test $(grep -c error: "$1") -eq 2' - "$T/err"
chapter "$C" '## What follows' '' 'All is well.'
printf -- '---\ntitel: A page\nlede: x\n---\n' >"$C/content/about.md"
check "a page's unknown key: exit 1" runs 1 course build
check "with the nearest" matches "$T/err" "^content/about\.md:2:1: error: .*titel.*title"
rm "$C/content/about.md"

# head_value NAME LINE KEY VALUE PATTERN: a value in the lab's head.
head_value() {
	cp "$C/content/labs/switching.md" "$T/lab.md"
	sed -i "s/^$3: .*/$3: $4/" "$C/content/labs/switching.md"
	check "$1: exit 1" runs 1 course build
	check "$1: its place, and what to do" matches "$T/err" "^content/labs/switching\.md:$2:[1-9][0-9]*: error: .*$5"
	mv "$T/lab.md" "$C/content/labs/switching.md"
}
head_value "a probe nobody wrote" 5 probes 'nice swich' "'swich'.*switch"
head_value "minutes that are no number" 4 minutes soon "'soon'; write"
head_value "root that is neither" 6 root maybe "'maybe'; write"
cp "$C/content/course.txt" "$T/course.txt"
echo 'chapter: second' >>"$C/content/course.txt"
check "a chapter listed twice: exit 1" runs 1 course build
check "is one error" sh -c 'test $(grep -c error: "$1") -eq 1 && grep -q "^content/course.txt:[0-9]*:1: error: .*listed twice; " "$1"' - "$T/err"
sed '1i machine: x86-0-0cpu-0000' "$T/course.txt" >"$C/content/course.txt"
check "a machine nobody measured: exit 1" runs 1 course build
check "is named where it is written" matches "$T/err" '^content/course\.txt:1:10: error: .*x86-0-0cpu-0000'
mv "$T/course.txt" "$C/content/course.txt"
check "the course is sound again" runs 0 course build
finish
