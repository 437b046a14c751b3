import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { agent, askCall, askStore, dialogOn, firstOfTwo } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('the page on a phone', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** Where something stands. */
  const placeOf = async (part: Locator) => {
    const place = await part.boundingBox();
    if (!place) throw new Error('not seen');
    return place;
  };

  /** How much room is before and behind the words of the first button of some, in pixels. */
  const roomIn = (page: Page, buttons: string) =>
    page.evaluate<[number, number]>(`(() => {
      const button = document.querySelector('${buttons}');
      const words = document.createRange();
      words.selectNodeContents(button);
      const [inner, outer] = [words.getBoundingClientRect(), button.getBoundingClientRect()];
      return [inner.left - outer.left, outer.right - inner.right];
    })()`);

  it('has the field that is written in whole above its keyboard, and what sends it in one row', async () => {
    const { project } = await projectWithSprint();
    const reason = 'I cannot go on without it.';
    await ask(project, { stream: 'demo', agent, kind: 'help', question: 'What is it called?', reason });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    const field = dialog.getByLabel('Your answer');
    await field.waitFor();
    await page.setViewportSize({ width: 360, height: 420 });
    await field.focus();
    const foot = await placeOf(dialog.locator('.modal-foot'));
    const place = await placeOf(field);
    expect(place.y + place.height).toBeLessThanOrEqual(foot.y);
    const buttons = await dialog.locator('.modal-foot .button').all();
    const rows = await Promise.all(buttons.map(async (button) => (await placeOf(button)).y));
    expect([rows.length, new Set(rows).size]).toEqual([4, 1]);
  });

  it('has who asks for a call, and since when, between the margins of what is asked', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.locator('.asked-for').waitFor();
    const [asked, call] = [
      await placeOf(dialog.locator('.asked-who')),
      await placeOf(dialog.locator('.call')),
    ];
    expect(asked.x + asked.width).toBeLessThanOrEqual(call.x + call.width);
  });

  it('says over a call that it is to be read to its end, and has two rows of buttons', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'notes.txt', content: 'hello\n'.repeat(100) });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    const hint = dialog.getByRole('button', { name: 'Read it to its end first' });
    await hint.waitFor();
    const [foot, place] = [await placeOf(dialog.locator('.modal-foot')), await placeOf(hint)];
    expect(place.y + place.height).toBeLessThanOrEqual(foot.y);
    expect(foot.height).toBeLessThan(740 / 5);
    expect(await barriersOn(page)).toEqual([]);
    await hint.tap();
    await expect.poll(() => hint.count()).toBe(0);
  });

  it('has the ways to all tasks and to the past of one in a row', async () => {
    const { project } = await projectWithSprint();
    const place = 's=demo&task=a';
    const { page } = await openServed(browser, await servePage(project), { place, size: 'phone' });
    const past = page.locator('.to-past');
    await past.waitFor();
    const [all, history] = [await placeOf(page.locator('.back')), await placeOf(past)];
    expect(history.y).toBeLessThan(all.y + all.height / 2);
    expect(history.x).toBeGreaterThanOrEqual(all.x + all.width);
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('has room beside the words of what is pressed in a dialog', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project, { hasRunner: true }), {
      place: 's=demo&task=a',
      size: 'phone',
    });
    await page.getByLabel('More to do').last().click();
    await page.getByRole('button', { name: 'Skip' }).click();
    const asking = page.getByRole('dialog', { name: 'Skip “Task a”?' });
    await asking.getByRole('button', { name: 'Skip' }).waitFor();
    expect(Math.min(...(await roomIn(page, '.small-modal [type=submit]')))).toBeGreaterThanOrEqual(12);
    await page.getByRole('button', { name: 'Back' }).click();
    await askStore(project);
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Rephrase…' }).click();
    await dialog.getByRole('button', { name: 'Ask to rephrase' }).waitFor();
    expect(Math.min(...(await roomIn(page, '.reason [type=submit]')))).toBeGreaterThanOrEqual(12);
  });

  it('has the menu of a task below what it belongs to, and words in the middle of what they are on', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=events',
      size: 'phone',
    });
    const all = page.getByRole('button', { name: 'All', exact: true });
    await all.waitFor();
    const [left, right] = await roomIn(page, '.chip');
    expect(Math.abs(left - right)).toBeLessThan(1);
    await page.getByLabel('More to do').last().click();
    const [items, head] = [
      await placeOf(page.locator('.task-head .menu-items')),
      await placeOf(page.locator('.task-head')),
    ];
    expect(items.x).toBeGreaterThan(head.x);
    expect(head.x + head.width - (items.x + items.width)).toBe(16);
  });

  it.each([false, true])(
    'has the menu of a sprint below its button: run by somebody: %s',
    async (hasRunner) => {
      const { project } = await projectWithSprint();
      const { page } = await openServed(browser, await servePage(project, { hasRunner }), {
        place: 's=demo',
        size: 'phone',
      });
      const more = page.getByLabel('More to do');
      await more.click();
      const [items, button, history] = [
        await placeOf(page.locator('.menu-items')),
        await placeOf(more),
        await placeOf(page.getByRole('button', { name: 'History' })),
      ];
      expect(items.x + items.width).toBe(button.x + button.width);
      expect(items.y - (button.y + button.height)).toBeLessThan(8);
      // In one row with what stands before it.
      expect(button.y).toBe(history.y);
    },
  );

  it('has the button that answers in line with those above it, once nothing is missing', async () => {
    const { project } = await projectWithSprint();
    const [first] = storeForm;
    const questions = first ? [first] : [];
    await ask(project, { stream: 'demo', agent, kind: 'clarification', question: 'A thing', questions });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: '1 left' }).waitFor();
    await dialog.locator('input').first().check();
    await dialog.getByRole('button', { name: '1 left' }).waitFor({ state: 'detached' });
    const answer = await placeOf(dialog.getByRole('button', { name: 'Answer' }));
    expect(answer.x).toBe((await placeOf(dialog.getByRole('button', { name: 'Reject…' }))).x);
  });

  it('has what steps to the next question where it was, while that is read', async () => {
    const { page, dialog } = await firstOfTwo(browser);
    const next = dialog.getByRole('button', { name: 'The next one' });
    // Each slides in.
    const place = async () => {
      await page.evaluate('Promise.all(document.getAnimations().map(({ finished }) => finished))');
      return placeOf(next);
    };
    const before = await place();
    const held = Promise.withResolvers<undefined>();
    await page.route('**/api/questions/*', async (route) => {
      await held.promise;
      await route.continue();
    });
    await next.click();
    await dialog.getByText('Reading it…').waitFor();
    expect(await place()).toEqual(before);
    held.resolve(undefined);
    await dialog.getByText('The second?').waitFor();
    expect(await place()).toEqual(before);
  });
});
