import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askStore } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
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
    expect([detail.y, detail.width > 3 * tasks.width]).toEqual([tasks.y, true]);
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

  it('has all tabs of a task in sight on a phone', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a',
      size: 'phone',
    });
    await page.getByRole('tab', { name: 'About' }).waitFor();
    const isCut = `document.querySelector('.tabs').scrollWidth > document.querySelector('.tabs').clientWidth`;
    expect(await page.evaluate(isCut)).toBe(false);
  });
});
