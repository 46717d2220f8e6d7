# Charts from whatever a query gives: the right picture, well-formed, or one error with its place. And the CSV of every kind holds what its
# SQL gives and its table shows.
. tests/lib/tap.sh
. tests/lib/course.sh

D=$T/demo
check "a store and a page with every kind" python3 tests/lib/make_charts.py --runq "$OUT/runq" --values 50000 --marks "$D"
demo() { runq -C "$D" --db "$D/charts.db" build --out "$D/site" "$@"; }
check "the page builds" runs 0 demo
check "every SVG parses, in pages and alone" python3 tests/lib/svg_parses.py "$D/site"
for page in "$D"/site/chapters/charts.html "$D"/site/m/*/chapters/charts.html; do
	page=${page#"$D/site/"} machine=$(sed -n 's/^machine: //p' "$D/content/course.txt")
	case $page in m/*) machine=${page#m/} machine=${machine%%/*} ;; esac
	check "$machine: each CSV is what its SQL gives, computed anew" python3 tests/lib/csv_sql.py "$OUT/runq" "$D/charts.db" "$machine" "$D/site" "$page"
	grep '^#' "$T/check.log"
done
check "each table shows its CSV, or its first 50 rows and says so" python3 tests/lib/csv_shown.py "$D/site"
check "and the tables say so where they are cut" matches "$D/site/chapters/charts.html" 'The first 50 of [0-9]+ rows; the CSV file has all'
cp -R "$D/site" "$T/other"
sed -i '3s/[0-9]/7/g' "$T"/other/charts/*/every-bar.csv
check "another CSV would be noticed beside its SQL" runs 1 python3 tests/lib/csv_sql.py "$OUT/runq" "$D/charts.db" \
	"$(sed -n 's/^machine: //p' "$D/content/course.txt")" "$T/other" chapters/charts.html
check "and beside its table" runs 1 python3 tests/lib/csv_shown.py "$T/other"
check "a hollow mark names its source in the tooltip" matches "$D/site/chapters/marks.html" '<title>[^<]*reported 115.{1,3}ns \(A paper of 2019\)'
check "and in the table" has "$D/site/chapters/marks.html" '<td>A paper of 2019'

C=$T/course
make_course "$C"
course() { timeout 60 "$OUT/runq" -C "$C" build; }
block() { chapter "$C" '## What follows' '' '```chart' 'id: a-chart' 'title: A chart' "$@" '```'; }
page=$C/site/chapters/second.html

# draws NAME KIND HEAD SQL: builds, and all is well-formed. The block begins at line 9, HEAD is line 14, the query line 17.
draws() {
	block "kind: $2" 'unit: ns' "$3" 'spread: none, a test' '' "$4"
	check "$1: drawn" runs 0 course
	check "$1: well-formed" python3 tests/lib/svg_parses.py "$C/site"
	check "$1: no script" lacks "$page" '<script>alert'
}
# refuses NAME KIND HEAD SQL PATTERN [LINE]: one error at its place, exit 1.
refuses() {
	block "kind: $2" 'unit: ns' "$3" 'spread: none, a test' '' "$4"
	check "$1: exit 1" runs 1 course
	grep 'error:' "$T/err" >"$T/errors"
	check "$1: one line, its place and what" sh -c 'test $(wc -l <"$1") -eq 1 && grep -E "$2" "$1"' - "$T/errors" \
		"^content/chapters/second\.md:${6:-[1-9][0-9]*}:[1-9][0-9]*: error: .*$5"
	check "$1: and says what to do" matches "$T/errors" ': error: .*; .'
}
N="WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i LIMIT"

