import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { askStore, dialogOn } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)('a link that an agent wrote', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(['a click', 'the middle button'])('says to where it leads nothing of the page: %s', async (how) => {
    const asked: IncomingHttpHeaders[] = [];
    const elsewhere = createServer((request, response) => {
      // Its icon is asked for by where it led.
      if (request.url === '/there') asked.push(request.headers);
      response.end('There');
    });
    elsewhere.listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    onTestFinished(() => void elsewhere.close());
    const { port } = elsewhere.address() as AddressInfo;
    const { project } = await projectWithSprint();
    await askStore(project, `Is [this](http://127.0.0.1:${port}/there) the one?`);
    const { page } = await openServed(browser, await servePage(project));
    const opened = page.context().waitForEvent('page');
    await dialogOn(page)
      .getByRole('link', { name: 'this' })
      .click({ button: how === 'a click' ? 'left' : 'middle' });
    const other = await opened;
    await other.getByText('There').waitFor();
    expect(await other.evaluate('[document.referrer, globalThis.opener]')).toEqual(['', null]);
    expect(asked.length).toBeGreaterThan(0);
    for (const { referer, origin, authorization, cookie } of asked)
      expect([referer, origin, authorization, cookie]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
