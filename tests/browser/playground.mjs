// The playground and a sim block, by keyboard alone, from file://. Prints "ok NAME" or "not ok NAME" for each check.
// Usage: node playground.mjs SITE TRACE SITE-WITH-BLOCK, whose sim block two-hogs is on method.html
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const axeSource = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [site, trace, blocks] = process.argv.slice(2).map((f) => path.resolve(f));
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const address = pathToFileURL(path.join(site, 'playground.html')).href;
let failures = 0;

function check(name, ok, why = '') {
  console.log(`${ok ? 'ok' : 'not ok'} ${name}`);
  if (!ok) console.log(`#   ${why}`);
  failures += !ok;
}

async function open(context, url) {
  const page = await context.newPage();
  page.faults = [];
  page.on('console', (m) => { if (m.type() === 'error') page.faults.push(m.text()); });
  page.on('pageerror', (e) => page.faults.push(e.message));
  page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) page.faults.push(`request to ${r.url()}`); });
  await page.goto(url);
  await page.waitForSelector('.sim[data-ready]', { timeout: 20000 });
  return page;
}

const said = (page) => page.textContent('.sim [aria-live]');
const clock = (page) => page.textContent('.sim-clock');

// Tab until `selector` has the focus; false when it never gets there.
async function tabTo(page, selector, most = 80) {
  for (let i = 0; i < most; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((s) => document.activeElement.matches(s), selector)) return true;
  }
  return false;
}

async function tabToButton(page, text) {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((t) => document.activeElement.textContent === t && document.activeElement.tagName === 'BUTTON', text)) return true;
  }
  return false;
}

async function press(page, key) {
  await page.keyboard.press(key);
  return said(page);
}

