# Pictures: drawn once, kept while nothing they show changes, never trusted when somebody touched them; cards for shared links.
. tests/lib/tap.sh
. tests/lib/course.sh

C=$T/course
make_course "$C"
course() { runq -C "$C" "$@"; }
site=$C/site
charts=$site/charts/$KEY
drew() { matches "$T/out" "; $1 of $2 pictures drawn;"; }

check "a first build" runs 0 course build
check "draws the chart and the chapter's card" drew 2 2
digests "$site" >"$T/clean"
check "a second build" runs 0 course build
check "draws nothing" drew 0 2
check "nor does one with another number of threads" runs 0 course build --jobs 5
check "at all" drew 0 2
digests "$site" >"$T/kept"
check "and leaves the same bytes" cmp "$T/clean" "$T/kept"

rm "$charts/fork-chart.png"
check "a picture that was deleted" runs 0 course build
check "is drawn again, alone" drew 1 2
digests "$site" >"$T/again"
check "with the same bytes" cmp "$T/clean" "$T/again"
cp -p "$charts/fork-chart.png" "$T/stamp"
printf 'X' | dd of="$charts/fork-chart.png" bs=1 seek=200 conv=notrunc 2>/dev/null
touch -r "$T/stamp" "$charts/fork-chart.png"
check "one that was altered, at the same size and time" runs 0 course build
check "is drawn again" drew 1 2
digests "$site" >"$T/again"
check "with the same bytes, too" cmp "$T/clean" "$T/again"
rm "$charts/fork-chart.png" && ln -s "$T/stamp" "$charts/fork-chart.png"
check "a link where a picture was" runs 0 course build
check "is replaced" test ! -L "$charts/fork-chart.png"
echo 'nonsense' >"$site/.runq-drawn"
check "a list that was spoilt" runs 0 course build
check "is made again with all pictures" drew 2 2
digests "$site" >"$T/again"
check "and the same bytes" cmp "$T/clean" "$T/again"
check "check draws nothing" runs 0 course check

sed -i 's/^title: A fork costs.*/title: The cost of a fork/' "$C/content/chapters/first.md"
cp "$charts/fork-chart.png" "$T/old.png"
check "another title" runs 0 course build
check "draws both pictures of the chart" drew 2 2
check "anew" differs "$charts/fork-chart.png" "$T/old.png"
digests "$site" >"$T/changed"
check "a clean build of the same" runs 0 course build --out "$T/elsewhere"
digests "$T/elsewhere" >"$T/again"
check "has the same bytes" cmp "$T/changed" "$T/again"

check "without an address no page names a card" sh -c '! grep -rq og:image "$1" --include=*.html' - "$site"
sed -i 's|^lede: Two|url: https://course.example/\n&|' "$C/content/course.txt"
check "with one" runs 0 course build
check "the chapter with a chart does" has "$site/chapters/first.html" \
	"<meta property=\"og:image\" content=\"https://course.example/charts/$KEY/fork-chart.card.png\">" \
	'<meta property="og:url" content="https://course.example/chapters/first.html">' \
	'<meta property="og:image:alt" content="The cost of a fork">' '<meta name="twitter:card" content="summary_large_image">'
check "the one without does not" lacks "$site/chapters/second.html" og:image
check "no card is drawn again for that" drew 0 2
check "the card is 1,200 by 630" sh -c 'test "$(od -An -tx1 -j16 -N8 "$1" | tr -d " ")" = 000004b000000276' - "$charts/fork-chart.card.png"
sed -i 's|^lede: Two|hero: fork-chart\n&|' "$C/content/course.txt"
check "a course with a chart on its front page" runs 0 course build
check "shows its card there" has "$site/index.html" "https://course.example/charts/$KEY/fork-chart.card.png"
finish
