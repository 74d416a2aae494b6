// Takes a picture of each view, and puts those of docs/page.md beside it: node __test__/page/screenshots.mjs
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sealRun } from 'tapeproof/evidence';
import { generateKeyPair } from 'tapeproof/verify';
import { serve } from '../server/serve.mjs';
import { go, launch, upload } from './browser.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pictures = join(root, 'target', 'page');
mkdirSync(pictures, { recursive: true });

// Below the project, so that the example finds the package.
const folder = mkdtempSync(join(root, 'target', 'page-'));
const agent = join(root, 'examples', 'refund-run.mjs');
for (const args of [['refund-1'], ['refund-2', '40.00']])
  execFileSync(process.execPath, [agent, ...args], { cwd: folder });
const dir = join(folder, '.rewind');
const { privateKey, publicKey } = generateKeyPair();
const record = JSON.stringify(sealRun(dir, 'refund-1', { privateKey, generatedAt: '2026-03-02T10:00:00Z' }));
const put = (name, text) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const [good, torn] = [
  put('refund.json', record),
  put('tampered.json', record.replace('"refunded":42.5', '"refunded":425')),
];

const server = await serve(['--dir', dir], { TAPEPROOF_ED25519_PUBLIC_KEYS: publicKey });
const browser = await launch();
for (const [size, width, height] of [
  ['wide', 1100, 1500],
  ['phone', 390, 1200],
]) {
  for (const theme of ['light', 'dark']) {
    const { page } = await browser.open(`http://127.0.0.1:${server.port}/`, { width, height, dark: theme === 'dark' });
    const shoot = async name => {
      // No more than there is to see.
      const full = await page.evaluate(() =>
        Math.ceil(document.querySelector('footer').getBoundingClientRect().bottom),
      );
      const clip = { x: 0, y: await page.evaluate(() => scrollY), width, height: Math.min(height, full) };
      await page.screenshot({ path: join(pictures, `${name}-${size}-${theme}.png`), clip });
    };
    await upload(page, torn);
    await page.evaluate(() => document.querySelector('.verdict').scrollIntoView());
    await shoot('invalid');
    await upload(page, good);
    await page.evaluate(() => document.querySelector('#open-title').scrollIntoView());
    await shoot('open');
    for (const [name, hash] of [
      ['start', '#/'],
      ['runs', '#/runs'],
      ['step', '#/runs/refund-1/4'],
      ['compare', '#/compare/refund-1/refund-2'],
    ]) {
      await go(page, hash);
      await page.waitForFunction(() => document.getElementById('status').textContent !== 'Loading');
      await shoot(name);
    }
  }
}
const images = join(root, 'docs', 'images');
mkdirSync(images, { recursive: true });
const document = readFileSync(join(root, 'docs', 'page.md'), 'utf8');
for (const [, name] of document.matchAll(/\(images\/([\w-]+\.png)\)/g))
  copyFileSync(join(pictures, name), join(images, name));
await browser.close();
await server.stop();
rmSync(folder, { recursive: true });
