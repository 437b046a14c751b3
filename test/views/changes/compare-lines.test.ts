import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { describe, expect, it } from 'vitest';
import { callChanges } from '../../../src/views/calls/call-changes.ts';
import { seeChanges } from '../../../src/views/calls/seen-changes.ts';
import type { FilesNow } from '../../../src/workflow/requests/files-now.ts';

const numbered = (many: number, word = 'line') => Array.from({ length: many }, (_, at) => `${word} ${at}\n`);
/** The same lines, of which no diff finds more than a few alike in a row. */
const shuffled = (lines: readonly string[]) => lines.toSorted((a, b) => Number(hash(a)) - Number(hash(b)));
const hash = (text: string) =>
  text.split('').reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 65_521, 7);

const cpuMs = (work: () => unknown) => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
};

describe('comparing the lines of one call', () => {
  it.each([
    ['other lines', (lines: readonly string[]) => lines.map((line) => `not ${line}`)],
    ['the same lines in another order', shuffled],
  ])('costs as much for many edits as for one: %s', (_how, changed) => {
    const lines = numbered(1_300);
    const edits = (many: number) => ({
      changes: Array.from({ length: many }, (_, at) => ({
        path: `${at}`,
        oldText: lines.join(''),
        newText: changed(lines).join(''),
      })),
    });
    const [one, twelve] = [edits(1), edits(12)];
    const look = (args: unknown) => callChanges(filesInCall(args)).map((each) => each.lines.length);
    look(one);
    const least = Math.max(
      20,
      cpuMs(() => look(one)),
    );
    expect(cpuMs(() => look(twelve))).toBeLessThan(6 * least);
  });

  it('does not grow with the files that writes are unlike', () => {
    const file = { is: 'text', text: 'b\nc\nd\n'.repeat(7_500) } as const;
    const changes = Array.from({ length: 90 }, (_, at) => ({
      path: `${at}`,
      newText: `${'z\n'.repeat(120)}${at}`,
    }));
    const files: FilesNow = new Map(changes.map(({ path }) => [path, file]));
    expect(cpuMs(() => seeChanges.seenOf({ changes }, files))).toBeLessThan(1_500);
  });

  it('looks through files for what edits say is there only as long as that is worth it, and says of the rest that it does not', () => {
    const files: FilesNow = new Map([['a', { is: 'text', text: 'x'.repeat(1_000_000) }]]);
    const edits = Array.from({ length: 3_000 }, (_, at) => ({
      path: 'a',
      old_string: `${at}`,
      new_string: 'y',
    }));
    const changes = callChanges(filesInCall({ edits }), files);
    expect(cpuMs(() => changes.map(({ isFound }) => isFound))).toBeLessThan(1_000);
    expect(changes[0]).toMatchObject({ isFound: false, over: undefined });
    expect(changes.at(-1)?.over).toEqual({
      is: 'uncompared',
      why: 'there is too much to look for in all files of the call together',
    });
  });

  it('shows the same whichever change is asked for first', () => {
    const lines = numbered(700);
    const changes = Array.from({ length: 8 }, (_, at) => ({
      path: `${at}`,
      oldText: lines.join(''),
      newText: shuffled(lines).join(''),
    }));
    const forwards = callChanges(filesInCall({ changes })).map((each) => each.lines);
    const backwards = callChanges(filesInCall({ changes }))
      .toReversed()
      .map((each) => each.lines)
      .toReversed();
    expect(backwards).toEqual(forwards);
  });

  it('compares a hundred files that change a little, and says of what it leaves out that it does', () => {
    const text = numbered(400).join('');
    const files: FilesNow = new Map(
      Array.from({ length: 100 }, (_, at) => [`${at}`, { is: 'text', text }] as const),
    );
    const changes = [...files.keys()].map((path) => ({ path, newText: text.replaceAll('9\n', '9!\n') }));
    const over = callChanges(filesInCall({ changes }), files).map((each) => each.over?.is);
    expect(new Set(over)).toEqual(new Set(['text']));

    const unlike = numbered(900);
    const many: FilesNow = new Map(
      [...files.keys()].map((path) => [path, { is: 'text', text: unlike.join('') }] as const),
    );
    const shuffles = [...many.keys()].map((path) => ({ path, newText: shuffled(unlike).join('') }));
    expect(callChanges(filesInCall({ changes: shuffles }), many).at(-1)?.over).toEqual({
      is: 'uncompared',
      why: 'too many lines would be others in all files of the call together',
    });
  });
});
