import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../../../src/workflow/project/project.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const patch = '*** Begin Patch\n*** Update File: a.ts\n@@ add()\n-one\n+two\n*** End Patch';

/** Two calls of the task `a`: one that is done, and one that a human denied. */
const recordCalls = (project: Project) =>
  project.record('demo', [
    on('demo/a', 'tool.requested', {
      callId: 'c-1',
      server: '@codex',
      tool: 'edit',
      args: { patch, dry_run: false },
      argsDigest: 'd',
    }),
    on('demo/a', 'tool.allowed', { callId: 'c-1', rule: 'rules[0]' }),
    on('demo/a', 'tool.returned', { callId: 'c-1', isError: false, durationMs: 1_200, bytes: 12 }),
    on('demo/a', 'tool.requested', {
      callId: 'c-2',
      server: 'fs',
      tool: 'remove',
      args: { path: 'build' },
      argsDigest: 'd',
    }),
    on('demo/a', 'tool.denied', { callId: 'c-2', by: 'ada' }),
  ]);

describe.skipIf(chromiumPath === undefined)('the calls of a task', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('are read again once in a while where much happens, and are up to date behind that', async () => {
    const { project } = await projectWithSprint();
    await recordCalls(project);
    const server = await servePage(project);
    const [{ page }, { page: other }] = await Promise.all([
      openServed(browser, server, { place: 's=demo&task=a&view=calls' }),
      openServed(browser, server, { place: 's=demo' }),
    ]);
    const calls = page.getByRole('tabpanel', { name: 'Calls' }).getByRole('listitem');
    await expect.poll(() => calls.count()).toBe(2);
    let reads = 0;
    page.on('request', (request) => (reads += request.url().includes('/calls') ? 1 : 0));
    const times = 12;
    const begun = performance.now();
    for (let at = 0; at < times; at += 1) {
      const call = {
        callId: `n-${at}`,
        server: 'fs',
        tool: 'read',
        args: { path: `p-${at}` },
        argsDigest: 'd',
      };
      await project.record('demo', [on('demo/a', 'tool.requested', call)]);
      await other
        .locator('.event-text', { hasText: `p-${at}` })
        .first()
        .waitFor();
    }
    await expect.poll(() => calls.count()).toBe(2 + times);
    // One at once, one behind the last event, and one a second between them, however slow the machine is.
    expect(reads).toBeLessThanOrEqual(2 + (performance.now() - begun) / 1_000);
  });

  it.each(['desktop', 'phone'] as const)(
    'are listed, the newest first, and each is shown whole by keys alone: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      await recordCalls(project);
      const { page, complaints } = await openServed(browser, await servePage(project), {
        place: 's=demo&task=a&view=changes',
        size,
      });
      await page.getByRole('tab', { name: 'Changes' }).focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      const panel = page.getByRole('tabpanel', { name: 'Calls' });
      const calls = panel.getByRole('listitem');
      await expect.poll(() => calls.count()).toBe(2);
      expect(await calls.nth(0).locator('summary').innerText()).toMatch(
        /^fs\/remove\s+denied\s+[\d:]+\s+path: build$/,
      );
      await calls.nth(1).locator('summary').focus();
      await page.keyboard.press('Enter');
      const call = calls.nth(1);
      await call.getByText('edit, a tool of codex itself').waitFor();
      await call.getByText('allowed by the rule rules[0]').waitFor();
      await call.getByText('12 bytes after 1.2 s').waitFor();
      await call.getByText('@@ add()', { exact: true }).waitFor();
      expect(await call.getByText(/^the text above/).isVisible()).toBe(false);
      await call.getByText(/^Shown above: /).click();
      await call.getByText(/^the text above, \d+ characters$/).waitFor();
      // The names of what is said of it, and of its arguments, stand in one column.
      const left = async (text: string) => (await call.getByText(text, { exact: true }).boundingBox())?.x;
      expect(await left('false')).toBe(await left('allowed by the rule rules[0]'));
      expect(await barriersOn(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(complaints).toEqual([]);
    },
  );

  it('say below them, the newest being first, what is left out before them', async () => {
    const { project } = await projectWithSprint();
    await recordCalls(project);
    const call = { server: 'fs', tool: 'read', args: {}, argsDigest: 'd' };
    await project.record(
      'demo',
      Array.from({ length: 500 }, (_, at) => on('demo/a', 'tool.requested', { ...call, callId: `n-${at}` })),
    );
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo&task=a&view=calls' });
    const pane = page.getByRole('tabpanel', { name: 'Calls' });
    const first = (project.state.streams.get('demo')?.version ?? 0) - 499;
    await expect
      .poll(() => pane.innerText())
      .toMatch(new RegExp(`\\n… before event ${first}: clifford replay demo$`));
  });

  it('come and change as they are made, and are as they stood at a moment of the past', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=calls',
    });
    const panel = page.getByRole('tabpanel', { name: 'Calls' });
    await panel.getByText('No tool has been called yet').waitFor();
    await recordCalls(project);
    const words = panel.locator('.tool-call-word');
    await expect.poll(() => words.allTextContents()).toEqual(['denied', 'done']);
    const version = project.state.streams.get('demo')?.version ?? 0;
    await page.evaluate(`location.hash = 's=demo&task=a&view=calls&at=${version - 3}'`);
    await expect.poll(() => words.allTextContents()).toEqual(['runs']);
  });
});
