// Every page of a built site in a real Chromium, from file://. Prints "ok NAME" or "not ok NAME" for each check.
// Usage: node check.mjs SITE SHOTS
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const site = path.resolve(process.argv[2]);
const shots = path.resolve(process.argv[3]);
const widths = [320, 390, 1440];
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync'];

let failures = 0;

function report(name, problems) {
  console.log(`${problems.length ? 'not ok' : 'ok'} ${name}`);
  for (const problem of problems.slice(0, 12)) console.log(`#   ${problem}`);
  if (problems.length > 12) console.log(`#   and ${problems.length - 12} more`);
  failures += problems.length > 0;
}

function filesBelow(folder, extension) {
  return fs.readdirSync(folder, { recursive: true }).filter((f) => f.endsWith(extension)).map(String).sort();
}

const urlOf = (file) => pathToFileURL(path.join(site, file)).href;
const fileOf = (url) => path.relative(site, decodeURIComponent(new URL(url).pathname));

// What a page must not do, gathered while it is open.
function watch(page) {
  const seen = [];
  page.on('console', (m) => { if (m.type() === 'error' || m.type() === 'warning') seen.push(`console: ${m.text()}`); });
  page.on('pageerror', (e) => seen.push(`exception: ${e.message}`));
  page.on('request', (r) => { if (!/^(file|data):/.test(r.url())) seen.push(`request to ${r.url()}`); });
  page.on('requestfailed', (r) => seen.push(`failed: ${r.url()} ${r.failure()?.errorText ?? ''}`));
  return { take: () => seen.splice(0) };
}

// Runs in the page: what its reader sees, and where its links lead.
function survey() {
  const links = (root) => [...root.querySelectorAll('a[href]')].map((a) => a.href);
  const box = (e) => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height > 0; };
  // A recording of the kernel or a file of reported figures is raw itself.
  const raw = (e) => e.querySelectorAll('.raw li').length + e.querySelectorAll('a[href*="traces/"], a[href*="reference/"]').length;
  return {
    title: document.title,
    headings: document.querySelectorAll('h1').length,
    charts: [...document.querySelectorAll('figure.fig')].map((f) => ({
      id: f.id, links: links(f), plots: [...f.querySelectorAll('svg.plot')].map((s) => box(s) && s.querySelectorAll('*').length > 3),
      missing: !!f.querySelector('.gap'),
      // What is computed from constants alone has no run behind it.
      measured: /\b(summary|all_cells|sample|bucket|span|med|lo|hi|noise)\b/.test(f.querySelector('details pre')?.textContent ?? 'med'),
    })),
    plots: [...document.querySelectorAll('svg.plot')].every(box),
    values: [...document.querySelectorAll('a.v:not(.none):not(.rep):not(.simulated)')].map((a) => ({ text: a.textContent, href: a.href })),
    raw: raw(document),
    anchors: Object.fromEntries([...document.querySelectorAll('[id]')].map((e) => [e.id, { raw: raw(e), links: links(e) }])),
  };
}

async function withoutJavaScript(browser, files) {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const seen = watch(page);
  const surveys = {};
  for (const file of files) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(urlOf(file));
    const s = surveys[file] = await page.evaluate(survey);
    const problems = seen.take();
    if (!s.title) problems.push('no title');
    if (s.headings !== 1) problems.push(`${s.headings} h1 elements`);
    for (const c of s.charts) {
      if (!c.missing && !(c.plots.length && c.plots.every(Boolean))) problems.push(`figure ${c.id} shows no chart`);
    }
    if (!s.plots) problems.push('a plot without extent');
    report(`${file}: opens without JavaScript, charts and all`, problems);
    await fits(page, file);
  }
  await context.close();
  return surveys;
}

async function fits(page, file) {
  const problems = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    for (const open of [false, true]) {
      const wide = await page.evaluate((open) => {
        for (const d of document.querySelectorAll('details')) d.open = open;
        const limit = document.documentElement.clientWidth, over = document.scrollingElement.scrollWidth;
        // Only what sticks out itself, not what scrolls in a box of its own.
        const culprits = over === limit ? [] : [...document.body.querySelectorAll('*')].filter((e) => e.getBoundingClientRect().right > limit + 0.5);
        return { limit, over, culprit: culprits.length ? culprits.at(-1).outerHTML.slice(0, 120) : '' };
      }, open);
      if (wide.over !== wide.limit) problems.push(`at ${width}${open ? ', details open' : ''}: ${wide.over} wide: ${wide.culprit}`);
    }
  }
  report(`${file}: fits ${widths.join(', ')} px`, problems);
}

