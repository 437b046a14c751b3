import type { Page } from 'playwright-core';
import type { Project } from '../../../src/workflow/project/project.ts';
import { fact } from '../../helpers/facts.ts';

/** What a tab takes: elements of its document, and bytes of its scripts after what nobody needs is gone. */
export type TabSize = { readonly elements: number; readonly heapBytes: number };

/** Measures a tab. */
export async function sizeOf(page: Page): Promise<TabSize> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('Performance.enable');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const heapBytes = metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? 0;
  return { elements: await page.evaluate<number>('document.getElementsByTagName("*").length'), heapBytes };
}

/** So many events are recorded together. */
const AT_ONCE = 25;

/** Records events at a rate, for so long. */
export async function flood(
  project: Project,
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<void> {
  const begun = performance.now();
  for (let sent = 0; sent < perSecond * seconds; sent += AT_ONCE) {
    const early = begun + (sent / perSecond) * 1_000 - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    await addEvents(project, AT_ONCE);
  }
}

/** Records so many events of a task, which change nothing in its state. */
export async function addEvents(project: Project, count: number): Promise<void> {
  const event = { ...fact('tool.returned'), subject: 'demo/a' };
  await project.record(
    'demo',
    Array.from({ length: count }, () => event),
  );
}
