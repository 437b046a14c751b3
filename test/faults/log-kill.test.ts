import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { collect, numbered } from '../events/sample-events.ts';
import { tempLogPath } from '../events/jsonl/temp-log.ts';
import { describeOnEachEngine } from '../helpers/each-engine.ts';
import { faultRuns, faultSeed } from '../helpers/fault-options.ts';
import { fixtureProgram } from '../helpers/fixture-program.ts';
import { openLogAt } from '../helpers/log-at.ts';
import { logEnv } from '../helpers/log-env.ts';
import { seededRandom } from '../helpers/random.ts';

const WRITERS = 4;
/** Longest life of a writer after its first acknowledgement, in ms. */
const LONGEST_LIFE_MS = 150;
const program = fixtureProgram('processes/log-writer.ts');

/** A writer that lives `lifeMs` from its first acknowledgement on: what it was told, in whole lines. */
async function writeUntilKilled(place: string, stream: string, lifeMs: number): Promise<string[]> {
  const child = spawn(process.execPath, [program, place, stream, '1000000'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk;
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  await sleep(lifeMs);
  child.kill('SIGKILL');
  await closed;
  return printed.split('\n').slice(0, -1);
}

describeOnEachEngine('writers', () => {
  it('writers killed at random instants: nothing acknowledged is missing, the log verifies and goes on', async () => {
    const kills = faultRuns(50);
    const random = seededRandom(faultSeed());
    const place = logEnv()['CLIFFORD_LOG'] ?? (await tempLogPath());
    const acknowledged: string[] = [];
    const survivor = await openLogAt(place);
    onTestFinished(() => survivor.close());

    for (let killed = 0; killed < kills; killed += WRITERS) {
      // Two of them share a stream, so that conflicts are under way too.
      const lives = Array.from({ length: Math.min(WRITERS, kills - killed) }, (_, n) => ({
        stream: `s${n % 3}`,
        lifeMs: random() * LONGEST_LIFE_MS,
      }));
      const ids = await Promise.all(
        lives.map(({ stream, lifeMs }) => writeUntilKilled(place, stream, lifeMs)),
      );
      acknowledged.push(...ids.flat());
      await survivor.append('survivor', numbered('survivor', 1), { expectedVersion: 'any' });
    }

    const log = await openLogAt(place);
    onTestFinished(() => log.close());
    const events = await collect(log.read());
    const present = new Set(events.map(({ id }) => id));
    expect(present.size).toBe(events.length);
    expect(acknowledged.filter((id) => !present.has(id))).toEqual([]);
    expect(acknowledged.length).toBeGreaterThan(kills);
    const torn = await readdir(join(dirname(place), 'quarantine')).catch(() => []);
    console.log(
      `log kill: ${kills} killed, ${acknowledged.length} acknowledged, ${events.length} in the log, ${torn.length} torn tails`,
    );
  });
});
