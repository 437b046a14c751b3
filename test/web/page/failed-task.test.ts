import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { fact } from '../../helpers/facts.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a task that failed', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(['desktop', 'phone'] as const)(
    'says why below its title, and above all tasks: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      const reason =
        `the agent exited with code 1: ${'Invalid input, expected an object. '.repeat(140)}`.trim();
      await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
      await failTask(project, { stream: 'demo', taskId: 'a', agent, reason });
      await project.record('demo', [
        { ...fact('sprint.failed'), subject: 'demo', data: { reason: 'a failed; not run: b' } },
      ]);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size });
      const banner = page.locator('.sprint-head .notice', { hasText: reason });
      await banner.waitFor();
      expect(await banner.innerText()).toMatch(/ failed:\s/);
      // However long it is, the tasks stay in sight: the rest is a scroll away.
      expect((await banner.boundingBox())?.height).toBeLessThan(220);
      const row = page.locator('.tasks .task').first();
      expect(await row.locator('.task-about').innerText()).not.toContain('exited');
      const [why, title] = await Promise.all(
        ['.task-why', '.task-title'].map((part) => row.locator(part).boundingBox()),
      );
      expect(why?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0) - 1);
      // From where that begins to the end of the row.
      expect(why?.x).toBe(title?.x);
      const room = ((await row.boundingBox())?.width ?? Infinity) - 64;
      expect(why?.width).toBeGreaterThan(room);
      // Two lines of it.
      expect(why?.height).toBeLessThan(48);
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it.each(['desktop', 'phone'] as const)(
    'says why at its head, in sight, also where the sprint is over: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      const reason = `the agent exited with code 1: ${'Invalid input. '.repeat(140)}`.trim();
      await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
      await failTask(project, { stream: 'demo', taskId: 'a', agent, reason });
      await project.record('demo', [
        { ...fact('sprint.failed'), subject: 'demo', data: { reason: 'a failed; not run: b' } },
      ]);
      const place = 's=demo&task=a';
      const { page } = await openServed(browser, await servePage(project), { place, size });
      const why = page.locator('.task-head').getByRole('region', { name: 'Why it failed' });
      await why.getByText(reason).waitFor();
      // Three lines of it.
      const [box, title] = [await why.boundingBox(), await page.locator('.task-head h2').boundingBox()];
      expect(box?.height).toBeGreaterThan(48);
      expect(box?.height).toBeLessThan(72);
      expect(box?.y).toBeGreaterThan(title?.y ?? Infinity);
      // With its tabs it begins in the upper half of the window.
      expect((await page.getByRole('tablist').boundingBox())?.y).toBeLessThan(450);
      // Where the buttons have a row of their own, it is before them.
      const buttons = (await page.locator('.task-head .acts').boundingBox())?.y ?? 0;
      expect((box?.y ?? 0) < buttons).toBe(size === 'phone');
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it('says why it has no other attempt, though some are left: at its head and in the list', async () => {
    const { project } = await projectWithSprint();
    await project.record('demo', [
      { ...fact('sprint.started'), subject: 'demo', data: { runner: 'runner', maxAttempts: 3 } },
    ]);
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'a', agent, reason: 'no'.repeat(400) });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&task=a' });
    await page
      .locator('.task-gave-up', { hasText: /^Attempt 1\/3, not tried again: .+ gave it up$/ })
      .waitFor();
    expect(await page.locator('.tasks .task').first().innerText()).toContain('not tried again');
  });

  it('is among its states in the colour of a failure, and what is around it, too', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'a', agent, reason: 'no' });
    const place = 's=demo&task=a&view=states';
    const { page } = await openServed(browser, await servePage(project), { place });
    await page.getByRole('img', { name: 'a is failed' }).waitFor();
    const states = await page.locator('.state.now').all();
    const classes = await Promise.all(states.map((state) => state.getAttribute('class')));
    expect(classes).toEqual(['state outside now tone-bad', 'state inside now tone-bad']);
    // The tasks that are done are others.
    expect(await page.locator('.state.now > .outer').textContent()).toBe('ended');
    // Heads of arrows at one state stand apart, by more than they are wide.
    const ends = await page.evaluate<(readonly [number, number])[]>(
      `[...document.querySelectorAll('.way path')].map((way) => way.getPointAtLength(way.getTotalLength())).map(({ x, y }) => [x, y])`,
    );
    const gaps = ends.flatMap(([x, y], at) =>
      ends.slice(at + 1).map(([otherX, otherY]) => Math.hypot(otherX - x, otherY - y)),
    );
    expect(Math.min(...gaps)).toBeGreaterThan(12);
  });

  it('is tried again with all others of its sprint by one button', async () => {
    const { project } = await projectWithSprint();
    for (const taskId of ['a', 'b']) {
      await setTaskStatus(project, { stream: 'demo', taskId, status: 'active', agent });
      await project.record('demo', [{ ...fact('agent.started'), subject: `demo/${taskId}` }]);
      await failTask(project, { stream: 'demo', taskId, agent, reason: 'no' });
    }
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size: 'phone' });
    const again = page.locator('.sprint-head').getByRole('button', { name: 'Try again' });
    await page.getByText('2 failed').first().waitFor();
    // Tasks that failed one by one, while others are still to be done, have a button each.
    expect(await again.count()).toBe(0);
    await project.record('demo', [
      { ...fact('sprint.failed'), subject: 'demo', data: { reason: 'a, b failed' } },
    ]);
    await again.click();
    await page.getByText(/^All that failed is pending again/).waitFor();
    const states = [...(project.state.streams.get('demo')?.tasks.values() ?? [])];
    expect(states.map(({ machine }) => machine.value)).toEqual(['pending', 'pending']);
    await again.waitFor({ state: 'detached' });
    // The screen of the run may stand at its end, and wait for that.
    const next = await page.locator('.notice', { hasText: 'Nobody runs this sprint' }).innerText();
    expect(next).toContain(
      'Press R on the screen of its last run, if that is still open, or start one in a shell: clifford run demo',
    );
  });
});
