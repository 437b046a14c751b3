import { cp, glob, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { failTask } from '../../../src/workflow/task/fail-task.ts';
import { setTaskStatus } from '../../../src/workflow/task/set-task-status.ts';
import { servedEverywhere } from '../../helpers/served-everywhere.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { agent } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { built, openServed, servePage } from './served-page.ts';

/** Resolves when the worker of a page has kept what it keeps. */
const installed = 'navigator.serviceWorker.ready.then(({ active }) => active.scriptURL)';

describe.skipIf(chromiumPath === undefined)('the page where no server is', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('opens after one visit, says that it is not connected, and can try again', async () => {
    const { root, project } = await projectWithSprint();
    const env = { HOME: await tempRoot() };
    const token = await addToken(env, root, { name: 'phone', may: 'decide' });
    const server = await servePage(project, { env });
    const { page, complaints } = await openServed(browser, { url: server.url, token });
    await page.getByText('Demo').first().waitFor();
    await page.evaluate(installed);
    await server.close();
    await page.reload();
    const notice = page.getByText('Not connected. This page goes on by itself.');
    await notice.waitFor();
    expect(await page.getByText('Connecting').count()).toBe(0);
    await page.getByRole('button', { name: 'Try now' }).click();
    await servePage(project, { env, port: server.port });
    await page.getByText('Demo').first().waitFor();
    await notice.waitFor({ state: 'detached' });
    // That a request found nobody is what this is about.
    expect(complaints.filter((each) => !each.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });

  it.each(['has heard of an event', 'has heard of none'])(
    'goes on without being loaded anew where the server is started again, for who has a token of their own and %s',
    async (heard) => {
      const { root, project } = await projectWithSprint();
      const env = { HOME: await tempRoot() };
      const token = await addToken(env, root, { name: 'phone', may: 'decide' });
      const startTask = (taskId: string) =>
        setTaskStatus(project, { stream: 'demo', taskId, status: 'active', agent });
      if (heard === 'has heard of none') await startTask('a');
      const server = await servePage(project, { env });
      const { page } = await openServed(browser, { url: server.url, token }, { place: 's=demo' });
      const numberOf = (type: string) => page.getByText(type, { exact: true }).count();
      if (heard === 'has heard of an event') {
        await page.getByRole('heading', { level: 1 }).waitFor();
        await startTask('a');
      }
      await expect.poll(() => numberOf('task.started')).toBe(1);
      await page.evaluate('globalThis.isAsLoaded = true');
      await server.close();
      await page.getByText('Not connected').waitFor();
      await failTask(project, { stream: 'demo', taskId: 'a', agent, reason: 'no room' });
      await servePage(project, { env, port: server.port });
      await expect.poll(() => numberOf('task.failed')).toBe(1);
      await startTask('b');
      await expect.poll(() => numberOf('task.started')).toBe(2);
      const shown = await page.evaluate<number[]>(
        `[...document.querySelectorAll('time[title^="Event "]')].map(({ title }) => parseInt(title.slice(6)))`,
      );
      const last = project.state.streams.get('demo')?.version ?? 0;
      expect(shown.toSorted((a, b) => a - b)).toEqual(Array.from({ length: last }, (_, at) => at + 1));
      expect(await page.evaluate('globalThis.isAsLoaded')).toBe(true);
    },
  );

  it('opens as that of one among several projects, and each has what it keeps for itself', async () => {
    const [one, two] = [await projectWithSprint(), await projectWithSprint()];
    const known = [
      { name: 'one', root: one.root },
      { name: 'work/two', root: two.root },
    ];
    const { server } = await servedEverywhere(known, { pageFolder: built });
    const { page } = await openServed(browser, server);
    await page.getByRole('link', { name: /work\/two/ }).click();
    await page.getByText('Demo').first().waitFor();
    // The one of the list stands for it until then.
    const own = `navigator.serviceWorker.getRegistration().then((own) => own.active && new URL(own.scope).pathname)`;
    await expect.poll(() => page.evaluate<string>(own)).toBe('/p/work~1two/');
    expect(await page.evaluate<string[]>('caches.keys()')).toContain('clifford-shell /p/work~1two/');
    await server.close();
    await page.reload();
    await page.getByText('Not connected. This page goes on by itself.').waitFor();
  });

  it('keeps what comes where something does not come', async () => {
    const { project } = await projectWithSprint();
    const server = await servePage(project);
    const { page } = await openServed(browser, server);
    await page.getByText('Demo').first().waitFor();
    await page.evaluate('navigator.serviceWorker.ready.then((worker) => worker.unregister())');
    await page.evaluate('caches.keys().then((all) => Promise.all(all.map((name) => caches.delete(name))))');
    await page.context().route('**/icon-512.png', (route) => route.abort());
    await page.reload();
    await page.getByText('Demo').first().waitFor();
    await page.evaluate(installed);
    const kept = `caches.match('./icon-512.png').then((found) => found !== undefined)`;
    expect(await page.evaluate<boolean>(kept)).toBe(false);
    await server.close();
    await page.reload();
    await page.getByText('Not connected. This page goes on by itself.').waitFor();
  });

  it('opens where the disk is full and nothing can be kept', async () => {
    const { project } = await projectWithSprint();
    const { url, token } = await servePage(project);
    const { page, complaints } = await openServed(browser, { url, token });
    await page.getByText('Demo').first().waitFor();
    await page.evaluate(installed);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: 1 });
    const shell = 'caches.keys().then(([name]) => caches.open(name))';
    await page.evaluate(
      `${shell}.then(async (shell) => { for (const each of await shell.keys()) await shell.delete(each); })`,
    );
    await page.reload();
    await page.getByText('Demo').first().waitFor();
    expect(
      await page.evaluate<number>(`${shell}.then((shell) => shell.keys()).then(({ length }) => length)`),
    ).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('has its own parts where a newer server has others', async () => {
    const { root, project } = await projectWithSprint();
    const pageFolder = join(await tempRoot(), 'page');
    await cp(built, pageFolder, { recursive: true });
    const env = { HOME: await tempRoot() };
    const token = await addToken(env, root, { name: 'phone', may: 'decide' });
    const older = await servePage(project, { env, pageFolder });
    const { page } = await openServed(browser, { url: older.url, token }, { place: 's=demo&task=a' });
    const calls = page.getByRole('tab', { name: 'Calls' });
    await calls.waitFor();
    await page.evaluate(installed);
    // Another cache of the browser may have lost them.
    await (await page.context().newCDPSession(page)).send('Network.clearBrowserCache');
    await older.close();
    for await (const part of glob(join(pageFolder, 'assets/calls-pane-*'))) await rm(part);
    const newer = await servePage(project, { env, pageFolder, port: older.port });
    expect((await fetch(`${newer.url}assets/calls-pane-x.js`)).status).toBe(404);
    await calls.click();
    await page.getByText(/No tool has been called/).waitFor();
  });

  it('keeps all that it is drawn with, what is loaded later included, and nothing of the project', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    await page.getByText('Demo').first().waitFor();
    await page.evaluate(installed);
    const kept = await page.evaluate<string[]>(
      `caches.keys().then(([name]) => caches.open(name)).then((shell) => shell.keys())
        .then((all) => all.map(({ url }) => new URL(url).pathname))`,
    );
    const rest = kept.filter((path) => !path.startsWith('/assets/'));
    expect(rest.toSorted()).toEqual([
      '/',
      '/icon-180.png',
      '/icon-512.png',
      '/icon-waiting.svg',
      '/icon.svg',
      '/manifest.webmanifest',
      '/theme.js',
    ]);
    expect(kept.filter((path) => /\/(index|past-bar|list-of-all)-/.test(path)).length).toBe(6);
  });

  it('can be installed: its manifest has all that browsers want of one', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project));
    await page.evaluate(installed);
    const cdp = await page.context().newCDPSession(page);
    const { errors } = await cdp.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    const { installabilityErrors: missing } = await cdp.send('Page.getInstallabilityErrors');
    // Pages of tests are private.
    expect(missing.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });
});
