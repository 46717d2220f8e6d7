// The simulator's module held against the native one: reads sim_draw's output, runs every scenario again, and compares digests
// of the canonical text, the result, the log and the figures. Usage: sim_draw 1 1000 | node tests/wasm/sim.mjs SIM.WASM
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const LOG_MAX = 400000;
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const sim = instance.exports;
sim.memory.grow(400);
let at = sim.sim_heap();
const take = (bytes) => (at = (at + 15) & ~15, at += bytes, at - bytes);
const table = take(32);
sim.sim_sizes(table);
const [engine, scenarioBytes, errorBytes, resultBytes, recordBytes, , figuresBytes] = new Int32Array(sim.memory.buffer, table, 8);
const memory = take(engine), scenario = take(scenarioBytes), error = take(errorBytes), result = take(resultBytes);
const figures = take(figuresBytes), text = take(65536), canonical = take(65536), end = take(8);
const log = take(LOG_MAX * recordBytes), scratch = take(LOG_MAX * 8);
const bytes = (from, n) => new Uint8Array(sim.memory.buffer, from, n);
const view = new DataView(sim.memory.buffer);

function digest(source) {
	bytes(text, source.length).set(source);
	if (!sim.sim_parse(text, source.length, scenario, error))
		throw new Error("refused: " + Buffer.from(bytes(error + 8, 200)));
	sim.sim_run(scenario, memory, log, LOG_MAX, 1, result);
	const hash = createHash("sha256");
	hash.update(bytes(canonical, sim.sim_print(scenario, canonical, 65536)));
	hash.update(bytes(result, resultBytes));
	const records = view.getUint32(result + 24, true), tasks = view.getInt32(scenario + 12, true);
	hash.update(bytes(log, records * recordBytes));
	view.setBigInt64(end, view.getBigInt64(result, true), true);
	for (let i = 0; i < tasks; i++) {
		sim.sim_measure(scenario, log, records, end, i, scratch, figures);
		hash.update(bytes(figures, figuresBytes));
	}
	return hash.digest("hex");
}

let rest = Buffer.alloc(0), n = 0, failed = 0;
for await (const chunk of process.stdin) {
	rest = Buffer.concat([rest, chunk]);
	for (let line; (line = rest.indexOf(10)) >= 0;) {
		const [size, want] = rest.subarray(0, line).toString().split(" ");
		if (rest.length < line + 2 + +size)
			break;
		const source = rest.subarray(line + 1, line + 1 + +size);
		if (digest(source) !== want && failed++ < 3)
			console.error("the module computes something else from\n" + source);
		rest = rest.subarray(line + 2 + +size);
		n++;
	}
}
console.log(`${n} scenarios, ${failed} differ`);
process.exit(failed || !n ? 1 : 0);
