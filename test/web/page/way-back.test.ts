import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askCall, askStore, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('whoever goes a step back on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const hasKeyboard = async (button: Locator) =>
    (await button.and(button.page().locator(':focus')).count()) === 1;

  it.each([
    ['a question', askStore, ['Reject…', 'Rephrase…', 'Dismiss…']],
    ['a call', askCall, ['Ask why…', 'Change it…', 'Deny…', 'Allow for longer…']],
  ] as const)('has the keyboard where they came from, in %s', async (_what, ask, names) => {
    const { project } = await projectWithSprint();
    await ask(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    const back = dialog.getByRole('button', { name: 'Back', exact: true });
    for (const name of names) {
      const button = dialog.getByRole('button', { name });
      for (const step of [() => page.keyboard.press('Escape'), () => back.click()]) {
        await dialog
          .locator('[aria-label="Allow for longer…"][aria-disabled="false"], .first')
          .first()
          .waitFor();
        await button.click();
        await back.waitFor();
        await step();
        await expect.poll(() => hasKeyboard(button)).toBe(true);
      }
    }
  });

  it('is where they were before a request of another sprint followed', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which port?' });
    const place = 's=demo&task=a&view=events';
    const { page } = await openServed(browser, await servePage(project), { place });
    const dialog = dialogOn(page);
    await dialog.getByLabel('A table').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.getByText('Which port?').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(new URL(page.url()).hash).toBe(`#${place}`);
  });

  it.each([
    ['a question', askStore, 'Rephrase…', 'What is not clear', 'Dismiss…', 'Why, if you like'],
    ['a call', askCall, 'Ask why…', 'Your question', 'Deny…', 'Why, for the agent'],
  ] as const)(
    'finds what they wrote where they wrote it, and nowhere else, in %s',
    async (_what, ask, first, words, second, reason) => {
      const { project } = await projectWithSprint();
      await ask(project);
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      const back = dialog.getByRole('button', { name: 'Back', exact: true });
      await dialog.getByRole('button', { name: first }).click();
      await dialog.getByLabel(words).fill('Which one?');
      await back.click();
      await dialog.getByRole('button', { name: second }).click();
      expect(await dialog.getByLabel(reason).inputValue()).toBe('');
      await expect
        .poll(() => page.evaluate<string>('Object.values(localStorage).join()'))
        .toContain('Which one?');
      await page.reload();
      await dialog.getByRole('button', { name: first }).click();
      expect(await dialog.getByLabel(words).inputValue()).toBe('Which one?');
    },
  );

  it('has it at the task that fills a narrow screen, and where that stands in the list again', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { size: 'phone', place: 's=demo' });
    const link = page.locator('.column-tasks').getByRole('link').nth(1);
    await link.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => hasKeyboard(page.locator('.column-detail h2'))).toBe(true);
    await page.goBack();
    await expect.poll(() => hasKeyboard(link)).toBe(true);
  });

  it('has closed a question that came up by itself, and is still on the page', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    await page.getByRole('main').getByText('Demo').first().waitFor();
    const before = page.url();
    await askStore(project);
    await dialogOn(page).waitFor();
    await page.goBack();
    await dialogOn(page).waitFor({ state: 'detached' });
    expect(page.url()).toBe(before);
  });

  it('has it there with calls that are alike, too', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'a.txt', content: 'a' });
    await askCall(project, { path: 'b.txt', content: 'b' });
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Both like it…' }).click();
    await dialog.getByRole('button', { name: 'Deny both…' }).click();
    await dialog.getByRole('button', { name: 'Back', exact: true }).click();
    await expect.poll(() => hasKeyboard(dialog.getByRole('button', { name: 'Deny both…' }))).toBe(true);
    await dialog.getByRole('button', { name: 'Back to the one' }).click();
    await expect.poll(() => hasKeyboard(dialog.getByRole('button', { name: 'Both like it…' }))).toBe(true);
  });
});
