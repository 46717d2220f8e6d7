#!/usr/bin/env python3
"""Makes a course with one chart of every kind from a generated store: make_charts.py --runq RUNQ [--values N] [--repeat K] [--marks] DIR

DIR gets content, templates, assets, two runs of two machines and the database DIR/charts.db, whose cells hold N values in all
(1,000,000 unless told), histograms and spans; build with `runq -C DIR --db DIR/charts.db build`. With --repeat the page has K times
as many charts, each with an id of its own; with --marks there are two more pages with every mark of every series and state. The same
arguments write the same values.
"""
import argparse
import json
import math
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
LOW = [f"create/{c}" for c in ("thread-join", "vfork", "fork", "spawn")]
NOISY = [f"switch/{c}" for c in ("pipe-thread-same", "pipe-process-same", "socketpair-thread-same", "futex-thread-same",
                                 "pipe-thread-cross", "futex-thread-cross")]
SPANS = "nice/0-5"

CHARTS = [
    ("range", "unit: ns\nscale: log", "SELECT label, median(value) AS median, min(value) AS min, max(value) AS max, count(*) AS n"
     " FROM sample WHERE key IN ('create/thread-join', 'create/vfork', 'create/fork', 'create/spawn') GROUP BY key ORDER BY median"),
    ("machines", "kind: range\nunit: ns\nscale: log", "SELECT label, machine_label AS series, median, min, max, n FROM all_cells"
     " WHERE probe = 'create' AND median IS NOT NULL ORDER BY ord, machine_label LIMIT 6"),
    ("bar", "unit: ns", "SELECT label, median AS value, min, max, n FROM summary WHERE probe = 'switch' AND metric = 'handoff'"
     " AND case_id LIKE '%-same' ORDER BY ord"),
    ("line", "unit: ns\nx-unit: passes", "SELECT label AS series, pass / P * P AS x, median(value) AS y, quantile(value, 0.1) AS min,"
     " quantile(value, 0.9) AS max FROM sample WHERE key IN ('switch/pipe-thread-same', 'switch/futex-thread-same')"
     " GROUP BY 1, 2 ORDER BY 1, 2"),
    ("panels", "kind: line\nunit: ns\nx-unit: passes\nx-scale: log\nspread: none, a running median",
     "SELECT label AS panel, b AS x, y FROM (SELECT label, ord, CAST(pow(2, floor(log2(pass))) AS INT) AS b, median(value) AS y"
     " FROM sample WHERE key IN ('switch/pipe-process-same', 'switch/socketpair-thread-same') GROUP BY key, b) ORDER BY ord, b"),
    ("step", "unit: count\nx-unit: ns\nspread: none, counted", "SELECT b AS x, sum(k) OVER (ORDER BY b) AS y FROM"
     " (SELECT floor(value / 200) * 200 AS b, count(*) AS k FROM sample WHERE key = 'switch/futex-thread-same' GROUP BY 1)"
     " ORDER BY x LIMIT 40"),
    ("scatter", "unit: ns\nx-unit: passes\nspread: none, single values", "SELECT label AS series, pass AS x, value AS y FROM sample"
     " WHERE key IN ('switch/pipe-thread-cross', 'switch/futex-thread-cross') AND pass % S = 0 ORDER BY pass LIMIT 100"),
    ("histogram", "unit: ns", "SELECT floor(value / 100) * 100 AS lo, floor(value / 100) * 100 + 100 AS hi, count(*) AS count"
     " FROM sample WHERE key = 'switch/pipe-thread-same' AND value < 4000 GROUP BY 1 ORDER BY 1"),
    ("histogram-key", "kind: histogram\nunit: ns\nscale: log\nkey: switch/pipe-thread-same switch/futex-thread-same", ""),
    ("ecdf", "unit: ns\nscale: log\nkey: switch/pipe-thread-same", ""),
    ("heatmap", "unit: count\nx-unit: passes\ny-unit: ns\nscale: log", "SELECT pass / H * H AS x, floor(value / 100) * 100 AS y,"
     " count(*) AS value FROM sample WHERE key = 'switch/pipe-process-same' AND value < 5000 GROUP BY 1, 2"),
    ("heatmap-words", "kind: heatmap\nunit: ns", "SELECT CASE WHEN case_id LIKE '%cross%' THEN 'two CPUs' ELSE 'one CPU' END AS x,"
     " substr(case_id, 1, instr(case_id, '-') - 1) AS y, min(median) AS value FROM summary WHERE probe = 'switch'"
     " AND metric = 'handoff' AND case_id LIKE '%-thread-%' GROUP BY 1, 2 ORDER BY min(ord)"),
    ("timeline", f"unit: ns\nkey: {SPANS}", ""),
    ("split", "unit: fraction", "SELECT label, median AS measured, w AS predicted, min, max, n FROM summary JOIN"
     " (SELECT 'nice/0-5' AS k, 0.7535 AS w UNION SELECT 'nice/0-10', 0.903 UNION SELECT 'nice/0-0', 0.5) ON k = key"
     " WHERE metric = 'share1' ORDER BY ord"),
]

