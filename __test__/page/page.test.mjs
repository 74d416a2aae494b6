// The served page in a browser: records.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { generateKeyPair, seal } from 'tapeproof/verify';
import { serve } from '../server/serve.mjs';
import { hostile, hostileName, keys } from '../view/hostile.mjs';
import { assertClean, file, go, heading, launch, missing, textOf, textsOf, upload, violations } from './browser.mjs';
import { recorded } from './recorded.mjs';

const pair = generateKeyPair();
const sealed = (events, given = { privateKey: pair.privateKey }) =>
  JSON.stringify(seal(events, { run: { run_id: 'run_1' }, ...given }));
const tool = (seq, output) => ({
  type: 'tool',
  tool_name: 'pay',
  seq,
  run_id: 'run_1',
  input: { amount: seq },
  output,
});
const tools = many => Array.from({ length: many }, (_, seq) => tool(seq, `paid ${seq}`));

const text = sealed(tools(6));
const good = file('good.json', text);
const torn = file('torn.json', text.replace('paid 3', 'kept 3'));
const unsigned = file('unsigned.json', sealed(tools(2), {}));

const dir = recorded();
let browser;
let server;
let url;
before(async () => {
  if (missing) return;
  const env = { TAPEPROOF_ED25519_PUBLIC_KEYS: `${pair.publicKey}${keys.publicKey}` };
  server = await serve(['--dir', dir], env);
  url = `http://127.0.0.1:${server.port}/`;
  browser = await launch();
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Every text wide enough to read, none wider than the window. */
const overflow = page =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('records', { skip: missing }, () => {
  it('one that is valid', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await upload(page, good);
    await heading(page, 'Valid');
    assert.deepEqual(await textsOf(page, '.checks .outcome'), Array(6).fill('passed'));
    assert.equal((await page.$$('.cell.whole')).length, 8);
    const facts = (await textOf(page, '.facts')).replace(/\s/g, '');
    assert.ok(facts.includes(createHash('sha256').update(text).digest('hex')));
    assert.match(facts, /pinned/);
    assert.match(await textOf(page, '.command'), /tapeproof verify good\.json --pubkey/);
    assert.match(await textOf(page, 'ul.open'), /Whose key it is/);
    assertClean(window);
  });

  it('one that was changed: the broken event stands out, what is behind it is grey', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await upload(page, torn);
    await heading(page, 'Invalid');
    assert.match(await textOf(page, '.sentence'), /the chain breaks at event 3/);
    assert.match(await textOf(page, '.cell.broken'), /3/);
    assert.equal((await page.$$('a.cell.after')).length, 2);
    assert.equal((await page.$$('.event.after')).length, 2);
    assert.ok(await page.$('#event-3.broken[open]'));
    assert.match(await textOf(page, '#event-3 .sides'), /kept 3/);
    assertClean(window);
  });

  it('several, and one that is none', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await upload(page, good, torn, unsigned, file('none.json', '[]'));
    await page.waitForFunction(() => document.querySelectorAll('.files li').length === 4);
    assert.deepEqual(await textsOf(page, '.files .outcome'), ['Valid', 'Invalid', 'Unverified', 'No verdict']);
    const buttons = await page.$$('.files button');
    await buttons[2].click();
    await heading(page, 'Unverified');
    await buttons[3].click();
    await heading(page, 'No verdict');
    assert.match(await textOf(page, '#record'), /ERR_TAPEPROOF_RECORD/);
    // The browser itself tells of the answer 400.
    assertClean({ ...window, problems: window.problems.filter(problem => !problem.includes('400')) });
  });

  it('dropped on the page', async () => {
    const { page } = await browser.open(url);
    await page.waitForSelector('#chooser');
    await page.evaluate(content => {
      const files = new DataTransfer();
      files.items.add(new File([content], 'dropped.json'));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    }, text);
    await heading(page, 'Valid');
    assert.equal(await textOf(page, '.verdict .file'), 'dropped.json');
  });

  it("the verdict is the server's: without it there is none", async () => {
    const { page } = await browser.open(url);
    await page.waitForSelector('#chooser');
    await page.setOfflineMode(true);
    await upload(page, good);
    await heading(page, 'No verdict');
    await page.setOfflineMode(false);
    await page.setRequestInterception(true);
    page.on('request', request => {
      if (!request.url().endsWith('/api/audit/verify')) return request.continue();
      const { checks, ...result } = { ...JSON.parse(verdictOf('invalid')), checks: {} };
      return request.respond({
        contentType: 'application/json',
        body: JSON.stringify({ ...result, checks: { ...checks, signature: 'invalid' } }),
      });
    });
    await upload(page, unsigned);
    await heading(page, 'Invalid');
  });

  it('the focus stays where it is while further records are checked', async () => {
    const { page } = await browser.open(url);
    await page.waitForSelector('#chooser');
    let answer;
    const held = new Promise(resolve => {
      answer = resolve;
    });
    let asked = 0;
    await page.setRequestInterception(true);
    page.on('request', async request => {
      if (request.url().endsWith('/api/audit/verify') && ++asked === 3) await held;
      await request.continue();
    });
    await (await page.$('#chooser')).uploadFile(good, torn, unsigned);
    await page.waitForFunction(() => document.querySelectorAll('.files li').length === 2);
    assert.equal(await page.evaluate(() => document.activeElement.tagName), 'H1');
    await page.focus('.files .invalid button');
    await page.keyboard.press('Enter');
    await heading(page, 'Invalid');
    await page.focus('.files .valid button');
    answer();
    await page.waitForFunction(() => document.querySelectorAll('.files li').length === 3);
    await page.waitForFunction(() => document.getElementById('status').textContent === '3 records checked, 1 valid');
    assert.equal(await page.evaluate(() => document.activeElement.closest('li')?.className), 'valid');
  });

  it('larger than the server takes: it is not sent', async () => {
    const { page, requests } = await browser.open(url);
    await upload(page, file('large.json', text.padEnd((8 << 20) + 1)));
    await heading(page, 'No verdict');
    assert.match(await textOf(page, '#record'), /larger than the 8 MiB/);
    assert.equal(requests.filter(request => request.includes('/api/')).length, 0);
  });
});

