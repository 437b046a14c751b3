import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { answerTo, askCall, askStore, ben, dialogOn, holdRequests } from './asked.ts';
import { chromiumPath, openPage, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

/** What is given up after 25 s is given up after two. */
const sooner = `
  const { setTimeout } = globalThis;
  globalThis.setTimeout = (act, ms, ...given) => setTimeout(act, ms === 25_000 ? 2_000 : ms, ...given);
`;

const noReply = 'No reply has come from Clifford';

describe.skipIf(chromiumPath === undefined)('a request of the page to which no reply comes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const openSooner = async (project: Project) => {
    const { url, token } = await servePage(project);
    const { page, close } = await openPage(browser);
    onTestFinished(close);
    await page.addInitScript(sooner);
    return { page, dialog: dialogOn(page), go: () => page.goto(`${url}#t=${token}`) };
  };

  it('is given up, which frees its connection, and can be sent again, where it is an answer', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page, dialog, go } = await openSooner(project);
    await page.route(`**/${id}/answer`, () => undefined);
    await go();
    await dialog.getByLabel('Or in your own words').fill('In neither');
    const isFreed = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`${id}/answer`));
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await isFreed;
    await dialog
      .getByText(
        `${noReply}. Whether it was recorded is not known yet: if it was, that is seen here; if not, do it again. What you wrote is kept here.`,
      )
      .waitFor();
    await page.unroute(`**/${id}/answer`);
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(answerTo(project, id)?.response).toBe('In neither');
  });

  it('comes when another question is open, which stays, and with what was chosen of it', async () => {
    const { project } = await projectWithSprint();
    const [{ id }] = [await askStore(project, 'The first?'), await askStore(project, 'The second?')];
    await askStore(project, 'The third?');
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    const letGo = await holdRequests(page, `${id}/answer`);
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await page.keyboard.press('Escape');
    await page
      .getByRole('link', { name: /The third\?/ })
      .first()
      .click();
    await dialog.getByText('The third?').waitFor();
    await dialog.getByLabel('Or in your own words').fill('use port 80');
    letGo();
    await page.getByText('Answered “The column”: its agent is told').waitFor();
    await page.getByText('“The first?”').waitFor();
    expect(await dialog.getByText('The third?').isVisible()).toBe(true);
    expect(await dialog.getByLabel('Or in your own words').inputValue()).toBe('use port 80');
  });

  it('is told of, also where its question was put aside meanwhile', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project, 'The first?');
    const { page, dialog, go } = await openSooner(project);
    await page.route(`**/${id}/answer`, () => undefined);
    await go();
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(noReply).waitFor();
    await page.getByText('“The first?”').waitFor();
    expect(await dialog.count()).toBe(0);
  });

  it('is told of, also where somebody else was first with what was put aside meanwhile', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project, 'The first?');
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    const letGo = await holdRequests(page, `${id}/answer`);
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await answerRequest(project, id, { response: 'A table', ...ben });
    letGo();
    await page.getByText(/^ben answered .*: A table$/).waitFor();
    expect(await page.getByText('“The first?”').count()).toBe(1);
    expect(await dialog.count()).toBe(0);
  });

  it('is read again, where it is a question', async () => {
    const { project } = await projectWithSprint();
    await askStore(project, 'The first?');
    const { id } = await askStore(project, 'The second?');
    const { page, dialog, go } = await openSooner(project);
    await page.route(`**/api/questions/${id}`, () => undefined, { times: 1 });
    await go();
    await dialog.getByText('The first?').waitFor();
    await dialog.getByRole('button', { name: 'The next one' }).click();
    await dialog.getByText('Reading it…').waitFor();
    await dialog.getByLabel('The column').check();
    expect(await dialog.getByText('Reading it…').count()).toBe(0);
  });

  it('is said to have none, where it is what is hidden of a call', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'x.txt', token: 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789' });
    const { page, dialog, go } = await openSooner(project);
    await page.route('**/reveal', () => undefined);
    await go();
    const show = dialog.getByRole('button', { name: 'Show what is hidden' });
    await show.click();
    await dialog.getByText(noReply).waitFor();
    expect(await show.getAttribute('aria-disabled')).toBe('false');
  });

  it('is waited for no longer once the question is known to be answered by it', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    await page.route(`**/${id}/answer`, (route) => void route.fetch());
    await dialog.getByRole('button', { name: 'Answer' }).click();
    const told = page.getByText(/^Recorded: you answered in the browser, .*: The column$/);
    await told.waitFor({ timeout: 15_000 });
    expect(await dialog.count()).toBe(0);
  });

  it('is waited for no longer where it is of several calls', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'one.txt' });
    await askCall(project, { path: 'two.txt' });
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Both like it…' }).click();
    await page.route('**/api/questions/deny', (route) => void route.fetch());
    await dialog.getByRole('button', { name: 'Deny both…' }).click();
    await dialog.getByRole('button', { name: 'Deny both', exact: true }).click();
    await page.getByText(/^Recorded: you denied it in the browser/).waitFor({ timeout: 15_000 });
    expect(await dialog.count()).toBe(0);
  });

  it('is waited for no longer once somebody else is known to have been first', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByLabel('Or in your own words').fill('In neither');
    await page.route(`**/${id}/answer`, () => undefined);
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByRole('button', { name: 'Recording…' }).waitFor();
    await answerRequest(project, id, { response: 'A table', ...ben });
    await dialog.getByText('ben was first').waitFor({ timeout: 15_000 });
    expect(await dialog.getByLabel('Or in your own words').inputValue()).toBe('In neither');
  });
});
