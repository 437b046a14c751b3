import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addToken, revokeToken } from '../../../src/web/server/tokens/named-tokens.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { barriersOn, chromiumPath, openPage, startBrowser, type PageOptions } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

const built = join(import.meta.dirname, '../../../dist/page');
const types: Readonly<Record<string, string>> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  svg: 'image/svg+xml',
  webmanifest: 'application/manifest+json',
};

/** Answers with the files of the page, and to everything else that the key is not taken. */
async function serveLocked(page: Page, keys: string[]): Promise<void> {
  await page.route('http://clifford.test/**', async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/api/')) {
      keys.push(route.request().headers()['authorization'] ?? '');
      const error = { code: 'TOKEN_INVALID', message: 'Cannot answer', fix: 'Open the address' };
      return route.fulfill({ status: 401, json: { error } });
    }
    const name = pathname === '/' ? 'index.html' : pathname.slice(1);
    const contentType = types[name.split('.').at(-1) ?? ''] ?? 'application/octet-stream';
    return route.fulfill({ body: await readFile(join(built, name)), contentType });
  });
}

describe.skipIf(chromiumPath === undefined)('the page without a key that is taken', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each<PageOptions>([
    { size: 'phone', theme: 'dark' },
    { size: 'desktop', theme: 'light' },
  ])('says how to get in, to everybody: $size, $theme', async (options) => {
    const { page, complaints, close } = await openPage(browser, options);
    await serveLocked(page, []);
    await page.goto('http://clifford.test/');
    await page.getByRole('heading', { name: 'This page needs its token' }).waitFor();
    const field = page.getByLabel('Open the address that clifford serve or clifford run --web has printed');
    await page.keyboard.type('http');
    expect(await field.inputValue()).toBe('http');
    expect(await barriersOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    ['revoked', undefined, 'The token of this page was revoked'],
    ['over', 10_000, 'The time of this token is over'],
  ])('says that a key is %s while the page is open, and what to do', async (_what, endsInMs, heading) => {
    const { root, project } = await projectWithSprint();
    const env = { HOME: await tempRoot() };
    const { url } = await servePage(project, { env });
    const expiresAt = endsInMs && new Date(Date.now() + endsInMs).toISOString();
    const token = await addToken(env, root, {
      name: 'phone',
      may: 'read',
      ...(expiresAt ? { expiresAt } : {}),
    });
    const { page } = await openServed(browser, { url, token }, { size: 'phone' });
    await page.getByRole('link', { name: /demo/i }).last().waitFor();
    if (endsInMs === undefined) await revokeToken(env, root, 'phone');
    await page.getByRole('heading', { name: heading }).waitFor();
    await page.getByText(/Ask whoever runs Clifford here for another one/).waitFor();
    expect(await page.locator('code', { hasText: 'clifford serve token add' }).count()).toBe(1);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(await barriersOn(page)).toEqual([]);
  });

  it('waits where more is asked with its key than is answered, and says so', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project), { place: 's=demo' });
    const task = page.getByRole('link', { name: /Task a/ });
    await task.waitFor();
    let isBusy = true;
    await page.route('**/api/**', async (route) => {
      if (!isBusy) return route.continue();
      const error = { code: 'TOO_MANY_REQUESTS', message: 'Cannot answer', fix: 'Go on in 2 s' };
      return route.fulfill({ status: 429, headers: { 'retry-after': '2' }, json: { error } });
    });
    await task.click();
    const notice = page.getByText(/this page waits until [\d:]+, and goes on by itself/);
    await notice.waitFor();
    expect(await barriersOn(page)).toEqual([]);
    isBusy = false;
    await page
      .getByText('No event yet')
      .or(page.getByText(/pending/))
      .first()
      .waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  it('says of what is pasted that it is no address, or that its key is not taken', async () => {
    const { project } = await projectWithSprint();
    const { url, token } = await servePage(project);
    const { page } = await openServed(browser, { url, token: 'wrong-key-0123456789' });
    const field = page.getByLabel(/paste it here/);
    const open = page.getByRole('button', { name: 'Open' });
    await field.waitFor();
    expect(await open.isDisabled()).toBe(true);
    await field.fill(url);
    await open.click();
    await page.getByRole('alert').getByText('That is no address of Clifford’s').waitFor();
    await field.fill(`${url}#t=another-wrong-key-0123456789`);
    expect(await page.getByRole('alert').count()).toBe(0);
    await open.click();
    await page.getByRole('alert').getByText('This token is not valid here').waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await field.fill(`${url}#t=${token}`);
    await open.click();
    await page.getByRole('link', { name: /demo/i }).last().waitFor();
  });

  it('takes the key out of the address at once, and another from one that is pasted', async () => {
    const { page, close } = await openPage(browser);
    const keys: string[] = [];
    await serveLocked(page, keys);
    await page.goto('http://clifford.test/#t=old-key-0123456789&q=a-question');
    const field = page.getByLabel(/paste it here/);
    await field.waitFor();
    expect(page.url()).toBe('http://clifford.test/#q=a-question');
    await field.fill('http://127.0.0.1:4444/#t=new-key-0123456789');
    await page.getByRole('button', { name: 'Open' }).click();
    await expect.poll(() => keys.at(-1)).toBe('Bearer new-key-0123456789');
    expect(keys).toContain('Bearer old-key-0123456789');
    await page.evaluate("location.hash = '#t=third-key-0123456789'");
    await expect.poll(() => keys.at(-1)).toBe('Bearer third-key-0123456789');
    await expect.poll(() => page.url()).not.toContain('third-key');
    await close();
  });
});
