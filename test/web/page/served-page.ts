import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { offersIn, partsIn } from '../../../src/cli/requests/offers.ts';
import type { WebServer } from '../../../src/web/server/web-server.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { serveProject } from '../../helpers/web-server.ts';
import { openPage, type OpenPage, type PageOptions } from './browser.ts';

/** The folder of the page, as the build has left it. */
export const built = join(import.meta.dirname, '../../../dist/page');

/** Serves the built page of a project, for Ada. It ends with the test. */
export async function servePage(
  project: Project,
  {
    port = 0,
    env = {},
    hasRunner = false,
    pageFolder = built,
    names = [],
  }: {
    port?: number;
    env?: Record<string, string>;
    hasRunner?: boolean;
    pageFolder?: string;
    /** By which it may be called, too. */
    names?: readonly string[];
  } = {},
): Promise<WebServer> {
  const { server } = await serveProject(project, {
    env,
    by: 'ada',
    port,
    pageFolder,
    names,
    processes: { hasRunner: () => hasRunner, isAlive: () => true },
    findExtras: { offersFor: offersIn({ env }, project), partsOf: partsIn({ env }, project) },
  });
  return server;
}

/** Opens the page of a server as somebody does who was given its address, at a place such as `s=demo&task=a`. */
export async function openServed(
  browser: Browser,
  { url, token }: Pick<WebServer, 'url' | 'token'>,
  { place = '', ...options }: PageOptions & { readonly place?: string } = {},
): Promise<OpenPage> {
  const opened = await openPage(browser, options);
  onTestFinished(opened.close);
  await opened.page.goto(`${url}#t=${token}${place === '' ? '' : `&${place}`}`);
  return opened;
}
