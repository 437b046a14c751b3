import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { collect, reasonOf } from '../events/sample-events.ts';
import { tempLogPath } from '../events/jsonl/temp-log.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { openLogAt } from '../helpers/log-at.ts';
import { logEnv } from '../helpers/log-env.ts';

const WRITERS = 8;
const program = fixtureProgram('processes/log-writer.ts');

describeOnEachEngine('writers', () => {
  it('eight processes append to one stream, each on condition: no gap, no duplicate, the chain intact', async () => {
    const perWriter = faultRuns(1_000);
    const place = logEnv()['CLIFFORD_LOG'] ?? (await tempLogPath());
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        const child = spawn(process.execPath, [program, place, 's', String(perWriter)], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const [ids, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
        return { pid: child.pid, code: code as number | null, ids: ids.trim().split('\n') };
      }),
    );
    expect(writers.map(({ code }) => code)).toEqual(Array.from({ length: WRITERS }, () => 0));

    // Reading checks the schema of every line, the versions and the chain.
    const log = await openLogAt(place);
    onTestFinished(() => log.close());
    const events = await collect(log.read());
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
});
