import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/workflow/project/project.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { answerTo, askCall, askOwn, dialogOn, readUntil } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser, type PageOptions } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a call that is changed', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** The dialog of the call, about to be changed. */
  async function changing(
    project: Project,
    { env = {}, ...options }: PageOptions & { env?: Record<string, string> } = {},
  ) {
    const { page, complaints } = await openServed(browser, await servePage(project, { env }), options);
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByRole('textbox').first().waitFor();
    return { page, dialog, complaints };
  }

  /** Sends it, once it may be. */
  async function allow(page: Page) {
    const dialog = dialogOn(page);
    const send = dialog.getByRole('button', { name: 'Allow it as changed' });
    await readUntil(dialog, send);
    await send.click();
  }

  it('is the new text by itself, with what it would change below it as it is written', async () => {
    const { project } = await projectWithSprint();
    const args = { path: 'a.ts', old_string: 'one\n\ttwo\n', new_string: 'one\n\t2\n', replace_all: false };
    const { id } = await askCall(project, args);
    const { page, dialog, complaints } = await changing(project, { size: 'phone' });
    const field = dialog.getByLabel('The text in place of the old one in a.ts');
    expect(await field.inputValue()).toBe('one\n\t2\n');
    expect(await field.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    expect(await dialog.getByRole('button', { name: 'Allow it as changed' }).isDisabled()).toBe(true);
    await field.fill('one\n\tTWO "of" two\n');
    await expect
      .poll(() => dialog.locator('.diff-line.added .diff-text').allTextContents())
      .toEqual(['\\tTWO "of" two']);
    expect(await barriersOn(page)).toEqual([]);
    await allow(page);
    await expect
      .poll(() => answerTo(project, id))
      .toMatchObject({
        verdict: 'edited',
        edited: { args: { ...args, new_string: 'one\n\tTWO "of" two\n' } },
      });
    expect(complaints).toEqual([]);
  });

  it('says that it is being read, and why it cannot be changed, which is tried again', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project), { hasNoWorker: true });
    const dialog = dialogOn(page);
    const change = () => dialog.getByRole('button', { name: 'Change it…' }).click();
    const back = dialog.getByRole('button', { name: 'Back' });
    await page.route('**/edit-parts*', (route) => route.abort());
    await change();
    await dialog.getByText('The fields to change it cannot be loaded').waitFor();
    await page.unroute('**/edit-parts*');
    await back.click();
    const { promise: isHeld, resolve: letGo } = Promise.withResolvers<void>();
    await page.route('**/reveal', async (route) => {
      await isHeld;
      await route.abort();
    });
    await change();
    await dialog.getByText('Reading it…').waitFor();
    expect(await back.evaluate('document.activeElement.textContent')).toBe('Back');
    letGo();
    await dialog.getByText('Clifford cannot be reached').waitFor();
    expect(await dialog.getByText('Reading it…').count()).toBe(0);
    await page.unroute('**/reveal');
    await back.click();
    await change();
    await dialog.getByRole('textbox').waitFor();
  });

  it('says of a command, and of all arguments, what differs from what was asked about', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'execute', { command: 'rm -rf build' });
    const { page, dialog } = await changing(project, { size: 'phone' });
    const lines = (is: string) => dialog.locator(`.diff-line.${is} .diff-text`).allTextContents();
    expect(await lines('added')).toEqual([]);
    await dialog.getByLabel('The command that runs in its place').fill('rm -r build');
    await expect.poll(() => lines('removed')).toEqual(['rm -rf build']);
    expect(await lines('added')).toEqual(['rm -r build']);
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'All fields…' }).click();
    await expect.poll(() => lines('removed')).toEqual(['  "command": "rm -rf build"']);
    expect(await lines('added')).toEqual(['  "command": "rm -r build"']);
  });

  it('takes a line that looks like what stands for a secret for what it is: here is nothing hidden', async () => {
    const { project } = await projectWithSprint();
    const command = 'grep "[redacted]" log.txt\nmake';
    await askOwn(project, 'execute', { command });
    const { dialog } = await changing(project);
    await dialog.getByLabel('The command that runs in its place').fill(`${command} all`);
    const lines = (is: string) => dialog.locator(`.diff-line.${is} .diff-text`).allTextContents();
    await expect.poll(() => lines('added')).toEqual(['make all']);
    expect(await lines('removed')).toEqual(['make']);
  });

  it('has what its agent says of it among its arguments: that is of the call as it was', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'execute', { command: 'rm -rf build', description: 'Removes what was built' });
    const { dialog } = await changing(project);
    const said = dialog.getByRole('group', { name: 'What its agent says' });
    await expect.poll(() => dialog.innerText()).toContain('Removes what was built');
    expect(await said.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Back' }).click();
    await said.getByText('Removes what was built').waitFor();
  });

  it('is compared with the file that it is written over', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n');
    await askOwn(project, 'edit', { path: 'a.txt', content: 'one\n2\nthree\n' });
    const { dialog } = await changing(project);
    await dialog.getByLabel('The new text of a.txt').fill('one\nTWO\nthree\nfour\n');
    const lines = (is: string) => dialog.locator(`.diff-line.${is} .diff-text`).allTextContents();
    await expect.poll(() => lines('added')).toEqual(['TWO', 'four']);
    expect(await lines('removed')).toEqual(['two']);
    expect(await lines('kept')).toEqual(['one', 'three']);
  });

  it('is compared with the file where one line takes the place of all of it, too', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n');
    await askOwn(project, 'edit', { path: join(root, 'a.txt'), content: 'one' });
    const { dialog } = await changing(project);
    const lines = (is: string) => dialog.locator(`.diff-line.${is} .diff-text`).allTextContents();
    // Its last line does not end any more.
    await expect.poll(() => lines('removed')).toEqual(['two', 'three', '']);
    const field = dialog.getByLabel('The new text of a.txt');
    await field.fill('three');
    await expect.poll(() => lines('removed')).toEqual(['one', 'two', '']);
    await field.fill('one\n2');
    await expect.poll(() => lines('added')).toEqual(['2']);
    expect(await lines('removed')).toEqual(['two', 'three', '']);
  });

  it('says what nobody knows of it as it is by then', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'edit', { path: 'a.txt', old_string: 'one', new_string: 'two', files: ['b.txt'] });
    const { dialog } = await changing(project);
    const unclear = dialog.getByText('What this makes of b.txt is not known: only its arguments are shown');
    await unclear.waitFor();
    await dialog.getByRole('button', { name: 'All fields…' }).click();
    const json = dialog.getByLabel('All arguments that it runs with, as JSON');
    await json.fill('{ "path": "a.txt", "old_string": "one", "new_string": "2" }');
    await unclear.waitFor({ state: 'detached' });
    await json.fill('{ "path": "a.txt", "instructions": "make it two" }');
    await expect.poll(() => dialog.getByText('What this makes of a.txt is not known').count()).toBe(1);
  });

  it('has all its fields as JSON for who wants them, and its text again', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project, { path: 'a.txt', content: 'hello\n' });
    const { page, dialog } = await changing(project);
    await dialog.getByLabel('The new text of a.txt').fill('hello\nyou\n');
    await dialog.getByRole('button', { name: 'All fields…' }).click();
    const json = dialog.getByLabel('All arguments that it runs with, as JSON');
    expect(JSON.parse(await json.inputValue())).toEqual({ path: 'a.txt', content: 'hello\nyou\n' });
    await json.fill('{ "path": ');
    await dialog.getByText('This is no JSON object yet').waitFor();
    expect(await dialog.getByRole('button', { name: 'Allow it as changed' }).isDisabled()).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    await json.fill('{ "path": "b.txt", "content": "hello\\nyou\\n" }');
    await dialog.getByRole('button', { name: 'The new text alone' }).click();
    expect(await dialog.getByLabel('The new text of b.txt').inputValue()).toBe('hello\nyou\n');
    await dialog.getByRole('button', { name: 'Back' }).click();
    // What was written is not lost.
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByLabel('The new text of b.txt').waitFor();
    await allow(page);
    await expect
      .poll(() => answerTo(project, id)?.edited?.args)
      .toEqual({ path: 'b.txt', content: 'hello\nyou\n' });
  });

  it('is its command, on as many lines as it has', async () => {
    const { project } = await projectWithSprint();
    const args = { command: 'npm ci &&\nnpm test', timeout: 5 };
    const { id } = await askOwn(project, 'execute', args);
    const { page, dialog } = await changing(project);
    const field = dialog.getByLabel('The command that runs in its place');
    expect(await field.inputValue()).toBe(args.command);
    const send = dialog.getByRole('button', { name: 'Allow it as changed' });
    await field.fill('npm ci');
    await expect.poll(() => send.isDisabled()).toBe(false);
    for (const same of ['  ', args.command]) {
      await field.fill(same);
      await expect.poll(() => send.isDisabled()).toBe(true);
    }
    await field.fill('npm ci\nnpm test -- --run');
    await dialog.getByText('is not as you change it').waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    // As it was asked about it was looked at.
    await dialog.getByRole('button', { name: 'Change it…' }).waitFor();
    expect(await dialog.getByText('is not as you change it').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await field.waitFor();
    await allow(page);
    await expect
      .poll(() => answerTo(project, id)?.edited?.args)
      .toEqual({ command: 'npm ci\nnpm test -- --run', timeout: 5 });
  });

  it('is changed wherever it says the same, with the ends of lines that it has', async () => {
    const { project } = await projectWithSprint();
    const args = {
      filePath: 'a.ts',
      oldString: 'two',
      newString: '2',
      changes: [{ type: 'diff', path: 'a.ts', oldText: 'one\r\ntwo\r\n', newText: 'one\r\n2\r\n' }],
    };
    const { id } = await askOwn(project, 'edit', args);
    const { page, dialog } = await changing(project);
    await dialog.getByLabel('The text in place of the old one in a.ts').fill('II');
    await allow(page);
    await expect
      .poll(() => answerTo(project, id)?.edited?.args)
      .toEqual({
        ...args,
        newString: 'II',
        changes: [{ ...args.changes[0], newText: 'one\r\nII\r\n' }],
      });
  });

  it('is refused by the policy as any other call is, and stays to be changed again', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(
      join(root, 'mcp.json'),
      JSON.stringify({ servers: {}, policy: { agents: { rules: [{ command: 'rm', decision: 'deny' }] } } }),
    );
    const { id } = await askOwn(project, 'execute', { command: 'ls -l' });
    const { page, dialog } = await changing(project, { env: { HOME: root, CLIFFORD_TRUST_PROJECT: '1' } });
    const field = dialog.getByLabel('The command that runs in its place');
    await field.fill('rm -r src');
    await allow(page);
    await dialog.getByText('the policy denies what it is now').waitFor();
    expect(await field.inputValue()).toBe('rm -r src');
    expect(answerTo(project, id)).toBeUndefined();
  });
});