async function axe(page, name) {
  await page.evaluate(axeSource);
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'], preload: false }));
  check(`axe finds nothing: ${name}`, !found.violations.length,
    found.violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(' ')).join(', ')}`).join('; '));
}

// The timeline: one stop, arrows, Enter, Escape; what is said is the whole picture.
async function timeline(page) {
  check('the timeline is reached by Tab', await tabTo(page, '.sim-line'));
  check('and tells where one is', /^CPU 0: a, 0 to 1 ms, then s: its request was served: the deadline moved on, at a wake-up/.test(await said(page)), await said(page));
  check('right goes to the next stretch', /^CPU 0: s, 1 to 3 ms, then a: it went to sleep/.test(await press(page, 'ArrowRight')), await said(page));
  check('down to the lane of a task', /^a: a waits, 1 to 3 ms/.test(await press(page, 'ArrowDown')), await said(page));
  check('up returns', /^CPU 0: s, 1 to 3 ms/.test(await press(page, 'ArrowUp')), await said(page));
  check('End goes to the last stretch', /to 100 ms/.test(await press(page, 'End')), await said(page));
  check('Home to the first', /^CPU 0: a, 0 to 1 ms/.test(await press(page, 'Home')), await said(page));
  await press(page, 'ArrowRight');
  check('Enter tells why, with lag and deadline', /1 ms, CPU 0.*a \u2192 s.*lag -?[\d.]+ ms, deadline [\d.]+ ms, (not )?eligible/.test(await press(page, 'Enter')), await said(page));
  const why = await page.locator('.sim-why table').innerText();
  check('and shows every member of the queue', /eligible/.test(why) && /\na\t/.test(why) && /\nb\t/.test(why) && /\ns\t/.test(why), why);
  await page.keyboard.press('Escape');
  check('Escape leaves', await page.evaluate(() => document.activeElement.textContent) === 'To the start');
  const stops = await page.evaluate(() => document.querySelectorAll('.sim-panel:not([hidden]) [tabindex="0"], .sim-panel:not([hidden]) a, .sim-panel:not([hidden]) button').length);
  check('a timeline is one tab stop', stops === 1, `${stops}`);
}

async function steps(page) {
  const go = async (text) => { await tabToButton(page, text); await page.keyboard.press('Enter'); return clock(page); };
  await page.evaluate(() => document.querySelector('.sim-steps button').focus());
  await page.keyboard.press('Enter');
  check('to the start', /^0 ms/.test(await clock(page)), await clock(page));
  const one = await go('Forward');
  const two = await go('Next switch');
  check('forward, and on to the next switch', one !== two && /\u2192/.test(two), `${one} then ${two}`);
  await page.evaluate(() => document.querySelector('.sim-steps button').focus());
  check('next wake-up', /wakes beside/.test(await go('Next wake-up')), await clock(page));
  check('next tick, a multiple of 4 ms', Number.parseFloat(await go('Next tick')) % 4 === 0, await clock(page));
  const at = await clock(page);
  await page.evaluate(() => document.querySelector('.sim-steps button').focus());
  check('and back', await go('Back') !== at, at);
  await page.evaluate(() => document.querySelector('.sim-steps button').focus());
  await go('Play');
  const before = await clock(page);
  await page.waitForFunction((b) => document.querySelector('.sim-clock').textContent !== b, before, { timeout: 15000 });
  await page.keyboard.press('Enter');
  check('plays and pauses, also with reduced motion', await page.evaluate(() => document.activeElement.textContent) === 'Play');
}

async function edits(page) {
  const text = () => page.inputValue('.sim textarea');
  await page.locator('.sim-task input').first().focus();
  await page.keyboard.press('ArrowRight');
  check('a slider writes the scenario', /task a nice 1 cpu 0/.test(await text()), await text());
  check('and says what comes of it', /a [\d.]+ %, b [\d.]+ %, s [\d.]+ %/.test(await said(page)), await said(page));
  await page.locator('.sim-set input[type=checkbox]').focus();
  await page.keyboard.press('Space');
  check('the ideal timer', /hrtick on/.test(await text()) && /ideal timer/.test(await page.textContent('.sim-badge')), await text());
  await page.locator('.sim-set input[type=range]').focus();
  await page.keyboard.press('ArrowRight');
  check('one more hog', /task extra-1 cpu 0: run/.test(await text()), await text());
  await page.locator('.sim-set select').nth(1).focus();
  await page.keyboard.type('Linux 6.5');
  await page.keyboard.press('Enter');
  await page.selectOption('.sim-set select >> nth=1', 'cfs65');
  check('other rules beside', await page.locator('.sim-panel:visible').count() === 2 && /CFS/.test(await page.locator('.sim-badge').nth(1).textContent()));
  await axe(page, 'two timelines and the reasons');
  const link = await page.evaluate(() => document.querySelector('.sim').runq.link());
  await page.locator('.sim textarea').fill('for 10ms\ntask a: run 1ms, slep 2ms');
  await page.waitForFunction(() => document.querySelector('.sim-error').textContent);
  check('an error has its place and a remedy', /^Line 2, column 18: .*did you mean 'sleep'/.test(await page.textContent('.sim-error')), await page.textContent('.sim-error'));
  return link;
}

async function recording(page) {
  await page.locator('.sim input[type=file]').setInputFiles(trace);
  await page.waitForFunction(() => /recorded, CPU 0/.test(document.querySelector('.sim-line').textContent));
  check('a recording stands beside the simulation', /Recording beside/.test(await said(page)), await said(page));
  await page.locator('.sim input[type=file]').setInputFiles(path.join(site, 'sitemap.txt'));
  await page.waitForFunction(() => document.querySelector('.sim-error').textContent);
  check('another file is refused with the remedy', /no recording of runq trace/.test(await page.textContent('.sim-error')));
}

// A block of a page: a picture without JavaScript, with it a button that opens the same controls.
async function block(browser) {
  const url = `${pathToFileURL(path.join(blocks, 'method.html')).href}#two-hogs`;
  const still = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 900 } });
  const plain = await still.newPage();
  await plain.goto(url);
  check('a sim block is a picture without JavaScript', await plain.locator('#two-hogs svg.plot').isVisible() && await plain.locator('#two-hogs .sim button').count() === 0);
  check('and as wide as a phone', await plain.evaluate(() => document.scrollingElement.scrollWidth) === 390);
  await still.close();
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width: 390, height: 900 }, colorScheme });
    const page = await context.newPage();
    await page.goto(url);
    await page.locator('#two-hogs .tbl').first().focus();
    check(`its button is the next stop, ${colorScheme}`, await tabToButton(page, 'Step through it'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('#two-hogs .sim[data-ready]');
    check('leads into the timeline', await page.evaluate(() => document.activeElement.matches('.sim-line')));
    await press(page, 'ArrowRight');
    check('that says what the picture shows', /^CPU 0: b, 4 to 8 ms, then a: its request was served/.test(await said(page)), await said(page));
    await press(page, 'Enter');
    check('fits a phone', await page.evaluate(() => document.scrollingElement.scrollWidth) === 390);
    await axe(page, `an open sim block, ${colorScheme}`);
    await context.close();
  }
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: flags });
try {
  for (const colorScheme of ['light', 'dark']) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, colorScheme, reducedMotion: 'reduce' });
    const page = await open(context, address);
    await axe(page, `playground, ${colorScheme}`);
    if (colorScheme === 'light') {
      await timeline(page);
      await steps(page);
      const link = await edits(page);
      await recording(page);
      const other = await open(context, link);
      check('a shared link has the scenario and the rules beside', /extra-1/.test(await other.inputValue('.sim textarea')) &&
        await other.locator('.sim-panel:visible').count() === 2);
      check('calculators compute', /90\.3 %/.test(await other.textContent('[data-calc=nice] .sim-result')) && /4 ms/.test(await other.textContent('[data-calc=slice] .sim-result')) &&
        /got 0\.2;/.test(await other.textContent('[data-calc=quota] .sim-result')) && /from \d+ jobs on/.test(await other.textContent('[data-calc=pool] .sim-result')));
      await other.setViewportSize({ width: 320, height: 800 });
      check('fits 320 px', await other.evaluate(() => document.scrollingElement.scrollWidth) === 320);
      check('no fault on either page', !page.faults.length && !other.faults.length, page.faults.concat(other.faults).join('; '));
    }
    await context.close();
  }
  await block(browser);
} finally {
  await browser.close();
}
process.exitCode = failures ? 1 : 0;