// One click leads to `href`; does that place, or one it links to, hold raw passes?
function reachesRaw(surveys, href) {
  if (/^(traces|reference)\//.test(fileOf(href))) return true;
  const at = (url) => {
    const page = surveys[fileOf(url)], id = decodeURIComponent(new URL(url).hash.slice(1));
    return page && (id ? page.anchors[id] : { raw: page.raw, links: [] });
  };
  const first = at(href);
  if (!first) return false;
  return first.raw > 0 || first.links.some((next) => next.startsWith('file:') && at(next)?.raw > 0);
}

function twoClicks(surveys) {
  let values = 0, charts = 0;
  for (const [file, s] of Object.entries(surveys)) {
    const problems = [];
    for (const v of s.values) if (!reachesRaw(surveys, v.href)) problems.push(`value ${v.text}: ${v.href}`);
    for (const c of s.charts) {
      if (c.measured && !c.missing && !c.links.some((href) => href.startsWith('file:') && reachesRaw(surveys, href))) problems.push(`chart ${c.id}`);
    }
    values += s.values.length;
    charts += s.charts.length;
    if (s.values.length + s.charts.length) report(`${file}: two clicks from each of ${s.values.length} values and ${s.charts.length} charts to raw passes`, problems);
  }
  report(`the site has values and charts (${values}, ${charts})`, values && charts ? [] : ['none']);
}

async function withJavaScript(browser, files, colorScheme) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme, reducedMotion: 'reduce' });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));
  });
  const queue = [...files];
  const work = async () => {
    const page = await context.newPage();
    const seen = watch(page);
    for (let file = queue.shift(); file; file = queue.shift()) {
      await page.goto(urlOf(file));
      const problems = seen.take();
      await page.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true; });
      await page.evaluate(axeSource);
      const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'], preload: false }));
      for (const v of found.violations) {
        for (const n of v.nodes) problems.push(`axe ${v.id}: ${v.help}: ${n.target.join(' ')}: ${n.any.concat(n.all)[0]?.message ?? ''}`);
      }
      report(`${file}: quiet, and axe finds nothing (${colorScheme})`, problems);
    }
    await page.close();
  };
  await Promise.all([work(), work()]);
  await context.close();
}

async function takeShots(browser, files) {
  fs.rmSync(shots, { recursive: true, force: true });
  fs.mkdirSync(shots, { recursive: true });
  const wanted = [...files.filter((f) => /^(index|claims|changes|machines\/compare)\.html$|^(chapters|labs|questions)\//.test(f)),
    ...files.filter((f) => /^(machines|runs)\/.*[0-9a-f]{4}\.html$/.test(f)).slice(0, 4)];
  const looks = [['1440', 1440, 'light', 'screen'], ['390', 390, 'light', 'screen'], ['dark', 1440, 'dark', 'screen'], ['print', 794, 'light', 'print']];
  let made = 0;
  for (const [name, width, colorScheme, media] of looks) {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme });
    const page = await context.newPage();
    await page.emulateMedia({ media, colorScheme });
    for (const file of wanted) {
      await page.goto(urlOf(file));
      const target = path.join(shots, `${file.replaceAll('/', '-').replace(/\.html$/, '')}-${name}.png`);
      await page.screenshot({ path: target, fullPage: true });
      made += fs.statSync(target).size > 2000;
    }
    await context.close();
  }
  report(`screenshots of ${wanted.length} pages, in 4 looks`, made === wanted.length * looks.length && made ? [] : [`only ${made}`]);
}

const files = filesBelow(site, '.html');
if (!files.length) throw new Error(`${site} has no pages`);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
try {
  const surveys = await withoutJavaScript(browser, files);
  twoClicks(surveys);
  await withJavaScript(browser, files, 'light');
  await withJavaScript(browser, files, 'dark');
  await takeShots(browser, files);
} finally {
  await browser.close();
}
process.exitCode = failures ? 1 : 0;
