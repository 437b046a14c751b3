import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, answerTo, askStore, ben, dialogOn } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const aLongWord = 'word'.repeat(30);

/** Texts that are as wide, or as deep, as an agent may want them. */
const wide = [
  `\`\`\`\n${'const x = 1; '.repeat(12)}\n\`\`\``,
  `| ${'column |'.repeat(9)}\n|${'-|'.repeat(9)}\n| ${'a value |'.repeat(9)}`,
  `${'>'.repeat(40)} deep`,
  Array.from({ length: 12 }, (_, level) => `${'  '.repeat(level)}- deep`).join('\n'),
].join('\n\n');

const askForm = (project: Project) =>
  ask(project, {
    stream: 'demo',
    agent,
    kind: 'clarification',
    question: 'A few things',
    questions: [...storeForm],
  });

describe.skipIf(chromiumPath === undefined)('a form of several questions on the page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has titles as they read, and options as they are sent', async () => {
    const { project } = await projectWithSprint();
    const options = [{ label: 'A `table`', description: 'It is **fast**' }, { label: 'A file' }];
    const questions = [{ title: 'The **store**', options }];
    const said = { stream: 'demo', agent } as const;
    const { id } = await ask(project, { ...said, kind: 'clarification', question: 'Where?', questions });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByRole('heading', { name: 'The store', exact: true }).waitFor();
    await dialog.getByRole('radio', { name: /^A `table` It is \*\*fast\*\*/ }).check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(answerTo(project, id)?.response).toBe('The **store**: A `table`');
  });

  it.each(['phone', 'desktop'] as const)(
    'has all that it says in sight, however wide, on a %s',
    async (size) => {
      const { project } = await projectWithSprint();
      const said = { stream: 'demo', agent, options: ['Yes', aLongWord] };
      const options = [{ label: aLongWord, description: aLongWord }, { label: 'No' }];
      await ask(project, {
        ...said,
        kind: 'help',
        question: `Replace it? ${'Say no if the test fails. '.repeat(4)}\n\n${wide}`,
      });
      const { page } = await openServed(browser, await servePage(project), { size });
      const dialog = dialogOn(page);
      const hidden = () =>
        page.evaluate<number>(
          '(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector(".modal-body"))',
        );
      await dialog.getByText('Replace it?').waitFor();
      expect(await hidden()).toBe(0);
      await dialog.getByRole('radio', { name: 'Yes' }).check();
      await dialog.getByRole('button', { name: 'Answer' }).click();
      await dialog.waitFor({ state: 'detached' });
      const questions = [{ title: aLongWord, question: wide, options }];
      await ask(project, {
        ...said,
        options: undefined,
        kind: 'clarification',
        question: 'A form',
        context: wide,
        questions,
      });
      await dialog.getByRole('heading', { name: aLongWord }).waitFor();
      expect(await hidden()).toBe(0);
    },
  );

  it('says at each question what is missing once it was to be sent, and not before', async () => {
    const { project } = await projectWithSprint();
    await askForm(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('radio', { name: 'SQLite' }).check();
    expect(await dialog.locator('.edit-problem').count()).toBe(0);
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return dialog.locator('.edit-problem').allTextContents();
      })
      .toEqual(['Nothing is chosen yet', 'Nothing is written yet']);
    await dialog.getByRole('checkbox', { name: 'Search' }).check();
    expect(await dialog.locator('.edit-problem').allTextContents()).toEqual(['Nothing is written yet']);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('is answered with the keyboard alone, from its first question to the answer', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askForm(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('heading', { name: 'Database' }).waitFor();
    const { keyboard } = page;
    const at = () => page.evaluate<string>('document.activeElement.labels?.[0]?.textContent ?? ""');
    /** Goes on to what is called so. */
    const to = async (name: string) => {
      for (let pressed = 0; pressed < 20; pressed += 1) {
        if ((await at()).startsWith(name)) return;
        await keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${name}, but to ${await at()}`);
    };
    await to('Postgres');
    await keyboard.press('Space');
    await keyboard.press('ArrowDown');
    await to('Login');
    await keyboard.press('Space');
    await to('Export');
    await keyboard.press('Space');
    await to('Your answer');
    await keyboard.insertText('\u200B');
    const send = dialog.getByRole('button', { name: /^Answer/ });
    expect(await send.getAttribute('aria-disabled')).toBe('true');
    await keyboard.press('ControlOrMeta+A');
    await keyboard.type('orders');
    await expect.poll(() => send.isEnabled()).toBe(true);
    await keyboard.press('Control+Enter');
    await expect
      .poll(() => answerTo(project, id)?.answers)
      .toEqual([
        { question: 0, options: [1] },
        { question: 1, options: [0, 2] },
        { question: 2, options: [], words: 'orders' },
      ]);
  });

  it('that somebody answers elsewhere while it is half filled says so, and keeps what stands in it', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askForm(project);
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByLabel('SQLite').check();
    await dialog.getByLabel('Your answer').fill('ord');
    await askStore(project);
    const answers = [
      { question: 0, options: [0] },
      { question: 1, options: [0] },
      { question: 2, options: [], words: 'x' },
    ];
    await answerRequest(project, id, { answers, ...ben });
    const closing = dialog.getByRole('alert');
    await closing.waitFor();
    expect(await closing.textContent()).toMatch(
      /^ben was first: answered in the shell, .*: Database: Postgres; Features: Login; Name: of the service: x; License: \(no answer\)$/,
    );
    expect(await dialog.getByLabel('SQLite').isChecked()).toBe(true);
    expect(await dialog.getByLabel('Your answer').inputValue()).toBe('ord');
    expect(await dialog.getByRole('button', { name: /^Answer/ }).count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close', exact: true }).tap();
    // What waits besides is next.
    await dialog.getByText('Both would work').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('that somebody answers elsewhere before it is begun is said with the answers, as everywhere', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askForm(project);
    const { page } = await openServed(browser, await servePage(project));
    await dialogOn(page).getByLabel('SQLite').waitFor();
    const answers = [
      { question: 0, options: [0] },
      { question: 1, options: [0, 2] },
      { question: 2, options: [], words: 'two\nlines' },
    ];
    await answerRequest(project, id, { answers, ...ben });
    const told = page.getByText(
      /^ben answered in the shell, .*: Database: Postgres; Features: Login, Export; Name: of the service: two lines; /,
    );
    await told.waitFor();
    expect(await page.locator('.toast').count()).toBe(1);
  });

  it('is on the tab, its icon and the icon of the installed page for as long as it waits', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askStore(project);
    const form = await askForm(project);
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.addInitScript(
      'Object.assign(navigator, { setAppBadge: async (n) => void (window.badge = n) })',
    );
    await page.reload();
    const signs = () =>
      page.evaluate(`[badge, document.querySelector('link[rel=icon]').getAttribute('href')]`);
    await expect.poll(() => page.title()).toMatch(/^\(2\) .+ · Clifford$/);
    expect(await signs()).toEqual([2, './icon-waiting.svg']);
    await answerRequest(project, id, { response: 'A table', ...ben });
    await expect.poll(() => page.title()).toMatch(/^\(1\) /);
    await answerRequest(project, form.id, { rejected: true, response: 'No', ...ben });
    await expect.poll(() => page.title()).toMatch(/^[^(].* · Clifford$/);
    expect(await signs()).toEqual([0, './icon.svg']);
  });
});
