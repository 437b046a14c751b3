import { Agent, get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { seededRandom } from '../test/helpers/random.ts';
import { startBrowser } from '../test/web/page/browser.ts';
import { median, timeMs } from './support/measure.ts';
import { openPast } from './support/past-page.ts';
import { serve, type Served } from './support/serve.ts';
import { printTable, type Row } from './support/table.ts';
import { writeSprint } from './support/write-sprint.ts';

/**
 * The slider of the page over a sprint of 10,000 events and one of 100, each of ten tasks: from the press of a key or a button until the
 * moment is drawn, beside the bare requests that it takes: `node bench/page-past.ts [seeks]`. Needs a build and a Chromium.
 */
const SEEKS = Number(process.argv[2] ?? 40);
const WARM_UP = 5;
const KEYS = ['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown'];
const sizes = {
  long: { tasks: 10, toolCalls: 463 },
  short: { tasks: 10, toolCalls: 2 },
} as const;

/** What a sprint took: its seeks, and the bare requests for the same moments; ms. */
type Took = {
  readonly events: number;
  readonly far: readonly number[];
  readonly near: readonly number[];
  readonly ratios: readonly number[];
  readonly bare: readonly number[];
};

const browser = await startBrowser();
const [short, long] = [await measure(browser, 'short'), await measure(browser, 'long')];
await browser.close();
process.exitCode = report() ? 0 : 1;

function report(): boolean {
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const all = [...long.far, ...long.near];
  const against = (what: string, mine: number, theirs: number, most: number): Row => ({
    what,
    figure: `${ms(mine)} : ${ms(theirs)}`,
    ratio: mine / theirs,
    reach: { 'at-most': most },
  });
  return printTable(
    `The slider of the page over ${long.events.toLocaleString('en')} events: ${all.length} seeks`,
    [
      against('anywhere by the slider, the median, against 100 ms', median(long.far), 100, 1),
      against('the worst of all, against 300 ms', Math.max(...all), 300, 1),
      {
        ...against('all, against the bare requests', median(all), median(long.bare), 12),
        ratio: median(long.ratios),
      },
      against(
        `all, against a sprint of ${short.events} events`,
        median(all),
        median([...short.far, ...short.near]),
        2,
      ),
    ],
  );
}

async function measure(opened: Browser, id: keyof typeof sizes): Promise<Took> {
  const root = await mkdtemp(join(tmpdir(), 'clifford-bench-past-'));
  const env = { PATH: process.env['PATH'] ?? '', CLIFFORD_PROJECT_ROOT: root, HOME: root };
  const events = await writeSprint(root, id, sizes[id]);
  const served = await serve(root, env);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const past = await openPast(opened, `${served.address}&s=${id}`, Math.ceil(events / 2));
  try {
    const random = seededRandom(1);
    const took = {
      far: new Array<number>(),
      near: new Array<number>(),
      ratios: new Array<number>(),
      bare: new Array<number>(),
    };
    let place = 0.5;
    for (let n = 0; n < SEEKS + WARM_UP; n += 1) {
      const isFar = n % 2 === 0;
      // What is pressed where the slider stands changes nothing: it is not near there.
      const share = 0.02 + 0.96 * ((place + 0.1 + 0.8 * random()) % 1);
      const key = KEYS[Math.floor(random() * KEYS.length)] ?? 'ArrowLeft';
      const { version, ms } = isFar ? await past.goBySlider(share) : await past.goByKey(key);
      place = version / events;
      const bareMs = await timeMs(() => readMoment(served, agent, { sprint: id, version, events }));
      if (n < WARM_UP) continue;
      took[isFar ? 'far' : 'near'].push(ms);
      took.bare.push(bareMs);
      took.ratios.push(ms / bareMs);
    }
    return { events, ...took };
  } finally {
    await past.close();
    agent.destroy();
    served.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 10 });
  }
}

/** Asks what the page asks for a moment, the sprint as it was and the events around, and makes nothing of it. */
async function readMoment(
  served: Served,
  agent: Agent,
  { sprint, version, events }: { readonly sprint: string; readonly version: number; readonly events: number },
): Promise<void> {
  const to = Math.min(events, version + 75);
  const paths = [`history/${version}`, `events?from=${Math.max(1, to - 149)}&to=${to}`];
  await Promise.all(paths.map((path) => read(served, agent, `/api/sprints/${sprint}/${path}`)));
}

async function read({ at }: Served, agent: Agent, path: string): Promise<void> {
  const sending = get({ ...at, agent, path });
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  if (response.statusCode !== 200) throw new Error(`${path} was answered with ${response.statusCode}`);
}