NAMES = "WITH s(s, i) AS (VALUES ('one', 1), ('two', 2), ('three', 3), ('four', 4), ('five', 5)), x(x) AS (SELECT value FROM" \
    " json_each('[%s]')) "
SOME, MANY = ",".join(map(str, range(1, 7))), ",".join(map(str, range(1, 21)))
SERIES = NAMES % SOME
MARKS = [
    ("ranges", "kind: range\nunit: ns", SERIES + "SELECT 'case ' || x AS label, s AS series, 100 * i + x AS median, 90 * i AS min, 120 * i AS max,"
     " 6 AS n, 105 * i AS predicted, CASE x WHEN 1 THEN 115 * i END AS reported, CASE x WHEN 1 THEN 'A paper of 2019' END AS source"
     " FROM s, x WHERE x < 3"),
    ("bars", "kind: bar\nunit: count", SERIES + "SELECT s AS label, s AS series, (i - 2) * 10 AS value, (i - 2) * 10 - 3 AS min,"
     " (i - 2) * 10 + 2 AS max, (i - 2) * 11 AS predicted, (i - 2) * 9 AS reported, 'A talk' AS source FROM s, x WHERE x < 2"),
    ("parts", "kind: bar\nunit: ns\nspread: none, constants", SERIES + "SELECT 'panel ' || x AS panel, s AS label, i * x AS value FROM s, x WHERE x < 4"
     " ORDER BY x, i"),
    ("lines", "kind: line\nunit: ns\nx-unit: count", SERIES + "SELECT s AS series, x, i * 10 + x AS y, i * 10 + x - 2 AS min, i * 10 + x + 3 AS max"
     " FROM s, x"),
    ("bands", "kind: line\nunit: ns", NAMES % MANY + "SELECT s AS series, x, i * 20 + x % 7 AS y, i * 20 - 4 AS min, i * 20 + 12 AS max FROM s, x"),
    ("steps", "kind: step\nunit: count\nscale: log\nx-scale: log\nspread: none, constants", SERIES +
     "SELECT s AS series, x * x AS x, i * pow(2, x) AS y FROM s, x"),
    ("points", "kind: scatter\nunit: ns\nspread: none, constants", SERIES + "SELECT s AS series, x, i * x AS y FROM s, x"),
    ("cloud", "kind: scatter\nunit: ns\nspread: none, constants", NAMES % MANY + "SELECT s AS series, x, (i * 7 + x * x) % 97 AS y FROM s, x"),
    ("outlines", "kind: histogram\nunit: ns", SERIES + "SELECT s AS series, x + i AS lo, x + i + 1 AS hi, 10 * x - x * x AS count FROM s, x"),
    ("curves", "kind: ecdf\nunit: ns", SERIES + "SELECT s AS series, i * 3 + x AS value, x AS count FROM s, x"),
    ("shades", "kind: heatmap\nunit: ns", SERIES + "SELECT x, s AS y, i * x AS value FROM s, x"),
    ("states", "kind: timeline\nunit: ns", "WITH t(t, s) AS (VALUES (0, 'running'), (1, 'ready'), (2, 'sleeping'), (3, 'throttled'),"
     " (4, 'idle'), (5, 'paused'), (6, 'stopped')) SELECT 'a task' AS lane, t * 4e6 AS t0, t * 4e6 + 4e6 AS t1, s AS state FROM t"
     " UNION ALL SELECT 'clock', t * 4e6, t * 4e6, 'tick' FROM t"),
    ("runners", "kind: timeline\nunit: ns", SERIES + "SELECT 'CPU ' || (x % 2) AS lane, (x * 5 + i) * 1e6 AS t0, (x * 5 + i + 1) * 1e6 AS t1,"
     " 'running' AS state, s AS series FROM s, x ORDER BY 1, 2"),
    ("shares", "kind: split\nunit: fraction", SERIES + "SELECT s AS label, i * 0.15 AS measured, i * 0.16 AS predicted, i * 0.14 AS min,"
     " i * 0.17 AS max, i * 0.18 AS reported, 'A book' AS source FROM s, x WHERE x < 2"),
]


def buckets(values):
    counts = {}
    for v in values:
        width = 1 << max(int(v).bit_length() - 4, 0)
        lo = int(v) // width * width
        counts[lo, lo + width] = counts.get((lo, lo + width), 0) + 1
    return [[lo, hi, n] for (lo, hi), n in sorted(counts.items())]


def latencies(rng, n, middle):
    wave = 2 * math.pi / max(n, 1)
    for i in range(n):
        tail = 12 if rng.random() < 0.02 else 1
        yield round(middle * math.exp(rng.gauss(0, 0.25)) * (1 + 0.4 * math.sin(3 * wave * i)) * tail)


