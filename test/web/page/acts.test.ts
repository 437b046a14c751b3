import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { eventsOf } from '../../mcp/support/project-log.ts';
import { agent, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

/** Where the keyboard is. */
const focused = (page: Page) => page.evaluate<string>('document.activeElement.id');

describe.skipIf(chromiumPath === undefined)('what is done to sprints and tasks', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('by keys leaves the keyboard in the page, though its button is another one then', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'a', agent, reason: 'No network' });
    const server = await servePage(project, { hasRunner: true });
    const { page } = await openServed(browser, server, { place: 's=demo&task=a' });
    for (const name of ['Pause', 'Resume', 'Try again']) {
      const button = page.getByRole('button', { name, exact: true });
      await button.press('Enter');
      await button.waitFor({ state: 'detached' });
      await expect.poll(() => focused(page)).toBe('main');
    }
  });

  it('that fails leaves the keyboard at its button', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const server = await servePage(project, { hasRunner: true });
    const { page } = await openServed(browser, server, { place: 's=demo' });
    await page.route('**/pause', (route) => route.fulfill({ status: 500, body: '' }));
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.press('Enter');
    await page.getByText('The server answered with 500').waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toBe('Pause');
  });

  it.each(['{}', 'null', '{"error":"no"}', '{"error":{"code":"X"}}', '{"error":{"message":""}}'])(
    'that something in between refuses is said with its status: %s',
    async (body) => {
      const { project } = await projectWithSprint();
      await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
      const server = await servePage(project, { hasRunner: true });
      const { page } = await openServed(browser, server, { place: 's=demo' });
      await page.route('**/pause', (route) => route.fulfill({ status: 500, body }));
      await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
      await expect.poll(() => page.getByText('The server answered with 500').isVisible()).toBe(true);
    },
  );

  it('is asked about by its title, and only what follows is said: an agent is ended where there is one', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=b' });
    await page.getByLabel('More to do').last().click();
    await page.getByRole('button', { name: 'Cancel the task' }).click();
    const cancel = page.getByRole('dialog', { name: 'Cancel the task “Task b”?', exact: true });
    await cancel.waitFor();
    expect(await cancel.innerText()).not.toContain('agent');
  });

  it('is sent by the keys that its button names', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    await page.getByRole('button', { name: 'Tell the agent' }).click();
    const dialog = dialogOn(page);
    await dialog.getByRole('textbox').fill('Keep the API as it is');
    expect(await dialog.locator('[type=submit]').innerText()).toMatch(/Ctrl\+Enter$/);
    await page.keyboard.press('Control+Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(await eventsOf(project, 'note.sent')).toHaveLength(1);
  });
});