draws "a label of markup" bar 'x-unit: ns' "SELECT '</svg><script>alert(1)</script>' AS label, 1 AS value"
check "the label is there, harmless" has "$page" '&lt;/svg&gt;&lt;script&gt;'
draws "a label of 10,000 characters" bar 'x-unit: ns' "SELECT printf('%.*c', 10000, 'W') AS label, 1 AS value"
draws "one of 10,000 without a width" range 'x-unit: ns' "SELECT 'a' || replace(printf('%.*c', 10000, '-'), '-', char(769)) AS label, 2 AS median, 1 AS min, 3 AS max"
for kind in range bar split; do
	value=value extra=
	[ $kind = range ] && value=median extra=', 1 AS min, 1 AS max'
	[ $kind = split ] && value=measured extra=', 1 AS predicted'
	draws "$kind: one row" $kind 'x-unit: ns' "SELECT 'a' AS label, 1 AS $value$extra"
	draws "$kind: all equal" $kind 'x-unit: ns' "$N 9) SELECT 'a' || i AS label, 1 AS $value$extra FROM i"
	refuses "$kind: infinite" $kind 'x-unit: ns' "SELECT 'a' AS label, 1e999 AS $value$extra" "row 1: $value is infinite"
	refuses "$kind: infinite and negative" $kind 'x-unit: ns' "SELECT 'a' AS label, -1e999 AS $value$extra" "row 1: $value is infinite"
	refuses "$kind: a word for a number" $kind 'x-unit: ns' "SELECT 'a' AS label, 'much' AS $value$extra" "row 1: $value is 'much', not a number"
	refuses "$kind: no label" $kind 'x-unit: ns' "SELECT NULL AS label, 1 AS $value$extra" 'row 1 has no label'
done
draws "a difference of infinities is no number, so no row" bar 'x-unit: ns' "SELECT 'a' AS label, 1e999 - 1e999 AS value UNION ALL SELECT 'b', 1"
check "and is said to be missing" has "$page" 'not measured'
for kind in line step scatter; do
	draws "$kind: one row" $kind 'x-unit: ns' 'SELECT 1 AS x, 2 AS y'
	draws "$kind: all equal" $kind 'x-unit: ns' "$N 9) SELECT 3 AS x, 2 AS y FROM i"
	draws "$kind: NULL x" $kind 'x-unit: ns' "$N 9) SELECT nullif(i, 4) AS x, 2 AS y FROM i"
	draws "$kind: huge and tiny" $kind 'x-unit: ns' 'SELECT 1e-300 AS x, 1e99 AS y UNION ALL SELECT 1e99, -1e99'
	refuses "$kind: infinite x" $kind 'x-unit: ns' 'SELECT 1e999 AS x, 2 AS y' 'row 1: x is infinite'
	refuses "$kind: infinite y" $kind 'x-unit: ns' 'SELECT 1 AS x, -1e999 AS y' 'row 1: y is infinite'
	refuses "$kind: zero on a log axis" $kind 'scale: log' 'SELECT 1 AS x, 0 AS y' 'row 1: y is 0, and a log scale needs values above zero'
	refuses "$kind: below zero on a log axis" $kind 'scale: log' 'SELECT 1 AS x, -2 AS y' 'row 1: y is -2, and a log scale'
	refuses "$kind: zero on a log axis across" $kind 'x-scale: log' 'SELECT 0 AS x, 1 AS y' 'row 1: x is 0, and a log scale'
	refuses "$kind: a million rows" $kind 'x-unit: ns' "$N 1000000) SELECT i AS x, i AS y FROM i" 'more than 2000 rows'
