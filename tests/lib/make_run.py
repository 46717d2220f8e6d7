#!/usr/bin/env python3
"""Writes a valid run record with chosen values, for tests: make_run.py -o FILE [options] [KEY=VALUE ...]

KEY is probe/case or probe/case:metric, VALUE one integer in the stored unit (the passes vary by 1 % around it) or one per pass,
separated by commas. Everything not named gets a plausible default, so two calls with the same arguments write the same bytes.
"""
import argparse
import hashlib
import json

SWITCH_PAIRS = [f"{channel}-{task}-{cpu}" for channel in ("pipe", "socketpair", "futex") for task in ("thread", "process")
                for cpu in ("same", "cross", "same-batch")]

# probe -> (default unit by metric), case -> values by metric, the twin of aa
PROBES = {
    "create": ({"wall": "ns"}, {
        "thread-join": {"wall": 20_000}, "vfork": {"wall": 30_000}, "fork": {"wall": 120_000}, "spawn": {"wall": 180_000},
        "vfork-exec": {"wall": 170_000}, "fork-exec": {"wall": 290_000}, "spawn-true": {"wall": 500_000},
        "fork-exec-true": {"wall": 620_000}, "thread-join-free": {"wall": 25_000}, "vfork-free": {"wall": 33_000},
        "fork-free": {"wall": 140_000}, "spawn-free": {"wall": 200_000}}, "fork"),
    "switch": ({"handoff": "ns", "switches": "milli", "per-switch": "ns", "involuntary": "milli"}, dict(
        {name: {"handoff": 5_000 if "cross" in name else 1_500, "switches": 2_000,
                "per-switch": 5_000 if "cross" in name else 1_500, "involuntary": 10} for name in SWITCH_PAIRS},
        **{"pipe-self": {"handoff": 300}, "socketpair-self": {"handoff": 500}}), "pipe-thread-same"),
    "nice": ({"share1": "ppm", "share2": "ppm", "share3": "ppm", "wait2": "ppm"}, {
        "0-0": {"share1": 500_000, "share2": 500_000, "wait2": 500_000},
        "0-5": {"share1": 753_000, "share2": 247_000, "wait2": 753_000},
        "0-10": {"share1": 903_000, "share2": 97_000, "wait2": 903_000},
        "5-15": {"share1": 903_000, "share2": 97_000, "wait2": 903_000},
        "m5-0-5": {"share1": 696_000, "share2": 229_000, "share3": 75_000, "wait2": 771_000},
        "0-10-sessions": {"share1": 500_000, "share2": 500_000, "wait2": 500_000}}, "0-5"),
}
PASSES = 6
WOBBLE = (-4, 3, 0, 10, -10, 0)  # per mille of the value, by pass; the median is the value
TWIN_WOBBLE = (2, -5, 6, -8, 9, 0)

MACHINE = {
    "cpu_vendor": "TestVendor", "cpu_model": "Test CPU", "cpu_family": 6, "cpu_model_id": 1, "cpu_stepping": 1,
    "cpus_online": 2, "topology": "1 package, 2 cores, 1 thread each", "ram_gib": 4, "arch": "x86_64", "virt": "none",
    "kernel_release": "6.18.0-test", "hz": 250, "preempt": "voluntary", "clocksource": "tsc", "cgroup": "v2",
}


def passes(value, wobble):
    return [value + value * w // 1000 for w in wobble]


def numbers(text):
    values = [None if part == "null" else int(part) for part in text.split(",")]
    return passes(values[0], WOBBLE) if len(values) == 1 else values


def make_case(name, units, values, wobble):
    metrics = {metric: {"unit": units[metric], "values": passes(value, wobble)} for metric, value in values.items()}
    return {"case": name, "params": {"pinned": 0 if "free" in name or "cross" in name else 1}, "status": "ok", "metrics": metrics}


def make_table(probe, load_milli):
    units, cases, twin = PROBES[probe]
    rows = [make_case(name, units, values, WOBBLE) for name, values in cases.items()]
    rows.append(dict(make_case("aa", units, cases[twin], TWIN_WOBBLE), twin=twin))
    around = {"loadavg_milli": load_milli, "steal_ns": 0, "run_delay_ns": 1_000_000, "clock_cost_ns": 25}
    return {"probe": probe, "version": 1, "passes": PASSES, "seed": 7, "before": around,
            "after": dict(around, loadavg_milli=load_milli + 500), "cases": rows}


def find_case(tables, key):
    key, _, metric = key.partition(":")
    probe, _, name = key.partition("/")
    for table in tables:
        for case in table["cases"]:
            if (table["probe"], case["case"]) == (probe, name):
                return case, metric or next(iter(PROBES[probe][0]))
    raise SystemExit(f"make_run.py: no case {key}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", dest="out", required=True)
    parser.add_argument("--probes", default="create,switch,nice")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--created", type=int, default=1_780_000_000_000)
    parser.add_argument("--load", type=int, default=120)
    parser.add_argument("--note", default="")
    parser.add_argument("--fact", action="append", default=[], metavar="KEY=TEXT", help="a machine fact")
    parser.add_argument("--skip", action="append", default=[], metavar="KEY=CAUSE", help="a case that could not run")
    parser.add_argument("values", nargs="*", metavar="KEY=VALUE")
    args = parser.parse_args()

    tables = [make_table(probe, args.load) for probe in args.probes.split(",") if probe]
    for pair in args.values:
        key, _, value = pair.partition("=")
        case, metric = find_case(tables, key)
        case["metrics"][metric]["values"] = numbers(value)
    for pair in args.skip:
        key, _, cause = pair.partition("=")
        case, _ = find_case(tables, key)
        case.update({"status": "skipped", "cause": cause, "try": "another machine", "metrics": {}})
    machine = dict(MACHINE, **dict(pair.split("=", 1) for pair in args.fact))
    record = {
        "format": "runq-run", "version": 1, "created_utc_ms": args.created, "quick": args.quick, "note": args.note,
        "tool": {"version": "test", "build": "0" * 64, "cc": "test", "libc": "test"}, "machine": machine,
        "context": {"affinity": 2, "cap_sys_nice": 1}, "tables": tables,
    }
    record["nonce"] = hashlib.sha256(json.dumps(record, sort_keys=True).encode()).hexdigest()[:16]
    with open(args.out, "w", encoding="utf-8") as out:
        json.dump(record, out, ensure_ascii=False)
        out.write("\n")


if __name__ == "__main__":
    main()
