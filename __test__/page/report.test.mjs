// What `tapeproof report` writes, in a browser, from a file and without a network.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { bench } from '../cli/tapeproof.mjs';
import { hostile, keys } from '../view/hostile.mjs';
import { launch, missing, violations } from './browser.mjs';

const { file, folder, tapeproof } = bench();
const urlOf = name => pathToFileURL(`${folder}/${name}`).href;

function report(name, text) {
  const { status, stderr } = tapeproof([
    'report',
    file(`${name}.json`, text),
    '--pubkey',
    file('k.pem', keys.publicKey),
    '-o',
    `${name}.html`,
  ]);
  assert.deepEqual([status, stderr], [0, '']);
  return urlOf(`${name}.html`);
}

let browser;
before(async () => {
  if (!missing) browser = await launch();
});
after(() => browser?.close());

describe('a report', { skip: missing }, () => {
  const torn = hostile().replace('"seq":9', '"seq":90');

  for (const [name, text, verdict] of [
    ['hostile', hostile(), 'Valid'],
    ['torn', torn, 'Invalid'],
  ]) {
    for (const [theme, dark] of [
      ['light', false],
      ['dark', true],
    ]) {
      for (const width of [1100, 360]) {
        it(`${name}, ${theme}, ${width} pixels: text stays text, and nothing is asked for`, async () => {
          const url = report(name, text);
          const { page, problems, requests } = await browser.open(url, { width, dark });
          assert.match(await page.$eval('h1', element => element.textContent), new RegExp(verdict));
          await page.$$eval('details', all => {
            for (const one of all) one.open = true;
          });
          assert.equal(
            await page.evaluate(
              () => document.querySelectorAll('script, img, iframe, svg, base, link, main style, main meta').length,
            ),
            0,
          );
          assert.equal(await page.evaluate(() => document.querySelectorAll('style').length), 1);
          assert.ok(
            (await page.$$eval('a', links => links.map(link => link.getAttribute('href')))).every(href =>
              /^#[\w-]+$/.test(href),
            ),
          );
          assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
          assert.deepEqual(requests, [url]);
          assert.deepEqual(problems, []);
        });
      }
    }
  }

  it('no script runs in it, even one that got in', async () => {
    const { writeFileSync, readFileSync } = await import('node:fs');
    report('script', hostile());
    const html = readFileSync(`${folder}/script.html`, 'utf8').replace(
      '<main>',
      '<main><script>alert(1)</script><img src=x onerror="alert(1)">',
    );
    writeFileSync(`${folder}/script.html`, html);
    const { problems } = await browser.open(urlOf('script.html'));
    assert.ok(
      problems.length > 0 && problems.every(problem => /Content Security Policy/.test(problem)),
      problems.join(),
    );
  });

  it('axe finds nothing', async () => {
    // Axe is a script: the policy, which is tested above, is lifted for it.
    const { page } = await browser.open('about:blank');
    await page.setBypassCSP(true);
    for (const url of [report('hostile', hostile()), report('torn', torn)]) {
      await page.goto(url);
      assert.deepEqual(await violations(page), []);
    }
  });

  it('without JavaScript a link of the chain leads to its event', async () => {
    const { page } = await browser.open(report('torn', torn), { script: false });
    await page.click('a.cell.broken');
    assert.match(page.url(), /#event-9$/);
    assert.ok(await page.$('#event-9:target'));
  });
});