done
refuses "a million labels" bar 'x-unit: ns' "$N 1000000) SELECT 'a' || i AS label, i AS value FROM i" 'more than 100 rows'
refuses "a million cells" heatmap 'x-unit: ns' "$N 1000000) SELECT i AS x, i AS y, i AS value FROM i" 'more than 65536 rows'
refuses "a million buckets" histogram 'x-unit: ns' "$N 1000000) SELECT i AS lo, i + 1 AS hi, i AS count FROM i" 'more than 2000 rows'
draws "a million values in twenty buckets" histogram 'x-unit: ns' "$N 1000000) SELECT i / 50000 AS lo, i / 50000 + 1 AS hi, count(*) AS count FROM i GROUP BY 1"
draws "one bucket" histogram 'x-unit: ns' 'SELECT 1 AS lo, 2 AS hi, 3 AS count'
draws "buckets of nothing" histogram 'x-unit: ns' "$N 5) SELECT i AS lo, i + 1 AS hi, 0 AS count FROM i"
refuses "an infinite bucket" histogram 'x-unit: ns' 'SELECT 1 AS lo, 1e999 AS hi, 3 AS count' 'row 1: hi is infinite'
draws "one value's distribution" ecdf 'x-unit: ns' 'SELECT 7 AS value'
draws "one cell" heatmap 'x-unit: ns' 'SELECT 1 AS x, 1 AS y, 5 AS value'
refuses "a cell twice" heatmap 'x-unit: ns' 'SELECT 1 AS x, 1 AS y, 5 AS value UNION ALL SELECT 1, 1, 6' 'the cell at x 1, y 1 has two values'
draws "one instant" timeline 'x-unit: ns' "SELECT 'a' AS lane, 0 AS t0, 0 AS t1, 'running' AS state"
refuses "a span that ends before it begins" timeline 'x-unit: ns' "SELECT 'a' AS lane, 5 AS t0, 1 AS t1, 'running' AS state" 'row 1'
refuses "no rows on any machine" bar 'x-unit: ns' "SELECT label, median AS value FROM summary WHERE key = 'create/nothing'" 'no row|finds nothing|on every machine|nothing'
refuses "a column twice" bar 'x-unit: ns' "SELECT 'a' AS label, 1 AS value, 2 AS value" "two columns for the column 'value'"
refuses "a column unknown" bar 'x-unit: ns' "SELECT 'a' AS label, 1 AS value, 2 AS colour" "unknown column 'colour' in a bar chart"
refuses "a column missing" line 'x-unit: ns' 'SELECT 1 AS x' "no column 'y' in a line chart"
refuses "fifty series" line 'x-unit: ns' "$N 50) SELECT 's' || i AS series, 1 AS x, i AS y FROM i" 'more than 5 series'
refuses "ten thousand panels" bar 'x-unit: ns' "$N 10000) SELECT 'p' || i AS panel, 'a' AS label, i AS value FROM i LIMIT 100" 'more than 12 panels'
refuses "ten thousand panels of a line" line 'x-unit: ns' "$N 10000) SELECT 'p' || i AS panel, 1 AS x, i AS y FROM i LIMIT 2000" 'more than 12 panels'
refuses "control bytes in names" line 'x-unit: ns' "$N 3) SELECT 'p' || char(1, 10, 27) || '[31m' AS panel, 's' || char(9, 13, 127) AS series, i AS x, i AS y FROM i" 'row 1, column 1 is no text'
refuses "bytes that are no text" bar 'x-unit: ns' "SELECT CAST(x'ff80' AS TEXT) AS label, 1 AS value" 'row 1, column 1 is no text'
refuses "a reported value without its source" bar 'x-unit: ns' "SELECT 'a' AS label, 1 AS value, 2 AS reported" 'a reported value without a source'
refuses "a log scale with a zero" bar 'scale: log' "SELECT 'a' AS label, 1 AS value" 'a bar chart has a zero to start from'
refuses "an x-scale for a bar" bar 'x-scale: log' "SELECT 'a' AS label, 1 AS value" 'a bar chart has no x-scale'
refuses "an x-scale of a word" line 'x-scale: logarithmic' 'SELECT 1 AS x, 1 AS y' "unknown x-scale 'logarithmic'" 14
refuses "a kind misspelt" bars 'x-unit: ns' "SELECT 'a' AS label, 1 AS value" "unknown chart kind 'bars'" 12
refuses "a key unknown: the nearest is named" histogram 'key: create/forc' '' "unknown key 'create/forc'; did you mean create/fork$" 14
refuses "a key far from any" ecdf 'key: zzzzzzzzzzzz/qqqqqqqq' '' "unknown key 'zzzzzzzzzzzz/qqqqqqqq'" 14
refuses "a key of a kind that takes none" bar 'key: create/fork' '' 'a key makes a histogram, ecdf or timeline' 14
refuses "a key and a query" ecdf 'key: create/fork' 'SELECT 1 AS value' 'a key and a query' 14
refuses "a key without a histogram on any machine" histogram 'key: create/fork' '' '.' 9
refuses "neither key nor query" ecdf 'x-unit: ns' '' "has no query" 9
draws "a key's values" ecdf 'key: create/fork' ''
finish
