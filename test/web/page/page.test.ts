import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { deny } from '../../../src/workflow/requests/approval.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import type { FormQuestion } from '../../../src/events/form/form.ts';
import { on } from '../../helpers/history.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { storeForm } from '../../helpers/store-form.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { agent, answerTo, askCall, askStore, ben, dialogOn, readUntil } from './asked.ts';
import { barriersOn, chromiumPath, openPage, startBrowser } from './browser.ts';
import { addEvents, flood, sizeOf } from './flood.ts';
import { openServed, servePage } from './served-page.ts';

const cli = join(import.meta.dirname, '../../../dist/cli.js');

describe.skipIf(chromiumPath === undefined)('the page in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  describe('a question', () => {
    it('is answered on a phone while a terminal shows it, too, and both say so', async () => {
      const { project, root } = await projectWithSprint();
      const { id } = await askStore(project);
      const screen = openPty(process.execPath, [cli, 'attach', 'demo'], { cwd: root });
      await screen.see('Which store keeps the keys?');
      await screen.see('Type an answer');
      screen.press('Neither');
      await screen.see('Neither');
      const server = await servePage(project);
      const { page, complaints } = await openServed(browser, server, { size: 'phone' });
      const dialog = dialogOn(page);
      await dialog.getByText('Both would work').waitFor();
      await dialog.getByLabel('The column').tap();
      await dialog.getByRole('button', { name: 'Answer' }).tap();
      await dialog.waitFor({ state: 'detached' });
      await expect
        .poll(() => answerTo(project, id))
        .toMatchObject({
          response: 'The column',
          option: 1,
          by: 'ada',
          via: 'web',
        });
      await screen.see('ada answered, in the browser: The column');
      expect(complaints).toEqual([]);
    });

    it('is answered by keys alone, and the keyboard is given back to where it was', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
      const dialog = dialogOn(page);
      await dialog.getByText('Both would work').waitFor();
      // Put aside, and opened again from the list.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      const item = page.getByRole('link', { name: /Which store/ });
      await item.focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor();
      for (let pressed = 0; pressed < 12; pressed += 1) {
        await page.keyboard.press('Tab');
        // The browser's own bar is the one place beside it.
        expect(
          await page.evaluate(
            'document.activeElement === document.body || !!document.activeElement.closest("dialog")',
          ),
        ).toBe(true);
      }
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.className')).toBe('inbox-item');
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: 'Answer' }).waitFor();
      await expect
        .poll(async () => {
          await page.keyboard.press('2');
          return dialog.getByLabel('The column').isChecked();
        })
        .toBe(true);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => answerTo(project, id)?.option).toBe(1);
    });

    it('that came up by itself leaves the keyboard at what is looked at', async () => {
      const { project } = await projectWithSprint();
      await askStore(project);
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
      await dialogOn(page).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    });

    it('is not waited for where a link leads to a sprint that is not there', async () => {
      const { project } = await projectWithSprint();
      const { page } = await openServed(browser, await servePage(project), {
        place: 's=gone',
        size: 'phone',
      });
      await page.getByText('There is no sprint gone in this project').waitFor();
      await page.getByRole('link', { name: 'All sprints' }).click();
      await expect.poll(() => page.getByText('There is no sprint gone').count()).toBe(0);
    });

    it('that somebody else answers first says who and what, on every page that shows it', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const server = await servePage(project);
      const [one, other, begun] = await Promise.all([
        openServed(browser, server, { size: 'phone' }),
        openServed(browser, server, { place: 's=demo' }),
        openServed(browser, server),
      ]);
      for (const { page } of [one, other, begun]) await dialogOn(page).getByText('Both would work').waitFor();
      await dialogOn(begun.page).getByLabel('Or in your own words').fill('In nei');
      await dialogOn(one.page).getByLabel('Or in your own words').fill('In both');
      await dialogOn(one.page).getByRole('button', { name: 'Answer' }).click();
      // Whoever has begun to answer is not taken away from what they wrote.
      const closing = dialogOn(begun.page).getByRole('alert');
      await closing.waitFor();
      expect(await closing.textContent()).toMatch(
        /^ada was first: answered in the browser, [\d:]+: In both$/,
      );
      expect(await dialogOn(begun.page).getByLabel('Or in your own words').inputValue()).toBe('In nei');
      await dialogOn(begun.page).getByRole('button', { name: 'Close', exact: true }).click();
      await dialogOn(begun.page).waitFor({ state: 'detached' });
      await dialogOn(other.page).waitFor({ state: 'detached' });
      await other.page.getByText(/^ada answered in the browser, [\d:]+: In both$/).waitFor();
      expect(answerTo(project, id)?.response).toBe('In both');
    });

    it('keeps what was written and not sent, in this browser, until it is closed', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const { page } = await openServed(browser, await servePage(project), { hasNoWorker: true });
      await dialogOn(page).waitFor();
      // Also where nothing has come yet of what is loaded later.
      await page.route(/assets\/(?!index-)[^/]*\.js$/, (route) => route.abort());
      await page.reload();
      await dialogOn(page).getByLabel('Or in your own words').fill('In neither of them, but');
      await page.reload();
      const field = dialogOn(page).getByLabel('Or in your own words');
      await field.waitFor();
      expect(await field.inputValue()).toBe('In neither of them, but');
      await answerRequest(project, id, { response: 'A table', ...ben });
      await dialogOn(page).getByRole('alert').waitFor();
      await expect
        .poll(() => page.evaluate('Object.keys(localStorage).filter((key) => key.includes("draft")).length'))
        .toBe(0);
    });

    it('is one of several: each is a step away, an answer leads to the next, and Escape to none', async () => {
      const { project } = await projectWithSprint();
      const asked = [
        await askStore(project, 'The first?'),
        await askStore(project, 'The second?'),
        await askStore(project, 'The third?'),
      ];
      const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
      const dialog = dialogOn(page);
      await dialog.getByText('1 of 3').waitFor();
      await dialog.getByText('The first?').waitFor();
      expect(await dialog.getByRole('button', { name: 'The one before' }).isDisabled()).toBe(true);
      await dialog.getByRole('button', { name: 'The next one' }).click();
      await dialog.getByText('2 of 3').waitFor();
      await dialog.getByLabel('The column').check();
      await dialog.getByRole('button', { name: 'Answer' }).click();
      await dialog.getByText('The third?').waitFor();
      await dialog.getByText('2 of 2').waitFor();
      expect(answerTo(project, asked[1]?.id ?? '')?.option).toBe(1);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      // What comes later does.
      const last = await askStore(project, 'The last?');
      await dialog.getByText('The last?').waitFor();
      expect(findRequest(project.state, last.id).phase).toBe('open');
    });

    it('is asked for in other words without saying which, and nothing is said of a reason', async () => {
      const { project } = await projectWithSprint();
      const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
      const dialog = dialogOn(page);
      const send = dialog.locator('button[type=submit]', { hasText: 'Ask to rephrase' });
      for (const keys of ['Control+Enter', 'Enter']) {
        const { id } = await askStore(project, `Which one, ${keys}?`);
        await dialog.getByRole('button', { name: 'Rephrase…' }).click();
        await expect.poll(() => send.isEnabled()).toBe(true);
        if (keys === 'Enter') await send.press(keys);
        else await page.keyboard.press(keys);
        await expect.poll(() => answerTo(project, id)).toMatchObject({ rephrase: true, response: '' });
        await dialog.waitFor({ state: 'detached' });
      }
      const told = page.getByText(/asked to rephrase it in the browser/).first();
      await told.waitFor();
      expect(await told.textContent()).not.toContain(':');
    });

    it('is asked for in other words by the keys as soon as that is chosen, and by its button a little later', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      await dialog.getByRole('button', { name: 'Rephrase…' }).waitFor();
      await page.clock.install();
      await dialog.getByRole('button', { name: 'Rephrase…' }).click();
      const send = dialog.locator('button[type=submit]', { hasText: 'Ask to rephrase' });
      expect(await send.isDisabled()).toBe(true);
      await page.keyboard.press('Control+Enter');
      await expect.poll(() => answerTo(project, id)).toMatchObject({ rephrase: true });
    });

    it('is rejected with a reason, and asked for in other words', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      await dialog.getByRole('button', { name: 'Rephrase…' }).click();
      await dialog.getByText('an agent that asks is told to ask it in other words').waitFor();
      await dialog.getByLabel('What is not clear').fill('Which keys?');
      await dialog.getByRole('button', { name: 'Ask to rephrase' }).click();
      await expect
        .poll(() => answerTo(project, id))
        .toMatchObject({ rephrase: true, response: 'Which keys?' });
      const again = await askStore(project, 'Where are keys of accounts kept?');
      await dialog.getByRole('button', { name: 'Reject…' }).click();
      await dialog.getByText('An agent that asks is told why').waitFor();
      await dialog.getByLabel('Why it is rejected').fill('Out of scope');
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
      await expect
        .poll(() => answerTo(project, again.id))
        .toMatchObject({ rejected: true, response: 'Out of scope' });
    });
  });

  describe('several questions at once', () => {
    it('are one form: what has to be answered is, and all is sent together', async () => {
      const { project } = await projectWithSprint();
      const { id } = await ask(project, {
        stream: 'demo',
        agent,
        kind: 'clarification',
        question: 'A few things',
        context: 'It **moves** next year',
        questions: [...storeForm],
      });
      const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
      const dialog = dialogOn(page);
      const button = dialog.getByRole('button', { name: /^Answer/ });
      await dialog.locator('strong', { hasText: /^moves$/ }).waitFor();
      await dialog.getByText('recommended').waitFor();
      expect(await dialog.getByLabel('Postgres').isChecked()).toBe(false);
      await dialog.getByLabel('SQLite').check();
      await dialog.getByLabel('Login').check();
      await dialog.getByLabel('Export').check();
      expect(await button.isDisabled()).toBe(true);
      await dialog.getByLabel('Your answer').fill('orders');
      await button.click();
      await expect
        .poll(() => answerTo(project, id)?.answers)
        .toEqual([
          { question: 0, options: [1] },
          { question: 1, options: [0, 2] },
          { question: 2, options: [], words: 'orders' },
        ]);
    });

    it('with 10,000 options are there at once, and the one that is meant is found', async () => {
      const { project } = await projectWithSprint();
      const options = Array.from({ length: 10_000 }, (_, at) => ({ label: `Choice ${at}` }));
      const questions: FormQuestion[] = [{ title: 'Which?', options }];
      const { id } = await ask(project, {
        stream: 'demo',
        agent,
        kind: 'clarification',
        question: 'One of many',
        questions,
      });
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      await dialog.getByRole('radio', { name: 'Choice 7', exact: true }).waitFor();
      expect(await page.evaluate('document.getElementsByTagName("*").length')).toBeLessThan(2_000);
      await dialog.getByLabel('Find an option').fill('choice 9876');
      await dialog.getByLabel('Choice 9876').check();
      await dialog.getByRole('button', { name: 'Answer' }).click();
      await expect.poll(() => answerTo(project, id)?.answers).toEqual([{ question: 0, options: [9_876] }]);
    });
  });

  describe('a call', () => {
    it('can be allowed only when all of it was seen, and never by a tap beside it or by Enter', async () => {
      const { project } = await projectWithSprint();
      const content = Array.from({ length: 200 }, (_, at) => `line ${at}`).join('\n');
      const { id } = await askCall(project, { path: 'notes.txt', content: `${content}\n\u202egnp.exe` });
      const { page } = await openServed(browser, await servePage(project), { size: 'phone' });
      const dialog = dialogOn(page);
      const allow = dialog.getByRole('button', { name: 'Allow once' });
      await dialog.getByText('Read it to its end first').waitFor();
      await page.keyboard.press('Enter');
      await page.mouse.click(2, 2);
      await allow.click({ force: true });
      expect(await allow.getAttribute('aria-disabled')).toBe('true');
      await dialog.getByText('\\u202egnp.exe').first().waitFor();
      await readUntil(dialog, allow);
      expect(findRequest(project.state, id).phase).toBe('open');
      await allow.click();
      await expect
        .poll(() => answerTo(project, id))
        .toMatchObject({ verdict: 'approved', scope: 'once', by: 'ada' });
    });

    it('is denied with a reason, and allowed for its task where that is chosen', async () => {
      const { project } = await projectWithSprint();
      const first = await askCall(project);
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      // In the words of the screen.
      await dialog.getByText(/claims (?:not )?believed/).waitFor();
      await dialog.getByRole('button', { name: 'Deny…' }).click();
      await dialog.getByLabel(/^Why/).fill('Not there');
      await dialog.getByRole('button', { name: 'Deny', exact: true }).click();
      await expect
        .poll(() => answerTo(project, first.id))
        .toMatchObject({ verdict: 'denied', response: 'Not there' });
      const second = await askCall(project, { path: 'other.txt', content: 'hello' });
      await dialog.getByText('other.txt').first().waitFor();
      await dialog.getByRole('button', { name: 'Allow for longer…' }).click();
      await dialog.getByLabel(/In this task/).check();
      await dialog.getByRole('button', { name: 'Allow', exact: true }).click();
      await expect
        .poll(() => answerTo(project, second.id))
        .toMatchObject({ verdict: 'approved', scope: 'task' });
    });
  });

  describe('calls that are alike', () => {
    const long = Array.from({ length: 60 }, (_, at) => `line ${at}`).join('\n');

    it('are allowed together once all of them were seen whole, and what came later is not among them', async () => {
      const { project } = await projectWithSprint();
      const asked = [
        await askCall(project, { path: 'one.txt', content: long }),
        await askCall(project, { path: 'two.txt', content: long }),
        await askCall(project, { path: 'three.txt', content: `${long}\nthe end of it` }),
      ];
      const { page, complaints } = await openServed(browser, await servePage(project), { size: 'phone' });
      const dialog = dialogOn(page);
      await page.clock.install();
      await dialog.getByRole('button', { name: 'All 3 like it…' }).click();
      const allow = dialog.getByRole('button', { name: 'Allow all 3, once each' });
      await dialog.getByText('the end of it').first().waitFor();
      await page.keyboard.press('Enter');
      await allow.click({ force: true });
      // It was looked at for long enough, and not read.
      await page.clock.runFor(1_000);
      await allow.click({ force: true });
      expect(await allow.getAttribute('aria-disabled')).toBe('true');
      // The one that is shown first is no longer all that has to be read.
      await dialog.getByText('line 59').first().scrollIntoViewIfNeeded();
      await dialog.getByText('Read it to its end first').waitFor();
      const late = await askCall(project, { path: 'late.txt', content: 'short' });
      await dialog.locator('.end').scrollIntoViewIfNeeded();
      await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('false');
      expect(await barriersOn(page)).toEqual([]);
      for (const { id } of asked) expect(findRequest(project.state, id).phase).toBe('open');
      await allow.click();
      // In the dialog of the next one, which lies over the page.
      await dialog.getByText('Allowed 3 calls, each once').waitFor();
      for (const { id } of asked)
        await expect
          .poll(() => answerTo(project, id))
          .toMatchObject({ verdict: 'approved', scope: 'once', by: 'ada', via: 'web' });
      // None of those that were decided comes up, but the one that waits.
      await dialog.getByText('late.txt').first().waitFor();
      expect(answerTo(project, late.id)).toBeUndefined();
      expect(complaints).toEqual([]);
    });

    it('do not come up again once they are decided, however late the news of it is', async () => {
      const { project } = await projectWithSprint();
      await askCall(project, { path: 'one.txt' });
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      await dialog.getByText('one.txt').first().waitFor();
      await askCall(project, { path: 'two.txt' });
      await page.route('**/api/questions/approve', (route) =>
        route.fulfill({ json: { text: 'Allowed 2 calls, each once', decided: [], lost: [] } }),
      );
      await dialog.getByRole('button', { name: 'Both like it…' }).click();
      const allow = dialog.getByRole('button', { name: 'Allow both, once each' });
      await dialog.locator('.end').scrollIntoViewIfNeeded();
      await expect.poll(() => allow.getAttribute('aria-disabled')).toBe('false');
      await allow.click();
      await page.getByText('Allowed 2 calls, each once').waitFor();
      await askCall(project, { path: 'late.txt' });
      await dialog.getByText('late.txt').first().waitFor();
    });

    it('are denied together for one reason, without one that somebody was first with', async () => {
      const { project } = await projectWithSprint();
      const [first, second, third] = [
        await askCall(project, { path: 'one.txt' }),
        await askCall(project, { path: 'two.txt' }),
        await askCall(project, { path: 'three.txt' }),
      ];
      const { page } = await openServed(browser, await servePage(project));
      const dialog = dialogOn(page);
      await dialog.getByRole('button', { name: 'All 3 like it…' }).click();
      await dialog.getByRole('button', { name: 'Deny all 3…' }).waitFor();
      await deny(project, second.id, { reason: 'mine', ...ben });
      await dialog.getByText('Somebody was first with this one').waitFor();
      await dialog.getByRole('button', { name: 'Deny both…' }).click();
      await dialog.getByLabel(/^Why/).fill('Not there');
      await dialog.getByRole('button', { name: 'Deny both', exact: true }).click();
      for (const { id } of [first, third])
        await expect
          .poll(() => answerTo(project, id))
          .toMatchObject({ verdict: 'denied', response: 'Not there', by: 'ada' });
      expect(answerTo(project, second.id)).toMatchObject({ response: 'mine', by: 'ben' });
    });

    it('are none where one is alone', async () => {
      const { project } = await projectWithSprint();
      await askCall(project);
      const { page } = await openServed(browser, await servePage(project));
      await dialogOn(page).getByRole('button', { name: 'Allow once' }).waitFor();
      expect(
        await dialogOn(page)
          .getByRole('button', { name: /like it/ })
          .count(),
      ).toBe(0);
    });
  });

  describe('the connection', () => {
    it('to a server that was started again is told as that, and goes on with its new address', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const server = await servePage(project);
      const { page } = await openServed(browser, server, { size: 'phone' });
      // So high that what is written stands right above the buttons.
      await page.setViewportSize({ width: 360, height: 560 });
      const words = dialogOn(page).getByLabel('Or in your own words');
      await words.fill('Half an ans');
      await server.close();
      // In the dialog, too: what lies under it is not seen.
      await dialogOn(page).getByText('Not connected').waitFor();
      const [field, foot] = [await words.boundingBox(), await dialogOn(page).locator('footer').boundingBox()];
      expect((field?.y ?? 0) + (field?.height ?? 0)).toBeLessThanOrEqual(foot?.y ?? 0);
      expect(await dialogOn(page).getByRole('button', { name: 'Answer' }).isDisabled()).toBe(true);
      const next = await servePage(project, { port: server.port });
      await page.getByRole('heading', { name: 'Clifford was started again' }).waitFor();
      await page.getByLabel(/paste it here/).fill(`${next.url}#t=${next.token}`);
      await page.getByRole('button', { name: 'Open' }).click();
      await words.waitFor();
      expect(await words.inputValue()).toBe('Half an ans');
      await dialogOn(page).getByRole('button', { name: 'Answer' }).tap();
      await expect.poll(() => answerTo(project, id)?.response).toBe('Half an ans');
    });

    it('is made anew after an hour of sleep in sight, and goes on behind what came before', async () => {
      const { project } = await projectWithSprint();
      const server = await servePage(project);
      const { page, close } = await openPage(browser);
      onTestFinished(close);
      const lastIds: (string | undefined)[] = [];
      page.on('request', (request) => {
        if (request.url().includes('/api/events')) lastIds.push(request.headers()['last-event-id']);
      });
      await page.clock.install();
      await page.goto(`${server.url}#t=${server.token}&s=demo`);
      await expect.poll(() => server.streams()).toBe(1);
      await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
      await page.getByText('task.started').waitFor();
      const before = lastIds.length;
      // What is still on its way when the hour is over says that the server is there, and what happens while it connects it is not
      // told, but reads: then more happens, and it sleeps once more.
      const afterSleep = async () => {
        await addEvents(project, 1);
        await page.clock.fastForward('01:00:00');
        return lastIds.slice(before).at(-1) ?? '';
      };
      await expect.poll(afterSleep).toMatch(/\d/);
      expect(lastIds.at(-1)).not.toBe(lastIds[0]);
    });

    it('ends while nobody looks; after an hour of sleep all is as it is by then', async () => {
      const { project } = await projectWithSprint();
      const { id } = await askStore(project);
      const server = await servePage(project);
      const { page } = await openServed(browser, server, { place: 's=demo' });
      await page.clock.install();
      await dialogOn(page).getByText('Both would work').waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => server.streams()).toBe(1);
      await page.evaluate(visibility('hidden'));
      await expect.poll(() => server.streams()).toBe(0);
      await answerRequest(project, id, { response: 'A table', ...ben });
      await ask(project, { stream: 'demo', agent, kind: 'help', task: 'b', question: 'And which port?' });
      await page.clock.fastForward('01:00:00');
      await page.evaluate(visibility('visible'));
      await expect.poll(() => server.streams()).toBe(1);
      await page.clock.runFor(2_000);
      await dialogOn(page).getByText('And which port?').waitFor();
    });
  });

  it('has no more elements however much happens', async () => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByText('task.started').waitFor();
    await flood(project, { perSecond: 500, seconds: 2 });
    await page.getByRole('button', { name: 'Older' }).waitFor();
    const before = await sizeOf(page);
    await flood(project, { perSecond: 500, seconds: 2 });
    const last = project.state.streams.get('demo')?.version;
    await page.locator(`time[title^="Event ${last},"]`).waitFor();
    const after = await sizeOf(page);
    expect(after.elements).toBeLessThan(before.elements * 1.1);
  });

  it('looks back over 10,000 events: to any moment at once, by the slider and by keys', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    for (let added = 0; added < 10_000; added += 1_000) await addEvents(project, 1_000);
    const { page } = await openServed(browser, await servePage(project), {
      place: 's=demo&task=a&view=states&at=2',
    });
    const slider = page.getByRole('slider', { name: 'Moment' });
    const diagram = page.getByRole('img', { name: /^a is/ });
    await slider.waitFor();
    await page.getByRole('img', { name: 'a is pending' }).waitFor();
    await slider.press('End');
    await page.getByRole('img', { name: 'a is blocked: question' }).waitFor();
    await slider.press('Home');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^event 1,.* Sprint created$/);
    await slider.fill('5000');
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^event 5000,.* Call returned$/);
    expect(await diagram.getAttribute('aria-label')).toBe('a is blocked: question');
    await page.getByRole('button', { name: 'One event on' }).click();
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^event 5001,/);
    await page.getByRole('button', { name: 'To what stood out before' }).click();
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/Question asked$/);
    await page.getByRole('button', { name: 'Back to now' }).click();
    await slider.waitFor({ state: 'detached' });
    expect(await page.evaluate('document.getElementsByTagName("*").length')).toBeLessThan(2_000);
  });

  it('shows what an agent says as text, whatever it is', async () => {
    const bad = (where: string) =>
      `<img src=x onerror="window.ran='${where}'"><script>window.ran='${where}'</script>`;
    const link = '[press](javascript:window.ran=1) ![seen](https://example.com/seen.png)';
    const { project, dir } = await projectWithSprint({
      tasks: ['a', 'b', 'c'],
      manifest: { name: bad('name') },
    });
    await writeFile(join(dir, 'a.md'), `# ${bad('title')}\n`);
    const asked: string[] = [];
    await ask(project, {
      stream: 'demo',
      agent: { id: 'session-1', client: bad('client') },
      kind: 'clarification',
      task: 'a',
      question: `${bad('question')} ${link}`,
      reason: bad('reason'),
      context: bad('context'),
      questions: [
        {
          title: bad('form'),
          question: `${bad('part')} ${link}`,
          options: [{ label: bad('label'), description: bad('description'), preview: bad('preview') }],
        },
      ],
    });
    const { page, complaints } = await openServed(browser, await servePage(project));
    page.on('request', (request) => asked.push(request.url()));
    const dialog = dialogOn(page);
    await dialog.getByText("window.ran='reason'").waitFor();
    await dialog.locator('summary').click();
    for (const where of [
      'question',
      'reason',
      'context',
      'form',
      'part',
      'label',
      'description',
      'preview',
      'client',
    ])
      await dialog.getByText(`window.ran='${where}'`).first().waitFor();
    expect(await dialog.getByRole('link').count()).toBe(0);
    await page.keyboard.press('Escape');
    await askCall(project, { command: bad('command'), [bad('key')]: bad('value') });
    await dialog.getByText("window.ran='command'").first().waitFor();
    await dialog.getByText("window.ran='key'").first().waitFor();
    await page.keyboard.press('Escape');
    await setTaskStatus(project, { stream: 'demo', taskId: 'c', status: 'active', agent });
    await failTask(project, { stream: 'demo', taskId: 'c', agent, reason: bad('failure') });
    for (const place of ['s=demo', 's=demo&task=c&view=about', 's=demo&task=a', '']) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.getByText('window.ran=').first().waitFor();
    }
    expect(await page.evaluate('window.ran')).toBeUndefined();
    expect(await page.locator('#root img:not([src="./icon.svg"]), #root script, #root iframe').count()).toBe(
      0,
    );
    expect(asked.filter((url) => !url.startsWith('http://127.0.0.1:'))).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it.each([
    ['one line of 65 kB in which nothing ends', '[a](<b'.repeat(10_900), '[a](<b[a](<b'],
    [
      'a table of 2,000 columns',
      `${'a|'.repeat(2_000)}\n${'-|'.repeat(2_000)}\n${'a|\n'.repeat(18_000)}`,
      'a|a|',
    ],
    ['one paragraph that is all emphasis', 'a**b_c'.repeat(10_900), 'a**b_c'],
  ])('is still there where a question has %s', async (_what, question, shown) => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project));
    const work = await workOf(page);
    const ask = async (text: string, part: string) => {
      const { id } = await askStore(project, text);
      await dialogOn(page).getByText(part).first().waitFor();
      return { id, ms: await work() };
    };
    await work();
    const plain = await ask('a b c '.repeat(10_900), 'a b c');
    await answerRequest(project, plain.id, { response: 'The column', ...ben });
    const { ms } = await ask(question, shown);
    // The whole of the table, drawn as one, takes a hundred times as long.
    expect(ms / plain.ms).toBeLessThan(20);
    expect(await dialogOn(page).locator('*').count()).toBeLessThan(5_000);
  });

  it.each(['sessionStorage', 'localStorage'])(
    'goes on with the key that it had, whatever key a link of somebody else has, and says so: %s',
    async (place) => {
      const { project } = await projectWithSprint();
      const server = await servePage(project);
      const { page } = await openServed(browser, server);
      const sprint = page.getByText('Sprint demo').first();
      await sprint.waitFor();
      await page.evaluate(
        `sessionStorage.removeItem('clifford.token'); ${place}.setItem('clifford.token', '${server.token}')`,
      );
      await page.evaluate("location.hash = '#t=junk-0123456789abcdef'");
      await page.getByText('this page goes on with the one it had').waitFor();
      await sprint.waitFor();
      expect(await page.evaluate(`${place}.getItem('clifford.token')`)).toBe(server.token);
      expect(page.url()).not.toContain('junk');
      await page.reload();
      await sprint.waitFor();
      expect(await page.getByText('this page goes on with the one it had').count()).toBe(0);
    },
  );

  it.each([true, false])('offers a pause to what somebody runs: %s', async (hasRunner) => {
    const { project } = await projectWithSprint();
    await setTaskStatus(project, { stream: 'demo', taskId: 'a', status: 'active', agent });
    const { page } = await openServed(browser, await servePage(project, { hasRunner }), { place: 's=demo' });
    await page.getByRole('button', { name: 'History' }).waitFor();
    expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(hasRunner ? 1 : 0);
  });

  it('keeps what can be done to a sprint in one row on a phone', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const server = await servePage(project);
    const { page } = await openServed(browser, server, { size: 'phone', place: 's=demo&show=tasks' });
    await dialogOn(page).getByRole('button', { name: 'Answer', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialogOn(page).waitFor({ state: 'detached' });
    // However long its name is: in how many rows they are, for each width that may be left.
    const rows = await page.evaluate<number[]>(`(() => {
      const title = document.querySelector('.sprint-title');
      const buttons = [...title.querySelectorAll('button, summary')].filter((part) => part.checkVisibility());
      if (buttons.length < 2) return [];
      return Array.from({ length: 100 }, (_, at) => {
        title.style.width = 260 + at + 'px';
        return new Set(buttons.map((part) => Math.round(part.getBoundingClientRect().top))).size;
      });
    })()`);
    expect([...new Set(rows)]).toEqual([1]);
  });

  it('shows what cannot be pressed as that, in all of its colours', async () => {
    const { project } = await projectWithSprint();
    await askStore(project);
    const { page } = await openServed(browser, await servePage(project), { theme: 'dark' });
    const dialog = dialogOn(page);
    const colours = (name: string) =>
      page.evaluate<string[]>(`[...document.querySelectorAll('button')]
        .filter((part) => part.firstChild.textContent === '${name}')
        .flatMap((part) => [part, part.querySelector('kbd')])
        .map((part) => getComputedStyle(part).color)`);
    await dialog.getByRole('button', { name: 'Answer', exact: true }).waitFor();
    const [answer = '', hint] = await colours('Answer');
    expect(hint).toBe(answer);
    await dialog.getByRole('button', { name: 'Reject…' }).click();
    await expect.poll(() => colours('Reject')).toEqual([answer, answer]);
    await dialog.getByLabel('Why it is rejected').fill('Out of scope');
    await expect.poll(async () => (await colours('Reject'))[0]).not.toBe(answer);
  });

  const looks = (['light', 'dark'] as const).flatMap((theme) =>
    (['phone', 'desktop'] as const).map((size) => ({ theme, size })),
  );

  it.each(looks)('keeps nobody out of any of its views: $theme, $size', async ({ theme, size }) => {
    const { project } = await projectWithSprint();
    await project.record('demo', [
      on('demo/a', 'tool.requested', {
        callId: 'c-1',
        server: 'fs',
        tool: 'remove',
        args: { path: 'build' },
        argsDigest: 'd',
      }),
      on('demo/a', 'tool.denied', { callId: 'c-1', by: 'ada' }),
    ]);
    const { id } = await askStore(project);
    const { page, complaints } = await openServed(browser, await servePage(project), { theme, size });
    const dialog = dialogOn(page);
    await dialog.getByText('Both would work').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Reject…' }).click();
    await dialog.getByLabel('Why it is rejected').fill('Out of');
    await answerRequest(project, id, { response: 'A table', ...ben });
    await dialog.getByRole('alert').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await askCall(project);
    await dialog.getByRole('button', { name: 'Deny…' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    for (const place of places) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Reading…').waitFor({ state: 'detached' });
      expect({ place, barriers: await barriersOn(page) }).toEqual({ place, barriers: [] });
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), place).toBe(true);
    }
    expect(complaints).toEqual([]);
  });
});

/** Everywhere that one can be. */
const places = [
  '',
  's=demo',
  's=demo&view=states',
  's=demo&task=a',
  's=demo&task=a&view=task',
  's=demo&task=a&view=events',
  's=demo&task=a&view=changes',
  's=demo&task=a&view=calls',
  's=demo&task=a&view=states',
  's=demo&task=a&view=about',
  's=demo&show=task',
  's=demo&at=2',
  's=demo&task=a&view=states&at=3',
];

/** What makes a page believe that it is seen, or not. */
function visibility(state: 'hidden' | 'visible'): string {
  return `Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => '${state}' });
    document.dispatchEvent(new Event('visibilitychange'))`;
}

/** What a page had to do since it was last asked, in ms. */
async function workOf(page: Page): Promise<() => Promise<number>> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Performance.enable');
  let before = 0;
  return async () => {
    const { metrics } = await devTools.send('Performance.getMetrics');
    const whole = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    const since = whole - before;
    before = whole;
    return since * 1_000;
  };
}
