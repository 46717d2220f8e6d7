// The evaluator of the page against SQLite's: every claim on every run file, verdict and shown number.
// Usage: node agree.mjs ASSETS/claims.js CLAIMS.json; CLAIMS.json is what `runq claims FILE...` prints.
import fs from 'node:fs';
import { createRequire } from 'node:module';

const [script, file] = process.argv.slice(2);
const module = { exports: {} };
new Function('module', fs.readFileSync(script, 'utf8'))(module);
const { claims, runs } = JSON.parse(fs.readFileSync(file, 'utf8'));
let compared = 0, measured = 0, wrong = 0;
for (const run of runs) {
  const record = JSON.parse(fs.readFileSync(run.file, 'utf8'));
  claims.forEach((claim, i) => {
    const js = module.exports.judge(record, claim, run.emulated), c = run.results[i];
    compared++;
    measured += c.verdict !== 'no';
    if (js.verdict === c.verdict && js.number === c.number) return;
    wrong++;
    console.log(`# ${run.file}: ${claim.id}: SQLite ${c.verdict} ${c.number}, page ${js.verdict} ${js.number}`);
  });
}
console.log(`# ${compared} verdicts compared, ${measured} of them measured, ${wrong} differ`);
process.exit(wrong || !measured ? 1 : 0);
