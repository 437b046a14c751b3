import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../../../src/workflow/requests/ask.ts';
import type { Approval } from '../../../src/events/approval.ts';
import { digestOf } from '../../../src/lib/digest.ts';
import { askApproval } from '../../../src/workflow/requests/approval.ts';
import { approval } from '../../helpers/approval.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, answerTo, askCall, askOwn, dialogOn, firstOfTwo, readUntil } from './asked.ts';
import { barriersOn, chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const lines = Array.from({ length: 30 }, (_, at) => `line ${at + 1}`);
const edited = lines.with(14, 'const port = 80;');
const edit = {
  path: 'server.ts',
  old_string: edited.join('\n'),
  new_string: edited.with(14, 'const port = 8080;').join('\n'),
};

describe.skipIf(chromiumPath === undefined)('the card of a call', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('has the numbers of the file, folds what stays in it, and marks the words that differ', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'server.ts'), `// first\n// second\n${edited.join('\n')}\n`);
    await askOwn(project, 'edit', edit);
    const { page } = await openServed(browser, await servePage(project));
    const diff = dialogOn(page).getByRole('figure');
    await diff.getByText('const port = 8080').waitFor();
    expect(await diff.locator('mark').allTextContents()).toEqual(['80', '8080']);
    expect(await diff.locator('.diff-line.removed .diff-number').allTextContents()).toEqual(['17', '']);
    expect(await diff.locator('.diff-line.added .diff-number').allTextContents()).toEqual(['', '17']);
    expect(await diff.getByText('line 3', { exact: true }).count()).toBe(0);
    expect(await barriersOn(page)).toEqual([]);
    await diff.getByRole('button', { name: '11 lines as in the file' }).click();
    await diff.getByText('line 3', { exact: true }).waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('diff-lines');
    await diff.getByRole('button', { name: '12 lines as in the file' }).waitFor();
  });

  it('folds nothing that is only said to be in the file, and counts no lines of it', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'server.ts'), 'something else\n');
    await askOwn(project, 'edit', edit);
    const { page } = await openServed(browser, await servePage(project));
    const diff = dialogOn(page).getByRole('figure');
    await diff.getByText('line 3', { exact: true }).waitFor();
    expect(await diff.locator('.diff-fold, .diff-number').count()).toBe(0);
  });

  it('leads to its end on a phone, and what stands above and below it stays where it is', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { path: 'server.ts', content: edited.concat(edited).join('\n') });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Read it to its end first' }).waitFor();
    await readUntil(dialog, dialog.getByRole('button', { name: 'Allow once' }));
    expect(
      await page.evaluate(`[...document.querySelectorAll('dialog')].map(({ scrollTop }) => scrollTop)`),
    ).toEqual([0]);
  });

  it('names files from the root of the project on, and breaks their paths behind folders alone', async () => {
    const { root, project } = await projectWithSprint();
    const name = 'src/features/authentication/handlers/two-factor-handler.ts';
    const args = { path: join(root, name), old_string: 'one\n', new_string: 'two\nthree\n' };
    await askCall(project, args);
    await askApproval(project, {
      stream: 'demo',
      agent,
      approval: {
        ...approval,
        server: '@claude',
        isOwn: true,
        tool: 'edit',
        args,
        callDigest: digestOf('own'),
      },
    });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const caption = dialogOn(page).locator('figcaption');
    await caption.waitFor();
    expect(await caption.locator('.exact').textContent()).toBe(name);
    const label = await caption.getByText('Changes', { exact: true }).boundingBox();
    expect(label?.height).toBeLessThan(20);
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('figcaption .token')].map((part) => part.getClientRects().length)`,
      ),
    ).toEqual([1, 1, 1, 1, 1]);
    await page.keyboard.press('Escape');
    await page.goto(`${page.url().replace(/#.*/, '')}#`);
    const title = page.locator('.inbox-title', { hasText: 'Edit' });
    await title.waitFor();
    expect(await title.textContent()).toBe(`Edit ${name} +2 −1`);
  });

  it('does not repeat as JSON what it shows of a change, but for what that does not show', async () => {
    const { root, project } = await projectWithSprint();
    const diff = { type: 'diff', path: join(root, 'a.ts'), oldText: 'one\n', newText: 'two\n' };
    const own = { ...approval, server: '@claude', isOwn: true, tool: 'edit' } as const;
    const askOwn = (args: Approval['args']) =>
      askApproval(project, { stream: 'demo', agent, approval: { ...own, args, callDigest: digestOf(args) } });
    const { id } = await askOwn({ 'changes shown': [diff], reason: 'tidy' });
    const more = await askOwn({ 'changes shown': [diff, { ...diff, mode: 'force' }], reason: 'tidy' });
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { place: `q=${id}` });
    const dialog = dialogOn(page);
    await dialog.getByText('tidy').waitFor();
    expect(await dialog.getByRole('figure').count()).toBe(1);
    expect(await dialog.getByText('oldText').count()).toBe(0);
    const { page: other } = await openServed(browser, server, { place: `q=${more.id}` });
    await dialogOn(other).getByText('"mode": "force"').waitFor();
  });

  it('says which rule asked, and which one does now that the policy is another', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(
      join(root, 'mcp.json'),
      JSON.stringify({ servers: {}, policy: { agents: { ask: 'everything' } } }),
    );
    await askOwn(project, 'execute', { command: 'ls -l' }, 'agents.ask what-matters');
    const { page } = await openServed(
      browser,
      await servePage(project, { env: { HOME: root, CLIFFORD_TRUST_PROJECT: '1' } }),
    );
    const facts = dialogOn(page).locator('.facts');
    await facts.getByText('What asks now').waitFor();
    expect(await facts.textContent()).toContain(
      'Rule that askedagents.ask what-mattersWhat asks nowagents.ask everything',
    );
  });

  it('names the task that it is about by its title, and by its id where there is room', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'sprints/demo/b.md'), '# Keep the notes\n');
    await askCall(project);
    const server = await servePage(project);
    for (const [size, isNamed] of [
      ['desktop', true],
      ['phone', false],
    ] as const) {
      const { page } = await openServed(browser, server, { size });
      const asked = dialogOn(page).locator('.asked-who');
      await asked.getByText('Keep the notes').waitFor();
      expect(await asked.getByText('(b)').isVisible()).toBe(isNamed);
    }
  });

  it('says whether its server is believed, in words that are not those of what may be started', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const facts = dialogOn(page).locator('.facts').filter({ hasText: 'Server' });
    await facts.getByText('fs (claims not believed)', { exact: true }).waitFor();
    expect(await dialogOn(page).innerText()).not.toMatch(/trust/i);
  });

  it('is found by the beginning of its id that is printed', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project);
    const { page } = await openServed(browser, await servePage(project), { place: `q=${id.slice(0, -2)}` });
    await dialogOn(page).getByText('hello').waitFor();
    expect(new URLSearchParams(new URL(page.url()).hash.slice(1)).get('q')).toBe(id);
  });

  it('goes one step back with Escape, and is closed with the next', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    for (const name of ['Deny…', 'Ask why…', 'Change it…', 'Allow for longer…']) {
      await dialog.getByRole('button', { name, disabled: false }).click();
      await dialog.getByRole('button', { name: 'Back', exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.getByRole('button', { name: 'Deny…' }).waitFor();
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
  });

  it('says how great the risk is in words and bars', async () => {
    const { project } = await projectWithSprint();
    await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    await dialogOn(page).getByTitle('Risk: medium').waitFor();
    expect(await dialogOn(page).getByTitle('Risk: medium').locator('rect[fill-opacity="1"]').count()).toBe(2);
  });

  it('is asked about by the keys as soon as that is chosen', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Ask why…' }).waitFor();
    await page.clock.install();
    await dialog.getByRole('button', { name: 'Ask why…' }).click();
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => answerTo(project, id)).toMatchObject({ verdict: 'questioned' });
  });

  it('sends a reason with Ctrl+Enter, and never a yes', async () => {
    const { project } = await projectWithSprint();
    const { id } = await askCall(project);
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Allow once', disabled: false }).waitFor();
    await page.keyboard.press('Control+Enter');
    await dialog.getByRole('button', { name: 'Deny…' }).click();
    await dialog.getByLabel(/^Why/).fill('Not there');
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return answerTo(project, id);
      })
      .toMatchObject({ verdict: 'denied', response: 'Not there' });
  });
});

