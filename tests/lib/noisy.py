"""Variants of run files: other values, failed passes, quick counts, so that each verdict occurs. Usage: noisy.py OUT FILE..."""
import json
import random
import sys

random.seed(11)
out, files = sys.argv[1], sys.argv[2:]
for at, path in enumerate(files):
    for kind in range(4):
        run = json.load(open(path))
        run["nonce"] = "%016x" % (at * 16 + kind + 1)
        for table in run["tables"]:
            if kind == 3:
                table["passes"] = 5
            for case in table["cases"]:
                for metric in case.get("metrics", {}).values():
                    v = metric["values"]
                    if kind == 0:
                        v = [x if x is None or x < 8 else x - x // random.choice((3, 5, 8)) for x in v]
                    elif kind == 1:
                        v = [None if random.random() < 0.15 else x for x in v]
                    elif kind == 2:
                        v = [x if x is None or x < 8 else x - x // 7 * (i % 2) for i, x in enumerate(v)]
                    else:
                        v = v[:5]
                    metric["values"] = v
        with open("%s/%d-%d.json" % (out, at, kind), "w") as f:
            json.dump(run, f, sort_keys=True, separators=(",", ":"))
