// What tests/lib/bench_sim.c measures, in the module; with ten seconds of 16 tasks as the page runs them, too: with a log.
// Usage: node tests/wasm/bench.mjs SIM.WASM. Prints million events a CPU second, CPU ms, CPU ms with a log.
import { readFileSync } from "node:fs";

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const sim = instance.exports;
const LOG_MAX = 100000;
sim.memory.grow(150);
let at = sim.sim_heap();
const take = (bytes) => (at = (at + 15) & ~15, at += bytes, at - bytes);
const table = take(32);
sim.sim_sizes(table);
const [engine, scenarioBytes, errorBytes, resultBytes] = new Int32Array(sim.memory.buffer, table, 8);
const memory = take(engine), scenario = take(scenarioBytes), error = take(errorBytes), result = take(resultBytes);
const text = take(65536), log = take(LOG_MAX * 32);

function best(source, records) {
	const bytes = Buffer.from(source);
	new Uint8Array(sim.memory.buffer).set(bytes, text);
	if (!sim.sim_parse(text, bytes.length, scenario, error)) throw new Error("refused: " + source);
	return Math.min(...[1, 2, 3, 4, 5].map(() => {
		const before = process.cpuUsage();
		sim.sim_run(scenario, memory, records ? log : 0, records, 0, result);
		const spent = process.cpuUsage(before);
		return (spent.user + spent.system) / 1000;
	}));
}

const hogs = best("events 100000000\nhz 1000\nfor 500s\ntask a cpu 0: run\ntask b cpu 0: run", 0);
const events = Number(new DataView(sim.memory.buffer).getBigUint64(result + 16, true));
const many = "events 1000000\ncpus 4\nfor 10s\n" + [...Array(16)].map((_, i) => `task t${i} cpu ${i % 4}: run 2ms, sleep 5ms..9ms`).join("\n");
console.log((events / hogs / 1e3).toFixed(2), best(many, 0).toFixed(2), best(many, LOG_MAX).toFixed(2));
