import { appendFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
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
    await expect.poll(async () => (await said()).at(-1)).toBe('It has written nothing.');
  });
});