def spans():
    rows, at = [], 0
    rng = random.Random(3)
    while at < 80:
        turn = rng.choice((4, 4, 8, 12))
        rows += [["nice 0", at, min(at + turn, 80), "running"], ["nice 5", at, min(at + turn, 80), "ready"]]
        rows += [["nice 0", at + turn, min(at + turn + 4, 80), "ready"], ["nice 5", at + turn, min(at + turn + 4, 80), "running"]]
        at += turn + 4
    at = 1.5
    while at < 78:
        rest = rng.uniform(7, 12)
        rows += [["editor", at, at + 1, "running"], ["editor", at + 1, min(at + 1 + rest, 80), "sleeping"]]
        at += 1 + rest
    rows += [["clock", i * 4, i * 4, "tick"] for i in range(21)]
    return [[lane, round(a * 1e6), round(b * 1e6), state] for lane, a, b, state in rows if a < 80]


def page(args):
    per = args.values // (len(LOW) + len(NOISY))
    out = ["---", "title: A chart of every kind", "lede: Drawn from a generated store.", "minutes: 1", "---", "",
           "Each from generated values.", ""]
    for k in range(args.repeat):
        for name, head, sql in CHARTS:
            sql = sql.replace("/ P * P", f"/ {max(per // 10, 1)} * {max(per // 10, 1)}")
            sql = sql.replace("/ H * H", f"/ {max(per // 120, 1)} * {max(per // 120, 1)}").replace("% S", f"% {max(per // 50, 1)}")
            kind = "" if head.startswith("kind:") else f"kind: {name}\n"
            out += ["```chart", f"id: every-{name}" + (f"-{k}" if k else ""), f"title: What a {name} chart looks like", kind + head, "",
                    sql, "```", ""]
    return "\n".join(out)


def marks(part):
    out = ["---", "title: Every mark", "lede: Drawn from constants.", "minutes: 1", "---", ""]
    for name, head, sql in part:
        out += ["```chart", f"id: mark-{name}", f"title: The marks of {name}", head, "", sql, "```", ""]
    return "\n".join(out)


def runq(args, *words):
    done = subprocess.run([args.runq, "-C", args.dir, "--db", os.path.join(args.dir, "charts.db"), *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def fill(args):
    rng = random.Random(11)
    db = sqlite3.connect(os.path.join(args.dir, "charts.db"))
    per, key = args.values // (len(LOW) + len(NOISY)), "UPDATE cell SET vals = ?, n = ?, hist = ? WHERE key = ?"
    for i, name in enumerate(LOW + NOISY):
        values = list(latencies(rng, per, 1500 + 350 * i if name in NOISY else 15000 * 2 ** i))
        db.execute(key, (json.dumps(values, separators=(",", ":")), per, json.dumps({"time": buckets(values)}), name))
    db.execute("UPDATE cell SET spans = ? WHERE key = ?", (json.dumps(spans()), SPANS))
    db.commit()
    db.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runq", required=True)
    parser.add_argument("--values", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--marks", action="store_true")
    parser.add_argument("dir")
    args = parser.parse_args()
    root = pathlib.Path(args.dir)
    for sub in ("content/chapters", "content/labs", "content/questions", "data/runs", "data/machines"):
        (root / sub).mkdir(parents=True, exist_ok=True)
    for sub in ("templates", "assets"):
        shutil.copytree(REPO / sub, root / sub, dirs_exist_ok=True)
    (root / "content/course.txt").write_text("title: Charts\nlede: To look at.\n\npart: All of them\nchapter: charts\n")
    (root / "content/chapters/charts.md").write_text(page(args))
    if args.marks:
        for name, part in (("marks", MARKS[:6]), ("more-marks", MARKS[6:])):
            (root / f"content/chapters/{name}.md").write_text(marks(part))
            with open(root / "content/course.txt", "a", encoding="utf-8") as course:
                course.write(f"chapter: {name}\n")
    make_run = [sys.executable, str(REPO / "tests/lib/make_run.py"), "-o"]
    for name, facts in (("one", ()), ("two", ("--fact", "kernel_release=6.1.0-other"))):
        values = () if name == "one" else [f"{k}={9000 * 3 ** i}" for i, k in enumerate(LOW)]
        path = str(root / f"data/runs/{name}.run.json")
        subprocess.run([*make_run, path, *facts, *values], check=True)
        told = runq(args, "import", path)
        machine = told.split(" machine ")[1].split()[0]
        (root / f"data/machines/{name}.txt").write_text(
            f"key: {machine}\nlabel: The {'first' if name == 'one' else 'second'} machine\nkind: measured\npublic: yes\n")
        if name == "one":
            fill(args)
            course = root / "content/course.txt"
            course.write_text(f"machine: {machine}\n{course.read_text()}")


if __name__ == "__main__":
    main()
