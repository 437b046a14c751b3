import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { fact } from '../../helpers/facts.ts';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { agent, askStore, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what waits in a sprint', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is a part of the bar of its sprint, in the list of all as well', async () => {
    const { project } = await projectWithSprint({ tasks: ['a', 'b', 'c', 'd'] });
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    const shown = () =>
      page.evaluate(
        `[...document.querySelectorAll('.progress > span')].map((one) => [one.className, one.style.width])`,
      );
    await page.getByText('0 of 4 tasks done · 1 blocked').waitFor();
    expect(await shown()).toEqual([['part-wait', '25%']]);
    // It has an edge in its colour, and is not full of it: that would read as done.
    const [ground, edge] = await page.evaluate<[string, string]>(`(() => {
      const { backgroundColor, boxShadow } = getComputedStyle(document.querySelector('.part-wait'));
      return [backgroundColor, boxShadow];
    })()`);
    expect([edge.includes('inset'), edge.includes(ground)]).toEqual([true, false]);
    await page.getByRole('link', { name: 'What waits' }).click();
    await page.getByRole('heading', { name: 'What waits' }).waitFor();
    expect(await shown()).toEqual([['part-wait', '25%']]);
  });

  it('has a heading, is what is amber alone, and has the tasks in columns below it', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'a', agent, reason: 'no' });
    await project.record('demo', [{ ...fact('sprint.failed'), subject: 'demo' }]);
    await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Which?' });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'What waits for you' }).waitFor();
    // `failed` and `pending` begin below each other.
    const words = await page.locator('.task-about > :first-child').all();
    const boxes = await Promise.all(words.map((word) => word.boundingBox()));
    expect(boxes).toHaveLength(2);
    expect(new Set(boxes.map((box) => box?.x)).size).toBe(1);
    await page.locator('.copy-line').waitFor();
    expect(await page.locator('.notice.tone-wait').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('stands before who runs the sprint, and says that each of it leads somewhere', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const server = await servePage(project);
    for (const size of ['desktop', 'phone'] as const) {
      const { page } = await openServed(browser, server, { place: 's=demo', size });
      await dialogOn(page).waitFor();
      await page.keyboard.press('Escape');
      const [waits, runs] = [page.locator('.inbox.is-here'), page.locator('.copy-line')];
      const [above, below] = [await waits.boundingBox(), await runs.boundingBox()];
      expect((above?.y ?? Infinity) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      const row = await waits.locator('.inbox-item').boundingBox();
      const sign = await waits.locator('.inbox-item > svg').boundingBox();
      const time = await waits.locator('time').boundingBox();
      if (!row || !sign || !time) throw new Error('not seen');
      expect(sign.x).toBeGreaterThanOrEqual(time.x + time.width);
      expect(sign.x + sign.width).toBeLessThanOrEqual(row.x + row.width);
    }
  });

  it('is as loud as the worst of it, in the side and beside its task, and names what else it may lead to', async () => {
    const { project } = await projectWithSprint();
    const args = { command: 'rm -rf dist && git push' };
    const call = { ...approval, server: '@claude', isOwn: true, tool: 'execute' } as const;
    const askFor = (of: string, risks: Partial<Approval>) =>
      askApproval(project, {
        stream: 'demo',
        taskId: of,
        agent,
        approval: { ...call, ...risks, args, callDigest: digestOf([of, risks]) },
      });
    await askFor('a', { sends: true });
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo' });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    const count = page.locator('.side-link .count').last();
    expect(await count.getAttribute('class')).toBe('count number tone-bad');
    await askFor('b', { sends: true, destroys: true });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.count.risk-worst').nth(2).waitFor();
    expect(await count.innerText()).toMatch(/^2\s*wait, risk high$/);
    const badges = page.locator('.inbox .badge');
    const looks = await Promise.all((await badges.all()).map((badge) => badge.getAttribute('class')));
    expect(looks).toEqual(['badge tone-bad risk-worst risk-high', 'badge tone-bad risk-high']);
    const shown = (of: string) => badges.first().locator(of);
    expect(await shown('.badge-others').innerText()).toBe(', sends something out');
    expect(await shown('.badge-more').isVisible()).toBe(false);
    expect(await barriersOn(page)).toEqual([]);
    await page.setViewportSize({ width: 390, height: 740 });
    expect(await shown('.badge-more').innerText()).toBe(' +1');
    expect(await badges.first().getAttribute('title')).toBe('Risk: high (may destroy, sends something out)');
    expect(await barriersOn(page)).toEqual([]);
  });

  /** Five questions, the last of them about task `b`, and the page at a task, with none of them open. */
  const atTask = async (task: string, size: 'desktop' | 'phone') => {
    const { project } = await projectWithSprint();
    for (const [at, of] of ['a', 'a', 'a', 'a', 'b'].entries())
      await ask(project, {
        stream: 'demo',
        agent,
        kind: 'clarification',
        task: of,
        question: `Number ${at}?`,
      });
    const place = `s=demo&task=${task}`;
    const { page } = await openServed(browser, await servePage(project), { place, size });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    await dialogOn(page).waitFor({ state: 'detached' });
    return { page, list: page.getByRole('list', { name: 'What waits for you' }) };
  };

  it('is in the head of a task what it asks itself, all of it, and is marked in the list for the others', async () => {
    const { page, list } = await atTask('b', 'desktop');
    const task = page.getByRole('region', { name: 'Task b' });
    await task.getByRole('list', { name: 'What waits for you' }).waitFor();
    expect(await list.count()).toBe(1);
    expect(await list.locator('.inbox-title').allTextContents()).toEqual(['Number 4?']);
    expect(await list.getByRole('link').innerText()).toContain('Answer…');
    // All that is said of one is in a row.
    const parts = await list.locator('li').first().locator('.inbox-title, .badge, time').all();
    const middles = await Promise.all(
      parts.map(async (part) => {
        const box = await part.boundingBox();
        return box ? box.y + box.height / 2 : NaN;
      }),
    );
    expect(middles).toHaveLength(3);
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4);
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('link', { name: /Task a/ }).click();
    await page.getByRole('region', { name: 'Task a' }).getByText('Number 3?').waitFor();
    expect(await list.locator('.inbox-title').count()).toBe(4);
  });

  it('is counted on the way back on a phone, where it is not of the task', async () => {
    const { page, list } = await atTask('b', 'phone');
    await page.getByRole('link', { name: 'All tasks · 4 wait for you' }).waitFor();
    expect(await list.getByRole('link').count()).toBe(1);
  });

  it('is counted on the way to all sprints, where it is of another one, and no list of them is beside it', async () => {
    const { project } = await projectWithSprint();
    const place = 's=demo&task=a';
    const { page } = await openServed(browser, await servePage(project), { place, size: 'phone' });
    await page.getByRole('link', { name: 'All tasks' }).click();
    await page.getByRole('link', { name: 'All sprints', exact: true }).waitFor();
    await ask(project, { stream: 'adhoc', agent, kind: 'help', question: 'Which port?' });
    const back = page.getByRole('link', { name: 'All sprints · 1 waits elsewhere' });
    await back.waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    await page.setViewportSize({ width: 900, height: 740 });
    await back.click();
    await page.locator('.inbox-item').getByText('Which port?').waitFor();
  });

  it.each([
    ['a', true],
    ['customer-portal-invoice-list-and-downloads', false],
  ])('says on a phone where it waits, and first of all in which task: %s', async (task, isWhole) => {
    const manifest = { name: 'Bill customers in twelve countries, each in its own language' };
    const { project } = await projectWithSprint({ tasks: [task], manifest });
    await ask(project, { stream: 'demo', agent, kind: 'clarification', task, question: 'Which one?' });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    await dialogOn(page).waitFor({ state: 'detached' });
    await page.evaluate("location.hash = ''");
    await page.locator('.cards').waitFor();
    const item = page.locator('.inbox-item');
    const [of, time] = [item.locator('.inbox-place > *').last(), item.locator('time')];
    expect(await of.innerText()).toBe(`/ ${task}`);
    const [ofBox, timeBox] = [await of.boundingBox(), await time.boundingBox()];
    const itemBox = await item.boundingBox();
    expect(ofBox?.y ?? 0).toBeGreaterThan((timeBox?.y ?? Infinity) + (timeBox?.height ?? 0) - 1);
    expect((ofBox?.x ?? Infinity) + (ofBox?.width ?? 0)).toBeLessThan(
      (itemBox?.x ?? 0) + (itemBox?.width ?? 0),
    );
    const isCut = `(([part]) => part.scrollWidth > part.clientWidth)([...document.querySelectorAll('.inbox-place > *')].slice(-1))`;
    expect(await page.evaluate(isCut)).toBe(!isWhole);
  });
});
