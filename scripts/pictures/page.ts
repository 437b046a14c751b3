import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openPage, startBrowser, type PageOptions } from '../../test/web/page/browser.ts';
import { openTerminal, type Program } from './terminal.ts';

/** The project that is looked at, and the program. */
type Taken = {
  readonly folder: string;
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly clifford: string;
  readonly agent: string;
};

/** Takes pictures of the page from a real run, while it asks and when it is over, and of its report. Needs a Chromium. */
export async function takePage({ folder, root, env, clifford, agent }: Taken): Promise<void> {
  const place = { cwd: root, env };
  const run = openTerminal([process.execPath, clifford, 'run', 'demo', '--agent-cmd', agent], {
    columns: 100,
    rows: 30,
    ...place,
  });
  const server = spawn(process.execPath, [clifford, 'serve', '--port', '0', '--json'], {
    ...place,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const browser = await startBrowser();
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url, token } = JSON.parse(line) as { url: string; token: string };
    const open = (options: PageOptions, at = '') => openAt(browser, options, `${url}#t=${token}${at}`);
    await run.see(/Enter answer/);
    const [desk, phone] = [await open({}), await open({ size: 'phone' })];
    for (const page of [desk, phone]) await page.getByRole('dialog').getByText('Context').waitFor();
    await shoot(desk, join(folder, 'page-question.png'));
    await phone.getByRole('radio').nth(1).check();
    await shoot(phone, join(folder, 'page-phone.png'));
    await phone.getByRole('dialog').getByRole('button', { name: 'Answer' }).click();
    const dark = await open({ size: 'phone', theme: 'dark' });
    const allow = dark.getByRole('button', { name: 'Allow once', disabled: false });
    await allow.waitFor();
    await shoot(dark, join(folder, 'page-approval.png'));
    await allow.click();
    await run.see('── Summary');
    const states = await open({ theme: 'dark' }, '&s=demo&task=program&view=states');
    await states.getByRole('img', { name: /^program is/ }).waitFor();
    await shoot(states, join(folder, 'page-states.png'));
    const past = await open({}, '&s=demo&at=30');
    await past.getByRole('slider').waitFor();
    await shoot(past, join(folder, 'page-past.png'));
    const file = join(root, '.home/report.html');
    execFileSync(process.execPath, [clifford, 'report', 'demo', '--output', file], {
      ...place,
      stdio: 'ignore',
    });
    await shoot(await openAt(browser, {}, pathToFileURL(file).href), join(folder, 'report.png'));
  } finally {
    // Whatever has failed: the project can be removed once nobody is at it.
    await Promise.allSettled([browser.close(), ended(server), stopped(run)]);
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

async function stopped(run: Program): Promise<void> {
  run.kill();
  await run.exited;
}

async function openAt(browser: Browser, options: PageOptions, address: string): Promise<Page> {
  const { page } = await openPage(browser, options);
  await page.goto(address);
  return page;
}

/** A picture of what is seen, once all of it is drawn and can be pressed. */
async function shoot(page: Page, path: string): Promise<void> {
  await page.waitForTimeout(1_500);
  await page.screenshot({ path });
}
