import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { agent, askStore } from './asked.ts';
import { barriersOn, chromiumPath, sizes, startBrowser } from './browser.ts';
import { addEvents } from './flood.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('the player of a history', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(['desktop', 'phone'] as const)(
    'has the keys once it is opened, and what it is at stands above it: %s',
    async (size) => {
      const { project } = await projectWithSprint();
      await askStore(project);
      await addEvents(project, 40);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size });
      await page.getByRole('dialog').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'History' }).click();
      const slider = page.getByRole('slider', { name: 'Moment' });
      await slider.waitFor();
      const length = Number(await slider.getAttribute('max'));
      await page.keyboard.press('ArrowLeft');
      await expect.poll(() => slider.inputValue()).toBe(String(length - 1));
      const player = page.getByRole('region', { name: 'The past of this sprint' });
      await expect
        .poll(async () => {
          const [row, top] = [
            await page.locator('.event-list [aria-current]').boundingBox(),
            await player.boundingBox(),
          ];
          return row !== null && top !== null && row.y >= 0 && row.y + row.height <= top.y;
        })
        .toBe(true);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('History');
    },
  );

  it.each(['desktop', 'tablet'] as const)('leaves what it is about where it stood: %s', async (size) => {
    const { project } = await projectWithSprint();
    await addEvents(project, 3);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo', size });
    const bar = page.locator('.sprint-progress');
    const topOf = async () => (await bar.boundingBox())?.y;
    await page.getByRole('button', { name: 'History' }).waitFor();
    const before = await topOf();
    expect(before).toBeGreaterThan(0);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('slider', { name: 'Moment' }).waitFor();
    expect(await topOf()).toBe(before);
  });

  it.each([
    ['desktop', 'light'],
    ['desktop', 'dark'],
    ['phone', 'light'],
    ['phone', 'dark'],
  ] as const)(
    'is seen in the sprint, where nothing goes on, and in its events, of which what came later is dimmed: %s, %s',
    async (size, theme) => {
      const { project } = await projectWithSprint();
      await project.record('demo', [on('demo', 'sprint.started'), on('demo/a', 'task.started')]);
      await askStore(project);
      const last = project.state.streams.get('demo')?.version ?? 0;
      const place = `s=demo&at=${last - 1}`;
      const { page } = await openServed(browser, await servePage(project), { place, size, theme });
      await page.getByRole('region', { name: 'The past of this sprint' }).waitFor();
      const head = page.locator('.sprint-head');
      await expect.poll(() => head.locator('.badge').textContent()).toBe('was active');
      expect(await head.textContent()).toMatch(/As of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d · 0 of 2 tasks done/);
      const moving = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.sign.turns')].map((each) => getComputedStyle(each).animationName)`,
      );
      expect(new Set(moving)).toEqual(new Set(['none']));
      await page.locator('.event-list [aria-current]').waitFor();
      const titles = await page.evaluate<[string, string][]>(
        `[...document.querySelectorAll('.event-title')].map((each) => [each.textContent, getComputedStyle(each).color])`,
      );
      const colourOf = (title: string) => titles.find(([each]) => each === title)?.[1];
      const faint = await page.evaluate<string>(
        `getComputedStyle(document.querySelector('.is-later .event-time')).color`,
      );
      expect(titles[0]).toEqual(['Question asked', faint]);
      expect(colourOf('Task started')).not.toBe(faint);
      expect(await barriersOn(page)).toEqual([]);
      await page.getByRole('button', { name: 'Back to now' }).click();
      await expect.poll(() => head.locator('.badge').textContent()).not.toContain('was');
      await expect.poll(() => page.locator('.is-later').count()).toBe(0);
    },
  );

  it.each(['desktop', 'phone'] as const)(
    'has the event that it is at above it, once both are drawn: %s',
    async (size) => {
      const { project } = await projectWithSprint({
        tasks: Array.from({ length: 12 }, (_, at) => `task-${at}`),
      });
      await addEvents(project, 60);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo&at=20', size });
      const player = page.getByRole('region', { name: 'The past of this sprint' });
      await player.waitFor();
      await expect
        .poll(async () => {
          const row = await page.locator('.event-list [aria-current]').boundingBox();
          const top = await player.boundingBox();
          return row !== null && top !== null && row.y >= 0 && row.y + row.height <= top.y;
        })
        .toBe(true);
    },
  );

  it('says how much has become otherwise where not all of it has room, and a phone’s open task leads to it', async () => {
    const { project } = await projectWithSprint({ tasks: ['a', 'b', 'c'] });
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo&task=a', size: 'phone' });
    await page.getByRole('button', { name: 'History' }).click();
    const player = page.getByRole('region', { name: 'The past of this sprint' });
    await player.waitFor();
    expect(page.url()).toContain('task=a');
    await page.getByRole('slider', { name: 'Moment' }).press('Home');
    await player.getByText('4 changes:', { exact: true }).waitFor();
    await player.getByText('the sprint is new').waitFor();
    await page.getByRole('slider', { name: 'Moment' }).press('End');
    await player.getByText('a is being worked on').waitFor();
    expect(await player.getByText(/changes:/).count()).toBe(0);
  });

  it('has all of its buttons on a phone, however much has become otherwise', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: 's=demo&at=3', size: 'phone' });
    await page.locator('.past-change', { hasText: 'a is being worked on' }).waitFor();
    const speed = await page.getByLabel('Speed').boundingBox();
    expect((speed?.x ?? Infinity) + (speed?.width ?? 0)).toBeLessThanOrEqual(sizes.phone.width);
    const [player, said] = [
      await page.getByRole('region', { name: 'The past of this sprint' }).boundingBox(),
      await page.evaluate("document.documentElement.style.getPropertyValue('--player')"),
    ];
    expect(said).toBe(`${Math.round(player?.height ?? 0)}px`);
  });

  it('is as high on a phone at one moment as at the next, whatever is to be said of them', async () => {
    const taskId = 'customer-portal-invoice-list-and-downloads-of-all-years';
    const { project } = await projectWithSprint({ tasks: ['a', taskId] });
    await setTaskStatus(project, { stream: 'demo', taskId, status: 'active', agent });
    await addEvents(project, 1);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&at=3',
      size: 'phone',
    });
    const said = page.locator('.past-change');
    await said.getByText('is being worked on').waitFor();
    const player = page.getByRole('region', { name: 'The past of this sprint' });
    const before = await player.boundingBox();
    await page.getByRole('button', { name: 'One event on' }).tap();
    await expect.poll(() => said.textContent()).toBe('');
    expect(await player.boundingBox()).toEqual(before);
  });

  it('says what the colours of the marks mean that are there, and of which time the list of sprints is', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&at=2' });
    const legend = page.getByRole('list', { name: 'What the marks along the slider mean' });
    await legend.waitFor();
    expect(await legend.getByRole('listitem').allTextContents()).toContain('Questions');
    // Large enough to be told apart, there as along the slider.
    for (const mark of ['.legend .mark', '.marks'])
      expect((await page.locator(mark).first().boundingBox())?.height).toBeGreaterThanOrEqual(12);
    const side = page.getByRole('navigation', { name: 'Sprints' }).getByRole('heading');
    expect(await side.textContent()).toBe('Sprints, as they are now');
    await page.getByRole('button', { name: 'Back to now' }).click();
    await expect.poll(() => side.textContent()).toBe('Sprints');
  });

  it('has nothing that is told over it', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&at=2' });
    const player = page.getByRole('region', { name: 'The past of this sprint' });
    await player.waitFor();
    const id = [...(project.state.streams.get('demo')?.requests.keys() ?? [])][0];
    await page.evaluate(`location.hash = 's=demo&at=2&q=${id}'`);
    await page.getByRole('dialog').getByLabel('The column').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
    const toast = page.locator('.toast');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [told, at] = [await toast.boundingBox(), await player.boundingBox()];
    expect((told?.y ?? Infinity) + (told?.height ?? 0)).toBeLessThanOrEqual(at?.y ?? 0);
  });

  it.each(['desktop', 'phone'] as const)(
    'has times below it, none over another, and marks that are apart however many there are: %s',
    async (size) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3_600_000 });
      onTestFinished(() => void vi.useRealTimers());
      const { project } = await projectWithSprint();
      for (let round = 0; round < 30; round += 1) {
        vi.setSystemTime(Date.now() + 60_000);
        await ask(project, { stream: 'demo', agent, kind: 'help', question: `Which of ${round}?` });
        await addEvents(project, 3);
      }
      vi.useRealTimers();
      const { page, complaints } = await openServed(browser, await servePage(project), {
        place: 's=demo&at=2',
        size,
      });
      const times = page.locator('.scale li');
      await times.first().waitFor();
      expect(await times.first().textContent()).toMatch(/^\d\d:\d\d/);
      const boxes = await placesOf(times);
      expect(boxes.length).toBeGreaterThanOrEqual(size === 'phone' ? 3 : 6);
      expect(Math.min(...gapsOf(boxes))).toBeGreaterThanOrEqual(4);
      const marks = (await placesOf(page.locator('.marks path'))).toSorted((a, b) => a.left - b.left);
      expect(marks.length).toBeGreaterThan(5);
      expect(Math.min(...gapsOf(marks))).toBeGreaterThanOrEqual(2);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      expect(await barriersOn(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  it.each([
    [390, 844],
    [360, 740],
    [820, 1_180],
    [1_280, 900],
  ])('has the events of a task down to it: %i by %i', async (width, height) => {
    const { project } = await projectWithSprint();
    await addEvents(project, 40);
    const place = 's=demo&task=a&at=30&view=events';
    const { page } = await openServed(browser, await servePage(project), { place });
    await page.setViewportSize({ width, height });
    await page.locator('.event').first().waitFor();
    const between = async () => {
      const [list, player] = await Promise.all(
        ['.tab-panel', '.past'].map((selector) => page.locator(selector).boundingBox()),
      );
      return list && player && player.y - list.y - list.height;
    };
    await expect.poll(between).toBeLessThan(40);
    expect(await between()).toBeGreaterThanOrEqual(0);
  });

  it('goes to the last event that there is, also where it has just happened', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const slider = page.getByRole('slider', { name: 'Moment' });
    const note = (text: string) => project.record('demo', [on('demo/a', 'task.noted', { text })]);
    const newest = () => String(project.state.streams.get('demo')?.version);
    const open = async () => {
      await page.getByRole('button', { name: 'History' }).click();
      await expect.poll(() => slider.inputValue()).toBe(newest());
    };
    await open();
    await page.keyboard.press('Escape');
    await slider.waitFor({ state: 'detached' });
    for (const text of ['first', 'second']) await note(text);
    await page.locator('.event-text', { hasText: 'second' }).waitFor();
    await open();
    for (const text of ['third', 'fourth']) await note(text);
    await page.locator('.event', { hasText: 'fourth' }).getByRole('button').click();
    await expect.poll(() => slider.inputValue()).toBe(newest());
    // That of what is read a moment later is no other.
    await expect.poll(() => slider.getAttribute('max')).toBe(newest());
    expect(await slider.inputValue()).toBe(newest());
  });

  it('plays from the first event once it is at the last one', async () => {
    const { project } = await projectWithSprint();
    await addEvents(project, 40);
    const last = project.state.streams.get('demo')?.version ?? 0;
    const { page } = await openServed(browser, await servePage(project), { place: `s=demo&at=${last}` });
    const slider = page.getByRole('slider', { name: 'Moment' });
    await expect.poll(() => slider.inputValue()).toBe(String(last));
    const seen = page.evaluate<string[]>(`new Promise((done) => {
      const seen = [];
      const look = () => {
        const { value, max } = document.querySelector('.past-slider input');
        if (seen.at(-1) !== value) seen.push(value);
        if (seen.length > 1 && value === max) done(seen);
        else requestAnimationFrame(look);
      };
      look();
    })`);
    await page.getByRole('button', { name: 'Play' }).click();
    expect((await seen).slice(0, 2)).toEqual([String(last), '1']);
    await page.getByRole('button', { name: 'Play' }).waitFor();
  });

  it('ends with Escape, but not with that which closes a dialog over it', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const id = [...(project.state.streams.get('demo')?.requests.keys() ?? [])][0];
    const { page } = await openServed(browser, await servePage(project), { place: `s=demo&at=2&q=${id}` });
    const [player, dialog] = [
      page.getByRole('region', { name: 'The past of this sprint' }),
      page.getByRole('dialog'),
    ];
    await dialog.waitFor();
    await player.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await player.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await player.waitFor({ state: 'detached' });
    expect(page.url()).not.toContain('at=');
  });

  it('stays with an Escape that something else on the page took, such as a menu that it closed', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo&at=1' });
    const player = page.getByRole('region', { name: 'The past of this sprint' });
    await player.waitFor();
    const taken =
      "addEventListener('keydown', (event) => event.preventDefault(), { once: true, capture: true })";
    await page.evaluate(taken);
    await page.keyboard.press('Escape');
    expect(await player.isVisible()).toBe(true);
    expect(page.url()).toContain('at=');
    await page.keyboard.press('Escape');
    await player.waitFor({ state: 'detached' });
  });
});

type Place = { readonly left: number; readonly right: number };

async function placesOf(elements: Locator): Promise<Place[]> {
  const boxes = await Promise.all((await elements.all()).map((each) => each.boundingBox()));
  return boxes.flatMap((box) => (box ? [{ left: box.x, right: box.x + box.width }] : []));
}

/** How far each is from the one before, in pixels. */
function gapsOf(places: readonly Place[]): number[] {
  return places.slice(1).map(({ left }, at) => left - (places[at]?.right ?? 0));
}
