import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { answerTo, askOwn, dialogOn } from './asked.ts';
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

  it('is allowed only as it was seen, though the answer is under way', async () => {
    const { project, page, dialog, complaints, ids, write } = await looking(['one\n2\n']);
    // A yes before that is one to its arguments alone.
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

  it('keeps none of several that are allowed together from being seen', async () => {
    const { project, page, dialog, ids, write } = await looking(['one\n2\n', 'one\n3\n']);
    await dialog.getByRole('button', { name: 'All 2 like it…' }).click();
    await expect.poll(removedOn(page)).toEqual(['two', 'two']);
    await page.route('**/questions/approve', async (route) => {
      await write('one\nmine\n');
      await route.continue();
    });
    const allow = dialog.getByRole('button', { name: 'Allow all 2, once each', disabled: false });
    await allow.click();
    await dialog.getByText('a.txt has changed since you saw the call').waitFor();
    expect(ids.map((id) => answerTo(project, id))).toEqual([undefined, undefined]);
    await expect.poll(removedOn(page)).toEqual(['mine', 'mine']);
    await page.unroute('**/questions/approve');
    // With what is said above them their end is out of sight.
    await dialog.getByRole('button', { name: 'Read it to its end first' }).click();
    await allow.click();
    await expect
      .poll(() => ids.map((id) => answerTo(project, id)?.verdict))
      .toEqual(['approved', 'approved']);
  });
});
