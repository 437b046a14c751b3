import { describe, expect, it } from 'vitest';
import { outputKinds } from '../../../src/views/text/output-kinds.ts';

const kinds = (lines: readonly string[]) => outputKinds(lines, true).map(({ raw, kind }) => [kind, raw]);

describe('what the lines of an agent are', () => {
  it('is told of words, calls, what came of those, and code', () => {
    expect(
      kinds([
        'I look first.',
        '▸ Read a.ts',
        '▸ edit a.ts',
        '  - b',
        '  + c',
        'It is:',
        '```ts',
        'const a = 1;',
        '```',
        '| a | b |',
        '\u001B[31mred\u001B[0m',
        '  it is indented, and no call stands above',
      ]),
    ).toEqual([
      ['said', 'I look first.'],
      ['call', '▸ Read a.ts'],
      ['call', '▸ edit a.ts'],
      ['result', '  - b'],
      ['result', '  + c'],
      ['said', 'It is:'],
      ['printed', '```ts'],
      ['printed', 'const a = 1;'],
      ['printed', '```'],
      ['printed', '| a | b |'],
      ['printed', '\u001B[31mred\u001B[0m'],
      ['said', '  it is indented, and no call stands above'],
    ]);
  });

  it('has a call and how it ended in one row, and all others where they were', () => {
    const lines = [
      '▸ npm test',
      '  it failed after 1 min 5 s: no room',
      '▸ ls',
      '  done after 5.0 s',
      'Done.',
    ];
    expect(outputKinds(lines, true)).toEqual([
      {
        at: 0,
        raw: '▸ npm test',
        kind: 'call',
        ending: { word: 'failed', took: '1 min 5 s', why: 'no room' },
      },
      { at: 2, raw: '▸ ls', kind: 'call', ending: { word: 'done', took: '5.0 s', why: undefined } },
      { at: 4, raw: 'Done.', kind: 'said' },
    ]);
  });

  it('is told by the tool of what ended meanwhile, which has a row of its own', () => {
    const lines = ['▸ Bash npm test', '▸ Read a.ts', '  Bash failed: no room', '  edit was done', '  + c'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['call', 'call', 'result', 'result', 'result']);
    expect(outputKinds(lines, true).some(({ ending }) => ending)).toBe(false);
  });

  it('is told of what a tool has done that has several words for a name', () => {
    const lines = ['▸ Ask a human', '▸ Read a.ts', '  Ask a human was done after 48.0 s', '  Then more.'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['call', 'call', 'result', 'said']);
  });

  it('has the first end of a call in its row, and what came behind that below it', () => {
    const lines = ['▸ ls', '  it failed: no room', '  it failed: once more'];
    expect(outputKinds(lines, true)).toMatchObject([
      { kind: 'call', ending: { why: 'no room' } },
      { kind: 'result', raw: '  it failed: once more' },
    ]);
  });

  it('is told of code between tildes', () => {
    const lines = ['~~~', 'const a = 1;', '~~~', 'So.'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['printed', 'printed', 'printed', 'said']);
  });

  it('is told of words behind a fence that nothing closes, once a call was made', () => {
    const lines = ['```ts', 'const a = 1;', '▸ Read a.ts', 'It is fine.'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['printed', 'printed', 'call', 'said']);
  });

  it('is printed, whatever it looks like, of a program of which nothing is known', () => {
    expect(outputKinds(['▸ a', '  it failed: b', 'c'], false).map(({ kind }) => kind)).toEqual([
      'printed',
      'printed',
      'printed',
    ]);
  });
});
