import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, answerTo, askCall, askStore, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
const edited = lines.with(14, 'const port = 80;');
const edit = {
  path: 'server.ts',
  old_string: edited.join('\n'),
  new_string: edited.with(14, 'const port = 8080;').join('\n'),
};

describe.skipIf(chromiumPath === undefined)('the card of a call', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has the numbers of the file, folds what stays in it, and marks the words that differ', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'server.ts'), `// first\n// second\n${edited.join('\n')}\n`);
    await askCall(project, edit);
    const { page } = await openServed(browser, await servePage(project));
    const diff = dialogOn(page).getByRole('figure');
    await diff.getByText('const port = 8080').waitFor();
    expect(await diff.locator('mark').allTextContents()).toEqual(['80', '8080']);
    expect(await diff.locator('.diff-line.removed .diff-number').allTextContents()).toEqual(['17', '']);
    expect(await diff.locator('.diff-line.added .diff-number').allTextContents()).toEqual(['', '17']);
    expect(await diff.getByText('line 3', { exact: true }).count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await diff.getByRole('button', { name: '11 lines as in the file' }).click();
    await diff.getByText('line 3', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('diff-lines');
    await diff.getByRole('button', { name: '12 lines as in the file' }).waitFor();
  });

  it('folds nothing that is only said to be in the file, and counts no lines of it', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'server.ts'), 'something else\n');
    await askCall(project, edit);
    const { page } = await openServed(browser, await servePage(project));
    const diff = dialogOn(page).getByRole('figure');
    await diff.getByText('line 3', { exact: true }).waitFor();
    expect(await diff.locator('.diff-fold, .diff-number').count()).toBe(0);
  });

  it('leads to its end on a phone, and what stands above and below it stays where it is', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'server.ts', content: edited.concat(edited).join('\n') });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Read it to its end first' }).click();
    await dialog.getByRole('button', { name: 'Read it to its end first' }).waitFor({ state: 'detached' });
    expect(
      await page.evaluate(`[...document.querySelectorAll('dialog')].map(({ scrollTop }) => scrollTop)`),
    ).toEqual([0]);
  });

  it('says how great the risk is in words and bars', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    await dialogOn(page).getByTitle('Risk: medium').waitFor();
    expect(await dialogOn(page).getByTitle('Risk: medium').locator('rect[fill-opacity="1"]').count()).toBe(2);
  });

  it('sends a reason with Ctrl+Enter, and never a yes', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Deny…' }).click();
    await dialog.getByLabel(/^Why/).fill('Not there');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return answerTo(project, id);
      })
      .toMatchObject({ verdict: 'denied', response: 'Not there' });
  });
});

describe.skipIf(chromiumPath === undefined)('a form', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('names what is not answered yet, and leads there', async () => {
    const { project } = await projectWithSprint();
    const { id } = await ask(project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      question: 'A few things',
      questions: [...storeForm],
    });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    const missing = dialog.getByRole('button', { name: /^Still to answer/ });
    const focused = () =>
      page.evaluate('document.activeElement.closest("[data-question]")?.dataset.question');
    await expect
      .poll(() => missing.textContent())
      .toBe('Still to answer: 1 Database, 2 Features, 3 Name: of the service');
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByLabel('SQLite').check();
    await expect.poll(() => missing.textContent()).toMatch(/^Still to answer: 2 Features, 3 Name/);
    await missing.click();
    expect(await focused()).toBe('1');
    await dialog.getByLabel('Login').check();
    // The keys lead there, too.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return focused();
      })
      .toBe('2');
    await page.keyboard.type('orders');
    await missing.waitFor({ state: 'detached' });
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => answerTo(project, id)?.answers).toHaveLength(3);
  });

  it('says what became of the one before below its title, which stays to be seen', async () => {
    const { project } = await projectWithSprint();
    await askStore(project, 'The first?');
    await askStore(project, 'The second?');
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByText('The first?').waitFor();
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    const toast = dialog.getByText(/^Answered: /);
    await toast.waitFor();
    await dialog.getByText('The second?').waitFor();
    const [title, said, asked] = await Promise.all(
      [dialog.getByRole('heading', { level: 2 }), toast, dialog.getByText('The second?')].map((each) =>
        each.boundingBox(),
      ),
    );
    if (!title || !said || !asked) throw new Error('not seen');
    expect(said.y).toBeGreaterThanOrEqual(title.y + title.height);
    expect(said.y + said.height).toBeLessThanOrEqual(asked.y);
  });
});