const verdictOf = verdict =>
  JSON.stringify({
    valid: false,
    verdict,
    integrity: false,
    failures: [],
    consistency_failures: [],
    meta: { schema: null, event_count: 0, spec_url: '' },
  });

describe('large and hostile', { skip: missing }, () => {
  it('8 MiB of events: what is in the page stays small, and a link of the chain leads there', async () => {
    const window = await browser.open(url);
    const { page } = window;
    const events = [];
    for (let size = 0; size < 7.6 * (1 << 20); size += 320) events.push(tool(events.length, 'x'.repeat(150)));
    const broken = Math.floor(events.length * 0.7);
    const record = JSON.parse(sealed(events));
    record.events[broken].output = 'kept';
    const large = JSON.stringify(record);
    assert.ok(large.length > 7 << 20 && large.length <= 8 << 20, String(large.length));
    await upload(page, file('many.json', large));
    await heading(page, 'Invalid');
    const elements = () => page.evaluate(() => document.querySelectorAll('*').length);
    assert.ok(await page.$(`#event-${broken}.broken[open]`));
    assert.ok((await elements()) < 3000, String(await elements()));
    await page.click('a.cell.whole');
    await page.waitForSelector('#event-0[open]');
    assert.equal(await page.evaluate(() => document.activeElement.closest('details')?.id), 'event-0');
    await page.click('.pages button:last-of-type');
    await page.waitForSelector('#event-50');
    assert.ok((await elements()) < 3000);
    assertClean(window);
  });

  it('8 MiB in one field', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await upload(page, file('field.json', sealed([tool(0, '<b>'.repeat(2_700_000))])));
    await heading(page, 'Valid');
    assert.ok((await page.evaluate(() => document.body.textContent.length)) < 20_000);
    assert.equal(await page.$('b'), null);
    assertClean(window);
  });

  it('a hostile record is shown as text', async () => {
    const window = await browser.open(url);
    const { page } = window;
    await upload(page, file(hostileName.replaceAll('/', ''), hostile()));
    await heading(page, 'Valid');
    const openAll = async (selector, many) => {
      await page.waitForFunction(
        (selector, many) => document.querySelectorAll(selector).length === many,
        {},
        selector,
        many,
      );
      await page.$$eval(selector, all => {
        for (const details of all) details.open = true;
      });
    };
    await openAll('.event', 39);
    await openAll('.whole-event', 39);
    await page.waitForFunction(() => document.querySelectorAll('.whole-event[open] dl').length >= 39);
    assert.deepEqual(
      await page.evaluate(
        () => [...document.querySelectorAll('main script, img, iframe, svg, base, style, main meta')].length,
      ),
      0,
    );
    const links = await page.$$eval('main a', found => found.map(link => link.getAttribute('href')));
    assert.ok(
      links.every(href => /^#[\w-]+$/.test(href)),
      links.join(),
    );
    assert.match(await textOf(page, 'main'), /<\/script><script>alert\(1\)<\/script>/);
    assertClean(window);
  });
});

