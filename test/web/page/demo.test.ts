import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPty } from '../../helpers/pty-screen.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { chromiumPath, openPage, startBrowser } from './browser.ts';

const repository = join(import.meta.dirname, '../../..');

describe.skipIf(chromiumPath === undefined)('npm start', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('says the address of a page on which its sprint is answered to the end', async () => {
    const folder = await tempRoot();
    const env = { TMPDIR: folder, USER: 'ada', CLIFFORD_DEMO_PACE_MS: '50', NO_COLOR: undefined };
    const screen = openPty('npm', ['start'], { cwd: repository, columns: 120, rows: 40, env });
    onTestFinished(async () => {
      screen.kill();
      await screen.exited;
    });
    await screen.see('Which language should be the default?');
    await screen.see('Type an answer');
    screen.press('\u001B');
    await screen.see(': commands');
    screen.press(':');
    await screen.see('/status');
    screen.press('/page');
    await screen.see(/> +\/page/);
    screen.press('\r');
    await screen.see(/http:\S+#t=[\w-]{32}/);
    const [address = ''] = /http:\S+#t=[\w-]{32}/.exec(screen.lines().join('\n')) ?? [];

    const { page, complaints, close } = await openPage(browser, { size: 'phone' });
    onTestFinished(close);
    await page.goto(address);
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Which language should be the default?').waitFor();
    await dialog.getByLabel('german').tap();
    await dialog.getByRole('button', { name: 'Answer' }).tap();
    await dialog.getByText('publish').first().waitFor();
    await dialog
      .getByRole('button', { name: /^Allow/ })
      .first()
      .tap();
    await screen.see('q leave');
    screen.press('q');
    expect(await screen.exited).toBe(0);

    const summary = screen.lines().join('\n');
    expect(summary).toContain('Which language should be the default? → german (ada)');
    expect(summary).toMatch(/release\/publish .* → allowed \(ada\)/);
    const [demo = ''] = (await readdir(folder)).filter((name) => name.startsWith('clifford-demo-'));
    expect(await readFile(join(folder, demo, 'published/1.0.0.md'), 'utf8')).toContain('Guten Tag, Ada!');
    expect(complaints).toEqual([]);
  });
});
