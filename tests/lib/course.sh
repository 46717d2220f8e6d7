# A small course in a folder of its own: the repository's templates and assets, crafted chapters, crafted runs.

# make_course DIR: two chapters, a lab, one public machine with one run.
make_course() {
	mkdir -p "$1/content/chapters" "$1/content/labs" "$1/content/questions" "$1/data/machines" "$1/data/runs" "$1/data/local"
	cp -R "$REPO/templates" "$REPO/assets" "$1/"
	cat >"$1/content/course.txt" <<-'END'
	title: A small course
	lede: Two chapters, to test with.

	part: The only part
	chapter: first
	chapter: second
	END
	cat >"$1/content/chapters/first.md" <<-'END'
	---
	title: The first chapter
	lede: What does a fork cost?
	minutes: 3
	---

	A fork costs `=us(med('create/fork'))`, said the [second chapter](second.md#what-follows).

	## A heading

	```chart
	id: fork-chart
	title: A fork costs `=us(med('create/fork'))`
	claim: fork-above-thread
	kind: range
	scale: log
	unit: ns

	SELECT label, median, min, max, n FROM summary WHERE probe = 'create' AND median IS NOT NULL ORDER BY ord
	```

	```claim
	id: fork-above-thread
	says: A fork costs several threads.
	test: med('create/fork') / med('create/thread-join') BETWEEN 3 AND 10
	shows: times(med('create/fork') / med('create/thread-join'))
	```
	END
	cat >"$1/content/chapters/second.md" <<-'END'
	---
	title: The second chapter
	lede: And what follows?
	minutes: 2
	---

	## What follows

	```table
	id: nice-table
	title: Shares

	SELECT label, pct(median) AS share FROM summary WHERE probe = 'nice' AND metric = 'share1' ORDER BY ord
	```

	Back to [the heading](first.md#a-heading).
	END
	cat >"$1/content/labs/switching.md" <<-'END'
	---
	title: A lab
	lede: Measure a switch.
	minutes: 5
	probes: switch
	root: no
	---

	Run `runq-probe run switch -o r.run.json`.
	END
	make_run -o "$1/data/runs/one.run.json"
	runq -C "$1" --db "$1/key.db" import "$1/data/runs/one.run.json" >"$1/key.txt"
	KEY=$(sed 's/.* machine \([^ ]*\) .*/\1/' "$1/key.txt")
	rm -f "$1"/key.*
	cat >"$1/data/machines/one.txt" <<-END
	key: $KEY
	label: The first machine
	kind: measured
	public: yes
	END
}

# chapter DIR TEXT...: replaces the body of the second chapter; its head is 5 lines, so TEXT begins at line 7.
chapter() {
	dir=$1
	shift
	{ sed -n 1,6p "$dir/content/chapters/second.md"; printf '%s\n' "$@"; } >"$dir/second.new"
	mv "$dir/second.new" "$dir/content/chapters/second.md"
}
