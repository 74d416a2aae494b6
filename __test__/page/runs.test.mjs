// The served page in a browser: recorded runs.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { temporaryFolder } from '../recorder/folder.mjs';
import { recordOddRuns } from '../recorder/odd.mjs';
import { serve } from '../server/serve.mjs';
import { assertClean, go, heading, launch, missing, textOf, textsOf, violations } from './browser.mjs';
import { recorded } from './recorded.mjs';

const dir = recorded();
let browser;
const servers = [];
const start = async (args, env = {}) => {
  const server = await serve(args, env);
  servers.push(server);
  return `http://127.0.0.1:${server.port}/`;
};
let url;
let locked;
before(async () => {
  if (missing) return;
  url = await start(['--dir', dir]);
  locked = await start(['--dir', dir], { TAPEPROOF_TOKEN: 'hush' });
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await Promise.all(servers.map(server => server.stop()));
});

describe('recorded runs', { skip: missing }, () => {
  it('from the list to a step, to the same call elsewhere, and two side by side', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await page.click('.bar a[href="#/runs"]');
    await heading(page, 'Recorded runs');
    assert.deepEqual(await textsOf(page, 'tbody .id'), ['monday', 'tuesday']);
    await page.click('tbody a');
    await heading(page, 'monday');
    await page.click('tbody a');
    await heading(page, 'Step 0');
    assert.deepEqual(await textsOf(page, '.side h3'), ['Request', 'Response']);
    await page.click('section li a');
    await page.waitForFunction(() => document.body.textContent.includes('<img src=x'));
    await page.goBack();
    await page.goto(`${url}#/runs`);
    await heading(page, 'Recorded runs');
    await page.click('#compare button');
    await heading(page, 'Different');
    assert.equal(await textOf(page, '.lead'), 'A is monday, B is tuesday. 1 another answer.');
    assert.match(await textOf(page, 'tbody'), /another answer\s*0\s*0\s*\/response/);
    assertClean(window);
  });

  it('with a token', async () => {
    const { page } = await browser.open(`${locked}#/runs/monday`);
    await page.waitForSelector('#token');
    assert.deepEqual(await violations(page), []);
    await page.keyboard.type('wrong');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.body.textContent.includes('That was not the token'));
    assert.equal(await textOf(page, '#status'), 'That was not the token.');
    await page.keyboard.type('密');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('#token input').value === '');
    assert.match(await textOf(page, 'main'), /That was not the token/);
    await page.keyboard.type('hush');
    await page.keyboard.press('Enter');
    await heading(page, 'monday');
  });

  it('of odd types and odd files: each is shown as far as it can be', async () => {
    const folder = temporaryFolder();
    const ids = recordOddRuns(folder, ['nothing', 'proto']);
    const window = await browser.open(`${await start(['--dir', folder])}#/runs`);
    const { page } = window;
    await heading(page, 'Recorded runs');
    assert.deepEqual((await textsOf(page, 'tbody .id')).sort(), [...ids].sort());
    for (const id of ids) {
      for (const [hash, title] of [
        [`#/runs/${id}`, id],
        [`#/runs/${id}/0`, 'Step 0'],
      ]) {
        await go(page, hash);
        await page.waitForFunction(
          title => [title, 'Not shown'].some(words => document.querySelector('h1').textContent.includes(words)),
          {},
          title,
        );
        assert.doesNotMatch(await textOf(page, 'main'), /cannot be reached|cannot show|went wrong|native code/, hash);
      }
    }
    assert.deepEqual(
      window.problems.filter(problem => !/40[49]/.test(problem)),
      [],
    );
  });

  it('whose cost is not known', async () => {
    const { page } = await browser.open(`${url}#/runs`);
    await heading(page, 'Recorded runs');
    assert.deepEqual(await textsOf(page, 'tbody td:nth-child(6)'), ['–', '–']);
  });

  it('left again before the answer came: the view that was asked for last stays', async () => {
    const { page } = await browser.open(locked);
    await page.waitForSelector('#chooser');
    let answer;
    const held = new Promise(resolve => {
      answer = resolve;
    });
    await page.setRequestInterception(true);
    page.on('request', async request => {
      if (request.url().includes('/api/runs')) await held;
      await request.continue();
    });
    await go(page, '#/runs');
    await page.waitForFunction(() => document.getElementById('status').textContent === 'Loading');
    await go(page, '#/');
    await page.waitForFunction(() => document.getElementById('status').textContent === '');
    const answered = page.waitForResponse(response => response.url().includes('/api/runs'));
    answer();
    await answered;
    await page.evaluate(() => new Promise(resolve => setTimeout(resolve, 100)));
    assert.equal(await page.$('#token'), null);
    assert.ok(await page.$('#chooser'));
  });

  it('one that is not there', async () => {
    const { page } = await browser.open(`${url}#/runs/%3Cscript%3E`);
    await heading(page, 'Not shown');
    assert.match(await textOf(page, 'main'), /no such run/);
  });
});
