import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what a task says', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    ['>', 90],
    ['-', 45],
    ['> -', 30],
    // Deeper than a parser goes.
    ['>', 150],
    ['1.', 150],
  ])('stays within the page however deep it is nested: %s, %s times', async (mark, depth) => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), `${`${mark} `.repeat(depth)}the deepest\n`);
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo&task=a', size: 'phone' });
    await page.getByText('the deepest').last().waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
  });

  it('is what is shown first of one that nobody has begun, as it reads, and has a tab of its own', async () => {
    const { root, project } = await projectWithSprint();
    const text = '# The **store**\n\n- [x] one\n- [ ] two\n\n<img src=x onerror="document.title = 1">\n';
    await writeFile(join(root, 'sprints/demo/a.md'), text);
    const { page, complaints } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a',
    });
    const panel = page.getByRole('tabpanel', { name: 'Task' });
    await page.getByRole('heading', { name: 'The store' }).waitFor();
    await panel.getByRole('listitem').first().waitFor();
    expect(await panel.getByRole('listitem').allTextContents()).toEqual(['one', 'two']);
    // What stands above it is not said once more.
    expect(await panel.getByRole('heading').count()).toBe(0);
    const boxes = panel.getByRole('checkbox', { disabled: true });
    const ticked = (await boxes.all()).map((box) => box.isChecked());
    expect(await Promise.all(ticked)).toEqual([true, false]);
    expect(await panel.locator('img').count()).toBe(0);
    expect(await panel.getByText('<img src=x').count()).toBe(1);
    await panel.getByText('a.md').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await page.getByRole('tabpanel', { name: 'Output' }).waitFor();
    await page.getByRole('tab', { name: 'Task' }).click();
    await panel.getByText('one', { exact: true }).waitFor();
    // Whoever comes back from writing it sees what it says now.
    await writeFile(join(root, 'sprints/demo/a.md'), '# Another one\n');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await panel.getByRole('heading', { name: 'Another one' }).waitFor();
    await writeFile(join(root, 'sprints/demo/a.md'), '# The **store**\n');
    await page.evaluate("dispatchEvent(new Event('focus'))");
    await panel.getByText('nothing but its title').waitFor();
    expect(complaints).toEqual([]);
  });

  it('reads on where its editor has wrapped a line, and breaks where it says so', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), 'Keys are kept\nin a table,\\\nor a column.\n');
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    const text = page.getByRole('tabpanel', { name: 'Task' }).locator('.prose p');
    await text.waitFor();
    expect((await text.innerText()).split('\n')).toEqual(['Keys are kept in a table,', 'or a column.']);
  });

  it('says where a link leads by the name that machines have, whatever it looks like', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), 'See [it](https://bücher.example/ä) and **„so“**.\n');
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    const text = page.getByRole('tabpanel', { name: 'Task' }).locator('.prose p');
    await text.waitFor();
    expect(await text.innerText()).toBe('See it (https://xn--bcher-kva.example/%C3%A4) and „so“.');
  });

  it('says of every link where this browser would go', async () => {
    const { root, project } = await projectWithSprint();
    const written = [
      '<https://a.example>',
      '[https://a.example](https://a.example)',
      '[b](https://good.example\\\\@bad.example/%41%zz)',
      '<ada@a.example>',
      '[c](https://a.example/&#x202e;gpj)',
      '[d](../e&#x202e;/ä%20.md)',
    ];
    await writeFile(join(root, 'sprints/demo/a.md'), written.map((link) => `- ${link}\n`).join(''));
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    const list = page.getByRole('tabpanel', { name: 'Task' }).locator('.prose ul');
    await list.waitFor();
    expect((await list.innerText()).split('\n')).toEqual([
      'https://a.example',
      'https://a.example',
      'b (https://good.example/@bad.example/%41%zz)',
      'ada@a.example (mailto:ada@a.example)',
      'c (https://a.example/%E2%80%AEgpj)',
      'd (../e%E2%80%AE/%C3%A4%20.md)',
    ]);
    const links = await list.locator('a').all();
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://a.example',
      'https://a.example',
      'https://good.example/@bad.example/%41%zz',
      'mailto:ada@a.example',
      'https://a.example/%E2%80%AEgpj',
    ]);
  });

  it('is told of the past as it is now', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), '# The store\n');
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=task&at=1',
      size: 'phone',
    });
    await page.getByRole('heading', { name: 'The store' }).last().waitFor();
    expect(await page.locator('.task-file').textContent()).toBe(
      'a.md, as it is now: what it said then is not recorded',
    );
  });
});
