import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { deny } from '../../../src/workflow/requests/approval.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askCall, askOwn, ben, dialogOn, readUntil } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const lines = (word: string, number = 100) =>
  Array.from({ length: number }, (_, at) => `${word} ${at}\n`).join('');

/** Until the page is drawn as it is now, and has heard of what that has scrolled and made wider. */
const drawn = (page: Page) =>
  page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');

// What counts as read: ../reading.test.ts.
describe.skipIf(chromiumPath === undefined)('a call that becomes another one after it was read', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  /** The dialog of a project's first call, where things move. */
  async function dialogOf(project: Project, other = browser) {
    const { page } = await openServed(other, await servePage(project), { wantsMotion: true });
    const dialog = dialogOn(page);
    await dialog.getByRole('button', { name: 'Deny…' }).waitFor();
    return dialog;
  }

  const hintOn = (dialog: Locator) => dialog.getByRole('button', { name: 'Read it to its end first' });
  /** What leads to where it is to be read from, whoever was there already. */
  const againOn = (dialog: Locator) => dialog.getByRole('button', { name: 'Read it from its beginning' });
  const allowOn = (dialog: Locator) => dialog.getByRole('button', { name: /^Allow (once|both|all)/ });
  const mayAllow = async (dialog: Locator) =>
    (await allowOn(dialog).getAttribute('aria-disabled')) === 'false';
  /** How much of it is above what is in sight, in pixels. */
  const above = (dialog: Locator) =>
    dialog.page().evaluate<number>("document.querySelector('.modal-body').scrollTop");

  async function readToEnd(dialog: Locator) {
    await readUntil(dialog, allowOn(dialog));
    expect(await above(dialog)).toBeGreaterThan(0);
  }

  /** Nothing moves, and however far it is read from there on: where it begins it is another one. */
  async function expectChanged(dialog: Locator, change: () => Promise<unknown>) {
    await change();
    await againOn(dialog).waitFor();
    expect(await above(dialog)).toBeGreaterThan(0);
    const page = dialog.page();
    await page.evaluate("document.querySelector('.modal-body').scrollTo(0, 1e6)");
    await drawn(page);
    await drawn(page);
    expect(await mayAllow(dialog)).toBe(false);
    await againOn(dialog).click();
    await hintOn(dialog).waitFor();
    expect(await mayAllow(dialog)).toBe(false);
  }

  async function expectUnread(dialog: Locator) {
    await hintOn(dialog).waitFor();
    expect(await mayAllow(dialog)).toBe(false);
  }

  it('is read anew from its beginning on where a file has changed', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write(lines('old'));
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    const dialog = await dialogOf(project);
    await readToEnd(dialog);
    await expectChanged(dialog, () => write(lines('mine')));
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await readToEnd(dialog);
  });

  it('is read anew where what was hidden of it is shown', async () => {
    const { project } = await projectWithSprint();
    await askCall(project, { body: lines('a'), password: 'hunter2hunter2' });
    const dialog = await dialogOf(project);
    await readToEnd(dialog);
    await dialog.getByRole('button', { name: 'Show what is hidden' }).click();
    await dialog.getByText('hunter2hunter2').waitFor();
    await expectUnread(dialog);
    await readToEnd(dialog);
  });

  it.each([1, 2])(
    'is looked at anew for a while where what was hidden is shown, however short: of %i',
    async (many) => {
      const { project } = await projectWithSprint();
      for (const secret of ['hunter2hunter2', 'hunter3hunter3'].slice(0, many))
        await askCall(project, { a: 1, password: secret });
      const { page } = await openServed(browser, await servePage(project));
      await page.clock.install();
      await page.reload();
      const dialog = dialogOn(page);
      if (many > 1) await dialog.getByRole('button', { name: 'Both like it…' }).click();
      await expect.poll(() => mayAllow(dialog)).toBe(true);
      await page.clock.pauseAt(Date.now() + 60_000);
      await dialog.getByRole('button', { name: 'Show what is hidden' }).first().click();
      await dialog.getByText('hunter2hunter2').waitFor();
      // It has been seen that its end is in sight.
      const isSeen =
        "new Promise((done) => new IntersectionObserver(() => done()).observe(document.querySelector('.end')))";
      await page.evaluate(isSeen);
      await page.evaluate(isSeen);
      expect(await mayAllow(dialog)).toBe(false);
      await page.clock.runFor(1_000);
      await expect.poll(() => mayAllow(dialog)).toBe(true);
    },
  );

  it('is read as it was asked about after it was not changed, wherever the window stood meanwhile', async () => {
    const { project } = await projectWithSprint();
    const args = { path: 'a.txt', old_string: lines('before'), new_string: lines('after') };
    await askOwn(project, 'edit', args);
    const dialog = await dialogOf(project);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByLabel(/^The text in place of the old one/).fill(lines('other', 110));
    await readUntil(dialog, dialog.getByRole('button', { name: 'Allow it as changed' }));
    await expectChanged(dialog, () => dialog.getByRole('button', { name: 'Back' }).click());
    await readToEnd(dialog);
    // What was read once is, as it was written then.
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    await dialog.getByRole('button', { name: 'Allow it as changed', disabled: false }).waitFor();
    await dialog.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => mayAllow(dialog)).toBe(true);
  });

  it('is read with all that is shown of it while it is changed, and again with each change', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'execute', { command: 'make', note: lines('a') });
    const dialog = await dialogOf(project);
    await dialog.getByRole('button', { name: 'Change it…' }).click();
    const field = dialog.getByLabel('The command that runs in its place');
    await field.fill('make all');
    const send = dialog.getByRole('button', { name: 'Allow it as changed' });
    await readUntil(dialog, send);
    // Its lines stand below the field, too, whose own end is out of sight.
    await dialog.getByRole('button', { name: 'All fields…' }).click();
    await dialog.getByLabel('All arguments that it runs with, as JSON').focus();
    // At once: who writes while a window moves would read what passes.
    expect(await above(dialog)).toBe(0);
    await dialog.page().keyboard.press('ControlOrMeta+Home');
    await dialog.page().keyboard.press('ArrowRight');
    await dialog.page().keyboard.type('"x": 1,');
    await hintOn(dialog).waitFor();
    expect(await send.isEnabled()).toBe(false);
    await readUntil(dialog, send);
    await dialog.getByRole('button', { name: 'The command alone' }).click();
    expect(await above(dialog)).toBe(0);
    await field.fill('make\n'.repeat(200));
    await hintOn(dialog).waitFor();
    expect(await send.isEnabled()).toBe(false);
  });

  it('is read with all of a command that is changed, whose field shows some of its lines', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'execute', { command: `make\n${lines('rm -rf')}` });
    const dialog = await dialogOf(project);
    const send = dialog.getByRole('button', { name: 'Allow it as changed' });
    for (const [open, label] of [
      ['Change it…', 'The command that runs in its place'],
      ['All fields…', 'All arguments that it runs with, as JSON'],
    ] as const) {
      await dialog.getByRole('button', { name: open }).click();
      const field = dialog.getByLabel(label);
      await field.fill((await field.inputValue()).replace('make', 'make all'));
      await hintOn(dialog).waitFor();
      expect(await send.isEnabled()).toBe(false);
    }
    await readUntil(dialog, send);
  });

  describe('while it is written in below its beginning', () => {
    const words = ['one', 'two', 'three'];

    /** A change of three places of one file, of which the last is written in, and after that has become another one. */
    async function changed() {
      const { root, project } = await projectWithSprint();
      const write = (...texts: readonly string[]) =>
        writeFile(join(root, 'a.txt'), texts.map((text) => lines(text)).join(''));
      await write(...words);
      const edits = words.map((word) => ({ old_string: lines(word), new_string: lines(`new ${word}`) }));
      await askOwn(project, 'edit', { path: 'a.txt', edits });
      const dialog = await dialogOf(project);
      await dialog.getByRole('button', { name: 'Change it…' }).click();
      const field = dialog.getByLabel(/^The text in place of the old one/).last();
      await field.press('ControlOrMeta+End');
      await field.pressSequentially('mine');
      const place = async () => Math.round((await field.boundingBox())?.y ?? NaN);
      const written = await place();
      expect(await above(dialog)).toBeGreaterThan(0);
      await write('one', 'other', 'three');
      await dialog.getByText('A file has changed meanwhile').waitFor();
      await againOn(dialog).waitFor();
      expect(await place()).toBe(written);
      const send = dialog.getByRole('button', { name: 'Allow it as changed' });
      const scrollTo = async (top: number) => {
        await dialog.page().evaluate(`document.querySelector('.modal-body').scrollTo(0, ${top})`);
        await drawn(dialog.page());
        await drawn(dialog.page());
      };
      return { dialog, field, send, scrollTo };
    }

    it('stays there, and is read from its beginning on', async () => {
      const { dialog, field, send, scrollTo } = await changed();
      await field.pressSequentially(' too');
      // However far it is read meanwhile.
      await scrollTo(1e6);
      expect(await send.isEnabled()).toBe(false);
      await againOn(dialog).click();
      await readUntil(dialog, send);
    });
  });

  it('is not read by what scrolls on over it', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write('');
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new', 2_000) });
    const dialog = await dialogOf(project);
    const page = dialog.page();
    await hintOn(dialog).waitFor();
    // As the swing of a finger does.
    await page.evaluate(`
      const body = document.querySelector('.modal-body');
      window.swing = setInterval(() => body.scrollBy({ top: 10, behavior: 'instant' }), 10);
    `);
    await write(lines('new', 1_970));
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await againOn(dialog).waitFor();
    const isAtEnd =
      "(({ scrollTop, clientHeight, scrollHeight }) => scrollTop + clientHeight > scrollHeight - 2)(document.querySelector('.modal-body'))";
    await expect.poll(() => page.evaluate(isAtEnd)).toBe(true);
    await drawn(page);
    expect(await mayAllow(dialog)).toBe(false);
    await page.evaluate('clearInterval(window.swing)');
    await againOn(dialog).click();
    await readToEnd(dialog);
  });

  it('is not read by who scrolls before anybody can have seen that it is another one', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write('');
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    const dialog = await dialogOf(project);
    const page = dialog.page();
    await hintOn(dialog).waitFor();
    await page.evaluate(`
      const body = document.querySelector('.modal-body');
      new MutationObserver((_, observer) => {
        if (!body.textContent.includes('A file has changed')) return;
        observer.disconnect();
        body.scrollTo(0, 1_000);
      }).observe(body, { childList: true, subtree: true, characterData: true });
    `);
    await write(lines('old'));
    await againOn(dialog).waitFor();
    await page.evaluate("document.querySelector('.modal-body').scrollTo(0, 1e6)");
    await drawn(page);
    await drawn(page);
    expect(await mayAllow(dialog)).toBe(false);
    await readToEnd(dialog);
  });

  it('is led to once by two clicks: the second one would lead on from where the first one does', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write(lines('old'));
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    // At once: nothing moves meanwhile.
    const { page } = await openServed(browser, await servePage(project));
    const dialog = dialogOn(page);
    await readUntil(dialog, allowOn(dialog));
    await write(lines('mine'));
    await againOn(dialog).click();
    await hintOn(dialog).waitFor();
    await page.mouse.down({ clickCount: 2 });
    await page.mouse.up({ clickCount: 2 });
    expect(await above(dialog)).toBe(0);
    await page.mouse.down();
    await page.mouse.up();
    await expect.poll(() => above(dialog)).toBeGreaterThan(0);
  });

  it('has the keyboard where it is read, or where that leads to, whatever becomes of it', async () => {
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write(lines('old'));
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    const dialog = await dialogOf(project);
    const focused = () => dialog.page().evaluate('document.activeElement.textContent.slice(0, 30)');
    await readToEnd(dialog);
    await write(lines('mine'));
    await againOn(dialog).focus();
    await dialog.page().evaluate("document.querySelector('.modal-body').scrollTo(0, 0)");
    await hintOn(dialog).waitFor();
    expect(await focused()).toBe('Read it to its end first');
    await write(lines('old'));
    await expect.poll(() => mayAllow(dialog)).toBe(true);
    expect(await focused()).toBe(((await dialog.locator('.modal-body').textContent()) ?? '').slice(0, 30));
  });

  it('stays where it is when it becomes longer, and a scroll bar takes room', async () => {
    const desktop = await startBrowser({}, { hasScrollBars: true });
    onTestFinished(() => desktop.close());
    const { root, project } = await projectWithSprint();
    const write = (text: string) => writeFile(join(root, 'a.txt'), text);
    await write('');
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new', 3) });
    const dialog = await dialogOf(project, desktop);
    await expect.poll(() => mayAllow(dialog)).toBe(true);
    await write(lines('old'));
    await dialog.getByText('A file has changed meanwhile').waitFor();
    await expectUnread(dialog);
    expect(await above(dialog)).toBe(0);
  });

  it('is not read while nothing of it is drawn', async () => {
    const { project } = await projectWithSprint();
    await askOwn(project, 'edit', { path: 'a.txt', content: lines('new') });
    const dialog = await dialogOf(project);
    await hintOn(dialog).waitFor();
    for (const display of ['none', '']) {
      await dialog.page().evaluate(`document.querySelector('dialog[open]').style.display = '${display}'`);
      await drawn(dialog.page());
      await drawn(dialog.page());
    }
    await expectUnread(dialog);
  });

  it('has nothing shown of what was hidden that was compared with other files', async () => {
    const { root, project } = await projectWithSprint();
    await writeFile(join(root, 'a.txt'), 'one\n');
    await askOwn(project, 'edit', { path: 'a.txt', content: 'two\n', password: 'hunter2hunter2' });
    const dialog = await dialogOf(project);
    const reveal = dialog.getByRole('button', { name: 'Show what is hidden' });
    await dialog.page().route('**/reveal', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), seen: 'of other files' } });
    });
    const answered = dialog.page().waitForResponse('**/reveal');
    await reveal.click();
    await (await answered).finished();
    await dialog.page().unroute('**/reveal');
    await dialog.getByText('Its files have changed: ask again').waitFor();
    expect(await dialog.getByText('hunter2hunter2').count()).toBe(0);
    await reveal.click();
    await dialog.getByText('hunter2hunter2').waitFor();
  });

  it.each([
    ['a phone that is turned', { width: 360, height: 740 }, { width: 740, height: 360 }],
    ['a window that is made narrower', { width: 1_440, height: 500 }, { width: 360, height: 500 }],
  ])('keeps the place that was reached, and is not read by that: %s', async (_, from, to) => {
    const { project } = await projectWithSprint();
    const content = Array.from({ length: 60 }, (__, at) => `${at} ${'word '.repeat(60)}\n`).join('');
    await askOwn(project, 'edit', { path: 'a.txt', content });
    const dialog = await dialogOf(project);
    const page = dialog.page();
    await page.setViewportSize(from);
    await drawn(page);
    const line = dialog.locator('.diff-line', { hasText: /^\D*\d*\D*30 word/ }).first();
    const goTo = async (top: string) => {
      await page.evaluate(`(() => {
        const line = [...document.querySelectorAll('.diff-line')].find((each) => each.textContent.includes('30 word'));
        const body = line.closest('.modal-body');
        body.scrollTo({ top: ${top}, behavior: 'instant' });
      })()`);
      await drawn(page);
    };
    const isPassed = async () => {
      await goTo('0');
      await goTo('body.scrollTop + line.getBoundingClientRect().top - body.getBoundingClientRect().top');
      return hintOn(dialog).isVisible();
    };
    await vi.waitUntil(isPassed, { timeout: 60_000, interval: 400 });
    await page.setViewportSize(to);
    await expect
      .poll(async () => {
        const body = await dialog.locator('.modal-body').boundingBox();
        return Math.abs(((await line.boundingBox())?.y ?? NaN) - (body?.y ?? NaN));
      })
      .toBeLessThan(30);
    await expectUnread(dialog);
  });

  describe('among others', () => {
    /** A list of three long calls, of which the second changes a file that can be written. */
    async function three() {
      const { root, project } = await projectWithSprint();
      const write = (text: string) => writeFile(join(root, 'b.txt'), text);
      await write(lines('old'));
      const calls = [
        await askOwn(project, 'edit', { path: 'a.txt', content: lines('first') }),
        await askOwn(project, 'edit', { path: 'b.txt', content: lines('second') }),
        await askOwn(project, 'edit', { path: 'c.txt', content: lines('third'), password: 'hunter2hunter2' }),
      ];
      const dialog = await dialogOf(project);
      const page = dialog.page();
      await dialog.getByRole('button', { name: 'All 3 like it…' }).click();
      const call = (at: number) => dialog.getByRole('region', { name: `Call ${at} of 3` });
      await call(3).waitFor();
      /** How far below the upper edge it begins, in pixels. */
      const place = async (at: number) =>
        ((await call(at).boundingBox())?.y ?? NaN) -
        ((await dialog.locator('.modal-body').boundingBox())?.y ?? NaN);
      /** From the beginning on, once whoever scrolls can have seen what is there. */
      const scrollTo = async (there: number) => {
        const go = async (top: number) => {
          await page.evaluate(
            `document.querySelector('.modal-body').scrollTo({ top: ${top}, behavior: 'instant' })`,
          );
          await drawn(page);
        };
        // What scrolls on without a pause is one movement, however often.
        const tries = { interval: 400 };
        await expect
          .poll(async () => {
            await go(0);
            await go(there);
            return hintOn(dialog).isVisible();
          }, tries)
          .toBe(true);
      };
      return { project, dialog, write, calls, call, place, scrollTo };
    }

    async function expectAt(place: (at: number) => Promise<number>, at: number) {
      await expect.poll(() => place(at)).toBeLessThan(40);
      expect(await place(at)).toBeGreaterThanOrEqual(0);
    }

    it('is where the list is to be read from', async () => {
      const { dialog, write, place } = await three();
      await readToEnd(dialog);
      await expectChanged(dialog, () => write(lines('mine')));
      await expectAt(place, 2);
    });

    it('is read by who has passed it, not where one before it becomes shorter', async () => {
      const { root, project } = await projectWithSprint();
      const write = (name: string, text: string) => writeFile(join(root, name), text);
      const short = `${lines('first', 300)}more\n`;
      await Promise.all([write('a.txt', short), write('b.txt', '')]);
      await askOwn(project, 'edit', { path: 'a.txt', content: lines('first', 300) });
      await askOwn(project, 'edit', { path: 'b.txt', content: lines('second', 40) });
      const dialog = await dialogOf(project);
      await dialog.getByRole('button', { name: 'Both like it…' }).click();
      await readToEnd(dialog);
      await Promise.all([write('a.txt', ''), write('b.txt', lines('other', 40))]);
      await expect.poll(() => dialog.getByText('A file has changed meanwhile').count()).toBe(2);
      // On the way there the other one may be compared.
      await expect
        .poll(async () => {
          if (await againOn(dialog).isVisible())
            await againOn(dialog)
              .click({ timeout: 1_000 })
              .catch(() => undefined);
          return hintOn(dialog).isVisible();
        })
        .toBe(true);
      await dialog.page().evaluate("document.querySelector('.modal-body').scrollTo(0, 3000)");
      await drawn(dialog.page());
      await hintOn(dialog).waitFor();
      await write('a.txt', short);
      await againOn(dialog).waitFor();
      expect(await mayAllow(dialog)).toBe(false);
      await againOn(dialog).click();
      await readToEnd(dialog);
    });

    it('moves nobody who has not come there yet', async () => {
      const { dialog, write, scrollTo } = await three();
      await scrollTo(500);
      await write(lines('mine'));
      await dialog.getByText('A file has changed meanwhile').waitFor();
      await expectUnread(dialog);
      expect(await above(dialog)).toBe(500);
    });

    it('stays where somebody else was first with it, and what is below it is not read', async () => {
      const { project, dialog, calls, call, scrollTo } = await three();
      await scrollTo(1_000);
      await deny(project, calls[0]?.id ?? '', ben);
      await call(1).getByText('Somebody was first with this one').waitFor();
      await dialog.getByRole('button', { name: 'Deny both…' }).waitFor();
      await expectUnread(dialog);
      await readToEnd(dialog);
      await call(3).waitFor();
    });
  });
});
