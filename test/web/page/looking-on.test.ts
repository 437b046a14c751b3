import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasProcessTable } from '../../../src/lib/processes/process-table.ts';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approve } from '../../../src/workflow/requests/approval.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { agent, askCall, askStore, ben, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser, type PageOptions } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('who looks on with a key that only reads', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** A screen on a wall. */
  async function wall(options: PageOptions & { readonly place?: string } = {}) {
    const { root, project } = await projectWithSprint();
    const home = await tempRoot();
    const env = { HOME: home, XDG_STATE_HOME: home };
    const { url } = await servePage(project, { env });
    const token = await addToken(env, root, { name: 'wall', may: 'read' });
    const { page } = await openServed(browser, { url, token }, { place: 's=demo', ...options });
    const beside = page.getByRole('complementary');
    return { project, page, beside };
  }

  it.each(['desktop', 'phone'] as const)(
    'sees what is asked beside the sprint, and nothing is kept from them: %s',
    async (size) => {
      const { project, page, beside } = await wall({ size });
      await askStore(project);
      await beside.getByText('Both would work').waitFor();
      expect(await dialogOn(page).count()).toBe(0);
      // What it stands beside can be used.
      await page.getByRole('link', { name: /Task a/ }).click();
      await page.getByRole('tab', { name: 'About' }).click();
      await beside.getByText('Both would work').waitFor();
      expect(await beside.getByRole('radio').first().isDisabled()).toBe(true);
      await beside.getByText('This token only reads: others answer.').waitFor();
      expect(await beside.locator('textarea, kbd').count()).toBe(0);
      expect(await beside.getByRole('button', { name: /Answer|Reject|Dismiss/ }).count()).toBe(0);
      expect(await barriersOn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      await beside.getByRole('button', { name: 'Close' }).click();
      await beside.waitFor({ state: 'detached' });
    },
  );

  it.each(['desktop', 'phone'] as const)(
    'sees which of how many it is, and what was done to another one beside it: %s',
    async (size) => {
      const { project, page, beside } = await wall({ size });
      const { id } = await askStore(project, 'The first?');
      await beside.getByText('The first?').waitFor();
      await askStore(project, 'The second?');
      await beside.getByText('request 1 of 2').waitFor();
      await answerRequest(project, id, { response: 'Neither of them. '.repeat(6), ...ben });
      await beside.getByText('The second?').waitFor();
      const [toast, aside] = await Promise.all([page.locator('.toast').boundingBox(), beside.boundingBox()]);
      if (!toast || !aside) throw new Error('Nothing is told, or nothing asked');
      const isBeside = toast.x + toast.width <= aside.x || toast.y + toast.height <= aside.y;
      expect(isBeside).toBe(true);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    },
  );

  it('sees that a program asks for a secret, without a field for it', async () => {
    const { project, page, beside } = await wall();
    await ask(project, { stream: 'demo', agent, task: 'a', kind: 'prompt', question: 'Password:' });
    await beside.getByText('Password:').waitFor();
    await beside.getByText('This token only reads: others answer.').waitFor();
    expect(await beside.getByRole('button', { name: 'Show' }).count()).toBe(0);
    expect(await beside.locator('input').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
  });

  it.each([
    ['desktop', 's=demo&task=a', 'list', 'What waits for others'],
    ['phone', 's=demo&task=b', 'link', 'All tasks · 5 wait for others'],
  ] as const)('is told that it waits for others, not for them: %s', async (size, place, role, name) => {
    const { project, page } = await wall({ size, place });
    for (let nth = 0; nth < 5; nth += 1) await askStore(project, `Which of them, the ${nth}th?`);
    await page.getByRole(role, { name }).waitFor();
    await page.keyboard.press('Escape');
    await page.evaluate("location.hash = ''");
    await page.getByRole('heading', { name: 'What waits' }).waitFor();
    expect(await page.getByText(/for you/).count()).toBe(0);
  });

  it('sees on a phone what they tap, wherever the page stands, and what is behind it above', async () => {
    const { project, page, beside } = await wall({ size: 'phone', place: '' });
    for (let nth = 0; nth < 12; nth += 1) await askStore(project, `Which of them, the ${nth}th?`);
    // The first comes up by itself, and so would one that comes when that is put aside.
    await beside.getByText('the 0th?').waitFor();
    const last = page.getByRole('link', { name: /the 11th/ });
    await last.waitFor();
    await page.keyboard.press('Escape');
    await beside.waitFor({ state: 'detached' });
    await last.scrollIntoViewIfNeeded();
    await last.click();
    await beside.getByText('the 11th?').waitFor();
    const height = page.viewportSize()?.height ?? 0;
    const seen = await beside.boundingBox();
    if (!seen) throw new Error('not seen');
    expect(seen.y).toBeGreaterThanOrEqual(height / 2);
    expect(seen.y + seen.height).toBeLessThanOrEqual(height);
  });

  it.each([
    [320, 568],
    [320, 480],
    [640, 320],
  ])('sees of it on %i × %i pixels above all what it is about', async (width, height) => {
    const { project, page, beside } = await wall({ size: 'phone' });
    await page.setViewportSize({ width, height });
    await askStore(project, `Which of the ${'many '.repeat(60)}?`);
    await askCall(project);
    for (let nth = 0; nth < 2; nth += 1) {
      await beside.getByText('Both would work').or(beside.getByText('notes.txt')).first().waitFor();
      // The next one may still be on its way.
      const [sheet, region] = await vi.waitUntil(
        async () => {
          const boxes = [await beside.boundingBox(), await beside.getByRole('region').boundingBox()] as const;
          return boxes[0] && boxes[1] && ([boxes[0], boxes[1]] as const);
        },
        { timeout: 30_000 },
      );
      expect(sheet.y + sheet.height).toBe(height);
      expect(Math.min(region.y + region.height, height) - region.y).toBeGreaterThanOrEqual(sheet.height / 2);
      const other = beside.getByRole('button', { name: /The next one|The one before/, disabled: false });
      await other.first().click();
    }
  });

  it('is told how it ended, and sees the next one', async () => {
    const { project, page, beside } = await wall();
    const { id } = await askStore(project);
    await beside.getByText('Both would work').waitFor();
    const call = await askCall(project);
    await beside.getByText('2 of 2').or(beside.getByText('1 of 2')).waitFor();
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    await page.getByText(/^ben answered in the shell, [\d:]+: A table$/).waitFor();
    await beside.getByText('notes.txt').first().waitFor();
    expect(await beside.getByRole('button', { name: /Allow|Deny/ }).count()).toBe(0);
    await approve(project, call.id, { ...ben, scope: 'once' });
    await beside.waitFor({ state: 'detached' });
    await page.getByText(/^ben allowed it in the shell, [\d:]+$/).waitFor();
  });
});

describe.skipIf(chromiumPath === undefined || !hasProcessTable)('a browser that an agent has started', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser({ CLIFFORD_RUN_ID: 'run-7' });
  });
  afterAll(() => browser.close());

  it('is told before anything is written that nothing is decided with it', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const beside = page.getByRole('complementary');
    await beside.getByText(/comes from a process of an agent \(run run-7\), and a human decides/).waitFor();
    expect(await beside.getByRole('button', { name: /Allow|Deny/ }).count()).toBe(0);
    await page.getByText('You may look, and not decide').waitFor();
    expect(await page.getByText(/recorded as/).count()).toBe(0);
  });
});