describe.skipIf(chromiumPath === undefined)('a form', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('names what is not answered yet, and leads there', async () => {
    const { project } = await projectWithSprint();
    const { id } = await ask(project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      question: 'A few things',
      questions: [...storeForm],
    });
    const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
    const dialog = dialogOn(page);
    const missing = dialog.getByRole('button', { name: / left/ });
    const focused = () =>
      page.evaluate('document.activeElement.closest("[data-question]")?.dataset.question');
    await expect
      .poll(() => missing.textContent())
      .toBe('3 left: 1 Database, 2 Features, 3 Name: of the service');
    const rightOf = async () => {
      const box = await dialog.getByRole('button', { name: 'Answer' }).boundingBox();
      return box && { right: box.x + box.width, bottom: box.y + box.height };
    };
    const place = await rightOf();
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByLabel('SQLite').check();
    await expect.poll(() => missing.textContent()).toMatch(/^2 left: 2 Features, 3 Name/);
    await missing.click();
    expect(await focused()).toBe('1');
    await dialog.getByLabel('Login').check();
    // The keys lead there, too.
    await expect
      .poll(async () => {
        await page.keyboard.press('Control+Enter');
        return focused();
      })
      .toBe('2');
    await page.keyboard.type('orders');
    await missing.waitFor({ state: 'detached' });
    expect(await rightOf()).toEqual(place);
    await page.keyboard.press('Control+Enter');
    await expect.poll(() => answerTo(project, id)?.answers).toHaveLength(3);
  });

  it('has nothing to press that is smaller than a finger, on a phone', async () => {
    const { project } = await projectWithSprint();
    const form = await ask(project, {
      stream: 'demo',
      agent,
      kind: 'clarification',
      question: 'A few things',
      questions: [...storeForm],
    });
    const call = await askOwn(project, 'edit', edit);
    const server = await servePage(project);
    for (const { id } of [form, call]) {
      const { page } = await openServed(browser, server, { size: 'phone', place: `s=demo&q=${id}` });
      await dialogOn(page).getByRole('button').nth(3).waitFor();
      const small =
        await page.evaluate(`[...document.querySelectorAll('button, summary, textarea, a.inbox-item, .option-choice')]
        .filter((part) => part.checkVisibility())
        .map((part) => [part.textContent, part.getBoundingClientRect()])
        .filter(([, { width, height }]) => Math.min(height, width) < 44)
        .map(([text]) => text)`);
      expect(small).toEqual([]);
    }
  });

  it('says what became of the one before below its title, which stays to be seen', async () => {
    const { page, dialog } = await firstOfTwo(browser);
    await page.clock.install();
    await dialog.getByLabel('The column').check();
    await dialog.getByRole('button', { name: 'Answer' }).click();
    const toast = dialog.getByText(/^Answered “/);
    await toast.waitFor();
    await dialog.getByText('The second?').waitFor();
    // On the card of another one it says which it is about.
    await dialog.getByText('“The first?”').waitFor();
    const [title, said, asked] = await Promise.all(
      [dialog.getByRole('heading', { level: 2 }), toast, dialog.getByText('The second?')].map((each) =>
        each.boundingBox(),
      ),
    );
    if (!title || !said || !asked) throw new Error('not seen');
    expect(said.y).toBeGreaterThanOrEqual(title.y + title.height);
    expect(said.y + said.height).toBeLessThanOrEqual(asked.y);
    // Nothing below it moves by itself.
    await page.clock.fastForward(60_000);
    expect(await toast.isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.getByText(/^Answered “/).waitFor({ state: 'detached' });
  });
});
