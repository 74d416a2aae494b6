// A browser, as one that looks at records has it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(new URL('../browser/package.json', import.meta.url));
const puppeteer = require('puppeteer-core');

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const onPath = name => spawnSync('which', [name], { encoding: 'utf8' }).stdout?.trim();
const path = [process.env.CHROME_PATH, ...NAMES.map(onPath)].find(file => file && existsSync(file));

/** Why there is no browser; `false` when there is one. */
export const missing = path ? false : 'no Chromium is installed, and CHROME_PATH names none';

const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A folder for files that are uploaded, removed at the end. */
const folder = mkdtempSync(join(tmpdir(), 'tapeproof-page-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

/** Writes a file and gives its path. */
export function file(name, content) {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Goes to another view of an open page. */
export const go = (page, hash) =>
  page.evaluate(hash => {
    location.hash = hash;
  }, hash);

/** Starts the browser: `{open(url, options), close()}`. */
export async function launch() {
  const browser = await puppeteer.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'],
    protocolTimeout: 300_000,
  });
  return {
    close: () => browser.close(),
    /** A page, and what went wrong or was asked for in it: `{page, problems, requests}`. */
    async open(url, { width = 1100, height = 900, dark = false, script = true } = {}) {
      // Each in a window of its own: nothing is shared.
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      const [problems, requests] = [[], []];
      page.on('pageerror', error => problems.push(`error: ${error.message}`));
      page.on('console', message => {
        if (message.type() === 'error') problems.push(`console: ${message.text()}`);
      });
      page.on('dialog', async dialog => {
        problems.push(`dialog: ${dialog.message()}`);
        await dialog.dismiss();
      });
      page.on('request', request => requests.push(request.url()));
      await page.setJavaScriptEnabled(script);
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
      await page.goto(url);
      return { page, problems, requests };
    },
  };
}

/** Gives files to the page, and waits for the verdict on all. */
export async function upload(page, ...paths) {
  const chooser = await page.waitForSelector('#chooser');
  await chooser.uploadFile(...paths);
  await page.waitForFunction(() =>
    /valid|unverified|No verdict|problem|checked|:/.test(document.getElementById('status').textContent),
  );
}

/** What axe finds against the page. */
export async function violations(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ['violations'] }));
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(({ target }) => target.join(' '))
        .slice(0, 3)
        .join(', ')}`,
  );
}

export const textOf = (page, selector) => page.$eval(selector, element => element.textContent);
export const textsOf = (page, selector) => page.$$eval(selector, all => all.map(element => element.textContent));

/** Waits for a heading that has these words. */
export const heading = (page, words) =>
  page.waitForFunction(words => document.querySelector('h1')?.textContent.includes(words), {}, words);

/** Nothing went wrong, and nothing was asked of anyone else. */
export function assertClean({ page, problems, requests }) {
  const { origin } = new URL(page.url());
  assert.deepEqual(problems, []);
  assert.deepEqual(
    requests.filter(request => !request.startsWith(`${origin}/`) && request !== 'data:,'),
    [],
  );
}
