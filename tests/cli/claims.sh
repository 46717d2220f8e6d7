# The claims on run files: the page's evaluator agrees with SQLite's; from each number of the site it is two clicks to its passes; CSV is what
# is shown; the printed command gives a run's name; nothing that is said of a machine is untrue there.
. tests/lib/tap.sh

check "the site builds, and nothing in it is contradicted here" runs 0 runq build --strict --db "$T/db" --out "$T/site"
mkdir "$T/noisy"
check "run files with other values" python3 tests/lib/noisy.py "$T/noisy" data/runs/*.run.json
runq claims data/runs/*.run.json "$T"/noisy/*.json >"$T/claims.json" 2>"$T/err"
check "each verdict occurs" sh -c 'for v in ok bad unclear no; do grep -q "\"verdict\":\"$v\"" "$1" || exit 1; done' - "$T/claims.json"
check "the page's evaluator agrees with SQLite's on each claim and run" node tests/lib/agree.mjs assets/claims.js "$T/claims.json"
sed 's/sorted\|s\[low\] + /s[low] + 1e-3 + /' assets/claims.js >"$T/wrong.js"
check "and would not with a wrong median" runs 1 node tests/lib/agree.mjs "$T/wrong.js" "$T/claims.json"
check "from every number two clicks to the raw passes" python3 tests/lib/two_clicks.py "$T/site"
grep '^#' "$T/check.log"
cp -r "$T/site" "$T/broken"
sed -i 's/class="raw"/class="rare"/g' "$T"/broken/runs/*.html
check "and not where a run shows no passes" runs 1 python3 tests/lib/two_clicks.py "$T/broken"
check "CSV files hold what the tables show" python3 tests/lib/csv_shown.py "$T/site"
for page in "$T"/site/runs/*.html; do
	id=$(basename "$page" .html)
	command=$(sed -n 's/.*<code class="cmd">\({ printf.*sha256sum\)<\/code>.*/\1/p' "$page" | sed "s/&#39;/'/g")
	check "$id: the printed command gives the name on the page" sh -c 'cd "$1" && name=$(sh -c "$2") && grep -q "<code>${name%% *}</code>" "$3"' - \
		"$T/site/runs" "$command" "$page"
done
check "autogroup is blamed only where it is off" sh -c '! grep -o "<small><b>Linux 6.18 VM[^/]*Autogroup is off" "$1"' - "$T/site/claims.html"
check "and is blamed there" grep -q '<small><b>Debian 12[^/]*</b> Autogroup is off there' "$T/site/claims.html"
exit $failed
