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

  it.each([360, 412])(
    'has the first row for itself on a phone %i wide, and nothing is cut below it',
    async (width) => {
      const { project } = await projectWithSprint();
      await askStore(project);
      await askCall(project);
      const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
      await page.setViewportSize({ width, height: 740 });
      const dialog = dialogOn(page);
      const box = async (selector: string) => {
        const found = await dialog.locator(selector).boundingBox();
        if (!found) throw new Error(`${selector} is not drawn`);
        return { ...found, right: found.x + found.width, bottom: found.y + found.height };
      };
      for (const hasRisk of [true, false]) {
        await dialog.getByText(hasRisk ? 'request 1 of 2' : 'request 2 of 2').waitFor();
        const [title, close, steps, who] = [
          await box('h2'),
          await box('.modal-head > .button'),
          await box('.modal-steps'),
          await box('.asked-who'),
        ];
        expect(title.right).toBeLessThanOrEqual(close.x);
        expect(steps.y).toBeGreaterThanOrEqual(title.bottom);
        expect(steps.right).toBeLessThanOrEqual(width);
        // Below what it risks and the steps, else beside these.
        if (hasRisk) {
          const badge = await box('.asked-by .badge');
          expect(badge.right).toBeLessThan(steps.x);
          expect(badge.y).toBeGreaterThanOrEqual(steps.y);
          expect(badge.bottom).toBeLessThanOrEqual(steps.bottom);
          expect(who.y).toBeGreaterThanOrEqual(steps.bottom);
        } else expect(who.right).toBeLessThanOrEqual(steps.x);
        if (hasRisk) await dialog.getByRole('button', { name: 'The next one' }).tap();
      }
      expect(await barriersOn(page)).toEqual([]);
    },
  );

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
