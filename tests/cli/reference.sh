# Figures that others reported: from data/reference to the site, replaced with their file, refused with their place.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
nb=$(printf '\302\240') # stands between a number and its unit
make_course "$C"
mkdir "$C/data/reference"
csv=$C/data/reference/paper.csv
rows() { { echo 'source,machine,kind,label,unit,min,median,max,n,key,note'; printf '%s\n' "$@"; } >"$csv"; }
build() { runq -C "$C" build --out "$C/site"; }
page() { has "$C/site/$@"; }

cat >"$C/content/sources.md" <<'END'
---
title: Sources
---

### A paper on two machines (paper)

*Reported.* We believe it.
END
cat >"$C/data/machines/vm.txt" <<'END'
key: vm
label: Their machine
kind: reported
public: yes
cpu: A <fast> one
END
sed -i 's/SELECT label, median, min, max, n FROM summary/SELECT label, median, min, max, n, reported(key) AS reported, (SELECT machine_label FROM reported_cells AS r WHERE r.key = summary.key) AS source FROM summary/' \
	"$C/content/chapters/first.md"
rows 'paper,vm,measured,"creation: fork, wait",ns,,700000,,5,create/fork,same loop' \
	'paper,vm,measured,"creation: thread, join",ns,,100000,,5,create/thread-join,' \
	'paper,vm,derived,"creation: ratio, <b>",milli,,7500,,,,Corrected: 7.0' 'paper,,documented,kernel: HZ,count,100,,1000,,,'
printf '%s\n' 'name,unit,value,kernel,file,note' 'slice_ns,ns,750000,from 6.15,fair.c,as written' >"$C/data/reference/constants.csv"

check "a course with reported figures is built" runs 0 build
first=$C/site/chapters/first.html
check "the chart has a hollow mark" matches "$first" 'class="[^"]*rep'
check "named in its key" has "$first" "reported by others"
check "and in the row's tooltip" matches "$first" '<title>[^<]*reported 700[^<]*\(Their machine'
check "its source stands below, linked to its verdict" has "$first" 'hollow: <a href="../sources.html#a-paper-on-two-machines-paper">A paper on two machines</a>'
check "the chart's data has it" has "$C/site/charts/$(ls "$C/site/charts" | head -n 1)/fork-chart.csv" "reported" "700000"
check "the sources page has every figure, exactly" page sources.html 'id="fig-paper-vm-2"' "700${nb}µs" "100${nb}µs" "7.5"
check "with what it is the same as" page sources.html "same as <code>create/fork</code>" "same loop"
check "the correction" page sources.html "<b>Corrected:</b> 7.0"
check "the counts" page sources.html "4 figures: 2 measured, 1 derived, 1 documented, 2 of them the same as a case of ours, 1 corrected here"
check "the verdict's anchor" page sources.html 'href="#a-paper-on-two-machines-paper"' 'id="a-paper-on-two-machines-paper"'
check "and the constants" page sources.html "<code>slice_ns</code>" "from 6.15" "The forty weights"
check "markup in them is text" lacks "$C/site/sources.html" "ratio, <b>"
check "the machine has a page" page machines/vm.html "Their machine" "A &lt;fast&gt; one" "all 4 figures and the verdict" "700${nb}µs"
check "whose numbers lead to the sources" page machines/vm.html 'href="../sources.html#fig-paper-vm-2"'
check "and no edition" sh -c '! test -e "$1/site/m/vm"' - "$C"
check "nor a place in the switch" lacks "$C/site/index.html" 'href="m/vm/'
check "the matrix judges it by medians" matches "$C/site/claims.html" 'Their machine'
check "a claim holds there" sh -c 'tr -d "\n" <"$1" | grep -Eq "7\.0[0-9]*.{0,400}(reported)"' - "$C/site/claims.html"
check "measured medians are what they were" lacks "$C/site/machines/x86-6.18-2cpu-$(ls "$C/site/machines" | sed -n 's/^x86-6.18-2cpu-\(....\).html$/\1/p' | head -n 1).html" "700${nb}µs"
check "runs list names the import" sh -c '"$1" -C "$2" runs list | grep -Eq "^[0-9a-f]{12} +vm +reported +create"' - "$OUT/runq" "$C"
id=$(runq -C "$C" runs list | sed -n 's/ .*reported.*create.*//p')
check "runs show prints the file" runs 0 runq -C "$C" runs show "$id"
check "as it is" cmp -s "$T/out" "$csv"
check "the database is sound" runs 0 runq -C "$C" db verify
check "and again after a rebuild" sh -c '"$1" -C "$2" db rebuild && "$1" -C "$2" db verify' - "$OUT/runq" "$C"
cp "$C/data/course.db" "$T/before.db"
check "built again" runs 0 build
check "nothing new came in" cmp -s "$C/data/course.db" "$T/before.db"

rows 'paper,vm,measured,"creation: fork, wait",ns,,650000,,5,create/fork,'
check "a corrected file" runs 0 build
check "replaces the older" sh -c 'test "$("$1" -C "$2" runs list | grep -c " vm .*reported")" -eq 1' - "$OUT/runq" "$C"
check "on the page" page sources.html "650${nb}µs"
check "alone" lacks "$C/site/sources.html" "700${nb}µs"

bad() { # NAME PLACE TEXT
	check "$1 stops the build" runs 1 build
	check "$1: path, line and column" has "$T/err" "$2"
	check "$1: what is wrong" has "$T/err" "$3"
}
rows 'paper,vm,measured,a fork,ns,,650 000,,5,create/fork,'
bad "a number with a blank" "data/reference/paper.csv:2:30: error:" "plain decimal"
rows 'paper,vm,measured,a fork,ns,,650000,,5,create/frok,'
bad "an unknown key" "data/reference/paper.csv:2:40: error:" "did you mean create/fork"
rows 'paper,vm,measured,"a fork,ns,,650000,,5,create/fork,'
bad "an open quote" "data/reference/paper.csv:2:19: error:" "nothing closes"
rows 'paper,vm,measured,a fork,ns,,650000'
bad "a short row" "data/reference/paper.csv:2:1: error:" "7 cells where the header has 11"
check "what was there stays until it is right" sh -c '"$1" -C "$2" runs list | grep -q " vm .*reported"' - "$OUT/runq" "$C"
rows 'blog,vm,measured,a fork,ns,,650000,,5,create/fork,'
bad "a source without a verdict" "content/sources.md: error:" "ends with \`(blog)\`"
rm "$csv"
sed -i 's/, reported(key) AS reported.* AS source//' "$C/content/chapters/first.md"
check "without the file" runs 0 build
check "its figures are gone" lacks "$C/site/sources.html" "650${nb}µs"
printf 'key: vm\nlabel: x\nkind: measured\ncpu: y\n' >"$C/data/machines/vm.txt"
bad "facts of a measured machine" "vm.txt:4:1: error:" "kind reported"
finish
