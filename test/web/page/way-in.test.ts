import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { barriersOn, chromiumPath, openPage, startBrowser, type PageOptions } from './browser.ts';

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
    await page.getByRole('heading', { name: 'This page needs its key' }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
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
