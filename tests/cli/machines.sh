# The pages of machines: facts, noise, and all of them side by side.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
sed -i "2a machine: $KEY" "$C/content/course.txt"
site=$C/site
build() { runs 0 runq -C "$C" build; }
compare=$site/machines/compare.html
flat() { tr -d '\n' <"$1" >"$T/flat"; }
row() { flat "$compare" && grep -o "<tr><th scope=\"row\">[^/]*<b>[^<]*</b> <span><code>$1</code>.*" "$T/flat" | sed 's/<\/tr>.*//' >"$T/row" && test -s "$T/row"; }

check "one machine" build
check "has a page with its facts" has "$site/machines/$KEY.html" 'kernel_release' '6.18.0-test' 'changes.html#changed-'
check "and the noise of each probe" matches "$site/machines/$KEY.html" 'no difference below 3\.80.% can be shown'
check "and nothing beside it" has "$compare" 'Nothing that was recorded' 'Measured on one machine alone'
make_run -o "$C/data/runs/two.run.json" --probes create,nice --fact hz=1000 --fact virt=kvm create/vfork=36000 --skip create/spawn='no spawn here'
runq -C "$C" --db "$T/key.db" import "$C/data/runs/two.run.json" >"$T/key.txt"
other=$(sed 's/.* machine \([^ ]*\) .*/\1/' "$T/key.txt")
check "a machine that is not public" build
check "stands beside nothing" lacks "$compare" "$other"
printf 'key: %s\nlabel: The second machine\nkind: measured\npublic: yes\n' "$other" >"$C/data/machines/two.txt"
check "two public machines" build
check "are told apart by what differs" sh -c 'tr -d "\n" <"$1" | grep -q ">hz</th><td>250</td><td>1000</td>"' - "$compare"
check "what is the same is said once" sh -c 'tr -d "\n" <"$1" | grep -q ">cpus_online</th><td>2</td></tr>"' - "$compare"
check "a figure has a row" row create/vfork
check "with both medians and their ratio" matches "$T/row" '>30\.0.µs</a>.*>36\.0.µs</a> <span>1\.20.×</span>'
check "each linked to the case of its run" sh -c '[ "$(grep -o "runs/[0-9a-f]*.html#case-create-vfork" "$1" | sort -u | wc -l)" -eq 2 ]' - "$T/row"
check "what one could not measure" row create/spawn
check "says why not, and has no ratio" sh -c 'grep -q "skipped" "$1" && ! grep -q "×" "$1"' - "$T/row"
check "a probe that one alone has is named with its machine" matches "$compare" "href=\"../machines/$KEY.html#probe-switch\""
sed -i 's/kind: measured/kind: emulated/' "$C/data/machines/two.txt"
check "an emulated machine" build
check "has a figure's row" row create/vfork
check "but no ratio of times" lacks "$T/row" '×'
check "while behaviour is compared" row nice/0-5
check "as ever" matches "$T/row" '1\.00.×'
finish
