import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { eventsOf } from '../../mcp/support/project-log.ts';
import { agent, askStore, ben, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what became of an answer', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(['phone', 'desktop'] as const)('is within its dialog, however long it is: %s', async (size) => {
    const { project } = await projectWithSprint();
    await askStore(project, `${'Which of them '.repeat(22)}?`);
    await askStore(project, 'The second?');
    const { page } = await openServed(browser, await servePage(project), { size });
    const dialog = dialogOn(page);
    await dialog.getByLabel('Or in your own words').fill('w'.repeat(200));
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByText(/^Answered “w/).waitFor();
    const beyond = await page.evaluate(`(() => {
      const { right } = document.querySelector('dialog').getBoundingClientRect();
      return [...document.querySelectorAll('.toasts, .toasts *')].filter(
        (part) => part.getBoundingClientRect().right > right,
      ).length;
    })()`);
    expect(beyond).toBe(0);
  });

  it('of the reader’s own stays when somebody else answers the next one', async () => {
    const { project } = await projectWithSprint();
    await askStore(project, 'The first?');
    const second = await askStore(project, 'The second?');
    await askStore(project, 'The third?');
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByText('The second?').waitFor();
    await answerRequest(project, second.id, { response: 'A table', option: 0, ...ben });
    await dialog.getByText(/^ben answered in the shell/).waitFor();
    await dialog.getByText('The third?').waitFor();
    expect(await dialog.getByText(/^Answered “The column”/).isVisible()).toBe(true);
    await dialog.getByLabel('A table').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await page.getByText(/^Answered “A table”/).waitFor();
    expect(await page.locator('.toast').count()).toBe(1);
  });

  it('stays in the dialog, and so does what was said before: what is below them must not move under a finger', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByRole('button', { name: 'Copy' }).waitFor();
    await page.clock.install();
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))");
    const first = await askStore(project, 'The first?');
    await askStore(project, 'The second?');
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    // By a script: what is behind a dialog cannot be pressed.
    await page.locator('button', { hasText: /^Copy$/ }).dispatchEvent('click');
    const notCopied = dialog.getByText('This browser does not let the page copy');
    await notCopied.waitFor();
    await answerRequest(project, first.id, { response: 'A table', option: 0, ...ben });
    const answered = dialog.getByText(/^ben answered in the shell/);
    await answered.waitFor();
    // Longer than either is to be seen elsewhere.
    await page.clock.fastForward(20_000);
    expect([await notCopied.isVisible(), await answered.isVisible()]).toEqual([true, true]);
  });

  it('goes with the first key once its time is over, and with no press, which could be one of two', async () => {
    const { project } = await projectWithSprint();
    await askStore(project, 'The first?');
    await askStore(project, 'The second?');
    const { page } = await openServed(browser, await servePage(project));
    await page.clock.install();
    const dialog = dialogOn(page);
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByText('The second?').waitFor();
    const answered = dialog.getByText(/^Answered “The column”/);
    await dialog.getByLabel('The column').check();
    expect(await answered.isVisible()).toBe(true);
    await page.clock.fastForward(20_000);
    expect(await answered.isVisible()).toBe(true);
    await dialog.getByLabel('A table').check();
    expect(await answered.isVisible()).toBe(true);
    await page.keyboard.press('Shift');
    await answered.waitFor({ state: 'detached' });
  });

  it.each(['phone', 'desktop'] as const)(
    'goes at once where the reader closes it, and leaves all else where it is, so that a second press meets nothing: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      await askStore(project, 'The first?');
      await askStore(project, 'The second?');
      const { page } = await openServed(browser, await servePage(project), { size });
      const dialog = dialogOn(page);
      await dialog.getByLabel('The column').check();
      await dialog.getByRole('button', { name: 'Answer' }).click();
      await dialog.getByText('The second?').waitFor();
      const answered = dialog.getByText(/^Answered “The column”/);
      const close = dialog.getByRole('button', { name: 'Close this notice' });
      const pressed = await close.boundingBox();
      const options = dialog.getByRole('radio');
      const places = async () => Promise.all((await options.all()).map((option) => option.boundingBox()));
      const before = await places();
      await close.click();
      await answered.waitFor({ state: 'hidden' });
      await page.mouse.click((pressed?.x ?? 0) + 10, (pressed?.y ?? 0) + 10);
      expect(await places()).toEqual(before);
      expect(await dialog.getByRole('radio', { checked: true }).count()).toBe(0);
      expect(await dialog.getByText('The second?').isVisible()).toBe(true);
      await page.keyboard.press('Shift');
      await page.locator('.toast').waitFor({ state: 'detached' });
    },
  );

  it('of a problem, too, can be closed, and leaves no room with the next key', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    await page.getByRole('button', { name: 'Tell the agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Keep the API as it is');
    await page.route('**/note', (route) => route.abort());
    await dialog.locator('[type=submit]').click();
    await dialog.locator('.toast').waitFor();
    await dialog.getByRole('button', { name: 'Close this notice' }).click();
    await dialog.locator('.toast').waitFor({ state: 'hidden' });
    expect(await page.locator('.toast').count()).toBe(1);
    await page.keyboard.press('Shift');
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await dialog.isVisible()).toBe(true);
  });

  it('goes with Escape where no dialog is open, which does nothing else', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=b' });
    await page.clock.install();
    await page.getByLabel('More to do').last().click();
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await dialogOn(page).getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByText('b is skipped').waitFor();
    expect(await page.getByRole('button', { name: 'Close this notice' }).count()).toBe(0);
    await page.getByRole('button', { name: 'History', exact: true }).first().click();
    const player = page.getByRole('region', { name: 'The past of this sprint' });
    await player.waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.toast').waitFor({ state: 'detached' });
    expect(await player.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await player.waitFor({ state: 'detached' });
  });

  it('is there no longer for a dialog that comes up meanwhile', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=b' });
    await page.clock.install();
    await page.getByLabel('More to do').last().click();
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await dialogOn(page).getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByText('b is skipped').waitFor();
    await page.clock.fastForward(5_000);
    await askStore(project, 'The first?');
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    expect(await dialog.innerText()).toContain('b is skipped');
    await page.clock.fastForward(3_000);
    await page.keyboard.press('Shift');
    await page.locator('.toast').waitFor({ state: 'detached' });
  });

  it('leaves what was written where it could not be sent', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    await page.getByRole('button', { name: 'Tell the agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('Keep the API as it is');
    await page.route('**/note', (route) => route.abort());
    await dialog.locator('[type=submit]').click();
    await dialog.locator('.toast').waitFor();
    expect(await dialog.getByRole('textbox').inputValue()).toBe('Keep the API as it is');
    await page.unroute('**/note');
    await dialog.locator('[type=submit]').click();
    await dialog.waitFor({ state: 'detached' });
    const [note] = await eventsOf(project, 'note.sent');
    expect(note?.data.text).toBe('Keep the API as it is');
  });

  it('of one task is not in what is asked about another, and that names its own', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    const begin = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      // The menu may still be that of the task before.
      await expect
        .poll(async () => {
          if (!(await button.isVisible())) await page.getByLabel('More to do').last().click();
          return button.isVisible();
        })
        .toBe(true);
      await button.click();
    };
    await begin('Skip');
    const skip = page.getByRole('dialog', { name: 'Skip “Task a”?', exact: true });
    await skip.getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByText('a is skipped').waitFor();
    await page.locator('.tasks .task').nth(1).click();
    await begin('Cancel the task');
    const cancel = page.getByRole('dialog', { name: 'Cancel the task “Task b”?', exact: true });
    await cancel.waitFor();
    expect(await cancel.innerText()).not.toContain('is skipped');
    await cancel.getByRole('button', { name: 'Cancel the task' }).click();
    await page.getByText('b is cancelled').waitFor();
  });

  it('of an act is still to be read in the question that comes up after it by itself', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=b' });
    await page.clock.install();
    await page.getByLabel('More to do').last().click();
    await page.getByRole('button', { name: 'Skip', exact: true }).click();
    await dialogOn(page).getByRole('button', { name: 'Skip', exact: true }).click();
    await page.getByText('b is skipped').waitFor();
    await askStore(project, 'The first?');
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    expect(await dialog.innerText()).toContain('b is skipped');
    // Once it was there for long enough it goes with what the reader does, and not by itself.
    await dialog.hover();
    await page.mouse.wheel(0, 40);
    await page.clock.fastForward(6_000);
    expect(await page.locator('.toast').count()).toBe(1);
    await page.clock.fastForward(2_000);
    expect(await page.locator('.toast').count()).toBe(1);
    await page.mouse.wheel(0, 40);
    await page.locator('.toast').waitFor({ state: 'detached' });
  });
});
