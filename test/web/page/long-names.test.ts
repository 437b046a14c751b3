import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../../../src/lib/digest.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { approval } from '../../helpers/approval.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askCall, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const looks = [
  { width: 360, height: 740 },
  { width: 360, height: 560 },
  { width: 740, height: 360 },
  { width: 568, height: 320 },
  { width: 1_280, height: 800 },
];

describe.skipIf(chromiumPath === undefined)('a question with long names', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  const opened = async (
    ask: (project: Awaited<ReturnType<typeof projectWithSprint>>['project']) => unknown,
    tasks: string[],
  ) => {
    const { project } = await projectWithSprint({ tasks });
    await ask(project);
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.locator('.modal-foot').waitFor();
    return { page, dialog };
  };

  /** What of the dialog is beyond its edges or those of the page, where nothing scrolls; how far its foot has to be scrolled; the page's own width. */
  const fitOf = (page: Page) =>
    page.evaluate<{ beyond: string[]; footHidden: number; isWide: boolean }>(`(() => {
      const dialog = document.querySelector('dialog[open]');
      const box = (of) => of.getBoundingClientRect();
      const foot = dialog.querySelector('.modal-foot');
      const lines = [dialog, dialog.querySelector('.modal-head'), dialog.querySelector('.modal-body'), foot];
      return {
        beyond: [
          ...lines.filter((each) => box(each).top < -1 || box(each).bottom > innerHeight + 1).map(({ className }) => className),
          ...(dialog.scrollHeight > dialog.clientHeight ? ['what is in it'] : []),
          ...(box(lines[1]).height > innerHeight * 0.4 + 1 ? ['too high a head'] : []),
        ],
        footHidden: foot.scrollHeight - foot.clientHeight,
        isWide: innerWidth > document.documentElement.clientWidth,
      };
    })()`);

  /** The buttons that the keyboard cannot bring into sight. */
  const outOfReach = (page: Page) =>
    page.evaluate<
      string[]
    >(`[...document.querySelectorAll('dialog[open] button:not(:disabled)')].filter((button) => {
      button.focus();
      const { left, top, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(left + width / 2, top + height / 2);
      return document.activeElement !== button || !button.contains(hit);
    }).map(({ textContent, ariaLabel }) => ariaLabel ?? textContent)`);

  const isRiskSeen = (page: Page) =>
    page.evaluate<boolean>(`(() => {
      const badge = document.querySelector('dialog[open] .asked-by .badge');
      const { left, bottom } = badge.getBoundingClientRect();
      return badge.contains(document.elementFromPoint(left + 12, bottom - 2));
    })()`);

  it('has all that can be pressed in reach, whatever a server calls its tool', async () => {
    const args = { path: 'notes.txt', content: 'hello' };
    const [server, tool] = ['s'.repeat(84), 'write_file_'.repeat(47).slice(0, 512)];
    const { page, dialog } = await opened(
      (project) =>
        askApproval(project, {
          stream: 'demo',
          taskId: 'b',
          agent,
          approval: { ...approval, server, tool, args, callDigest: digestOf(args) },
        }),
      ['a', 'b'],
    );
    for (const look of looks) {
      await page.setViewportSize(look);
      await expect.poll(() => fitOf(page)).toMatchObject({ beyond: [], isWide: false });
      expect(await isRiskSeen(page)).toBe(true);
      expect(await outOfReach(page)).toEqual([]);
      await expect.poll(() => barriersOn(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    // Its title has the beginning of it.
    await dialog.getByText(`${server}/${tool}`, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Allow for longer…' }).click();
    await dialog.getByRole('radio').first().check();
    await page.setViewportSize({ width: 360, height: 560 });
    await expect.poll(() => fitOf(page)).toMatchObject({ beyond: [] });
    expect(await outOfReach(page)).toEqual([]);
  });

  it('has all that can be pressed in reach, whoever asks about whatever task', async () => {
    const task = 't'.repeat(151);
    const { page } = await opened(
      (project) =>
        ask(project, {
          stream: 'demo',
          task,
          agent: { id: 'x', client: 'client '.repeat(28) },
          kind: 'clarification',
          question: 'Which?',
          options: ['A', 'B'],
        }),
      ['a', task],
    );
    for (const look of looks) {
      await page.setViewportSize(look);
      await expect.poll(() => fitOf(page)).toMatchObject({ beyond: [], isWide: false });
      expect(await outOfReach(page)).toEqual([]);
    }
  });

  it('fits a phone as a whole, also on its side, where its names are not long', async () => {
    const { page, dialog } = await opened((project) => askCall(project), ['a', 'b']);
    for (const look of looks) {
      await page.setViewportSize(look);
      await expect.poll(() => fitOf(page)).toEqual({ beyond: [], footHidden: 0, isWide: false });
    }
    await page.setViewportSize({ width: 740, height: 360 });
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Allow once' }).getAttribute('aria-disabled'))
      .toBe('false');
    expect(await dialog.getByText('Tool', { exact: true }).count()).toBe(0);
  });
});
