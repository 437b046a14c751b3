import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { barriersOn, chromiumPath, startBrowser, type PageOptions } from './browser.ts';
import { built, openServed } from './served-page.ts';

const agent = { id: 'a1', client: 'codex' };
const hostile = '<b onclick=alert(1)>&';

/** Three projects of which one is gone, and one is called as nobody should be. */
async function three() {
  const [one, two] = [await projectWithSprint(), await projectWithSprint()];
  const known = [
    { name: hostile, root: one.root },
    { name: 'work/two', root: two.root },
    { name: 'gone', root: join(one.root, 'gone') },
  ];
  return { one, two, known, all: await servedEverywhere(known, { pageFolder: built }) };
}

describe.skipIf(chromiumPath === undefined)('the page of all projects', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each<PageOptions>([
    { size: 'phone', theme: 'dark' },
    { size: 'desktop', theme: 'light' },
  ])('leads to what waits, and back: $size, $theme', async (options) => {
    const { two, all } = await three();
    const { page, complaints } = await openServed(browser, all.server, options);
    await page.getByText('Nothing waits for you').waitFor();
    const { id } = await ask(two.project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      question: 'Which database?',
      options: ['SQLite', 'Postgres'],
    });
    // It comes by itself, and stands first.
    const card = page.getByRole('listitem').filter({ hasText: 'Which database?' });
    await card.waitFor();
    expect(await page.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringMatching(
        /work\/two[^]*0 of 2 tasks done\s+last event\s+\d+ \S+ ago\s+1 sprint: 1 pending$/,
      ),
      expect.stringContaining(hostile),
      expect.stringMatching(/gone[^]*there is no/),
    ]);
    expect(await page.title()).toBe('(1) All projects · Clifford');
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await card.getByRole('link').click();
    await page.getByRole('dialog').getByRole('radio', { name: 'Postgres' }).check();
    expect(new URL(page.url()).pathname).toBe('/p/work~1two/');
    expect(page.url()).not.toContain(all.server.token);
    await page.getByRole('dialog').getByRole('button', { name: 'Answer', exact: true }).click();
    await two.project.until(
      (state) => state.streams.get('demo')?.requests.get(id)?.phase === 'answered' || undefined,
    );
    expect(two.project.state.streams.get('demo')?.requests.get(id)).toMatchObject({
      answer: { option: 1, by: 'ada', via: 'web' },
    });
    // On a phone that stands above the list of what waits.
    if (options.size === 'phone') await page.locator('.back').click();
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    expect(complaints).toEqual([]);
  });

  it('says how many tasks of a project have failed, and nothing of the kind where none has', async () => {
    const { two, all } = await three();
    const { page } = await openServed(browser, all.server);
    const card = page.getByRole('link', { name: /work\/two/ });
    await card.getByText('0 of 2 tasks done').waitFor();
    expect(await card.innerText()).not.toContain('failed');
    await setTaskStatus(two.project, { stream: 'demo', taskId: 'b', status: 'active', agent });
    await failTask(two.project, { stream: 'demo', taskId: 'b', agent, reason: 'no room' });
    await card.getByText('1 failed', { exact: true }).waitFor();
  });

  it('goes on with the key that it had, whatever key a link of somebody else has, and says so', async () => {
    const { all } = await three();
    const { page } = await openServed(browser, all.server);
    const card = page.getByRole('link', { name: /work\/two/ });
    await card.waitFor();
    await page.evaluate("location.hash = '#t=junk-0123456789abcdef'");
    await page.getByText('this page goes on with the one it had').waitFor();
    await card.click();
    await page.getByText('Sprint demo').first().waitFor();
    expect(new URL(page.url()).pathname).toBe('/p/work~1two/');
  });

  it('goes on with the key of the device where that of the tab is not taken', async () => {
    const { all } = await three();
    const { page } = await openServed(browser, all.server);
    const card = page.getByRole('link', { name: /work\/two/ });
    await card.waitFor();
    await page.evaluate(`localStorage.setItem('clifford.token', sessionStorage.getItem('clifford.token'))`);
    const spoil = () => page.evaluate(`sessionStorage.setItem('clifford.token', 'old-0123456789abcdef')`);
    await spoil();
    await page.reload();
    await card.click();
    await page.getByText('Sprint demo').first().waitFor();
    await spoil();
    await page.reload();
    await page.getByText('Sprint demo').first().waitFor();
    await page.getByText('this page goes on with the one it had').waitFor();
    // Where neither is taken it asks for one.
    await page.evaluate(`localStorage.setItem('clifford.token', 'older-0123456789abcdef')`);
    await spoil();
    await page.reload();
    await page.getByRole('heading', { name: 'This page needs its token' }).waitFor();
    expect(await card.count()).toBe(0);
  });

  it('leads away from a name that no project has any more, and goes on where one has it again', async () => {
    const { one, two, known, all } = await three();
    const { page } = await openServed(browser, all.server);
    await ask(two.project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
    await page.getByRole('link', { name: /work\/two/ }).click();
    await page.getByRole('dialog').getByText('Which?').waitFor();
    all.list([{ name: 'one', root: one.root }]);
    const gone = page.getByRole('heading', { name: 'There is no project of this name here' });
    await expect
      .poll(
        async () => {
          // The list is read again when it is asked for.
          await all.ask('/api/projects');
          return gone.isVisible();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    expect(await page.getByText('Nobody asks this').count()).toBe(0);
    expect(await page.title()).toBe('Clifford');
    expect(await barriersOn(page)).toEqual([]);
    await page.clock.install();
    await page.reload();
    await gone.waitFor();
    let asked = 0;
    page.on('request', (request) => (asked += request.url().includes('/api/') ? 1 : 0));
    // Time goes on by itself meanwhile.
    await page.clock.runFor(2_500);
    expect(asked).toBe(0);
    all.list(known);
    await page.clock.runFor(3_000);
    await page.getByRole('dialog').getByText('Which?').waitFor();
    all.list([{ name: 'one', root: one.root }]);
    await page.clock.resume();
    await page.reload();
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('link', { name: /one/ }).waitFor();
  });

  it('has all events of a project whose name was gone for a while', async () => {
    const { one, two, known, all } = await three();
    const { page } = await openServed(browser, all.server);
    await page.getByRole('link', { name: /work\/two/ }).waitFor();
    const note = (text: string) =>
      two.project.dispatch('demo', () => [
        { type: 'note.sent', subject: 'demo/a', data: { noteId: `n-${text}`, text, by: 'ann', via: 'cli' } },
      ]);
    await note('before');
    await page.goto(`${all.server.url}p/work~1two/#s=demo&view=events`);
    await page
      .getByText(/before/)
      .first()
      .waitFor();
    all.list([{ name: 'one', root: one.root }]);
    await expect
      .poll(
        async () => {
          await all.ask('/api/projects');
          return page.getByRole('heading', { name: 'There is no project of this name here' }).isVisible();
        },
        { timeout: 20_000 },
      )
      .toBe(true);
    await note('meanwhile');
    all.list(known);
    await page
      .getByText(/before/)
      .first()
      .waitFor();
    await note('behind');
    for (const text of [/behind/, /meanwhile/, /before/]) await page.getByText(text).first().waitFor();
  });

  it('says without a break that no project has a name, as long as none has', async () => {
    const { all } = await three();
    const { page } = await openServed(browser, all.server);
    await page.getByRole('link', { name: /work\/two/ }).waitFor();
    await page.goto(`${all.server.url}p/nobody/`);
    await page.getByRole('heading', { name: 'There is no project of this name here' }).waitFor();
    await page.evaluate(
      "new MutationObserver(() => (globalThis.wasDrawnAnew = true)).observe(document.getElementById('root'), { childList: true, subtree: true })",
    );
    await page.waitForResponse(/\/api\/events/);
    expect(await page.evaluate('globalThis.wasDrawnAnew')).toBe(undefined);
  });

  it('says so where what draws it cannot be loaded, and loads it again', async () => {
    const { all } = await three();
    // One that had loaded it before would have kept it.
    const page = await browser.newPage({ serviceWorkers: 'block' });
    onTestFinished(() => page.close());
    await page.route('**/assets/list-of-all-*.js', (route) => route.abort());
    await page.goto(`${all.server.url}#t=${all.server.token}`);
    await page.getByText('The list').waitFor();
    expect(await page.locator('#root').innerText()).toBe(
      'The list cannot be loaded: the server does not answer, or is of another version. Load again',
    );
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Load again' }).click();
    await page.getByRole('heading', { name: 'All projects' }).waitFor();
  });

  it('keeps what was begun in one project while another is looked at', async () => {
    const { one, two, all } = await three();
    for (const { project } of [one, two])
      await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
    const { page } = await openServed(browser, all.server);
    const words = () => page.getByRole('dialog').getByRole('textbox').first();
    await page.getByRole('link', { name: /work\/two/ }).click();
    await words().fill('not sent yet');
    await page.goto(`${all.server.url}p/${encodeURIComponent(hostile)}/`);
    await words().waitFor();
    expect(await words().inputValue()).toBe('');
    await page.goto(`${all.server.url}p/work~1two/`);
    await words().waitFor();
    expect(await words().inputValue()).toBe('not sent yet');
  });

  it('asks nothing while it is hidden, and for the key where it has none', async () => {
    const { all } = await three();
    const { page } = await openServed(browser, all.server);
    await page.clock.install();
    await page.reload();
    await page.getByText('Nothing waits for you').waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const answered = page.waitForResponse(/\/api\/projects/);
    await page.clock.runFor(2_000);
    await (await answered).finished();
    let asked = 0;
    page.on('request', () => (asked += 1));
    await page.evaluate("Object.defineProperty(document, 'visibilityState', { value: 'hidden' })");
    await page.clock.runFor(10_000);
    // What it had asked would have been heard of before this.
    await page.evaluate("fetch('./icon.svg')");
    expect(asked).toBe(1);
    const locked = await openServed(browser, { url: all.server.url, token: 'wrong-token-of-nobody' });
    await locked.page.getByRole('heading', { name: 'This page needs its token' }).waitFor();
    await locked.page.getByRole('textbox').fill(all.server.token);
    await locked.page.getByRole('button', { name: 'Open' }).click();
    await locked.page.getByRole('heading', { name: 'All projects' }).waitFor();
  });
});
