#!/usr/bin/env python3
"""Makes a course with one chart of every kind from a generated store: make_charts.py --runq RUNQ [--values N] [--repeat K] DIR

DIR gets content, templates, assets, two runs of two machines and the database DIR/charts.db, whose cells hold N values in all
(1,000,000 unless told), histograms and spans; build with `runq -C DIR --db DIR/charts.db build`. With --repeat the page has K times
as many charts, each with an id of its own. The same arguments write the same values.
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
    parser.add_argument("dir")
    args = parser.parse_args()
    root = pathlib.Path(args.dir)
    for sub in ("content/chapters", "content/labs", "content/questions", "data/runs", "data/machines"):
        (root / sub).mkdir(parents=True, exist_ok=True)
    for sub in ("templates", "assets"):
        shutil.copytree(REPO / sub, root / sub, dirs_exist_ok=True)
    (root / "content/course.txt").write_text("title: Charts\nlede: To look at.\n\npart: All of them\nchapter: charts\n")
    (root / "content/chapters/charts.md").write_text(page(args))
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
