import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allPanes } from '../../../src/tui/panes/all-panes.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askStore } from './asked.ts';
import { chromiumPath, sizes, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a sprint on a large screen', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has its tasks across all of the room, a line each, and what happens below, until one is looked at', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const box = async (selector: string) => {
      const found = await page.locator(selector).first().boundingBox();
      if (!found) throw new Error(`${selector} is not drawn`);
      return found;
    };
    for (const width of [1_280, 1_600]) {
      await page.setViewportSize({ width, height: 900 });
      const [columns, tasks, detail] = [
        await box('.columns'),
        await box('.tasks'),
        await box('.column-detail'),
      ];
      expect([tasks.width, detail.width]).toEqual([columns.width, columns.width]);
      expect(detail.y).toBeGreaterThan(tasks.y + tasks.height);
      expect((await box('.task')).height).toBeLessThan(50);
    }
    await page.locator('.task').first().click();
    await page.getByRole('tab', { name: 'Task' }).waitFor();
    const [tasks, detail] = [await box('.tasks'), await box('.column-detail')];
    expect([detail.y, detail.width > 2.5 * tasks.width]).toEqual([tasks.y, true]);
  });

  it.each([320, 360, 390, 700])('has all of a menu in sight on %i pixels', async (width) => {
    const { project } = await projectWithSprint();
    const server = await servePage(project, { hasRunner: true });
    const { page } = await openServed(browser, server, { place: 's=demo', size: 'phone' });
    await page.setViewportSize({ width, height: 640 });
    await page.locator('summary').click();
    const seen = await page.getByRole('button', { name: 'Cancel the sprint' }).boundingBox();
    if (!seen) throw new Error('not seen');
    expect([seen.x >= 0, seen.x + seen.width <= width]).toEqual([true, true]);
  });

  it('scrolls its tasks within their frame, and says how many are below', async () => {
    const { project } = await projectWithSprint({
      tasks: Array.from({ length: 17 }, (_, at) => `task-${at}`),
    });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const more = page.getByText(/^\d+ more tasks?$/);
    await more.waitFor();
    const edges = (selector: string) =>
      page.evaluate<number[]>(
        `[...document.querySelectorAll('${selector}')].map((each) => each.getBoundingClientRect().bottom)`,
      );
    const [[frame = 0], [list = 0], rows] = [
      await edges('.tasks'),
      await edges('.task-list'),
      await edges('.task-list > li'),
    ];
    expect([frame > list, list > 0]).toEqual([true, true]);
    expect(await more.textContent()).toBe(`${rows.filter((bottom) => bottom > list + 1).length} more tasks`);
    await page.locator('.task').last().scrollIntoViewIfNeeded();
    await more.waitFor({ state: 'detached' });
    expect(await edges('.tasks')).toEqual([frame]);
    await page.setViewportSize({ width: 1_440, height: 2_000 });
    await page.evaluate('document.querySelector(".task-list").scrollTo(0, 0)');
    const height = await page.evaluate<number[]>(
      `(({ scrollHeight, clientHeight }) => [scrollHeight, clientHeight])(document.querySelector('.task-list'))`,
    );
    expect([height[0] === height[1], await more.count()]).toEqual([true, 0]);
  });

  it.each([
    [1_280, 900],
    [1_366, 500],
    [820, 640],
  ])(
    'has the task that is open in sight, and says what of those below waits or has failed: %i by %i',
    async (width, height) => {
      const tasks = Array.from({ length: 30 }, (_, at) => `task-${at}`);
      const { project } = await projectWithSprint({ tasks });
      const place = 's=demo&task=task-20';
      const { page } = await openServed(browser, await servePage(project, { hasRunner: true }), { place });
      await page.setViewportSize({ width, height });
      await page.reload();
      await page.locator('.task[aria-current]').waitFor();
      /** Those of which some part is not to be seen. */
      const unseen = (wanted: readonly string[]) =>
        page.evaluate<string[]>(`${JSON.stringify(wanted)}.filter((id) => {
        const row = document.querySelector('[data-task=' + id + ']');
        const { left, top, bottom } = row.getBoundingClientRect();
        return [top + 2, bottom - 2].some((y) => !row.contains(document.elementFromPoint(left + 30, y)));
      })`);
      await expect.poll(() => unseen(['task-20'])).toEqual([]);
      await page.locator('.tasks-more', { hasText: /^\d+ more tasks$/ }).waitFor();
      for (const [event, task] of [
        ['task.started', 'task-28'],
        ['task.failed', 'task-28'],
        ['task.started', 'task-29'],
      ] as const)
        await project.record('demo', [on(`demo/${task}`, event)]);
      await page.locator('.tasks-more', { hasText: /^\d+ more tasks · 1 failed · 1 active$/ }).waitFor();
      // Each is to be seen where the keyboard is at it.
      for (const task of ['task-0', 'task-13', 'task-29']) {
        await page.locator(`[data-task=${task}]`).focus();
        await expect.poll(() => unseen([task])).toEqual([]);
      }
      await page.evaluate(`location.hash = 's=demo&task=task-2'`);
      await expect.poll(() => unseen(['task-2'])).toEqual([]);
      expect(await page.evaluate('scrollY')).toBe(0);
    },
  );

  it('says in one piece since when a question waits, and has the way to what it shows as high as a finger', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo', size: 'phone' });
    const since = page.locator('.asked-for');
    await since.waitFor();
    expect(await since.textContent()).toMatch(/^waits \d+ s$/);
    expect((await since.boundingBox())?.height).toBeLessThan(20);
    const who = await page.locator('.asked-who').boundingBox();
    expect((who?.x ?? 0) + (who?.width ?? Infinity)).toBeLessThanOrEqual(sizes.phone.width);
    await page.keyboard.press('Escape');
    await page.locator('.skip').focus();
    expect((await page.locator('.skip').boundingBox())?.height).toBeGreaterThanOrEqual(44);
  });

  it('cuts none of what chooses among events, however narrow it is', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=b&view=events',
    });
    await page.setViewportSize({ width: 1_040, height: 800 });
    await page.getByRole('button', { name: 'What matters' }).waitFor();
    const isCut = `[...document.querySelectorAll('.event-filter, .tabs')].some((row) => row.scrollWidth > row.clientWidth)`;
    expect(await page.evaluate(isCut)).toBe(false);
  });

  it('names no task in the events of one, and all in those of the sprint', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=events',
    });
    await page.locator('.event-title').first().waitFor();
    expect(await page.locator('.event-task').count()).toBe(0);
    await page.evaluate("location.hash = 's=demo'");
    await expect.poll(() => page.locator('.event-task').allTextContents()).toContain('a');
  });

  it('has its tasks in rows on a tablet, too, and the whole room for what is looked at on a phone', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), `# a\n\n\`\`\`ts\n${'wide '.repeat(40)}\n\`\`\`\n`);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size: 'tablet' });
    const isWhole = `document.querySelector('.tasks').clientWidth > 0.9 * document.querySelector('.columns').clientWidth`;
    await expect.poll(() => page.evaluate(isWhole)).toBe(true);
    await page.setViewportSize(sizes.phone);
    await page.evaluate("location.hash = 's=demo&task=a&view=task'");
    await page.locator('.task-text pre').waitFor();
    const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
    expect(await page.evaluate(isWide)).toBe(false);
  });

  it('has the tabs of a task in the order of the panes of the terminal', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    await page.getByRole('tab', { name: 'About' }).waitFor();
    const tabs = await page.getByRole('tab').allTextContents();
    const panes = allPanes.map(({ title }) => title);
    expect(panes.filter((title) => tabs.includes(title))).toEqual(
      tabs.filter((name) => panes.includes(name)),
    );
    expect(tabs.filter((name) => !panes.includes(name))).toEqual(['About']);
  });

  it('has the tab that is looked at in sight on a phone, and the first as far in as what is below', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=about',
      size: 'phone',
    });
    const edges = (name: string) => page.evaluate<[number, number]>(wordOf(name));
    await page.getByRole('tab', { name: 'About' }).waitFor();
    const [left, right] = await edges('About');
    expect(left).toBeGreaterThan(0);
    expect(Math.floor(right)).toBeLessThanOrEqual(sizes.phone.width - 16);
    await page.evaluate("location.hash = 's=demo&task=a&view=output'");
    await expect.poll(async () => (await edges('Output'))[0]).toBeCloseTo(16, 0);
  });

  it('names each task by its id, too, as questions and events do', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/a.md'), '# The store\n');
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByRole('link', { name: 'The store a' }).click();
    const heading = page.getByRole('heading', { name: 'The store a' });
    await heading.waitFor();
    expect(await heading.locator('.task-id').textContent()).toBe('a');
  });
});

/** Where the word of a tab begins and ends, to be evaluated. */
function wordOf(tab: string): string {
  return `(() => {
    const range = document.createRange();
    range.selectNodeContents([...document.querySelectorAll('.tab')].find((tab) => tab.textContent === '${tab}'));
    const { left, right } = range.getBoundingClientRect();
    return [left, right];
  })()`;
}
