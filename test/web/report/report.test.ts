import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { clifford } from '../../helpers/clifford-process.ts';
import { fact } from '../../helpers/facts.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askOwn, askStore, ben } from '../page/asked.ts';
import { barriersOn, chromiumPath, openPage, startBrowser } from '../page/browser.ts';

describe.skipIf(chromiumPath === undefined)('a report in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** The report of a sprint with a task that failed, an answer and a call that waits. */
  async function openReport(options: Parameters<typeof openPage>[1]) {
    const { root, project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    await project.record('demo', [
      { ...fact('task.failed', { reason: 'No such table' }), subject: 'demo/a' },
    ]);
    await askOwn(project, 'edit', { file_path: 'a.ts', old_string: 'before', new_string: 'after' });
    await askOwn(project, 'execute', { command: 'npm test\nnpm publish' });
    expect(await clifford(['report', '--output', 'demo-report.html'], { cwd: root })).toMatchObject({
      code: 0,
      err: '',
    });
    const { page, complaints } = await openPage(browser, options);
    const loaded: string[] = [];
    page.on('request', (request) => loaded.push(request.url()));
    const { href } = pathToFileURL(join(root, 'demo-report.html'));
    await page.goto(href);
    return { page, complaints, loaded, href };
  }

  it.each([
    { size: 'desktop', theme: 'light' },
    { size: 'phone', theme: 'dark' },
  ] as const)('can be read by everybody, and loads nothing: $size, $theme', async (options) => {
    const { page, complaints, loaded, href } = await openReport(options);
    await page.getByRole('heading', { name: 'Sprint demo' }).waitFor();
    await page
      .getByText(/No such table/)
      .first()
      .waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
    expect(loaded).toEqual([href]);
    expect(complaints).toEqual([]);
  });

  it('has behind a fold what was asked, which opens without a script, and is printed', async () => {
    const { page } = await openReport({});
    const reason = page.getByText('Both would work', { exact: true });
    expect(await reason.isVisible()).toBe(false);
    await page.getByText('Which store keeps the keys?', { exact: true }).first().click();
    await reason.waitFor();
    await page.getByText('Which store keeps the keys?', { exact: true }).first().click();
    expect(await reason.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    await reason.waitFor();
  });

  it('has a form as the page has it, and commits by their titles', async () => {
    const { root, project } = await projectWithSprint();
    const questions = [
      {
        title: 'The **store**',
        question: 'Where are `keys` kept?',
        options: [{ label: 'A `table`', description: 'It is **fast**' }, { label: 'A file' }],
      },
    ];
    const { id } = await ask(project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      task: 'a',
      question: 'Before I *begin*',
      questions,
    });
    await answerRequest(project, id, { answers: [{ question: 0, options: [0] }], ...ben });
    const data = { sha: 'a'.repeat(40), files: ['a.ts'], attempt: 1, title: 'Keep the keys' };
    await project.record('demo', [{ type: 'task.committed', subject: 'demo/a', data }]);
    await clifford(['report', '--output', 'demo-report.html'], { cwd: root });
    const { page } = await openPage(browser, { size: 'phone' });
    await page.goto(pathToFileURL(join(root, 'demo-report.html')).href);
    await page.locator('summary').first().click();
    const form = page.locator('.report-form');
    expect(await form.innerText()).toMatch(
      /The store.*Where are keys kept\?.*A `table`.*It is \*\*fast\*\*.*A file/s,
    );
    expect(await form.locator('strong, code').allInnerTexts()).toEqual(['store', 'keys']);
    expect(await page.locator('.report-commits').innerText()).toMatch(
      /aaaaaaaaaaaa\s+Keep the keys\s+a · 1 file/,
    );
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('has all the sheets that the page has for what is in it', async () => {
    const { page } = await openReport({});
    const look = join(import.meta.dirname, '../../../src/web/page/look');
    const namesIn = (sheet: string) =>
      [...sheet.matchAll(/\.([a-z][\w-]*)(?=[^{}]*\{)/gi)].map(([, name = '']) => name);
    const sheets = await Promise.all((await readdir(look)).map((file) => readFile(join(look, file), 'utf8')));
    const own = new Set(namesIn(await page.evaluate<string>("document.querySelector('style').textContent")));
    const used = new Set(
      await page.evaluate<string[]>(
        "[...document.querySelectorAll('[class]')].flatMap((one) => [...one.classList])",
      ),
    );
    expect(used.size).toBeGreaterThan(30);
    expect(sheets.flatMap(namesIn).filter((name) => used.has(name) && !own.has(name))).toEqual([]);
  });

  it('looks as the page does: of the same sheets', async () => {
    const { page } = await openReport({ theme: 'dark' });
    const ground = (element: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${element}')).backgroundColor`);
    expect(await ground('html')).toBe('rgb(12, 13, 16)');
    expect(await ground('.card')).toBe('rgb(20, 22, 26)');
    const style = (element: string, name: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${element}')).${name}`);
    // Of each sheet something that the browser would not do by itself.
    expect(await style('.badge', 'borderRadius')).toBe('99px');
    expect(await style('.facts', 'display')).toBe('grid');
    expect(await style('.progress', 'display')).toBe('flex');
    expect(await style('.prose', 'overflowWrap')).toBe('anywhere');
    expect(await style('.exact', 'whiteSpace')).toBe('pre-wrap');
    expect(await style('.diff-line', 'display')).toBe('flex');
  });
});
