import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { addEvents } from './flood.ts';
import { openServed, servePage } from './served-page.ts';

const failed = (route: Route) => route.fulfill({ status: 500, body: '' });

const atOutput = 's=demo&task=a&view=output';

/** From then on, what is read once a second as a whole is never read again by itself. */
const restingForEver = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act, ms, ...given) => (ms === 1_000 ? 0 : setTimeout(act, ms, ...given));
`;

/** The words of the player of a history. */
const wordsOf = (page: Page) =>
  page.getByRole('region', { name: 'The past of this sprint' }).locator('.past-words');

describe.skipIf(chromiumPath === undefined)('what the page reads', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is read again where it could not be, and until then it is said of which moment that is which is seen', async () => {
    const { project } = await projectWithSprint();
    await project.record('demo', [on('demo/a', 'task.noted', { text: 'one' })]);
    await addEvents(project, 3);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&at=2' });
    const words = wordsOf(page);
    await words.getByText('task.noted').waitFor();
    const head = page.locator('.sprint-progress strong');
    const before = await head.textContent();
    await page.route('**/history/3', failed);
    await page.getByRole('button', { name: 'One event on' }).click();
    const said = page.getByText(
      'It could not be read, what you see is of event 2: The server answered with 500',
    );
    await said.waitFor();
    // Nothing of the other event is said of this one.
    expect(await words.innerText()).toMatch(/^3 of \d+\s+It could not be read/);
    expect(await head.textContent()).toBe(before);
    // Nor is it said of a third one, before that is known.
    await page.route('**/history/4', () => undefined);
    await page.getByRole('button', { name: 'One event on' }).click();
    await words.getByText(/^4 of/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'One event back' }).click();
    await page.unroute('**/history/4');
    await page.unroute('**/history/3');
    await said.waitFor({ state: 'detached' });
    await words.locator('time').waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('is not asked for again where that was refused', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: atOutput });
    await page.getByRole('tab', { name: 'Calls' }).waitFor();
    await page.clock.install();
    let asked = 0;
    await page.route('**/calls?**', (route) => {
      asked += 1;
      return route.fulfill({
        status: 404,
        json: { error: { code: 'NOT_FOUND', message: 'No such calls', fix: '' } },
      });
    });
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByText('No such calls').waitFor();
    await page.clock.runFor(10_000);
    // Whoever looks there again asks once more.
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.getByRole('tab', { name: 'Calls' }).click();
    await page.getByText('No such calls').waitFor();
    expect(asked).toBe(2);
  });

  it('is at once that of a moment of the past, however little time has passed since now was read', async () => {
    const { project } = await projectWithSprint();
    const call = { callId: 'c-1', server: 'fs', tool: 'read', args: {}, argsDigest: 'd' };
    await project.record('demo', [on('demo/a', 'tool.requested', call)]);
    const { page } = await openServed(browser, await servePage(project), { place: atOutput });
    const calls = page.getByRole('tabpanel', { name: 'Calls' });
    const go = (place: string) => page.evaluate(`location.hash = 's=demo&task=a&view=calls${place}'`);
    const before = calls.getByText('No tool has been called yet');
    await go('&at=1');
    await before.waitFor();
    await page.evaluate(restingForEver);
    await go('');
    await calls.getByRole('listitem').waitFor();
    await go('&at=1');
    await expect.poll(() => before.count()).toBe(1);
  });
});
