// The same charts by Observable Plot under jsdom. bench_plot.mjs FOLDER one|many CSV N prints CPU seconds and bytes of one chart:
// `one` draws rows "series,x,y,min,max" N times after 20 to warm up; `many` draws N charts, each of its own rows "chart,x,value",
// as medians of 20 bins, and counts reading them.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, what, file, count] = process.argv.slice(2);
const require = createRequire(path.join(folder, 'package.json'));
const { JSDOM } = require('jsdom');
const Plot = await import(pathToFileURL(path.join(folder, 'node_modules/@observablehq/plot/src/index.js')));
const { document } = new JSDOM('').window;
const n = Number(count);
const rowsOf = () => {
	const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n').map((line) => line.split(','));
	return lines.map((cells) => Object.fromEntries(head.map((name, i) => [name, isNaN(cells[i]) ? cells[i] : +cells[i]])));
};
const one = (rows) => Plot.plot({ document, color: { legend: false }, marks: [
	Plot.ruleX(rows, { x: 'x', y1: 'min', y2: 'max', stroke: 'series' }), Plot.line(rows, { x: 'x', y: 'y', stroke: 'series' }),
	Plot.dot(rows, { x: 'x', y: 'y', fill: 'series' })] }).outerHTML;
const many = (rows) => Plot.plot({ document, marks: [
	Plot.lineY(rows, Plot.binX({ y: 'median' }, { x: 'x', y: 'value', thresholds: 20 }))] }).outerHTML;

let svg = '';
let start;
if (what === 'one') {
	const rows = rowsOf();
	for (let i = 0; i < 20; i++) one(rows);
	start = process.cpuUsage();
	for (let i = 0; i < n; i++) svg = one(rows);
} else {
	start = process.cpuUsage();
	const charts = Array.from({ length: n }, () => []);
	for (const row of rowsOf()) charts[row.chart].push(row);
	for (const rows of charts) svg = many(rows);
}
const used = process.cpuUsage(start);
console.log((used.user + used.system) / 1e6, svg.length);
