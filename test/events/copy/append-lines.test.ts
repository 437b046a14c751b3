import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { LineLog } from '../../../src/events/copy/line-log.ts';
import { openJetStreamLines } from '../../../src/events/jetstream/jetstream-lines.ts';
import { openJsonlLines } from '../../../src/events/jsonl/jsonl-lines.ts';
import { describeWithNats } from '../../helpers/nats-server.ts';
import { tempRoot } from '../../helpers/temp-project.ts';
import { natsPlace } from '../jetstream/temp-log.ts';
import { openTestLog } from '../jsonl/temp-log.ts';
import { numbered } from '../sample-events.ts';

/** The lines of a log that says `count` times something, in appends of two lines. */
async function linesOfNew(count: number): Promise<string[]> {
  const file = join(await tempRoot(), 'events.jsonl');
  const log = await openTestLog(file);
  for (let version = 0; version < count; version += 2)
    await log.append('s', numbered('s', 2, version), { expectedVersion: version });
  return allOf(openJsonlLines(file));
}

const allOf = async (log: LineLog) => (await Array.fromAsync(log.lines())).flat();

function takesLinesAsTheyAre(open: () => Promise<LineLog>): void {
  const opened = async () => {
    const log = await open();
    onTestFinished(() => log.close());
    return log;
  };

  it('takes no line behind another one than it stands behind', async () => {
    const [log, lines, others] = [await opened(), await linesOfNew(4), await linesOfNew(4)];
    await log.appendLines([{ stream: 's', version: 1, lines: lines.slice(0, 2) }]);
    const appended = log.appendLines([{ stream: 's', version: 3, lines: others.slice(2) }]);
    await expect(appended).rejects.toMatchObject({ name: 'ConflictError', stream: 's', actual: 2 });
    expect(await allOf(log)).toEqual(lines.slice(0, 2));
    await log.appendLines([{ stream: 's', version: 3, lines: lines.slice(2) }]);
    expect(await allOf(log)).toEqual(lines);
  });

  it('takes no lines that do not follow each other', async () => {
    const [log, [first = ''], [, second = '']] = [await opened(), await linesOfNew(2), await linesOfNew(2)];
    const appended = log.appendLines([{ stream: 's', version: 1, lines: [first, second] }]);
    await expect(appended).rejects.toThrow('it does not follow the line before it');
    expect(await allOf(log)).toEqual([]);
  });
}

describe('a log in a file', () => {
  takesLinesAsTheyAre(async () => openJsonlLines(join(await tempRoot(), 'copy.jsonl')));
});

describeWithNats('a log on a server', (server) => {
  takesLinesAsTheyAre(() => openJetStreamLines({ ...natsPlace(server).options, replicas: 1 }));
});
