import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openJsonlLog } from '../../src/events/jsonl/jsonl-log.ts';
import type { EventLog } from '../../src/events/log/event-log.ts';
import { numbered, reasonsIn, skipped } from '../events/sample-events.ts';
import { clifford } from '../helpers/clifford-process.ts';
import { tempRoot } from '../helpers/temp-project.ts';

/** Two files for logs, and the first of them open. */
async function logs() {
  const root = await tempRoot();
  const [from, to] = [join(root, '.clifford/events.jsonl'), join(root, 'copy/events.jsonl')];
  return { root, from, to, log: await open(from), copy: (...more: string[]) => copyIn(root, more) };
}

async function open(path: string): Promise<EventLog> {
  const log = await openJsonlLog(path);
  onTestFinished(() => log.close());
  return log;
}

const copyIn = (cwd: string, more: readonly string[]) =>
  clifford(['log', 'copy', '.clifford/events.jsonl', 'copy/events.jsonl', ...more], { cwd });

const text = (file: string) => readFile(file, 'utf8');

describe('clifford log copy', () => {
  it('copies every line as it is, in the order of all streams', async () => {
    const { from, to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await log.append('b', numbered('b', 2, 3), { expectedVersion: 0 });
    await log.append('a', [skipped('a', '5 ä𝄞\n')], { expectedVersion: 3 });
    expect(await copy()).toMatchObject({
      code: 0,
      out: 'copied 6 events of 2 streams to copy/events.jsonl\n',
      err: '',
    });
    expect(await text(to)).toBe(await text(from));
    expect(await reasonsIn(await open(to))).toEqual(['0', '1', '2', '3', '4', '5 ä𝄞\n']);
  });

  it('copies what came since, when it is done again', async () => {
    const { from, to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await copy();
    await log.append('a', numbered('a', 2, 3), { expectedVersion: 3 });
    await log.append('b', numbered('b', 1, 5), { expectedVersion: 0 });
    expect((await copy('--json')).out).toBe('{"events":3,"streams":2,"already":3}\n');
    expect(await text(to)).toBe(await text(from));
    expect((await copy()).out).toBe(
      'copied 0 events of 0 streams to copy/events.jsonl; 6 events were there already\n',
    );
  });

  it.each([
    ['in a line', 1, 40],
    ['between the lines of one append', 4, 0],
    ['in the second line of one append', 4, 40],
    ['before the end of its last line', 6, -1],
  ])('goes on where it was killed %s, when it is done again', async (_, lines, more) => {
    const { from, to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await log.append('b', numbered('b', 3), { expectedVersion: 0 });
    await copy();
    const whole = await text(from);
    const end = whole.split('\n').slice(0, lines).join('\n').length + 1;
    await writeFile(to, whole.slice(0, end + more));
    expect(await copy()).toMatchObject({ code: 0, err: '' });
    expect(await text(to)).toBe(whole);
    expect((await copy()).out).toContain('copied 0 events');
  });

  it('leaves what has gone on there, if it began with the same', async () => {
    const { to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await copy();
    await (await open(to)).append('a', numbered('a', 1, 3), { expectedVersion: 3 });
    const before = await text(to);
    expect((await copy('--json')).out).toBe('{"events":0,"streams":0,"already":3}\n');
    expect(await text(to)).toBe(before);
  });

  it.each<[string, (log: EventLog, other: EventLog) => Promise<unknown>]>([
    ['as far', (log) => log.append('a', numbered('a', 1, 3), { expectedVersion: 3 })],
    ['farther', (log) => log.append('a', numbered('a', 2, 3), { expectedVersion: 3 })],
    [
      'less far',
      async (log, other) => {
        await log.append('a', numbered('a', 1, 3), { expectedVersion: 3 });
        await other.append('a', numbered('a', 1, 9), { expectedVersion: 4 });
      },
    ],
  ])('refuses a stream that has gone on differently and come %s, and copies nothing', async (_, goOn) => {
    const { to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await copy();
    const other = await open(to);
    await other.append('a', [skipped('a', 'other')], { expectedVersion: 3 });
    await goOn(log, other);
    await log.append('b', numbered('b', 1), { expectedVersion: 0 });
    const before = await text(to);
    const { code, err } = await copy();
    expect(code).toBe(2);
    expect(err).toMatch(/^clifford: Cannot copy stream a: at version [345] it is another one in /);
    expect(await text(to)).toBe(before);
    expect((await copy('--sprint', 'b')).out).toContain('copied 1 event of 1 stream');
  });

  it('copies some of the streams', async () => {
    const { to, log, copy } = await logs();
    for (const stream of ['a', 'b', 'c'])
      await log.append(stream, numbered(stream, 2), { expectedVersion: 0 });
    expect((await copy('--sprint', 'c', 'a')).out).toContain('copied 4 events of 2 streams');
    const copied = await open(to);
    expect([await copied.head('a'), await copied.head('b'), await copied.head('c')]).toEqual([2, 0, 2]);
    expect((await copy('--sprint', 'nope')).err).toContain('has none of that name');
  });

  it('copies nothing of a log that is damaged', async () => {
    const { from, to, log, copy } = await logs();
    await log.append('a', numbered('a', 3), { expectedVersion: 0 });
    await writeFile(from, (await text(from)).replace('"reason":"1"', '"reason":"x"'));
    expect((await copy()).err).toContain('line 3');
    await expect(text(to)).rejects.toThrow('ENOENT');
  });

  it('says of a log without events that there is nothing to copy', async () => {
    const { root, copy } = await logs();
    await writeFile(join(root, '.clifford/events.jsonl'), '');
    const { code, err } = await copy();
    expect([code, err]).toEqual([2, expect.stringContaining('events.jsonl: there are no events in it\n')]);
    expect(await readdir(root)).not.toContain('copy');
  });

  it('names a file that is not there, and refuses to copy to the same', async () => {
    const { root, copy } = await logs();
    expect((await copy()).err).toContain('there is no such file');
    await writeFile(join(root, 'x.jsonl'), '');
    const same = await clifford(['log', 'copy', 'x.jsonl', './x.jsonl'], { cwd: root });
    expect(same).toMatchObject({ code: 2 });
    expect(same.err).toContain('to itself');
  });

  it.each([
    ['from', ['-', 'x.jsonl']],
    ['to', ['x.jsonl', '-']],
  ])('refuses - where it copies %s, and makes no file', async (place, ends) => {
    const { root } = await logs();
    await writeFile(join(root, 'x.jsonl'), '');
    const { code, err } = await clifford(['log', 'copy', ...ends], { cwd: root });
    expect(code).toBe(2);
    expect(err).toContain(
      `Cannot take - as <${place}>: it has to be a file or nats://host:4222/project, not stdin or stdout\n`,
    );
    expect(await readdir(root)).not.toContain('-');
  });

  it('is nothing that an agent does', async () => {
    const { root } = await logs();
    const env = { CLIFFORD_RUN_ID: 'run-1' };
    const { code, err } = await clifford(['log', 'copy', 'a.jsonl', 'b.jsonl'], { cwd: root, env });
    expect(code).toBe(1);
    expect(err).toContain('Cannot copy a log: ');
  });
});
