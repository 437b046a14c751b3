import { appendFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { castLine } from '../../../src/workflow/transcripts/cast.ts';
import { agentAtWork } from '../../helpers/agent-at-work.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what an agent writes', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('stands out as it marks it, or in the colours that lines before have set, with every character of it', async () => {
    const place = await projectWithSprint();
    const transcript = await agentAtWork(place);
    const lines = ['## Why', 'It **never** runs `npm ci`.', '\u001B[31mred', 'still **red**\u001B[0m', '```'];
    await appendFile(transcript, castLine([1, 'o', `${lines.join('\r\n')}\r\n`]));
    const { page } = await openServed(browser, await servePage(place.project), {
      place: 's=demo&task=a&view=output',
    });
    const output = page.getByRole('log');
    await output.getByText('still').waitFor();
    const shown = await output.locator('.output-line').allTextContents();
    expect(shown.slice(0, 6)).toEqual([
      'one',
      '## Why',
      'It **never** runs `npm ci`.',
      'red',
      'still **red**',
      '```',
    ]);
    const styled = (name: string) => output.locator(`.ansi-${name}`).allTextContents();
    expect(await styled('bold')).toEqual(['Why', 'never']);
    expect(await styled('code')).toEqual(['npm ci']);
    expect(await styled('red')).toEqual(['red', 'still **red**']);
    expect(await styled('dim')).toEqual(['## ', '**', '**', '`', '`', '```']);
    expect(await barriersOn(page)).toEqual([]);
  });

  it.each(['phone', 'desktop'] as const)(
    'is prose in the type of the page, and calls in the type of code, each in one row with how it ended: %s',
    async (size) => {
      const place = await projectWithSprint();
      const transcript = await agentAtWork(place, { adapter: 'claude-code' });
      const lines = [
        'I run the tests.',
        '▸ Bash npm test',
        '  it failed after 48.2 s: 1 of 12',
        '```',
        'x',
        '```',
      ];
      await appendFile(transcript, castLine([1, 'o', `${lines.join('\r\n')}\r\n`]));
      const { page } = await openServed(browser, await servePage(place.project), {
        place: 's=demo&task=a&view=output',
        size,
      });
      const call = page.locator('.output-line', { hasText: 'npm test' });
      await expect.poll(() => call.textContent()).toBe('▸ Bash npm testfailed · 48.2 s1 of 12');
      const fonts = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.output-line')].slice(1, 4).map((line) => getComputedStyle(line).fontFamily.includes('mono') ? 'code' : 'page')`,
      );
      expect(fonts).toEqual(['page', 'code', 'code']);
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it('is one type for all of a trace, and another for what its agent says of it', async () => {
    const place = await projectWithSprint();
    const transcript = await agentAtWork(place, { adapter: 'codex' });
    const lines = [
      'It fails.',
      '',
      'TypeError: no "lines"',
      '    at toInvoice (parse.ts:41:22)',
      '- I mend it',
    ];
    await appendFile(transcript, castLine([1, 'o', `${lines.join('\r\n')}\r\n`]));
    const { page } = await openServed(browser, await servePage(place.project), {
      place: 's=demo&task=a&view=output',
    });
    await page.getByText('- I mend it').waitFor();
    const fonts = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.output-line')].slice(3, 6).map((line) => getComputedStyle(line).fontFamily.includes('mono') ? 'code' : 'page')`,
    );
    expect(fonts).toEqual(['code', 'code', 'page']);
  });

  it('is nothing of some, and said; behind the last one that its changes are merged, while they are', async () => {
    const place = await projectWithSprint();
    const { project } = place;
    await agentAtWork(place, { transcript: 'none' });
    await project.record('demo', [on('demo/a', 'agent.connected'), on('demo/a', 'worktree.claimed')]);
    const { page } = await openServed(browser, await servePage(project, { hasRunner: true }), {
      place: 's=demo&task=a&view=output',
    });
    const said = async () =>
      (await page.getByRole('log').innerText()).split('\n').filter((line) => line.trim() !== '');
    await expect.poll(async () => (await said()).slice(1)).toEqual(['It has written nothing.']);
    await project.record('demo', [on('demo/a', 'task.completed', { by: 'agent', runId: 'run-1' })]);
    await expect.poll(async () => (await said()).at(-1)).toBe('merging its changes');
    await project.record('demo', [on('demo/a', 'worktree.merged')]);
    const kept = page.getByText('Nothing that its agents wrote was kept');
    await kept.waitFor();
    expect(await page.getByRole('log').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('tabpanel').getByRole('link', { name: 'events' }).click();
    await page.locator('.event-title', { hasText: 'Task completed' }).waitFor();
  });

  /** How far the last line that an agent wrote is below what is in sight, in pixels, once all that was drawn is. */
  const below = (page: Page) =>
    page.evaluate<number>(`(async () => {
      for (let frame = 0; frame < 5; frame += 1) await new Promise(requestAnimationFrame);
      const bottom = (place) => [...document.querySelectorAll(place)].at(-1).getBoundingClientRect().bottom;
      return bottom('.output-line') - bottom('.output-lines');
    })()`);
  const longLines = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name} ${at} ${'word '.repeat(40)}`).join('\r\n');

  it.each(['desktop', 'phone'] as const)(
    'is open at its end, also where lines are higher than one row, and goes on from there: %s',
    async (size) => {
      const place = await projectWithSprint();
      const transcript = await agentAtWork(place);
      await appendFile(transcript, castLine([1, 'o', `${longLines('line', 60)}\r\n`]));
      const { page, complaints } = await openServed(browser, await servePage(place.project), {
        place: 's=demo&task=a&view=output',
        size,
      });
      const output = page.getByRole('log');
      await output.getByText('line 59 ').waitFor();
      expect(await below(page)).toBeLessThan(0);
      await page.getByRole('tab', { name: 'About' }).click();
      await page.getByRole('tab', { name: 'Output' }).click();
      await output.getByText('line 59 ').waitFor();
      expect(await below(page)).toBeLessThan(0);
      await appendFile(transcript, castLine([2, 'o', `${longLines('more', 20)}\r\n`]));
      await output.getByText('more 19 ').waitFor();
      expect(await below(page)).toBeLessThan(0);
      expect(complaints).toEqual([]);
    },
  );

  it('stays where the reader has scrolled to, until it is to be followed again', async () => {
    const place = await projectWithSprint();
    const transcript = await agentAtWork(place);
    await appendFile(transcript, castLine([1, 'o', `${longLines('line', 60)}\r\n`]));
    const { page } = await openServed(browser, await servePage(place.project), {
      place: 's=demo&task=a&view=output',
    });
    const output = page.getByRole('log');
    await output.getByText('line 59 ').waitFor();
    await output.hover();
    await page.mouse.wheel(0, -600);
    const follow = page.getByRole('button', { name: 'Follow' });
    await follow.waitFor();
    await appendFile(transcript, castLine([2, 'o', 'the last\r\n']));
    await output.getByText('the last').waitFor();
    expect(await below(page)).toBeGreaterThan(0);
    await follow.click();
    expect(await below(page)).toBeLessThan(0);
    expect(await follow.count()).toBe(0);
  });
});
