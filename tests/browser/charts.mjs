// Pages with every kind of chart and every mark, in light, dark and forced colours, wide, on a phone and on a small one: axe, the width, what
// lies on what, and the contrast of each text and each mark with what is behind it. Prints "ok NAME" or "not ok NAME" for each check.
// Usage: node charts.mjs SITE SHOTS PAGE...
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [site, shots] = process.argv.slice(2, 4).map((p) => path.resolve(p));
const files = process.argv.slice(4);
const looks = [
  { name: 'light', colorScheme: 'light' }, { name: 'dark', colorScheme: 'dark' },
  { name: 'forced', colorScheme: 'light', forcedColors: 'active' }, { name: 'forced dark', colorScheme: 'dark', forcedColors: 'active' },
];
const widths = [1280, 390, 320];
// What the style sheet draws charts with; each must occur, or the pages test less than they say.
const classes = ['s1', 's2', 's3', 's4', 's5', 'l1', 'l2', 'l3', 'l4', 'l5', 'c1', 'c2', 'c3', 'c4', 'c5', 'dot', 'cl', 'cs', 'knock', 'st0', 'st1',
  'st3', 'base', 'grid', 'sh2', 'spread', 'pred', 'pred-h', 'rep-m', 'ax', 'b', 'q', 'p', 'w', 'halo'];
let failures = 0;

function report(name, problems) {
  console.log(`${problems.length ? 'not ok' : 'ok'} ${name}`);
  for (const problem of problems.slice(0, 12)) console.log(`#   ${problem}`);
  if (problems.length > 12) console.log(`#   and ${problems.length - 12} more`);
  failures += problems.length > 0;
}

