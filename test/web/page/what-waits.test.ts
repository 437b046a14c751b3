import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('what waits, where nothing does', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it('says so to whoever goes there from the sprint that the page began with', async () => {
    const { project } = await projectWithSprint();
    const { page } = await openServed(browser, await servePage(project));
    await page.locator('.sprint-head').waitFor();
    expect(new URL(page.url()).hash).toBe('#s=demo');
    await page.getByRole('link', { name: 'What waits' }).click();
    await page.getByText('Nothing waits for you').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.locator('.cards a').first().click();
    await page.locator('.sprint-head').waitFor();
  });
});
