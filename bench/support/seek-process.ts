import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import { createProjectState } from '../../src/machines/project-state.ts';
import { openCursor } from '../../src/workflow/history/history-cursor.ts';
import { seededRandom } from '../../test/helpers/random.ts';

/**
 * A cursor in a process of its own, as `path stream seeks`. Prints how long it took to open it, each seek to anywhere, and
 * each step back, and the memory that was taken after half of the seeks, and after all.
 */
const [path = '', stream = '', seeks = '0'] = process.argv.slice(2);
const log = await openJsonlLog(path);
const start = performance.now();
const cursor = await openCursor(
  { log, state: createProjectState(), subscribe: () => () => undefined },
  stream,
);
const openMs = performance.now() - start;

const random = seededRandom(1);
const memory: number[] = [];
const noteMemory = () => {
  globalThis.gc?.();
  memory.push(process.memoryUsage.rss());
};
/** The most of a processor that one seek took, in ms: what it would take where nothing else runs. */
let processorMs = 0;
const timed = async (version: number) => {
  const used = process.cpuUsage();
  const from = performance.now();
  await cursor.seek(version);
  const ms = performance.now() - from;
  const { user, system } = process.cpuUsage(used);
  processorMs = Math.max(processorMs, (user + system) / 1_000);
  return ms;
};

const anywhere: number[] = [];
const back: number[] = [];
for (let n = 0; n < Number(seeks); n += 1) {
  anywhere.push(await timed(1 + Math.floor(random() * cursor.length)));
  const from = cursor.position.event.streamversion;
  for (let step = 1; step <= 3 && from > step; step += 1) back.push(await timed(from - step));
  if (n + 1 === Math.ceil(Number(seeks) / 2)) noteMemory();
}
noteMemory();
console.log(JSON.stringify({ openMs, events: cursor.length, processorMs, anywhere, back, memory }));
await cursor.close();
await log.close();