describe('for everyone', { skip: missing }, () => {
  it('with the keyboard alone', async () => {
    const { page } = await browser.open(url);
    await page.waitForSelector('#chooser');
    const active = () =>
      page.evaluate(
        () => document.activeElement.id || document.activeElement.className || document.activeElement.tagName,
      );
    const tabTo = async wanted => {
      for (let presses = 0; presses < 80; presses += 1) {
        await page.keyboard.press('Tab');
        const found = await page.evaluate(wanted => document.activeElement.matches(wanted), wanted);
        if (found) return;
      }
      assert.fail(`${wanted} cannot be reached, last was ${await active()}`);
    };
    await tabTo('#chooser');
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.keyboard.press('Space')]);
    await chooser.accept([good, torn]);
    await page.waitForFunction(() => document.querySelectorAll('.files li').length === 2);
    await heading(page, 'Valid');
    assert.equal(await active(), 'H1', 'the verdict has the focus');
    await page.keyboard.down('Shift');
    await tabTo('.invalid button');
    await page.keyboard.up('Shift');
    await page.keyboard.press('Enter');
    await heading(page, 'Invalid');
    await tabTo('.skip');
    await tabTo('a.cell.broken');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate(() => document.activeElement.closest('details').id), 'event-3');
    await page.keyboard.press('Space');
    await page.waitForSelector('#event-3:not([open])');
    await tabTo('#event-4 > summary');
    await tabTo('.command');
  });

  it('in colours that the reader chose, what is shown and what is not proven stay marked', async () => {
    const { page } = await browser.open(url);
    const session = await page.createCDPSession();
    const features = [{ name: 'forced-colors', value: 'active' }];
    await session.send('Emulation.setEmulatedMedia', { features });
    await upload(page, good, torn);
    await page.waitForFunction(() => document.querySelectorAll('.files li').length === 2);
    await (await page.$('.files .invalid button')).click();
    await heading(page, 'Invalid');
    const border = selector =>
      page.$eval(selector, element => {
        const { borderLeftStyle, borderLeftWidth } = getComputedStyle(element);
        return `${borderLeftStyle} ${borderLeftWidth}`;
      });
    assert.notEqual(await border('.files [aria-pressed=true]'), await border('.files [aria-pressed=false]'));
    assert.notEqual(await border('a.cell.after'), await border('a.cell.whole'));
  });

  it('the tree of those who do not see', async () => {
    const { page } = await browser.open(url);
    await upload(page, torn);
    await heading(page, 'Invalid');
    const tree = await page.accessibility.snapshot();
    const nodes = [];
    const visit = node => {
      nodes.push(`${node.role}: ${node.name ?? ''}`);
      for (const child of node.children ?? []) visit(child);
    };
    visit(tree);
    for (const expected of [
      'heading: Invalid',
      'heading: Six checks',
      'heading: The chain',
      'heading: What this does not prove',
      'link: Event 3, tool pay: the chain breaks here',
      'link: Event 4, tool pay: after the break',
    ]) {
      assert.ok(nodes.includes(expected), `${expected}: not in ${nodes.join('\n')}`);
    }
    assert.equal(await textOf(page, '#status'), 'torn.json: invalid');
  });

  for (const [theme, dark] of [
    ['light', false],
    ['dark', true],
  ]) {
    for (const width of [1100, 360]) {
      it(`axe finds nothing, and nothing is wider than the window: ${theme}, ${width} pixels`, async () => {
        const window = await browser.open(url, { dark, width });
        const { page } = window;
        await page.waitForSelector('#chooser');
        const views = async name => {
          assert.deepEqual(await violations(page), [], name);
          assert.ok((await overflow(page)) <= 0, `${name} is too wide`);
        };
        await views('start');
        for (const [path, words] of [
          [good, 'Valid'],
          [torn, 'Invalid'],
          [unsigned, 'Unverified'],
          [file(hostileName.replaceAll('/', ''), hostile()), 'Valid'],
        ]) {
          await upload(page, path);
          await heading(page, words);
          await views(words);
        }
        for (const [hash, words] of [
          ['#/runs', 'Recorded runs'],
          ['#/runs/monday', 'monday'],
          ['#/runs/tuesday/0', 'Step 0'],
          ['#/compare/monday/tuesday', 'Different'],
        ]) {
          await go(page, hash);
          await heading(page, words);
          await views(hash);
        }
        assertClean(window);
      });
    }
  }
});
