import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { MAX_LINE_BYTES } from '../../../src/events/line/line-codec.ts';
import { LogCorruptError } from '../../../src/events/jsonl/log-errors.ts';
import { collect, numbered, reasonOf, skipped } from '../sample-events.ts';
import { linesOf, openTestLog, tempLogPath } from './temp-log.ts';

/** A log of three events whose second line was replaced. */
async function damagedLog(damage: (line: string, lines: readonly string[]) => string | Buffer) {
  const path = await tempLogPath();
  const log = await openTestLog(path);
  await log.append('s', numbered('s', 3), { expectedVersion: 0 });
  const lines = await linesOf(path);
  const [first = '', second = '', third = ''] = lines;
  const bytes = Buffer.concat([
    Buffer.from(`${first}\n`),
    Buffer.from(damage(second, lines)),
    Buffer.from(`\n${third}\n`),
  ]);
  await writeFile(path, bytes);
  return { path, log, bytes, byte: Buffer.byteLength(first) + 1 };
}

/** Line 2, parsed, changed and written in the same spelling. */
function edited(line: string, change: Partial<Record<keyof StoredEvent, unknown>>): string {
  return JSON.stringify({ ...(JSON.parse(line) as object), ...change });
}

const call = { callId: 'c', server: 's', tool: 't', argsDigest: 'd' };

/** With 100,000 arrays, one in the other, in place of `"@"`. */
function nested(line: string): string {
  return line.replace('"@"', '['.repeat(100_000) + ']'.repeat(100_000));
}

const damages: [string, (line: string, lines: readonly string[]) => string | Buffer, string][] = [
  ['blank', () => '', 'it is blank'],
  ['cut short', (line) => line.slice(0, -5), 'it is not one JSON object'],
  ['not JSON', (line) => line.replace('"type"', 'type'), 'it is not JSON'],
  ['followed by a carriage return', (line) => `${line}\r`, 'it is not one JSON object'],
  ['an array', () => '[]', 'it is not one JSON object'],
  [
    'not UTF-8',
    (line) => Buffer.concat([Buffer.from(line.slice(0, -3)), Buffer.from([0xff]), Buffer.from('"}}')]),
    'it is not UTF-8',
  ],
  [
    'too long',
    (line) => line.replace('"reason":"1"', `"reason":"${'x'.repeat(MAX_LINE_BYTES)}"`),
    'it is longer than',
  ],
  ['twice the one before', (_, [first = '']) => first, 'streamversion 2 was expected, it is 1'],
  ['one ahead', (line) => edited(line, { streamversion: 3 }), 'streamversion 2 was expected, it is 3'],
  ['out of the chain', (line) => edited(line, { prevhash: 'x'.repeat(43) }), 'its prevhash is not the hash'],
  ['without an attribute', (line) => edited(line, { time: undefined }), 'time'],
  ['with an attribute too many', (line) => line.replace('{', '{"extra":1,'), 'extra'],
  ['of data that does not fit', (line) => edited(line, { data: {} }), 'by'],
  ['of an unknown source', (line) => edited(line, { source: '/else' }), 'source'],
  [
    'of another append than the one before it',
    (line) => edited(line, { following: undefined }),
    'the line before it says that 2 more of its append follow, and this is not the next of them',
  ],
  [
    'with what follows it in another place',
    (line) => line.replace(',"following":1}', '}').replace(',"time"', ',"following":1,"time"'),
    'its attributes are not in their order',
  ],
  [
    'of data nested too deeply',
    (line) => nested(edited(line, { type: 'tool.requested', data: { ...call, args: '@' } })),
    'expected JSON of at most 1000 levels → at data.args',
  ],
  ['nested deeply all over', (line) => nested(edited(line, { data: '@' })), 'expected object'],
  [
    'spelled otherwise',
    (line) => line.replace('"subject":', '"subject": '),
    'its attributes are not in their order',
  ],
];

describe('a damaged line in the middle', () => {
  it.each(damages)(
    '%s: reading stops there, names file, line and byte, and cuts nothing',
    async (_, damage, reason) => {
      const { path, log, bytes, byte } = await damagedLog(damage);
      const seen: StoredEvent[] = [];
      const reading = (async () => {
        for await (const { events } of log.read()) seen.push(...events);
      })();
      await expect(reading).rejects.toBeInstanceOf(LogCorruptError);
      await expect(reading).rejects.toMatchObject({
        code: 'LOG_CORRUPT',
        recovery: 'fix-input',
        file: path,
        line: 2,
        byte,
      });
      await expect(reading).rejects.toThrow(`Cannot read ${path}: line 2 (byte ${byte}) is damaged: `);
      await expect(reading).rejects.toThrow(reason);
      expect(seen.map(reasonOf)).toEqual(['0']);
      expect(bytes.equals(await readFile(path))).toBe(true);
    },
  );

  it('is found by the hash of the line after it, when it fits in itself', async () => {
    const { log, path } = await damagedLog((line) => line.replace('"reason":"1"', '"reason":"2"'));
    await expect(collect(log.read())).rejects.toMatchObject({ file: path, line: 3 });
  });

  it('stops a follower as well', async () => {
    const { log } = await damagedLog(() => '{}');
    await expect(collect(log.follow({ signal: new AbortController().signal }))).rejects.toMatchObject({
      line: 2,
    });
  });

  it('is named by its place in the file when reading began after a checkpoint', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 3), { expectedVersion: 0 });
    const checkpoints = [];
    for await (const batch of log.read()) checkpoints.push(batch.checkpoint());
    const [after] = checkpoints;
    await writeFile(path, 'damaged\n', { flag: 'a' });
    const { length } = (await linesOf(path)).slice(0, 3).join('\n');
    const reading = collect(log.read(after ? { after } : {}));
    await expect(reading).rejects.toMatchObject({ line: 4, byte: length + 1 });
  });

  it('of the stream appended to refuses the append, and only that', async () => {
    const path = await tempLogPath();
    const log = await openTestLog(path);
    await log.append('s', numbered('s', 2), { expectedVersion: 0 });
    const [first = ''] = await linesOf(path);
    await writeFile(path, `${first}\n{"subject":"s/x"\n`);
    const reopened = await openTestLog(path);
    const outcomes = await Promise.allSettled([
      reopened.append('s', [skipped('s', 'x')], { expectedVersion: 'any' }),
      reopened.append('t', [skipped('t', 'y')], { expectedVersion: 0 }),
    ]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'LOG_CORRUPT', line: 2 } },
      { status: 'fulfilled' },
    ]);
  });
});

describe('a line of a newer Clifford', () => {
  it.each<[string, Partial<Record<keyof StoredEvent, unknown>>, string]>([
    ['in a later version', { schemaversion: 2 }, 'task.skipped in schema version 2'],
    ['of an unknown type', { type: 'task.vanished' }, 'event type task.vanished'],
  ])('%s is not damage, and names file and line', async (_, change, what) => {
    const { path, log, byte } = await damagedLog((line) => edited(line, change));
    const reading = collect(log.read());
    await expect(reading).rejects.toMatchObject({ code: 'LOG_NEWER', recovery: 'fix-input' });
    await expect(reading).rejects.toThrow(what);
    await expect(reading).rejects.toThrow(`${path}, line 2, byte ${byte}`);
  });
});
