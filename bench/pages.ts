import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import { openProject, type Project } from '../src/workflow/project/project.ts';
import { ask } from '../src/workflow/requests/ask.ts';
import { openPage, startBrowser, type OpenPage } from '../test/web/page/browser.ts';
import { openFiles, residentBytes } from './support/held-by-process.ts';
import { atRest, processorSeconds, shareOf } from './support/processor-time.ts';
import { serve, type Served } from './support/serve.ts';
import { printTable } from './support/table.ts';
import { writeSprint } from './support/write-sprint.ts';

/**
 * Pages that are open in a browser at once, a profile each, and look at a sprint: what their server needs for them, and whether it
 * has it back when they are closed: `node bench/pages.ts [pages]`. Needs a build and a Chromium, and 10 GB of memory for 200.
 */
const PAGES = Number(process.argv[2] ?? 200);
/** So many are opened at a time. */
const AT_ONCE = 4;
const IDLE_S = 10;

const root = await mkdtemp(join(tmpdir(), 'clifford-bench-pages-'));
const env = { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: root, HOME: root };
await writeSprint(root, 'demo', { tasks: 10, toolCalls: 2 });
const served = await serve(root, env);
const browser = await startBrowser();
try {
  const project = await openProject({ root, source: '/clifford/mcp', env: {} });
  process.exitCode = (await measure(project)) ? 0 : 1;
  await project.close();
} finally {
  await browser.close();
  served.stop();
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
}

async function measure(project: Project): Promise<boolean> {
  const { pid } = served;
  const usedBy = async (goesOn: () => Promise<unknown>) => {
    const before = processorSeconds(pid);
    await goesOn();
    return ((processorSeconds(pid) - before) * 1_000) / PAGES;
  };
  const idle = () => shareOf(pid, () => sleep(IDLE_S * 1_000));
  const held = () => [residentBytes(pid), openFiles(pid)] as const;

  // The first page has the server load what all need.
  await closed(await openAll(browser, served, 1));
  await atRest(pid);
  const [memoryBefore, filesBefore] = held();
  const idleBefore = await idle();

  let pages: readonly OpenPage[] = [];
  const opening = await usedBy(async () => (pages = await openAll(browser, served, PAGES)));
  await atRest(pid);
  const [memoryOpened, filesOpened] = held();
  const idleOpened = await idle();
  const telling = await usedBy(async () => {
    await ask(project, {
      stream: 'demo',
      agent: { id: 'bench', client: 'bench' },
      kind: 'clarification',
      question: 'Which store keeps the keys?',
      reason: 'Both would work',
    });
    await Promise.all(pages.map(({ page }) => page.getByRole('dialog').waitFor()));
  });
  await closed(pages);
  await atRest(pid);
  const [, filesClosed] = held();
  const idleClosed = await idle();

  pages = await openAll(browser, served, PAGES);
  await atRest(pid);
  const [memoryAgain] = held();
  await closed(pages);

  const megabytes = (bytes: number) => (bytes / 1_048_576).toFixed(0);
  const percent = (share: number) => `${(share * 100).toFixed(2)} %`;
  return printTable(`${PAGES} pages in a browser, and their server`, [
    {
      what: 'memory with them and without, in MB more',
      figure: `${megabytes(memoryBefore)} → ${megabytes(memoryOpened)} MB`,
      ratio: (memoryOpened - memoryBefore) / 1_048_576,
      reach: { 'at-most': 60 },
    },
    {
      what: 'memory with as many that are opened when those are closed, in MB more',
      figure: `${megabytes(memoryOpened)} → ${megabytes(memoryAgain)} MB`,
      // What is not collected yet counts: one round differs from the next by as much.
      ratio: (memoryAgain - memoryOpened) / 1_048_576,
      reach: { 'at-most': 60 },
    },
    {
      what: 'CPU while nothing happens, in % of a core',
      figure: `${percent(idleOpened)} : ${percent(idleBefore)}`,
      ratio: idleOpened * 100,
      reach: { 'at-most': 2 },
    },
    {
      what: 'CPU when they are closed, and before, in % of a core',
      figure: `${percent(idleClosed)} : ${percent(idleBefore)}`,
      ratio: (idleClosed - idleBefore) * 100,
      reach: { 'at-most': 0.3 },
    },
    {
      what: 'open files when they are closed, above what they were',
      figure: `${filesBefore} → ${filesOpened} → ${filesClosed}`,
      ratio: filesClosed - filesBefore,
      reach: { 'at-most': 1 },
    },
    {
      what: 'CPU of the server to open a page, in ms',
      figure: `${opening.toFixed(1)} ms`,
      ratio: opening,
      reach: { 'at-most': 100 },
    },
    {
      what: 'CPU of the server until a question is seen on a page, in ms',
      figure: `${telling.toFixed(1)} ms`,
      ratio: telling,
      reach: { 'at-most': 20 },
    },
  ]);
}

/** Opens so many pages of the sprint, and waits until each shows it. */
async function openAll(browserOf: Browser, { address }: Served, count: number): Promise<OpenPage[]> {
  const pages: OpenPage[] = [];
  while (pages.length < count) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - pages.length) }, async () => {
      const opened = await openPage(browserOf);
      await opened.page.goto(`${address}&s=demo`);
      await opened.page.getByRole('heading', { level: 1 }).waitFor();
      return opened;
    });
    pages.push(...(await Promise.all(some)));
  }
  return pages;
}

async function closed(pages: readonly OpenPage[]): Promise<void> {
  await Promise.all(pages.map(({ close }) => close()));
}
