import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SentQuestion } from '../../../src/web/api/question.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { answerTo, askOwn, dialogOn, readUntil } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a file that changes while its call is looked at', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** A project whose `a.txt` has these lines, and the page of it. */
  async function looking(calls: readonly string[]) {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write('one\ntwo\n');
    const asked = await Promise.all(
      calls.map((content) => askOwn(project, 'edit', { path: 'a.txt', content })),
    );
    const ids = asked.map(({ id }) => id);
    const { page, complaints } = await openServed(browser, await servePage(project), {
      place: `s=demo&q=${ids[0]}`,
    });
    return { project, page, dialog: dialogOn(page), complaints, ids, write };
  }

  const removedOn = (page: Page) => () => page.locator('.diff-line.removed .diff-text').allTextContents();

  it('is shown anew, and read anew', async () => {
    const { page, dialog, write } = await looking(['one\n2\n']);
    await dialog.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    expect(await dialog.getByText('A file has changed meanwhile').count()).toBe(0);
    await write(`one\nmine\n${'more\n'.repeat(60)}`);
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await expect.poll(async () => (await removedOn(page)()).slice(0, 2)).toEqual(['mine', 'more']);
    // Its end is out of sight now.
    await dialog.getByRole('button', { name: 'Read it to its end first' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
  });

  it('is shown anew also where the agent shows a diff beside all that it writes', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write('one\ntwo\n');
    const part = { type: 'diff', path: 'a.txt', oldText: 'one\ntwo\n', newText: 'one\n2\n' };
    const { id } = await askOwn(project, 'edit', { path: 'a.txt', content: 'one\n2\n', changes: [part] });
    const { page } = await openServed(browser, await servePage(project), { place: `s=demo&q=${id}` });
    await expect.poll(removedOn(page)).toEqual(['two']);
    await write('one\ntwo\nmine\n');
    await dialogOn(page).getByText('A file has changed meanwhile').waitFor();
    await expect.poll(removedOn(page)).toEqual(['two', 'mine']);
  });

  it('is allowed only as it was seen, though the answer is under way', async () => {
    const { project, page, dialog, complaints, ids, write } = await looking(['one\n2\n']);
    await expect.poll(removedOn(page)).toEqual(['two']);
    await page.route('**/approve', async (route) => {
      await write('one\nmine\n');
      await route.continue();
    });
    const allow = dialog.getByRole('button', { name: 'Allow once', disabled: false });
    await allow.click();
    await dialog.getByText('a.txt has changed since you saw the call').waitFor();
    expect(answerTo(project, ids[0] ?? '')).toBeUndefined();
    await expect.poll(removedOn(page)).toEqual(['mine']);
    await page.unroute('**/approve');
    await allow.click();
    await expect.poll(() => answerTo(project, ids[0] ?? '')).toMatchObject({ verdict: 'approved' });
    expect(complaints).toEqual([]);
  });

  it('is not allowed before it was compared, and can be denied meanwhile', async () => {
    const { project, page, dialog, ids, write } = await looking(['one\n2\n']);
    const isCompared = await holdComparison(page);
    const allow = dialog.getByRole('button', { name: 'Allow once' });
    await dialog.getByRole('status').getByText('Comparing files…').waitFor();
    expect(await dialog.getByText('Comparing files…').count()).toBe(1);
    expect(await removedOn(page)()).toEqual([]);
    // Whoever has it before their eyes for so long may decide, were it all there.
    await page.clock.fastForward(1_000);
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await allow.click({ force: true });
    expect(
      await dialog.getByRole('button', { name: 'Allow for longer…' }).getAttribute('aria-disabled'),
    ).toBe('true');
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Deny…' }).click();
    await dialog.getByRole('button', { name: 'Deny', exact: true, disabled: false }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    isCompared();
    await write('one\nmine\n');
    await expect.poll(removedOn(page)).toEqual(['mine']);
    expect(await dialog.getByText('Comparing files…').count()).toBe(0);
    expect(answerTo(project, ids[0] ?? '')).toBeUndefined();
    await dialog.getByRole('button', { name: 'Allow once', disabled: false }).click();
    await expect.poll(() => answerTo(project, ids[0] ?? '')).toMatchObject({ verdict: 'approved' });
  });

  it('is not allowed with others before each of them was compared', async () => {
    const { project, page, dialog, ids, write } = await looking(['one\n2\n', 'one\n3\n']);
    const isCompared = await holdComparison(page, ids[1]);
    await dialog.getByRole('button', { name: 'Both like it…' }).click();
    await expect.poll(removedOn(page)).toEqual(['two']);
    const allow = dialog.getByRole('button', { name: 'Allow both, once each' });
    const readToEnd = () => page.evaluate("document.querySelector('.modal-body').scrollTo({ top: 1e6 })");
    await readToEnd();
    await page.clock.fastForward(1_000);
    expect(await allow.getAttribute('aria-disabled')).toBe('true');
    await allow.click({ force: true });
    isCompared();
    await write('one\nmine\n');
    await expect.poll(removedOn(page)).toEqual(['mine', 'mine']);
    expect(ids.map((id) => answerTo(project, id))).toEqual([undefined, undefined]);
    await readUntil(dialog, allow);
    await allow.click();
    await expect
      .poll(() => ids.map((id) => answerTo(project, id)?.verdict))
      .toEqual(['approved', 'approved']);
  });

  it('says that it could not be compared, and can be allowed all the same', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'a.txt'), 'one\ntwo\n');
    const { id } = await askOwn(project, 'edit', { path: 'a.txt', content: 'one\n2\n' });
    const hideSecrets = () => {
      throw new Error('The secrets cannot be read');
    };
    const as: Project['as'] = (source) =>
      Object.create(project.as(source), { hideSecrets: { value: hideSecrets } });
    const server = await servePage(Object.create(project, { as: { value: as } }));
    const { page } = await openServed(browser, server, { place: `s=demo&q=${id}` });
    const dialog = dialogOn(page);
    await dialog.getByText('Its files could not be compared.').waitFor();
    await dialog.getByText('not compared with what is there, as it could not be read').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Allow once', disabled: false }).click();
    await expect.poll(() => answerTo(project, id)).toMatchObject({ verdict: 'approved' });
  });

  it('is shown once where a patch changes it, and where nobody knows what a call makes of it that is said', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'a.txt'), 'one\ntwo\nthree\n');
    const patch =
      '*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+2\n@@ add()\n-three\n+3\n*** End Patch';
    const known = await askOwn(project, 'edit', { input: patch });
    const unclear = await askOwn(project, 'edit', { target_file: 'a.txt', code_edit: '// …\n2' });
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: `s=demo&q=${known.id}` });
    await expect.poll(removedOn(page)).toEqual(['two', 'three']);
    // What the patch says of where that is, too.
    expect(await dialogOn(page).locator('.diff-place').allTextContents()).toEqual(['@@ add()']);
    // It is behind a fold: each of its characters stands above.
    const again = dialogOn(page).getByText('Shown above: input');
    await again.click();
    await dialogOn(page)
      .getByText(/^the text above, \d+ characters$/)
      .waitFor();
    expect(await dialogOn(page).getByText('Begin Patch').count()).toBe(0);
    const other = await openServed(browser, server, { place: `s=demo&q=${unclear.id}` });
    const dialog = dialogOn(other.page);
    await dialog.getByText('What this makes of a.txt is not known: only its arguments are shown').waitFor();
    expect(await barriersOn(other.page)).toEqual([]);
    await symlink('a.txt', join(root, 'link.txt'));
    const linked = await askOwn(project, 'read', { path: 'link.txt' });
    const third = dialogOn((await openServed(browser, server, { place: `s=demo&q=${linked.id}` })).page);
    await third.getByText('a link leads to a.txt').waitFor();
    await third.getByRole('heading', { name: 'Allow this?' }).waitFor();
  });

  it('keeps none of several that are allowed together from being seen', async () => {
    const { project, page, dialog, ids, write } = await looking(['one\n2\n', 'one\n3\n']);
    await dialog.getByRole('button', { name: 'Both like it…' }).click();
    await expect.poll(removedOn(page)).toEqual(['two', 'two']);
    await page.route('**/questions/approve', async (route) => {
      await write('one\nmine\n');
      await route.continue();
    });
    const allow = dialog.getByRole('button', { name: 'Allow both, once each' });
    await allow.click();
    await dialog.getByText('a.txt has changed since you saw the call').waitFor();
    expect(ids.map((id) => answerTo(project, id))).toEqual([undefined, undefined]);
    await expect.poll(removedOn(page)).toEqual(['mine', 'mine']);
    await page.unroute('**/questions/approve');
    // With what is said above them their end is out of sight.
    await dialog.getByRole('button', { name: 'Read it to its end first' }).waitFor();
    await readUntil(dialog, allow);
    await allow.click();
    await expect
      .poll(() => ids.map((id) => answerTo(project, id)?.verdict))
      .toEqual(['approved', 'approved']);
  });
});

/** Has the page told of questions, or of one of them, as they are before they were compared, until that is let go. */
async function holdComparison(page: Page, only?: string): Promise<() => void> {
  let isHeld = true;
  await page.clock.install();
  await page.route(/\/api\/questions(?:\/[^/]+)?$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as SentQuestion | { questions: SentQuestion[] };
    const held = (question: SentQuestion) =>
      only === undefined || question.id === only ? uncompared(question) : question;
    const json =
      'questions' in body && !('id' in body)
        ? { questions: body.questions.map(held) }
        : held(body as SentQuestion);
    await route.fulfill({ response, json: isHeld ? json : body });
  });
  await page.reload();
  return () => (isHeld = false);
}

function uncompared({ call, ...question }: SentQuestion) {
  const changes = call?.changes.map(({ path, how }) => ({ path, how, lines: [] }));
  return { ...question, call: { ...call, changes }, seen: undefined, comparison: 'pending' };
}
