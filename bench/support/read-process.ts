import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import { FoldedLog } from '../../src/workflow/project/folded-log.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { parseLines } from './parse-lines.ts';

/**
 * One reading of a log in a process of its own, as `mode path`; prints `{ ms, rssBytes }`.
 * `parse` and `readline` are the peers of `fold`; `open` opens the project as a command does.
 */
const [mode = '', path = ''] = process.argv.slice(2);

const modes: Record<string, () => Promise<unknown>> = {
  parse: () => Promise.resolve(parseLines(path)),
  readline: async () => {
    for await (const line of createInterface({ input: createReadStream(path) })) JSON.parse(line);
  },
  read: async () => {
    const log = await openJsonlLog(path);
    for await (const batch of log.read()) void batch;
  },
  fold: async () => {
    // As a project does that finds no snapshot; it writes one at the end.
    const snapshotPath = join(dirname(path), 'cache', 'state.json');
    await rm(snapshotPath, { force: true });
    await new FoldedLog(await openJsonlLog(path), snapshotPath).refresh();
  },
  open: async () =>
    (await openProject({ root: dirname(dirname(path)), source: '/clifford/cli', env: {} })).close(),
};

const run = modes[mode];
if (!run) throw new Error(`Cannot run mode ${mode}: known are ${Object.keys(modes).join(', ')}`);
const start = performance.now();
await run();
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, rssBytes: process.resourceUsage().maxRSS * 1024 }));
