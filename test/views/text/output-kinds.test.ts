import { describe, expect, it } from 'vitest';
import { SignalWriter } from '../../../src/runner/output/signal-writer.ts';
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

  it('takes what a compiler draws below a call for none of what came of it', () => {
    const drawn = ['  --> src/a.rs:12:5', '  | it failed: no', '  = note: it was here, and failed'];
    expect(kinds(['▸ cargo test', ...drawn]).map(([kind]) => kind)).toEqual([
      'call',
      'said',
      'printed',
      'said',
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

  it('is told of what a tool has done whose name is long, and of which there were several', () => {
    const writer = new SignalWriter();
    const tool = 'mcp__a_server_with_a_name__that_goes_on_and_on_and_on_and_on_and_on';
    const start = (id: string) =>
      writer.signal({ is: 'tool-start', id, tool, about: `what it is about, in more than a line: ${id}` });
    const end = { is: 'tool-end', id: 'a', isError: true, why: 'no room' } as const;
    const written = [start('a'), start('b'), writer.signal(end)].join('').trimEnd().split('\n');
    expect(kinds(written).map(([kind]) => kind)).toEqual(['call', 'call', 'result']);
  });

  it('has the first end of a call in its row, and what came behind that below it', () => {
    const lines = ['▸ ls', '  it failed: no room', '  it failed: once more'];
    expect(outputKinds(lines, true)).toMatchObject([
      { kind: 'call', ending: { why: 'no room' } },
      { kind: 'result', raw: '  it failed: once more' },
    ]);
  });

  it('is told from what only looks like it: words, and calls in code that an agent shows', () => {
    const writer = new SignalWriter();
    const call = { is: 'tool-start', id: 'a', tool: 'Bash', about: 'ls' } as const;
    const says = (text: string) => ({ is: 'text', text }) as const;
    const written = [
      call,
      says('  Bash failed: so I read on.'),
      says('```\n▸ Bash rm x\n```'),
      call,
      says('  - a list'),
    ].map((signal) => writer.signal(signal));
    expect(kinds(written.join('').trimEnd().split('\n')).map(([kind]) => kind)).toEqual([
      'call',
      'said',
      'printed',
      'printed',
      'printed',
      'call',
      'said',
    ]);
    expect(kinds(['▸ Bash ls', '  Bash failed to say why']).map(([kind]) => kind)).toEqual(['call', 'said']);
  });

  it('is told of what came of a call also below what Clifford says of it', () => {
    const lines = ['▸ Bash ls', '[clifford: opencode did it unasked]', '  Bash “ls” failed: no room'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['call', 'said', 'result']);
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

  it.each([
    ['TypeError: no "lines"', '    at toInvoice (src/parse.ts:41:22)', '    at <anonymous>'],
    ['AssertionError [ERR_ASSERTION]: they differ', '+ 1', '- 2', '    at check (a.ts:1:2)'],
    [
      'Exception in thread "main" java.lang.IllegalStateException: no',
      '\tat Main.run(Main.java:3)',
      'Caused by: java.io.IOException: shut',
      '\tat Main.read(Main.java:9)',
      '\t... 3 more',
    ],
    ['System.InvalidOperationException: no', '   at Billing.Run() in Run.cs:line 4'],
    [
      'Traceback (most recent call last):',
      '  File "a.py", line 3, in run',
      '    parse(text)',
      'ValueError: no lines',
    ],
  ])('has all of a trace as printed, from what was wrong on: %s', (...trace) => {
    const lines = ['It fails so:', '', ...trace, 'I look at the parser.'];
    expect(kinds(lines)).toEqual([
      ['said', 'It fails so:'],
      ['said', ''],
      ...trace.map((line) => ['printed', line]),
      ['said', 'I look at the parser.'],
    ]);
  });

  it('has no more than 20 lines of words above a trace as printed with it', () => {
    const trace = (words: number) => [
      'Error: it differs',
      ...Array.from({ length: words - 1 }, (_, at) => `line ${at}`),
      '    at a (b.ts:1:2)',
    ];
    expect(new Set(kinds(trace(20)).map(([kind]) => kind))).toEqual(new Set(['printed']));
    expect(kinds(trace(21)).map(([kind]) => kind)).toEqual([...Array<string>(21).fill('said'), 'printed']);
  });

  it('is told of words right above a trace, and of lists, whatever they speak of', () => {
    const lines = [
      'I see it now:',
      'TypeError: no',
      '    at a (b.ts:1:2)',
      '- TypeError: fixed',
      '  - at the parser',
      '  at the end (of it)',
    ];
    const said = ['said', 'said', 'said'];
    expect(kinds(lines).map(([kind]) => kind)).toEqual(['said', 'printed', 'printed', ...said]);
    expect(kinds(['Error: is what I look for', '', '    code']).map(([kind]) => kind)).toEqual([
      'said',
      'said',
      'printed',
    ]);
  });
});
