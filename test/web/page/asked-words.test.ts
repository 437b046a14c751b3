import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formHeading } from '../../../src/events/form/form-heading.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askCall, askStore, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what is asked', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is said of a call in words, and not in JSON', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { version: '1.0.0', notes: 'Greets people' });
    const { page } = await openServed(browser, await servePage(project));
    await dialogOn(page).waitFor();
    const said = page.locator('.unseen[role=status]');
    await expect
      .poll(() => said.textContent())
      .toMatch(/^Allow [\w-]+\/\w+ version: 1\.0\.0, notes: Greets people\?$/);
  });

  it('is so many questions, where they are one form', async () => {
    const { project } = await projectWithSprint();
    await ask(project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      question: 'A few things',
      questions: [...storeForm],
    });
    const { page } = await openServed(browser, await servePage(project));
    const heading = dialogOn(page).getByRole('heading', { level: 2 });
    await expect.poll(() => heading.textContent()).toBe(`${storeForm.length} questions`);
  });

  it('has the lines of a diff on the ground of what they are, from edge to edge', async () => {
    const { project } = await projectWithSprint();
    const diff = ['@@@ -1,2 -1,2 +1,4 @@@', '  kept', '++<<<<<<< main', '- gone', ` +${'wide '.repeat(60)}`];
    const text = `\`\`\`diff\n${diff.join('\n')}\n\`\`\`\n\n\`\`\`\n+1\n\`\`\``;
    await ask(project, { stream: 'demo', agent, kind: 'help', question: 'How is it merged?', context: text });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const [block, other] = [dialogOn(page).locator('pre').first(), dialogOn(page).locator('pre').last()];
    await block.waitFor();
    expect(await block.textContent()).toBe(`${diff.join('\n')}\n`);
    expect(await other.textContent()).toBe('+1\n');
    const looks = await page.evaluate<[string, number][]>(
      `[...document.querySelectorAll('.patch-line')].map((one) => [getComputedStyle(one).backgroundColor, one.offsetWidth])`,
    );
    const [head, kept, added, gone, widest] = looks.map(([ground]) => ground);
    expect(kept).toBe(head);
    expect(new Set([kept, added, gone]).size).toBe(3);
    expect(widest).toBe(added);
    expect(new Set(looks.map(([, width]) => width)).size).toBe(1);
    expect(await other.locator('.patch-line').count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('is all there, where a diff in it is long, and few of it are elements', async () => {
    const { project } = await projectWithSprint();
    const diff = Array.from({ length: 5_000 }, (_, at) => `+${at}`).join('\n');
    const context = `\`\`\`diff\n${diff}\n\`\`\``;
    await ask(project, { stream: 'demo', agent, kind: 'help', question: 'How is it merged?', context });
    const { page } = await openServed(browser, await servePage(project));
    const block = dialogOn(page).locator('pre');
    await block.waitFor();
    expect(await block.textContent()).toBe(`${diff}\n`);
    expect(await block.locator('*').count()).toBeLessThan(1_100);
  });

  it('is said once, where it is what the questions are called', async () => {
    const { project } = await projectWithSprint();
    for (const question of [formHeading(storeForm), 'A few things'])
      await ask(project, {
        stream: 'demo',
        agent,
        kind: 'clarification',
        question,
        questions: [...storeForm],
      });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByText('request 1 of 2').waitFor();
    await dialog.getByRole('heading', { name: 'Database' }).waitFor();
    expect(await dialog.getByText(formHeading(storeForm)).count()).toBe(0);
    await dialog.getByRole('button', { name: 'The next one' }).tap();
    await dialog.getByText('A few things').waitFor();
  });

  /** On a phone, where two requests wait: where the parts of the head of the one that is shown are. */
  const headOnPhone = async (width: number) => {
    const { project } = await projectWithSprint();
    await askStore(project);
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    await page.setViewportSize({ width, height: 740 });
    const dialog = dialogOn(page);
    await dialog.getByText('request 1 of 2').waitFor();
    const box = async (selector: string) => {
      const found = await dialog.locator(selector).boundingBox();
      if (!found) throw new Error(`${selector} is not drawn`);
      return { ...found, right: found.x + found.width, bottom: found.y + found.height };
    };
    const isTitleAlone = async () =>
      (await box('h2')).right <= (await box('.modal-head > .button')).x &&
      (await box('.modal-steps')).y >= (await box('h2')).bottom &&
      (await box('.modal-steps')).right <= width;
    return { page, dialog, box, isTitleAlone };
  };

  it.each([360, 412])(
    'has the first row of a phone %i wide, what it risks and the steps the second',
    async (width) => {
      const { page, box, isTitleAlone } = await headOnPhone(width);
      expect(await isTitleAlone()).toBe(true);
      const [badge, steps, who] = [
        await box('.asked-by .badge'),
        await box('.modal-steps'),
        await box('.asked-who'),
      ];
      expect(badge.right).toBeLessThan(steps.x);
      expect([badge.y >= steps.y, badge.bottom <= steps.bottom]).toEqual([true, true]);
      expect(who.y).toBeGreaterThanOrEqual(steps.bottom);
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it('has the first row of a phone, who asks and the steps the second', async () => {
    const { dialog, box, isTitleAlone } = await headOnPhone(360);
    await dialog.getByRole('button', { name: 'The next one' }).tap();
    await dialog.getByText('request 2 of 2').waitFor();
    expect(await isTitleAlone()).toBe(true);
    const [who, steps] = [await box('.asked-who'), await box('.modal-steps')];
    expect(who.right).toBeLessThanOrEqual(steps.x);
    expect(who.y).toBeLessThan(steps.bottom);
  });

  it('about a task is a tap away from that on a phone, and nothing of another task is', async () => {
    const { project } = await projectWithSprint({ tasks: ['a', 'b', 'c'] });
    await askStore(project);
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a',
      size: 'phone',
    });
    await dialogOn(page).waitFor();
    await page.keyboard.press('Escape');
    await dialogOn(page).waitFor({ state: 'detached' });
    const asked = page.getByRole('list', { name: 'What waits for you' }).getByRole('link');
    await asked.waitFor();
    expect(await asked.count()).toBe(1);
    await asked.tap();
    await dialogOn(page).getByText('Both would work').waitFor();
    await page.keyboard.press('Escape');
    await dialogOn(page).waitFor({ state: 'detached' });
    await page.evaluate("location.hash = 's=demo&task=c'");
    await page.getByRole('region', { name: 'Task c' }).waitFor();
    expect(await page.getByRole('list', { name: 'What waits for you' }).count()).toBe(0);
  });
});
