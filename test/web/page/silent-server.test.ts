import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { chromiumPath, openPage, startBrowser } from './browser.ts';
import { servePage } from './served-page.ts';

/** From when `isSilent` is set on, nothing of the server comes any more, and no connection is closed. */
const withoutAWord = `
  const { fetch } = globalThis;
  globalThis.fetch = async (...asked) => {
    const never = new Promise(() => {});
    if (globalThis.isSilent) return never;
    const response = await fetch(...asked);
    const transform = (chunk, stream) => globalThis.isSilent ? never : stream.enqueue(chunk);
    return new Response(response.body?.pipeThrough(new TransformStream({ transform })), response);
  };
`;

describe.skipIf(chromiumPath === undefined)('a server of which nothing is heard', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('is said to be gone within twenty seconds, though the connection is open', async () => {
    const { project } = await projectWithSprint();
    const { url, token } = await servePage(project);
    const { page, close } = await openPage(browser);
    onTestFinished(close);
    await page.clock.install();
    await page.addInitScript(withoutAWord);
    await page.goto(`${url}#t=${token}`);
    await page.getByText('Demo').first().waitFor();
    await page.evaluate('globalThis.isSilent = true');
    const notice = page.getByText(/^Not connected\. What you see is of/);
    await page.clock.runFor(10_000);
    expect(await notice.count()).toBe(0);
    await page.clock.runFor(10_000);
    await notice.waitFor();
  });

  it('is tried anew soon, where the connection that was opened in place of a dead one is dead, too', async () => {
    const { project } = await projectWithSprint();
    const { url, token } = await servePage(project);
    const { page, close } = await openPage(browser);
    onTestFinished(close);
    await page.clock.install();
    await page.addInitScript(withoutAWord);
    await page.goto(`${url}#t=${token}`);
    await page.getByText('Demo').first().waitFor();
    await page.evaluate('globalThis.isSilent = true');
    await page.clock.runFor(20_000);
    const notice = page.getByText(/^Not connected\. What you see is of/);
    await notice.waitFor();
    await page.evaluate('globalThis.isSilent = false');
    await page.clock.runFor(6_000);
    await expect.poll(() => notice.count(), { timeout: 4_000 }).toBe(0);
  });
});
