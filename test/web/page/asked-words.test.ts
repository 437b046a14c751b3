import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, askCall, askStore, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
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
