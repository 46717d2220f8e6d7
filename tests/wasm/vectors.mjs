// The published vectors that are scenarios, simulated by the module: what they must come to, and that native runq logs the same
// records. Usage: node tests/wasm/vectors.mjs SIM.WASM RUNQ. Prints "ok NAME" or "not ok NAME".
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const LOG_MAX = 200000;
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const sim = instance.exports;
sim.memory.grow(200);
let at = sim.sim_heap();
const take = (bytes) => (at = (at + 15) & ~15, at += bytes, at - bytes);
const table = take(32);
sim.sim_sizes(table);
const [engine, scenarioBytes, errorBytes, resultBytes] = new Int32Array(sim.memory.buffer, table, 8);
const memory = take(engine), scenario = take(scenarioBytes), error = take(errorBytes), result = take(resultBytes);
const text = take(65536), log = take(LOG_MAX * 32), bad = take(4);
const view = new DataView(sim.memory.buffer);
const i64 = (p) => Number(view.getBigInt64(p, true));
const string = (p) => { let e = p; while (view.getUint8(e)) e++; return Buffer.from(sim.memory.buffer, p, e - p).toString(); };

function run(source) {
	const bytes = Buffer.from(source);
	new Uint8Array(sim.memory.buffer).set(bytes, text);
	if (!sim.sim_parse(text, bytes.length, scenario, error)) throw new Error(string(error + 8));
	sim.sim_run(scenario, memory, log, LOG_MAX, 1, result);
	const n = view.getUint32(result + 24, true), tasks = view.getInt32(scenario + 12, true);
	const names = [...Array(tasks)].map((_, i) => string(scenario + 336 + 96 * i)), name = (i) => (i < 0 ? null : names[i]);
	const records = [...Array(n)].map((_, i) => {
		const p = log + 32 * i, kind = view.getUint8(p + 28);
		return [i64(p), view.getInt16(p + 20, true), ["switch", "wake", "note"][kind], name(view.getInt16(p + 22, true)), name(view.getInt16(p + 24, true)),
			string(sim.sim_reason_name(view.getUint8(p + 29))), string(sim.sim_point_text(view.getUint8(p + 30))), i64(p + 8),
			view.getInt16(p + 26, true), view.getUint32(p + 16, true)];
	});
	const sound = view.getInt32(result + 28, true) === 0 && sim.sim_check(scenario, log, n, bad) === 0;
	return { records, names, sound, t: i64(result), cpu: Object.fromEntries(names.map((m, i) => [m, i64(result + 40 + 8 * i)])) };
}

// "a0-4 b4-8": who ran on CPU 0, in ms, the first `most` turns.
function turns(r, most) {
	const out = [];
	let who = null, since = 0;
	for (const [t, cpu, kind, , to] of [...r.records, [r.t, 0, "switch", null, null]]) {
		if (kind !== "switch" || cpu !== 0 || to === who) continue;
		if (who) out.push(`${who}${since / 1e6}-${t / 1e6}`);
		who = to;
		since = t;
	}
	return out.slice(0, most).join(" ");
}

