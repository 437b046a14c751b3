import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type Question } from '../../../src/workflow/requests/ask.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, answerTo, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser, type PageOptions } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what a program asks on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** A page with a question that waits, of a program unless it is said otherwise. */
  async function asked(question: Partial<Question> & Pick<Question, 'question'>, options: PageOptions = {}) {
    const { project } = await projectWithSprint();
    const { id } = await ask(project, { stream: 'demo', agent, task: 'a', kind: 'prompt', ...question });
    const { page, complaints } = await openServed(browser, await servePage(project), options);
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Reject…' }).waitFor();
    return { project, id, page, dialog, complaints };
  }

  it.each(['desktop', 'phone'] as const)(
    'as a secret is not shown, unless it is to be, and said to be stored: %s',
    async (size) => {
      const { project, id, page, dialog, complaints } = await asked({ question: 'Password:' }, { size });
      const field = dialog.getByLabel('Your answer');
      await dialog.getByText('A secret is asked for, and answers are stored in the log').waitFor();
      const kind = async () =>
        Promise.all(['type', 'autocomplete', 'spellcheck'].map((name) => field.getAttribute(name)));
      expect(await kind()).toEqual(['password', 'off', 'false']);
      await field.fill('hunter2');
      await dialog.getByRole('button', { name: 'Show' }).click();
      expect(await kind()).toEqual(['text', 'off', 'false']);
      await dialog.getByRole('button', { name: 'Hide' }).click();
      expect(await kind()).toEqual(['password', 'off', 'false']);
      expect(await barriersOn(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Answer' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(answerTo(project, id)?.response).toBe('hunter2');
      expect(complaints).toEqual([]);
    },
  );

  it.each([
    ['desktop', 1_280, 800],
    ['phone', 360, 740],
  ] as const)(
    'has its answer in sight, below the end of what was written: %s',
    async (size, width, height) => {
      const { project } = await projectWithSprint();
      const lines = Array.from({ length: 20 }, (_, at) => `line ${at} of what it wrote before`);
      await ask(project, {
        stream: 'demo',
        agent,
        task: 'a',
        kind: 'prompt',
        question: 'Name of the *.bak file?',
        reason: 'The agent waits for this at its terminal. Your answer is typed into it.',
        context: lines.join('\n'),
      });
      const { page } = await openServed(browser, await servePage(project), { size });
      await page.setViewportSize({ width, height });
      const dialog = dialogOn(page);
      await dialog.getByLabel('Your answer').waitFor();
      const body = await dialog.getByRole('region').boundingBox();
      const field = await dialog.getByLabel('Your answer').boundingBox();
      const last = await dialog.getByText('line 19 of').boundingBox();
      if (!body || !field || !last) throw new Error('not seen');
      expect(field.y + field.height).toBeLessThanOrEqual(body.y + body.height);
      expect(last.y + last.height).toBeLessThanOrEqual(field.y);
      const font = await page.evaluate<string>(
        "getComputedStyle(document.querySelector('.said-output')).fontFamily",
      );
      expect(font).toContain('monospace');
      await dialog.getByText('Name of the *.bak file?').waitFor();
      expect(await barriersOn(page)).toEqual([]);
    },
  );

  it('as a secret has the keyboard at once, and takes Enter alone', async () => {
    const { project, id, page, dialog, complaints } = await asked({
      question: 'Enter passphrase (empty for none):',
    });
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('password');
    await page.keyboard.type('x');
    await dialog.getByRole('button', { name: 'Answer' }).waitFor();
    await page.keyboard.press('Backspace');
    await dialog.getByRole('button', { name: 'Press Enter', disabled: false }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    expect(answerTo(project, id)?.response).toBe('');
    expect(complaints).toEqual([]);
  });

  it('as a secret has no keyboard over it on a phone', async () => {
    const { page, dialog } = await asked({ question: 'Password:' }, { size: 'phone' });
    await dialog.getByLabel('Your answer').waitFor();
    expect(await page.evaluate("document.activeElement.hasAttribute('data-first')")).toBe(true);
  });

  it('is answered with words where nothing can be typed into it', async () => {
    const { dialog } = await asked({ question: 'Password:', untypable: true });
    await dialog.getByRole('button', { name: 'Answer' }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Press Enter' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Dismiss…' }).click();
    // It may have read the end of its input, and waits for nothing.
    await dialog.getByText('nobody is told: the program is left as it is.').waitFor();
  });

  it('as a secret takes nothing for an answer only where it says so', async () => {
    const { project, id, page, dialog } = await asked({ question: 'Password:' });
    await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('password');
    const answer = dialog.getByRole('button', { name: 'Answer' });
    await answer.and(page.locator('[aria-disabled="true"]:enabled')).waitFor();
    expect(await dialog.getByRole('button', { name: 'Press Enter' }).count()).toBe(0);
    await page.keyboard.press('Enter');
    await page.keyboard.type('x');
    await answer.and(page.locator('[aria-disabled="false"]')).waitFor();
    expect(findRequest(project.state, id).phase).toBe('open');
  });

  it('has no other words, and what follows if it gets no answer is said before', async () => {
    const { project, id, page, dialog, complaints } = await asked({ question: 'Name:' }, { size: 'phone' });
    expect(await dialog.getByRole('button', { name: 'Rephrase…' }).count()).toBe(0);
    await dialog.getByRole('button', { name: 'Reject…' }).click();
    await dialog.getByText('it ends the attempt, and the next one is told why').waitFor();
    await dialog.getByRole('button', { name: 'Back', exact: true }).click();
    await dialog.getByRole('button', { name: 'Dismiss…' }).click();
    await dialog.getByText('nobody is told: the program is left as it is.').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByText('Dismissed: nothing is typed, the program waits on').waitFor();
    expect(findRequest(project.state, id).phase).toBe('dismissed');
    expect(complaints).toEqual([]);
  });

  it('as a key is a button, or another key', async () => {
    const press = { question: 'Press any key to continue...', awaitsKey: true as const };
    const { project, id, page, dialog } = await asked(press);
    await dialog.getByLabel('Or another key').fill('q');
    await dialog.getByRole('button', { name: 'Answer' }).waitFor();
    await dialog.getByLabel('Or another key').fill('');
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Press Enter' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(answerTo(project, id)?.response).toBe('Enter');
  });

  /** What the browser keeps of what was typed. */
  const kept = (page: Page) =>
    page.evaluate<string>("Object.entries(localStorage).filter(([key]) => key.includes('draft')).join()");

  it('as a secret is not kept, nor is what anybody asks for by that name, or what looks like one', async () => {
    const { dialog, page } = await asked({
      kind: 'help',
      question: 'Which token do you use?',
      options: ['Mine'],
    });
    await dialog.getByLabel('Mine').check();
    await expect.poll(() => kept(page)).toContain('"chosen":[0]');
    await dialog.getByLabel('Or in your own words').fill('open-sesame');
    await expect.poll(() => kept(page)).toBe('');
    const plain = await asked({ kind: 'help', question: 'Which address?' });
    const field = plain.dialog.getByLabel('Your answer');
    await field.fill('http://there');
    await expect.poll(() => kept(plain.page)).toContain('http://there');
    await field.fill(`ghp_${'a1'.repeat(18)}`);
    await expect.poll(() => kept(plain.page)).toBe('');
    const prompt = await asked({ question: 'Passphrase:' });
    await prompt.dialog.getByLabel('Your answer').fill('open-sesame');
    await prompt.page.reload();
    await prompt.dialog.getByLabel('Your answer').waitFor();
    expect(await prompt.dialog.getByLabel('Your answer').inputValue()).toBe('');
    expect(await kept(prompt.page)).toBe('');
    expect(findRequest(prompt.project.state, prompt.id).phase).toBe('open');
  });
});
