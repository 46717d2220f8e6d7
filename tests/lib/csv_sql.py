"""The CSV files of the figures of PAGE against their SQL, computed anew from the database by views written here.
Usage: csv_sql.py RUNQ DB MACHINE SITE PAGE. For a store with one run a machine, such as make_charts.py makes; prints what it compared."""
import csv
import html
import io
import os
import re
import sqlite3
import statistics
import subprocess
import sys

runq, path, machine, site, page = sys.argv[1:]
VIEWS = """
CREATE TEMP VIEW cells AS SELECT m.key AS machine, m.label AS machine_label, c.*, p.label, p.ord FROM main.cell c
 JOIN main.run r ON r.id = c.run JOIN main.machine m ON m.key = r.machine JOIN place p ON p.name = c.probe || '/' || c.case_id
 WHERE c.twin IS NULL;
CREATE TEMP VIEW all_cells AS SELECT * FROM cells;
CREATE TEMP VIEW summary AS SELECT * FROM cells WHERE machine = bound();
CREATE TEMP VIEW sample AS SELECT s.key, s.label, s.ord, j.key + 1 AS pass, j.value FROM summary s, json_each(s.vals) j WHERE j.value IS NOT NULL;
CREATE TEMP VIEW bucket AS SELECT s.key, s.label, s.ord, json_extract(b.value, '$[0]') AS lo, json_extract(b.value, '$[1]') AS hi,
 json_extract(b.value, '$[2]') AS count FROM summary s, json_each(s.hist) h, json_each(h.value) b;
CREATE TEMP VIEW span AS SELECT s.key, s.label, s.ord, json_extract(j.value, '$[0]') AS lane, json_extract(j.value, '$[1]') AS t0,
 json_extract(j.value, '$[2]') AS t1, json_extract(j.value, '$[3]') AS state FROM summary s, json_each(s.spans) j;
"""


class Median:
    def __init__(self):
        self.values = []

    def step(self, v):
        if v is not None:
            self.values.append(v)

    def finalize(self):
        return float(statistics.median(self.values)) if self.values else None


class Quantile(Median):
    def step(self, v, q):
        super().step(v)
        self.q = q

    def finalize(self):
        if not self.values:
            return None
        s, at = sorted(self.values), (len(self.values) - 1) * self.q
        low = int(at)
        return float(s[low] + (s[min(low + 1, len(s) - 1)] - s[low]) * (at - low))


def places():
    """Label and place of each case, as `runq probe describe` prints them."""
    names = [line.split()[0] for line in subprocess.run([runq, "probe", "list"], capture_output=True, text=True).stdout.splitlines() if line[:1].isalpha()]
    found = []
    for probe in dict.fromkeys(names):
        text = subprocess.run([runq, "probe", "describe", probe], capture_output=True, text=True).stdout
        cases = re.search(r"^cases\n((?:  .*\n)*)", text, re.M)
        for line in cases[1].splitlines() if cases else []:
            case, _, label = line.strip().partition("  ")
            found.append((f"{probe}/{case}", label.strip(), len(found)))
    return found


def text_of(v):
    if not isinstance(v, float):
        return "" if v is None else str(v)
    s = "%.15g" % v
    return s if re.search(r"[.a-z]", s) else s + ".0"


def same(a, b):
    """Sums and interpolations may differ in the last of 15 digits."""
    try:
        return a == b or abs(float(a) - float(b)) <= 1e-13 * abs(float(b))
    except ValueError:
        return False


db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
db.create_function("bound", 0, lambda: machine)
db.create_aggregate("median", 1, Median)
db.create_aggregate("quantile", 2, Quantile)
db.execute("CREATE TEMP TABLE place(name PRIMARY KEY, label, ord)")
db.executemany("INSERT INTO place VALUES (?, ?, ?)", places())
db.executescript(VIEWS)
text, cells, figures, wrong = open(os.path.join(site, page), encoding="utf-8").read(), 0, 0, 0
for figure in re.findall(r'<figure class="fig".*?</figure>', text, re.S):
    link = re.search(r'href="([^"]*\.csv)" download', figure)
    sql = re.search(r'<pre[^>]*aria-label="The query of [^"]*"><code>(.*?)</code>', figure, re.S)
    if not link or not sql:
        continue
    rows = db.execute(html.unescape(re.sub("<[^>]*>", "", sql[1])))
    want = [[d[0] for d in rows.description]] + [[text_of(v) for v in row] for row in rows]
    with open(os.path.join(site, os.path.dirname(page), link[1]), encoding="utf-8", newline="") as f:
        data = f.read()
    got = list(csv.reader(io.StringIO(data, newline="")))
    figures += 1
    cells += sum(map(len, got))
    differ = len(got) != len(want) or [(g, w) for g, w in zip(got, want) if len(g) != len(w) or not all(map(same, g, w))]
    if differ:
        wrong += 1
        print(f"# {link[1]}: {len(got)} rows, {len(want)} wanted, {differ if differ is True else differ[0]}")
    if data.count("\r\n") != len(got):
        wrong += 1
        print(f"# {link[1]}: lines do not end in CR LF")
print(f"# {figures} figures, {cells} cells compared, {wrong} wrong")
sys.exit(1 if wrong or not cells else 0)
