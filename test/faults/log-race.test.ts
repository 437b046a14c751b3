import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { collect, reasonOf } from '../events/sample-events.ts';
import { openTestLog, tempLogPath } from '../events/jsonl/temp-log.ts';
import { faultRuns } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';

const WRITERS = 8;
const program = fixtureProgram('processes/log-writer.ts');

it('eight processes append to one stream, each on condition: no gap, no duplicate, the chain intact', async () => {
  const perWriter = faultRuns(2_000);
  const path = await tempLogPath();
  const writers = await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      const child = spawn(process.execPath, [program, path, 's', String(perWriter)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const [ids, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
      return { pid: child.pid, code: code as number | null, ids: ids.trim().split('\n') };
    }),
  );
  expect(writers.map(({ code }) => code)).toEqual(Array.from({ length: WRITERS }, () => 0));

  // Reading checks the schema of every line, the versions and the chain.
  const events = await collect((await openTestLog(path)).read());
  expect(events.map(({ streamversion }) => streamversion)).toEqual(
    Array.from({ length: WRITERS * perWriter }, (_, n) => n + 1),
  );
  const ids = new Map(events.map(({ id }, index) => [id, index]));
  expect(ids.size).toBe(events.length);
  for (const { pid, ids: acknowledged } of writers) {
    const own = acknowledged.map((id) => events[ids.get(id) ?? -1]);
    // Each writer's events are all there, in the order it wrote them.
    expect(own.map((event) => event && reasonOf(event))).toEqual(
      Array.from({ length: perWriter }, (_, n) => `${pid}:${n}`),
    );
    const places = acknowledged.map((id) => ids.get(id) ?? -1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  }
});
