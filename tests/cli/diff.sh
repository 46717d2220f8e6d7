# runq runs diff: what moved beyond noise, what did not, what cannot be compared, which claims flipped; and the page of the same.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
diff_of() { want=$1; shift; runs "$want" runq -C "$C" runs diff "$@"; }
table() { diff_of 0 "$@" --json && cp "$T/out" "$T/diff.json"; }
verdict() { json "$T/diff.json" "[r['verdict'] + (': ' + r['reason'] if r['reason'] else '') for r in d['rows'] if r['key'] == '$1'] == ['$2']"; }

make_run -o "$T/a.json"
make_run -o "$T/same.json" --created 1780000500000 --note again
make_run -o "$T/slow.json" --created 1780000500000 create/vfork=33000 create/thread-join=60000 nice/0-10=860000
make_run -o "$T/little.json" --created 1780000500000 create/vfork=30900
make_run -o "$T/noisy.json" --created 1780000500000 create/vfork=36000,37000,29000,36500,36000,37000
make_run -o "$T/twin.json" --created 1780000500000 create/vfork=33000 create/aa=100000,140000,120000,110000,130000,120000
make_run -o "$T/other.json" --created 1780000500000 --fact hz=1000 --probes create,switch create/vfork=33000
make_run -o "$T/quick.json" --quick --created 1780000500000 create/vfork=33000,33000,33000,33000,33000,null
make_run -o "$T/later.json" --created 1780200000000 --skip create/vfork='no vfork here'
sed 's/"probe": "nice", "version": 1/"probe": "nice", "version": 2/' "$T/slow.json" >"$T/version.json"
echo 'no run' >"$T/broken.json"

check "the same figures again" table "$T/a.json" "$T/same.json"
check "moved nothing" json "$T/diff.json" "{r['verdict'] for r in d['rows']} <= {'none', 'not_compared'} and len(d['rows']) > 100"
check "flipped nothing" json "$T/diff.json" "d['claims']['judged'] == 1 and d['claims']['flipped'] == []"
check "and differ in no config key" json "$T/diff.json" "d['config'] == {} and not d['other_days']"
check "a shift beyond noise" table "$T/a.json" "$T/slow.json"
check "is named" verdict create/vfork moved
check "with its change" json "$T/diff.json" "[(r['change'], r['pairs'], round(r['relative'], 3), r['p'], r['coverage']) for r in d['rows'] if r['key'] == 'create/vfork'] == [(3000, 6, 0.1, 2 / 64, 1 - 2 / 64)]"
check "and the least that would have shown" json "$T/diff.json" "[900 < r['smallest'] < 1500 for r in d['rows'] if r['key'] == 'create/vfork'] == [True]"
check "so is a share" verdict nice/0-10 moved
check "what stayed is not" verdict create/fork none
check "the flipped claim is named, both ways" json "$T/diff.json" "d['claims']['flipped'] == [{'after': 'contradicted', 'before': 'holds', 'id': 'fork-above-thread'}]"
check "for people, too" diff_of 0 "$T/a.json" "$T/slow.json"
check "with the three verdicts and the sentence" has "$T/out" 'moved beyond noise: 3' 'no difference shown at this noise: ' 'cannot be compared: 1' \
	'fork-above-thread: holds (6.0), now contradicted (2.0)' 'A fork costs several threads.'
check "a shift within twice the noise" table "$T/a.json" "$T/little.json"
check "is no difference" verdict create/vfork none
check "a shift that one pass speaks against" table "$T/a.json" "$T/noisy.json"
check "is no difference, however large its median" verdict create/vfork none
check "a run whose twin disagrees with itself" table "$T/a.json" "$T/twin.json"
check "shows no difference, either" verdict create/vfork none
check "another configuration" table "$T/a.json" "$T/other.json"
check "is the reason why nothing is compared" verdict create/vfork 'not_compared: another configuration of the machine'
check "and the key in which it differs is told" json "$T/diff.json" "d['config'] == {'hz': ['250', '1000']}"
check "as is what only one has" verdict nice/0-5 'not_compared: only the first run has it'
check "another version of a probe" table "$T/a.json" "$T/version.json"
check "is a reason of its own" verdict nice/0-10 'not_compared: another version of the probe'
check "but not for other probes" verdict create/vfork moved
check "five passes" table "$T/a.json" "$T/quick.json"
check "are too few" verdict create/vfork 'not_compared: fewer than 6 passes in common'
check "quick against full is said" diff_of 0 "$T/a.json" "$T/quick.json"
check "in words" has "$T/out" 'One of them is quick' ', quick' ', full'
check "other days are said" diff_of 0 "$T/a.json" "$T/later.json"
check "with what would be needed, and what one alone has" has "$T/out" 'second session' 'only the first run has it: 1, of create'

check "two runs are wanted" diff_of 2 "$T/a.json"
check "a file that is none" diff_of 3 "$T/a.json" "$T/gone.json"
check "a file that is no run" diff_of 1 "$T/a.json" "$T/broken.json"
check "with its place" matches "$T/err" 'broken.json:1:1: error: '
cp "$T/a.json" "$C/data/runs/a.run.json"
cp "$T/slow.json" "$C/data/runs/slow.run.json"
check "a site with two runs of a machine" runs 0 runq -C "$C" build
ids=$(ls "$C"/site/runs/*.html | sed 's/.*\///; s/\.html//')
check "an unknown id is an error" diff_of 1 0123456789ab "$T/a.json"
# shellcheck disable=SC2086
check "ids do as well as files" diff_of 0 $ids
page=$C/site/changes.html
check "the page names what moved" sh -c 'tr -d "\n" <"$1" | grep -q "3 of [0-9]* figures moved"' - "$page"
check "and the claim, with both verdicts" matches "$page" 'A fork costs several threads.*holds \(6.0\), now contradicted \(2.0\)'
check "and links to a run's case" matches "$page" 'href="runs/[0-9a-f]{12}.html#case-create-vfork"'
check "every page leads there" has "$C/site/index.html" 'href="changes.html"'
mv "$C/data/runs/slow.run.json" "$T/moved"
rm -f "$C/data/course.db"
check "a site with one run" runs 0 runq -C "$C" build
check "says soberly that there is nothing to compare" has "$page" 'Measure again and import the file'
check "and compares machines all the same" test -s "$C/site/machines/compare.html"
finish
