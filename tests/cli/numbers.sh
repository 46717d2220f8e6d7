# Every number is a query and every claim a test: another run changes them all, everywhere.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
course() { runq -C "$C" "$@"; }
site=$C/site
charts=$site/charts/$KEY

check "the first run's site" runs 0 course build --strict
cp -R "$site" "$T/first"
page=$site/chapters/first.html
check "the sentence has the value" matches "$page" '120.µs'
check "the claim holds" matches "$page" '[Hh]olds'
check "the CSV has it" matches "$charts/fork-chart.csv" '120000'
make_run -o "$C/data/runs/two.run.json" --created 1780000500000 create/fork=77000 nice/0-5=611000
check "another run's site" runs 0 course build
old=$T/first/charts/$KEY
check "changes the sentence" sh -c 'grep -q "77.0.µs" "$1" && ! grep -q "A fork costs.*120.µs" "$1"' - "$page"
check "changes the chart of the page" sh -c 'chart() { sed -n "/<svg class=\"plot/,/<\/svg>/p" "$1"; }; chart "$1" >"$3/a"; chart "$2" >"$3/b"; test -s "$3/a" && ! cmp -s "$3/a" "$3/b"' - "$page" "$T/first/chapters/first.html" "$T"
check "changes the chart's file" differs "$charts/fork-chart.svg" "$old/fork-chart.svg"
check "changes the picture" differs "$charts/fork-chart.png" "$old/fork-chart.png"
check "which is a PNG" sh -c 'head -c 4 "$1" | grep -q PNG' - "$charts/fork-chart.png"
check "changes the CSV" matches "$charts/fork-chart.csv" '77000'
check "changes the chart's data table" sh -c 'tr "\n" " " <"$1" | grep -Eq "<t[dh][^>]*>[^<]*77(\.0|,000|.000|000)?[^<]*<"' - "$page"
check "changes a table" matches "$site/chapters/second.html" '61\.1.%'
first_run=$(basename "$T"/first/runs/*.html)
check "the first page named its run" has "$T/first/chapters/first.html" "$first_run"
check "and the new one no longer does" lacks "$page" "$first_run"
check "the old run keeps its page" sh -c 'test $(ls "$1"/runs/*.run.json | wc -l) -eq 2' - "$site"

line=$(grep -n '^```claim' "$C/content/chapters/first.md" | cut -d: -f1)
make_run -o "$C/data/runs/three.run.json" --created 1780000600000 create/fork=9000000
check "a contradicted claim is no error by itself" runs 0 course build
check "and is shown as contradicted" matches "$page" '[Cc]ontradicted'
check "on the claims page too" matches "$site/claims.html" 'class="has-bad"'
digests "$site" >"$T/before"
check "under --strict it is an error" runs 1 course build --strict
check "at the claim's path and line" matches "$T/err" "^content/chapters/first.md:($line|$((line + 3))):[0-9]+: error: .*fork-above-thread.*; "
digests "$site" >"$T/after"
check "and the old site is intact" cmp "$T/before" "$T/after"
check "check --strict says so too" runs 1 course check --strict

make_run -o "$C/data/runs/four.run.json" --created 1780000700000 create/fork=60000,210000,60000,210000,60000,210000
check "a claim that passes disagree about" runs 0 course build --strict
check "is unclear" matches "$page" '[Uu]nclear'
printf '\n```predict\nid: guess\nunit: ns\nanswer: us(med(%s))\n\nHow much is a fork?\n\n---\n\nSo much.\n```\n' "'create/fork'" >>"$C/content/chapters/first.md"
make_run -o "$C/data/runs/five.run.json" --created 1780000800000 --skip create/fork='no fork here' --fact cpu_model='Other CPU'
make_run -o "$C/data/local/five.run.json" --created 1780000800000 --skip create/fork='no fork here' --fact cpu_model='Other CPU'
check "a machine that could not measure it" runs 0 course build --strict
check "says so in the sentence, with the command" sh -c 'grep -q "not measured" "$1" && grep -q "runq-probe run create" "$1"' - "$page"
check "the local machine is the default one" lacks "$page" "The first machine</b> <span>measured, shown now"
check "and the other machine has its own edition" matches "$site/m/$KEY/chapters/first.html" '135.µs|60.0.µs|210.µs'
finish