// Runs in the page. Colours are composed from computed styles: a mark's over what lies below it, down to the page.
function inspect() {
  const numbers = (css) => css.match(/[\d.]+/g).map(Number);
  const rgb = (css) => { const [r, g, b, a = 1] = numbers(css); return { c: [r, g, b], a }; };
  const over = (top, a, below) => top.map((v, i) => v * a + below[i] * (1 - a));
  const light = (c) => c.map((v) => v / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const ratio = (a, b) => { const [x, y] = [light(a), light(b)]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const paper = rgb(getComputedStyle(document.body).backgroundColor).c;
  const problems = [], seen = new Set();
  let texts = 0, marks = 0, least = { text: 99, mark: 99 };
  const say = (e) => `${e.closest('figure').id}: <${e.tagName} class="${e.getAttribute('class') ?? ''}"> ${e.textContent.slice(0, 40)}`;
  // The colour an element shows: a line's or an outline's stroke, else its fill. An element without either is none.
  const paint = (e) => {
    const s = getComputedStyle(e);
    const stroked = s.stroke !== 'none' && (s.fill === 'none' || e.matches('line, .sh2, .rep-m, path[vector-effect]:not([fill-opacity])'));
    const css = stroked ? s.stroke : s.fill;
    if (css === 'none') return null;
    const { c, a } = rgb(css);
    return { c, a: a * Number(stroked ? s.strokeOpacity : s.fillOpacity) };
  };
  const behind = (text) => {
    const r = text.getBoundingClientRect();
    window.scrollTo(0, window.scrollY + r.top - 300);
    const at = text.getBoundingClientRect();
    const stack = document.elementsFromPoint(at.left + at.width / 2, at.top + at.height / 2)
      .filter((e) => e !== text && e.matches('line, rect, circle, path') && e.ownerSVGElement && !e.matches('.grid'));
    return stack.reverse().reduce((below, e) => { const p = paint(e); return p ? over(p.c, p.a, below) : below; }, paper);
  };
  for (const text of document.querySelectorAll('svg.plot text')) {
    const s = getComputedStyle(text);
    for (const c of [...text.classList, ...text.parentNode.classList]) seen.add(c);
    if (!text.getBoundingClientRect().width) continue;
    const ground = text.matches('.halo') ? rgb(s.stroke).c : behind(text), got = ratio(rgb(s.fill).c, ground);
    texts++;
    least.text = Math.min(least.text, got);
    if (got < 4.5) problems.push(`${say(text)}: text ${got.toFixed(2)}:1`);
    if (parseFloat(s.fontSize) < 12) problems.push(`${say(text)}: ${s.fontSize}`);
  }
  // Words in HTML stand on the page itself; axe looks at them too. What is the page's own colour is a hole; a grid and a band only support
  // what is drawn on them; a shade says its value in the table, and the strongest stands for all.
  const shade = (e) => e.hasAttribute('stroke-opacity');
  for (const e of document.querySelectorAll('svg.plot :is(line, rect, circle, path), .key svg :is(line, rect, circle, path)')) {
    for (const c of [...e.classList, ...(e.closest('g')?.classList ?? [])]) seen.add(c);
    if (e.closest('mask') || e.matches('.grid, .knock, .spread, .pred-h, .halo, [fill-opacity]') || shade(e)) continue;
    const p = paint(e);
    if (!p) { problems.push(`${say(e)}: invisible`); continue; }
    const got = ratio(over(p.c, p.a, paper), paper);
    marks++;
    least.mark = Math.min(least.mark, got);
    if (got < 3) problems.push(`${say(e)}: mark ${got.toFixed(2)}:1`);
  }
  // What is knocked out of marks shows as far as it is the page's colour.
  for (const e of document.querySelectorAll('svg.plot :is(.knock, .pred-h, .halo)')) {
    if (ratio(rgb(getComputedStyle(e).stroke).c, paper) > 1.01) problems.push(`${say(e)}: a hole of another colour`);
  }
  return { problems, seen: [...seen], texts, marks, least, forced: matchMedia('(forced-colors: active)').matches };
}

// Runs in the page: texts that lie on each other or leave their plot, with the fonts that are really there; what makes the page scroll.
function collide() {
  const problems = [], limit = document.documentElement.clientWidth;
  for (const plot of document.querySelectorAll('svg.plot')) {
    const frame = plot.getBoundingClientRect(), id = plot.closest('figure').id;
    const boxes = [...plot.querySelectorAll('text')].filter((t) => t.getBoundingClientRect().width)
      .map((t) => ({ t: t.lastChild.textContent, r: t.getBoundingClientRect() }));
    for (const [i, a] of boxes.entries()) {
      if (a.r.left < frame.left - 1.5 || a.r.right > frame.right + 1.5) problems.push(`${id}: '${a.t}' leaves the plot`);
      for (const b of boxes.slice(i + 1)) {
        const wide = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left), high = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
        if (wide > 0.5 && high > 3) problems.push(`${id}: '${a.t}' lies on '${b.t}'`);
      }
    }
    if (frame.width < 100 || frame.right > limit + 0.5) problems.push(`${id}: ${frame.width} px of ${limit}`);
  }
  if (document.scrollingElement.scrollWidth !== limit) problems.push(`the page is ${document.scrollingElement.scrollWidth} px wide`);
  return problems;
}

async function look(browser, l, seen) {
  for (const width of widths) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: l.colorScheme, forcedColors: l.forcedColors ?? 'none', reducedMotion: 'reduce' });
    const page = await context.newPage(), noise = [];
    page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') noise.push(m.text()); });
    page.on('pageerror', (e) => noise.push(e.message));
    for (const file of files) {
      const where = `${path.basename(file, '.html')}, ${l.name}, ${width} px`;
      await page.goto(pathToFileURL(path.join(site, file)).href);
      report(`${where}: nothing lies on another or leaves its plot`, await page.evaluate(collide));
      const got = await page.evaluate(inspect);
      for (const c of got.seen) seen.add(c);
      if (got.forced !== !!l.forcedColors) got.problems.push('the browser did not force colours as asked');
      if (!got.texts || !got.marks) got.problems.push('nothing is drawn');
      report(`${where}: ${got.texts} texts of ${got.least.text.toFixed(2)}:1 and more, ${got.marks} marks of ${got.least.mark.toFixed(2)}:1 and more`, got.problems);
      await page.screenshot({ path: path.join(shots, `${where.replaceAll(/[ ,]+/g, '-')}.png`), fullPage: true });
      await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
      const wide = await page.evaluate(() => document.scrollingElement.scrollWidth - document.documentElement.clientWidth);
      report(`${where}: fits with its tables open`, wide > 0 ? [`${wide} px too wide`] : []);
      await page.evaluate(axeSource);
      const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'], preload: false }));
      report(`${where}: quiet, and axe finds nothing`, noise.splice(0).concat(found.violations.flatMap((v) =>
        v.nodes.map((n) => `axe ${v.id}: ${n.target.join(' ')}: ${n.any.concat(n.all)[0]?.message ?? ''}`))));
    }
    await context.close();
  }
}

fs.mkdirSync(shots, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu', '--disable-quic'] });
try {
  const seen = new Set();
  for (const l of looks) await look(browser, l, seen);
  report('every class of a chart was looked at', classes.filter((c) => !seen.has(c)).map((c) => `none has class ${c}`));
} finally {
  await browser.close();
}
process.exitCode = failures ? 1 : 0;
