import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deny } from '../../../src/workflow/requests/approval.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askCall, askOwn, ben, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const lines = (word: string, number = 100) =>
  Array.from({ length: number }, (_, at) => `${word} ${at}\n`).join('');

describe.skipIf(chromiumPath === undefined)('a call that becomes another one after it was read', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** The dialog of a project's first call, where things move. */
  async function dialogOf(project: Project) {
    const { page } = await openServed(browser, await servePage(project), { wantsMotion: true });
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Deny…' }).waitFor();
    return dialog;
  }

  const hintOn = (dialog: Locator) => dialog.getByRole('button', { name: 'Read it to its end first' });
  const allowOn = (dialog: Locator) => dialog.getByRole('button', { name: /^Allow (once|both|all)/ });
  const mayAllow = async (dialog: Locator) =>
    (await allowOn(dialog).getAttribute('aria-disabled')) === 'false';
  /** How much of it is above what is in sight, in pixels. */
  const above = (dialog: Locator) =>
    dialog.page().evaluate<number>("document.querySelector('.modal-body').scrollTop");

  async function readToEnd(dialog: Locator) {
    await hintOn(dialog).click();
    await expect.poll(() => mayAllow(dialog)).toBe(true);
    expect(await above(dialog)).toBeGreaterThan(0);
  }

  async function expectUnread(dialog: Locator) {
    await hintOn(dialog).waitFor();
    expect(await mayAllow(dialog)).toBe(false);
  }

  it('is read anew from its beginning on where a file has changed', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write(lines('old'));
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    const dialog = await dialogOf(project);
    await readToEnd(dialog);
    await write(lines('mine'));
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await expectUnread(dialog);
    expect(await above(dialog)).toBe(0);
    await readToEnd(dialog);
  });

  it('is read anew where what was hidden of it is shown', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { body: lines('a'), password: 'hunter2hunter2' });
    const dialog = await dialogOf(project);
    await readToEnd(dialog);
    await dialog.getByRole('button', { name: 'Show what is hidden' }).click();
    await dialog.getByText('hunter2hunter2').waitFor();
    await expectUnread(dialog);
    expect(await above(dialog)).toBe(0);
  });

  it('is read as it was asked about after it was not changed, wherever the window stood meanwhile', async () => {
    const { project } = await projectWithSprint();
    const args = { path: 'a.txt', old_string: lines('before'), new_string: lines('after') };
    await askOwn(project, 'edit', args);
    const dialog = await dialogOf(project);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByLabel(/^The text in place of the old one/).fill(lines('other', 110));
    await hintOn(dialog).click();
    await dialog.getByRole('button', { name: 'Allow it as changed', disabled: false }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expectUnread(dialog);
    await readToEnd(dialog);
    // What was read once is.
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => mayAllow(dialog)).toBe(true);
  });

  it('is read with all that is shown of it while it is changed', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'execute', { command: 'make', note: lines('a') });
    const dialog = await dialogOf(project);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByLabel('The command that runs in its place').fill('make all');
    const send = dialog.getByRole('button', { name: 'Allow it as changed' });
    await dialog.getByRole('button', { name: 'All fields…' }).click();
    // All of it stands in the field.
    await expect.poll(() => send.isEnabled()).toBe(true);
    await dialog.getByRole('button', { name: 'The command alone' }).click();
    await hintOn(dialog).waitFor();
    expect(await send.isEnabled()).toBe(false);
  });

  it('is where its list goes on from, and one that is gone changes nothing', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'b.txt'), text);
    await write(lines('old'));
    const [first] = [
      await askOwn(project, 'edit', { path: 'a.txt', content: lines('first') }),
      await askOwn(project, 'edit', { path: 'b.txt', content: lines('second') }),
      await askOwn(project, 'edit', { path: 'c.txt', content: lines('third') }),
    ];
    const dialog = await dialogOf(project);
    await dialog.getByRole('button', { name: 'All 3 like it…' }).click();
    await readToEnd(dialog);
    await deny(project, first.id, ben);
    await dialog.getByText('Somebody was first with this one').waitFor();
    await expect.poll(() => mayAllow(dialog)).toBe(true);
    await write(lines('mine'));
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await expectUnread(dialog);
    const second = dialog.getByRole('region', { name: /^Call . of/ }).filter({ hasText: 'b.txt' });
    const [body, call] = await Promise.all([
      dialog.locator('.modal-body').boundingBox(),
      second.boundingBox(),
    ]);
    expect(call?.y).toBeGreaterThanOrEqual(body?.y ?? NaN);
    expect(call?.y).toBeLessThan((body?.y ?? NaN) + 40);
  });
});
