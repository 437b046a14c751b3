import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { openTcpProxy } from '../../helpers/tcp-proxy.ts';
import { askStore } from './asked.ts';
import { chromiumPath, startBrowser } from './browser.ts';
import { openServed, servePage } from './served-page.ts';

describe.skipIf(chromiumPath === undefined)(
  'a connection that died and was not closed, as while a laptop sleeps',
  () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await startBrowser();
    });
    afterAll(() => browser.close());

    it('is given up for another, by which the page has what it missed', async () => {
      const { project } = await projectWithSprint();
      let port = 0;
      const way = await openTcpProxy(() => port);
      const server = await servePage(project, { names: [way.address] });
      port = server.port;
      const { page } = await openServed(browser, { url: `http://${way.address}/`, token: server.token });
      await page.getByText('Demo').first().waitFor();
      // What is sent by the connections that are open gets lost, both ways, and no end of them comes.
      way.dropAll();
      await askStore(project, 'Asked meanwhile?');
      await page.getByText(/^Not connected\. What you see is of/).waitFor();
      expect(await page.getByText('Asked meanwhile?').count()).toBe(0);
      way.passNewOnes();
      await page.getByText('Asked meanwhile?').first().waitFor();
      await page.getByText(/^Not connected/).waitFor({ state: 'detached' });
    });
  },
);
