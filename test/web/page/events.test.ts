import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { skipTask } from '../../../src/workflow/sprint/control.ts';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askStore, ben } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { addEvents } from './flood.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('the events on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('are those that matter, or of some sorts, however far back they are, and what comes is among them', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    await addEvents(project, 1_000);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size: 'phone' });
    const types = () => page.locator('.event-type').allTextContents();
    await page.getByRole('button', { name: 'Older' }).waitFor();
    expect(new Set(await types())).not.toContain('help.answered');
    await page.getByRole('button', { name: 'What matters' }).click();
    await expect.poll(types).toContain('help.answered');
    expect(await types()).not.toContain('tool.returned');
    await page.getByRole('button', { name: 'Answers' }).click();
    await expect.poll(types).toEqual(['help.answered']);
    expect(await barriersOn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Failures' }).click();
    await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'b', agent, reason: 'no room' });
    await expect.poll(types).toEqual(['task.failed', 'help.answered']);
    // The address has it.
    await page.reload();
    await expect.poll(types).toEqual(['task.failed', 'help.answered']);
    await page.getByRole('button', { name: 'All' }).click();
    await expect.poll(types).toContain('tool.returned');
  });

  it('are chosen by sorts that stand in one row beside the list of tasks, also where the window is small', async () => {
    const { project } = await projectWithSprint();
    await addEvents(project, 3);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=events',
    });
    await page.setViewportSize({ width: 1_280, height: 900 });
    const tops = ['Questions', 'Attempts', 'Sprint'].map(async (name) => {
      const box = await page.getByRole('button', { name, exact: true }).boundingBox();
      return box?.y;
    });
    expect(new Set(await Promise.all(tops)).size).toBe(1);
  });

  it('are called as people would say it, and read without the marks of markdown', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const done = {
      stream: 'demo',
      taskId: 'b',
      agent,
      status: 'completed',
      summary: 'All **of it** is in `a.ts`',
    } as const;
    await setTaskStatus(project, { ...done, status: 'active' });
    await setTaskStatus(project, done);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&show=question,task',
    });
    const rows = () => page.locator('.event').allTextContents();
    await expect.poll(async () => (await rows()).length).toBe(2);
    const [completed, asked] = await rows();
    expect(completed).toMatch(/^Task completedbtask\.completed.*All of it is in a\.ts$/);
    expect(asked).toMatch(/^Question askeda.*Which store keeps the keys\?/);
    expect(await page.locator('.event-type').first().isVisible()).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('have a call that was made unasked in one row, which stands out and says why', async () => {
    const { project } = await projectWithSprint();
    const call = {
      callId: 'c',
      server: '@codex',
      tool: 'execute',
      args: { command: 'rm x' },
      argsDigest: 'd',
    };
    const { callId } = call;
    const data = {
      callId,
      kind: 'execute',
      about: 'rm x',
      decision: 'deny',
      rule: 'agents.rules[0]',
    } as const;
    await project.record('demo', [
      { type: 'tool.requested', subject: 'demo/a', data: call },
      { type: 'tool.unasked', subject: 'demo/a', data },
    ]);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const rows = page.locator('.event').filter({ hasText: 'rm x' });
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.getAttribute('class')).toContain('stands-out');
    expect(await rows.locator('.event-end').textContent()).toBe('unasked');
    expect(await rows.textContent()).toContain('agents.rules[0]');
  });

  it.each(['phone', 'desktop'] as const)(
    'say three lines each, cut once, and all of it where one is pressed: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      const command = `printf '${'many words '.repeat(120)}' > notes.txt`;
      const call = { callId: 'c', server: '@codex', tool: 'execute', args: { command }, argsDigest: 'd' };
      await project.record('demo', [{ type: 'tool.requested', subject: 'demo/a', data: call }]);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size });
      const words = page.locator('.event-text').filter({ hasText: 'many words' });
      await words.waitFor();
      expect(await words.textContent()).toBe(command);
      const isCut = () =>
        page.evaluate<boolean>(`(() => {
          const { scrollHeight, clientHeight } = document.querySelector('.event-text');
          return scrollHeight > clientHeight;
        })()`);
      expect(await isCut()).toBe(true);
      await words.click();
      await page.locator('[aria-current] .event-text').waitFor();
      expect(await isCut()).toBe(false);
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it.each(['phone', 'desktop'] as const)(
    'have one row for a call and its return, which says how long it took, and which are open: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      const called = (callId: string) =>
        on('demo/a', 'tool.requested', {
          callId,
          server: '@codex',
          tool: 'execute',
          args: { command: callId },
        });
      await project.record('demo', [
        called('npm test'),
        on('demo/a', 'tool.allowed', { callId: 'npm test' }),
        called('rm x'),
        on('demo/a', 'tool.returned', { callId: 'npm test', isError: false, durationMs: 4_200 }),
        on('demo/a', 'tool.denied', { callId: 'rm x', rule: 'no removing' }),
        called('npm run build'),
      ]);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size });
      const calls = page.locator('.event').filter({ hasText: 'tool.' });
      await expect
        .poll(() => calls.locator('.event-end').allTextContents())
        .toEqual(['open', 'denied', 'done · 4.2 s']);
      expect(await calls.locator('.event-text').allTextContents()).toEqual([
        'npm run build',
        'rm x',
        'no removing',
        'npm test',
      ]);
      // A moment within a call is in its row, which does not say what came later.
      await calls.last().getByRole('button').click();
      await page.keyboard.press('ArrowRight');
      await expect
        .poll(() => calls.locator('.event-end').allTextContents())
        .toEqual(['open', 'denied', 'open']);
      expect(await page.locator('[aria-current=step] .event-text').allTextContents()).toEqual(['npm test']);
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it('are calm where a task was taken out, and the card of the sprint says how many were', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    await skipTask(project, { stream: 'demo', taskId: 'b', by: 'ann' });
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&show=steered',
      size: 'phone',
    });
    const skipped = page.locator('.event');
    await expect.poll(() => skipped.allTextContents()).toEqual([expect.stringContaining('Task skipped')]);
    expect(await skipped.getAttribute('class')).toContain('tone-calm');
    await page.evaluate("location.hash = ''");
    await expect
      .poll(() => page.locator('.card-foot').allTextContents())
      .toEqual([expect.stringMatching(/^0 of 2 done1 skipped/)]);
  });

  it('of some sorts are those around a moment of the past, however many came after it, chosen before it or behind', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    const at = project.state.streams.get('demo')?.version ?? 0;
    await project.record(
      'demo',
      Array.from({ length: 250 }, () => on('demo/a', 'agent.stalled')),
    );
    const { page } = await openServed(browser, await servePage(project), { place: `s=demo&at=${at}` });
    const current = page.locator('.event-list [aria-current] .event-title');
    const later = page.locator('.event.is-later');
    await expect.poll(() => current.textContent()).toBe('Question answered');
    await page.getByRole('button', { name: 'What matters' }).click();
    await expect.poll(() => later.count()).toBe(100);
    expect(await current.textContent()).toBe('Question answered');
    await page.getByRole('button', { name: 'Questions' }).click();
    await expect.poll(() => current.textContent()).toBe('Question asked');
    expect(await later.count()).toBe(0);
    await page.getByRole('button', { name: 'To what stood out before' }).click();
    await page.getByRole('button', { name: 'One event back' }).click();
    // Nothing of these sorts was by then.
    await expect.poll(() => later.count()).toBe(1);
    expect(await current.count()).toBe(0);
    await page.getByRole('button', { name: 'All', exact: true }).click();
    await current.waitFor();
    expect(await later.count()).toBeGreaterThan(1);
  });

  it('of some sorts are what the buttons of the past lead to', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    await answerRequest(project, id, { response: 'A table', option: 0, ...ben });
    await setTaskStatus(project, { stream: 'demo', taskId: 'b', status: 'active', agent });
    const last = project.state.streams.get('demo')?.version;
    const { page } = await openServed(browser, await servePage(project), {
      place: `s=demo&show=question&at=${last}`,
    });
    await page.getByRole('button', { name: 'To what stood out before' }).click();
    await expect
      .poll(() => page.getByRole('slider', { name: 'Moment' }).getAttribute('aria-valuetext'))
      .toMatch(/Question asked$/);
    expect(await page.getByRole('button', { name: 'To what stands out next' }).isDisabled()).toBe(true);
  });
});