const shareOf = (r, task) => (100 * r.cpu[task]) / r.t;
const near = (x, want, by) => Math.abs(x - want) <= by;
const turn = (want) => (r) => turns(r, want.split(" ").length) === want;
const hogs = "task a cpu 0: run\ntask b ";
const vectors = [
	["T1 tick, 1 s", `for 1s\n${hogs}nice 10 cpu 0: run`, (r) => r.cpu.a === 900e6 && r.cpu.b === 100e6],
	["T1 tick, 10 s", `for 10s\n${hogs}nice 10 cpu 0: run`, (r) => r.cpu.a === 9028e6 && r.cpu.b === 972e6],
	["T1 ideal timer", `for 10s\nhrtick on\n${hogs}nice 10 cpu 0: run`, (r) => near(shareOf(r, "a"), 90.29, 0.05)],
	["T6 tick", `for 5s\n${hogs}cpu 0: run`, turn("a0-4 b4-8 a8-12 b12-16")],
	["T6 ideal timer", `for 5s\nhrtick on\n${hogs}cpu 0: run`, turn("a0-0.7 b0.7-1.4 a1.4-2.8 b2.8-4.2")],
	["T7", `for 1s\n${hogs}nice 10 cpu 0: run`, turn("a0-4 b4-8 a8-44 b44-48 a48-84 b84-88 a88-124 b124-128 a128-168")],
	["T16 6.18", "hz 1000\nfor 1s\ntask a slice 3ms cpu 0: run\ntask b slice 30ms cpu 0: run", (r) => /a.*b/.test(turns(r, 9)) && near(shareOf(r, "a"), 50, 1)],
	["T20 equal hogs", `profile cfs65\ncpus 8\nfor 2s\n${hogs}cpu 0: run`, turn("a0-16 b16-32 a32-48")],
	["T20 hogs 0/10", `profile cfs65\ncpus 8\nfor 100ms\n${hogs}nice 10 cpu 0: run`, turn("a0-24 b24-28")],
	["T21", "for 400ms\ntask A rr 50 cpu 0: run 1s\ntask B rr 50 cpu 0: run 1s\ntask F fifo 60 cpu 0 start 42ms: run 28ms, exit",
		turn("A0-42 F42-70 A70-128 B128-228 A228-328")],
	["T22 fair server", "for 4s\nrt_throttle off\ntask r fifo 50 cpu 0: run\ntask f cpu 0: run", turn("r0-950 f950-1000 r1000-1950 f1950-2000")],
	["T22 before 6.12", "profile eevdf66\nfor 4s\ntask r fifo 50 cpu 0: run\ntask f cpu 0: run", turn("r0-952 f952-1000 r1000-1952 f1952-2000 r2000-2948")],
	["T27 20/100", "for 1s\ngroup g quota 20ms/100ms\ntask a cpu 0 in g: run", turn("a0-20 a100-120 a200-220")],
	["T27 10/100", "for 1s\ngroup g quota 10ms/100ms\ntask a cpu 0 in g: run", turn("a0-12 a100-108 a200-212 a300-308")],
	["T31", "for 20s\nhrtick on\ngroup A weight 100\ngroup B weight 300\ntask a cpu 0 in A: run\ntask b nice 5 cpu 0 in A: run\ntask c cpu 0 in B: run",
		(r) => near(shareOf(r, "a"), 18.837, 0.2) && near(shareOf(r, "b"), 6.163, 0.2) && near(shareOf(r, "c"), 75, 0.2)],
	["T33 FIFO", "profile fifo\nfor 200ms\ntask a cpu 0: run 100ms, exit\ntask b cpu 0: run 10ms, exit\ntask c cpu 0: run 10ms, exit", turn("a0-100 b100-110 c110-120")],
	["T33 SJF", "profile sjf\nfor 200ms\ntask a cpu 0: run 100ms, exit\ntask b cpu 0: run 10ms, exit\ntask c cpu 0: run 10ms, exit", turn("b0-10 c10-20 a20-120")],
	["T33 RR", "profile rr\nquantum 1ms\nfor 20ms\ntask a cpu 0: run 5ms, exit\ntask b cpu 0: run 5ms, exit\ntask c cpu 0: run 5ms, exit", turn("a0-1 b1-2 c2-3 a3-4")],
	["T19", "for 20s\ntask a cpu 0: run\ntask b cpu 0: run\ntask s cpu 0 start 5123457ns seed 2463534242: run 2ms, sleep 9ms..11ms", (r) => near(shareOf(r, "s"), 13.2, 0.4)],
	["T32", "profile mlfq\nquantum 10ms 20ms 40ms\nallot 20ms 40ms\nfor 1s\ntask g cpu 0: run 9ms, sleep 1ms", (r) => r.records.some((x) => x[5] === "demote" && x[0] === 22e6)],
];

let failed = 0;
for (const [name, source, holds] of vectors) {
	let why = "";
	try {
		const r = run(source);
		const native = JSON.parse(execFileSync(process.argv[3], ["sim", "-", "--format", "json"], { input: source, maxBuffer: 1 << 28 })).records;
		if (!r.sound) why = "breaks an invariant";
		else if (!holds(r)) why = `${turns(r, 9)}; ${r.names.map((m) => `${m} ${shareOf(r, m).toFixed(3)} %`).join(", ")}`;
		else if (JSON.stringify(native) !== JSON.stringify(r.records)) why = "native runq logs other records";
	} catch (e) {
		why = e.message.slice(0, 200);
	}
	console.log(`${why ? "not ok" : "ok"} ${name}${why ? `\n#   ${why}` : ""}`);
	failed += why !== "";
}
process.exit(failed ? 1 : 0);
