import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { cancelSprint, cancelTask, skipTask } from '../../../src/workflow/sprint/control.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { fact } from '../../helpers/facts.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { makeRepository, withoutGitConfig } from '../../helpers/temp-repository.ts';
import { agent, answerTo, askStore, ben } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a sprint that is over', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each([
    { size: 'desktop', theme: 'light' },
    { size: 'phone', theme: 'dark' },
  ] as const)('says so, and what it took, while the page is open: $size, $theme', async (options) => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    expect(answerTo(project, id)).toBeDefined();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', ...options });
    const end = page.getByRole('region', { name: 'How it ended' });
    await page.getByRole('link', { name: /Task a/ }).waitFor();
    expect(await end.count()).toBe(0);
    await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
    for (const taskId of ['a', 'b'])
      await setTaskStatus(project, { stream: 'demo', taskId, status: 'completed', agent });
    await project.record('demo', [{ ...fact('sprint.completed'), subject: 'demo' }]);
    await end.getByText('The sprint is done', { exact: true }).waitFor();
    await end.getByText('1 question, 0 approvals').waitFor();
    await end.getByText(/^a: .* → A table \(ben\)$/).waitFor();
    expect(await end.getByText(/from start to end$/).count()).toBe(1);
    const report = end.locator('dt', { hasText: 'Report' }).locator('+ dd');
    expect(await report.allTextContents()).toEqual(['clifford report demo']);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('says how much it changed that is in no commit, as the screen does', async () => {
    withoutGitConfig();
    const { root, project } = await projectWithSprint();
    const git = makeRepository(root);
    git.commitAll();
    for (const taskId of ['a', 'b'])
      for (const status of ['active', 'completed'] as const)
        await setTaskStatus(project, { stream: 'demo', taskId, status, agent });
    await project.record('demo', [{ ...fact('sprint.completed'), subject: 'demo' }]);
    git.commitAll();
    git.write({ 'a.txt': 'one\ntwo\n' });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const end = page.getByRole('region', { name: 'How it ended' });
    const files = end.locator('dt', { hasText: 'Files' }).locator('+ dd');
    await expect
      .poll(() => files.allTextContents())
      .toEqual(['no commits were made; uncommitted in the folder, whoever changed it: 1 file, +2 −0']);
  });

  it.each(['desktop', 'phone'] as const)('was cancelled by somebody, and why is said: %s', async (size) => {
    const { project } = await projectWithSprint();
    await skipTask(project, { stream: 'demo', taskId: 'a', by: 'ada', reason: 'Not this week' });
    await cancelTask(project, { stream: 'demo', taskId: 'b', by: 'ada', reason: 'Really too much' });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=b', size });
    await page.locator('.task-head').getByText('by ada: Really too much', { exact: true }).waitFor();
    await page.goto(page.url().replace('&task=b', ''));
    const row = page.locator('.task', { hasText: 'Task b' });
    await row.getByText('by ada: Really too much', { exact: true }).waitFor();
    // Nothing else stands in its line, which it could be read with.
    expect(await row.locator('.task-about').innerText()).not.toContain('too much');
    await cancelSprint(project, { stream: 'demo', by: 'bob', reason: 'We do it otherwise' });
    await page.getByText('The sprint was cancelled by bob: We do it otherwise', { exact: true }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
  });

  it('is no wider than a phone, whatever was said of it', async () => {
    const { project } = await projectWithSprint();
    const reason = `sha256:${'9f86d081'.repeat(40)}`;
    await skipTask(project, { stream: 'demo', taskId: 'a', by: 'ada', reason });
    await cancelSprint(project, { stream: 'demo', by: reason.slice(0, 60), reason });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size: 'phone' });
    const isFit = () => page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    await page.getByText('The sprint was cancelled by').waitFor();
    expect(await isFit()).toBe(true);
    await page.evaluate("location.hash = 's=demo&task=a'");
    await page.locator('.task-head').getByText('by ada').waitFor();
    expect(await isFit()).toBe(true);
  });
});
