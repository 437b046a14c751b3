import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { answerTo, askCall, askOwn, askStore, ben, dialogOn, holdRequests } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

/** From then on, a reply is waited for without end once the question is known to be answered. */
const waitingForEver = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act, ms, ...given) => (ms === 3_000 ? 0 : setTimeout(act, ms, ...given));
`;

describe.skipIf(chromiumPath === undefined)('an answer whose reply comes later than the event of it', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is nobody else’s', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    const letGo = await holdReplies(page, `${id}/answer`);
    const isRead = page.waitForResponse((response) => response.url().endsWith(`questions/${id}`));
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => answerTo(project, id)?.option).toBe(1);
    await isRead;
    await settled(page);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    letGo();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('was first').count()).toBe(0);
  });

  it('is nobody else’s where it is a call that is allowed', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    const allow = dialog.getByRole('button', { name: 'Allow once' });
    await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('false');
    const letGo = await holdReplies(page, `${id}/approve`);
    const isRead = page.waitForResponse((response) => response.url().endsWith(`questions/${id}`));
    await allow.click();
    await expect.poll(() => findRequest(project.state, id).phase).not.toBe('open');
    await isRead;
    await settled(page);
    expect(await dialog.getByRole('alert').count()).toBe(0);
    letGo();
    await dialog.waitFor({ state: 'detached' });
  });

  it('leaves the call as it was read until then, and takes nothing else', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askOwn(project, 'execute', { command: 'git push --force && rm -rf dist' });
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    const allow = dialog.getByRole('button', { name: 'Allow once' });
    await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('false');
    const shown = await dialog.locator('.call').innerText();
    expect(shown).toContain('sends something out');
    const letGo = await holdReplies(page, `${id}/approve`);
    const isRead = page.waitForResponse((response) => response.url().endsWith(`questions/${id}`));
    await allow.click();
    await isRead;
    await settled(page);
    expect(await dialog.locator('.call').innerText()).toBe(shown);
    for (const name of ['Ask why…', 'Change it…', 'Deny…', 'The one before', 'The next one'])
      expect(await dialog.getByRole('button', { name }).isDisabled()).toBe(true);
    letGo();
    await dialog.getByText('Which store keeps the keys?').waitFor();
  });

  it.each([
    ['its reply is lost', (route: Route) => route.abort()],
    ['a part of its reply comes', (route: Route) => route.fulfill({ body: '{"text":"The' })],
    ['something in between replies', (route: Route) => route.fulfill({ body: 'null' })],
    ['what is in between gives up', (route: Route) => route.fulfill({ status: 504, body: 'Gateway' })],
  ])('is recorded though %s, and is nobody else’s then', async (_what, reply) => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    await page.route(`**/${id}/answer`, async (route) => {
      await route.fetch();
      await reply(route);
    });
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await page.getByText(/^Recorded: you answered in the browser, .*: The column$/).waitFor();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByText('was first').count()).toBe(0);
    expect(answerTo(project, id)?.option).toBe(1);
  });

  it.each([
    ['was recorded though its reply is lost', undefined],
    ['came second', 'Close'],
  ])('leads to the question behind it where it %s', async (_what, button) => {
    const { project } = await projectWithSprint();
    await askStore(project, 'The first?');
    const { id } = await askStore(project, 'The second?');
    await askStore(project, 'The third?');
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'The next one' }).click();
    await dialog.getByText('The second?').waitFor();
    await dialog.getByLabel('The column').check();
    await page.route(`**/${id}/answer`, async (route) => {
      if (button) await answerRequest(project, id, { response: 'A table', ...ben });
      else await route.fetch();
      await route.abort();
    });
    await dialog.getByRole('button', { name: 'Answer' }).click();
    if (button) await dialog.getByRole('button', { name: button }).click();
    await expect.poll(() => dialog.innerText()).toContain('The third?');
  });

  it('may have been recorded, it says, where nothing comes back, and says who was first where somebody was', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    await page.route(`**/${id}/answer`, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByText('Whether it was recorded is seen when the connection is back').waitFor();
    await answerRequest(project, id, { response: 'A table', ...ben });
    await dialog.getByText('ben was first').waitFor();
    expect(answerTo(project, id)?.response).toBe('A table');
  });

  it('is the reader’s own where the page was loaded anew before its reply came', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('Or in your own words').fill('In neither');
    await page.route(`**/${id}/answer`, async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.route('**/api/events?*', (route) => route.abort());
    await page.route(`**/api/questions/${id}`, (route) => route.abort());
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await expect.poll(() => answerTo(project, id)?.response).toBe('In neither');
    await page.reload();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await dialog.getByText(/^Recorded: you answered in the browser, [\d:]+: In neither$/).waitFor();
  });

  it('says who was first where somebody was', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    const letGo = await holdRequests(page, `${id}/answer`);
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await answerRequest(project, id, { response: 'A table', ...ben });
    letGo();
    await dialog.getByText('ben was first').waitFor();
    expect(answerTo(project, id)?.response).toBe('A table');
  });

  it('is told of as the reader’s own where they have sent it again, and put its question aside', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    // Not before it is put aside does the page hear that it was recorded.
    await page.route(`**/api/questions/${id}`, () => undefined);
    await page.route(
      `**/${id}/answer`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    const answer = dialog.getByRole('button', { name: 'Answer' });
    await answer.click();
    await dialog.getByText('Whether it was recorded is seen when the connection is back').waitFor();
    const letGo = await holdRequests(page, `${id}/answer`);
    await answer.click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await page.getByText(/^Recorded: you answered in the browser, .*: The column$/).waitFor();
    expect(await page.getByText('answered elsewhere').count()).toBe(0);
  });

  it('is marked where it is looked at later', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'The column', option: 1, ...ben });
    const { page } = await openServed(browser, await servePage(project), { place: `s=demo&q=${id}` });
    const option = dialogOn(page).getByRole('radio', { name: 'The column' });
    await option.waitFor();
    expect([await option.isChecked(), await option.isDisabled()]).toEqual([true, true]);
  });
});

/** Sends what is posted there on at once, and gives the reply to the page when it is told to. */
async function holdReplies(page: Page, path: string): Promise<() => void> {
  await page.evaluate(waitingForEver);
  let letGo = () => {};
  const isHeld = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(`**/${path}`, async (route) => {
    const response = await route.fetch();
    await isHeld;
    await route.fulfill({ response });
  });
  return letGo;
}

/** What the page has got is drawn. */
function settled(page: Page): Promise<unknown> {
  return page.evaluate(`new Promise((drawn) =>
    requestAnimationFrame(() => requestAnimationFrame(drawn)))`);
}
