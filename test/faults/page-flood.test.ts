import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';
import { chromiumPath, startBrowser } from '../web/page/browser.ts';
import { flood, sizeOf } from '../web/page/flood.ts';
import { openServed, servePage } from '../web/page/served-page.ts';

describe.skipIf(chromiumPath === undefined)('the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('does not grow at 500 events a second for a minute', { timeout: 180_000 }, async () => {
    const { project } = await projectWithSprint();
    const agent = { id: 'session-1', client: 'codex' };
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByText('task.started').waitFor();
    await flood(project, { perSecond: 500, seconds: 5 });
    const before = await sizeOf(page);
    await flood(project, { perSecond: 500, seconds: 60 });
    const last = project.state.streams.get('demo')?.version;
    await page.locator(`time[title^="Event ${last},"]`).waitFor();
    const after = await sizeOf(page);
    expect(after.elements).toBeLessThan(before.elements * 1.1);
    expect(after.heapBytes).toBeLessThan(before.heapBytes * 1.5);
  });
});
