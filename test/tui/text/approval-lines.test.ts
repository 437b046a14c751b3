import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import type { CommandParts } from '../../../src/workflow/policy/command-parts.ts';
import { approvalRows } from '../../../src/tui/text/approval-lines.ts';
import { batchRows } from '../../../src/tui/text/batch-lines.ts';
import { approval } from '../../helpers/approval.ts';
import { cellsOf } from '../../../src/lib/text/cells.ts';
import { aCallQuestion } from '../../helpers/screen-views.ts';

const rows = (over: Partial<Approval> = {}, width = 76) => approvalRows({ ...approval, ...over }, width);
const shown = (over?: Partial<Approval>, width?: number) =>
  rows(over, width).map((row) =>
    row
      .map(({ text }) => text)
      .join('')
      .trimEnd(),
  );

describe('approvalRows', () => {
  it('says which agent wants to use a tool of its own', () => {
    const own = { server: '@opencode', tool: 'execute', isOwn: true as const, args: { command: 'npm test' } };
    expect(shown(own).slice(0, 2)).toEqual([
      "Tool      execute (opencode's own)",
      'Risk      runs a command · rule: none matches, so the default asks',
    ]);
  });

  it.each([
    ['destroys', { destructiveHint: true }, 'danger'],
    ['only reads', { readOnlyHint: true }, 'plain'],
  ] as const)('gives what a tool that %s may lead to its weight', (_, annotations, style) => {
    const [, risk = []] = rows({ trust: 'full', annotations });
    expect(risk.map((span) => span.style)).toEqual(['dim', style, 'dim', 'plain']);
  });

  it('offers a rule below the call, escaped', () => {
    const offer = ['a rule would have done it:', '{ "tool": "\u202Egnp" }'];
    const texts = approvalRows(approval, 76, { offer }).map((row) => row.map(({ text }) => text).join(''));
    expect(texts.slice(-2)).toEqual([
      'Offer     a rule would have done it:',
      expect.stringMatching(/^ {10}\{ "tool": "\\u\{?202e\}?gnp" \}$/i),
    ]);
  });

  it('says what would be called, and which rule asks', () => {
    expect(shown()).toEqual([
      'Tool      fs/write_file (claims not believed)',
      'Risk      effect unknown · rule: none matches, so the default asks',
      'Arguments',
      '  {',
      '    "path": "notes.txt",',
      '    "content": "hello"',
      '  }',
    ]);
  });

  it.each([
    ['untrusted', 'Server    claims: only reads, title "Writes"'],
    ['full', 'Server    says: title "Writes"'],
  ] as const)('says what a server that is %s says of the tool', (trust, line) => {
    expect(shown({ trust, annotations: { readOnlyHint: true, title: 'Writes' } })).toContain(line);
  });

  it('names what changes from the folder on in which its agent works', () => {
    const edit = { path: '/p/a.ts', oldText: 'a', newText: 'b' };
    const call = { ...approval, server: '@codex', isOwn: true, tool: 'edit', args: edit } as const;
    const labels = (folder: string) => approvalRows(call, 76, { folder }).map(asText);
    expect(labels('/p')).toContain('Changes   a.ts (+1 −1)');
    expect(labels('/q')).toContain('Changes   /p/a.ts (+1 −1)');
    const kept = { ...call, args: { file_path: '/p/a.ts', do: 'something' } };
    expect(approvalRows(kept, 76, { folder: '/p' }).map(asText)).toContain(
      'What this makes of a.ts is not known: only its arguments are shown',
    );
    const question = aCallQuestion({ approval: call, folder: '/p' });
    const batch = batchRows([question], 76, { revealed: new Map() }).map(asText);
    expect(batch).toContain('Changes   a.ts (+1 −1)');
  });

  it('says above the lines of a patch where in the file they are, as it does', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@ \u202Eadd()\n-one\n+two\n*** End Patch';
    const rows = shown({ server: '@codex', isOwn: true, tool: 'edit', args: { patch } });
    const place = rows.findIndex((row) => row.startsWith('  @@ \\u202eadd()'));
    expect(rows.slice(place + 1, place + 3)).toEqual([
      expect.stringContaining('- one'),
      expect.stringContaining('+ two'),
    ]);
    expect(place).toBeGreaterThan(0);
  });

  it('breaks what a server says between words, and marks the rows that go on', () => {
    const annotations = { readOnlyHint: false, idempotentHint: true, title: 'Server    fs (trusted)' };
    const row = '          ↪ ';
    expect(shown({ annotations }, 54)).toEqual(
      expect.arrayContaining([
        'Server    claims: may change things, a repeat changes',
        `${row}nothing more, title "Server    fs`,
        `${row}(trusted)"`,
      ]),
    );
  });

  it('says no risk twice, and on a narrow screen goes on below the labels, its words whole', () => {
    const annotations = {
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    };
    expect(shown({ annotations }, 36).slice(0, 7)).toEqual([
      'Tool      fs/write_file (claims not',
      '  ↪ believed)',
      'Risk      may destroy',
      'Rule      none matches, so the',
      '  ↪ default asks',
      'Server    claims: a repeat changes',
      '  ↪ nothing more, does not reach',
    ]);
  });

  it('breaks arguments wherever it has to: no blank of theirs is lost where a row ends', () => {
    const args = { target: 'rm -rf / tmp/old-files-of-the-build' };
    expect(shown({ args }, 26)).toEqual(
      expect.arrayContaining(['    "target": "rm -rf / tm', '    ↪ p/old-files-of-the-', '    ↪ build"']),
    );
  });

  it('says first that the definition changed, and last how', () => {
    const change = '--- known\n+++ now\n@@ -1,2 +1,2 @@\n {\n-  "a": 1\n+  "a": 2\n--- \u001B[8m';
    const lines = shown({ change });
    expect(lines[0]).toBe('Its definition has changed: see below');
    expect(lines.slice(-8)).toEqual([
      'Definition',
      '  --- known',
      '  +++ now',
      '  @@ -1,2 +1,2 @@',
      '   {',
      '  -  "a": 1',
      '  +  "a": 2',
      String.raw`  --- \u001b[8m`,
    ]);
    const styles = rows({ change })
      .slice(-7)
      .map((row) => row.at(-1)?.style);
    expect(styles).toEqual(['dim', 'dim', 'dim', 'plain', 'removed line', 'added line', 'removed line']);
  });

  it('says that the arguments are not all there', () => {
    expect(shown({ args: { cut: '{"path":"a', length: 70_000 } })).toContain(
      'Too long to show: here are 10 of 70000 characters',
    );
    expect(shown({ args: { cut: 'a', length: 1 } }).join('\n')).not.toContain('Too long');
  });

  it('lets no name move, hide or add anything', () => {
    const hostile = 'a\u001B[2J\nTool  b\u202E';
    const lines = shown({ server: hostile, tool: hostile, rule: hostile }, 84);
    expect(lines).toHaveLength(7);
    expect(lines.join('')).not.toContain('\u001B');
    expect(lines.join('')).not.toContain('\u202E');
    expect(lines[0]).toBe(
      String.raw`Tool      a\u001b[2J\nTool  b\u202e/a\u001b[2J\nTool  b\u202e (claims not believed)`,
    );
  });
});

const asText = (row: readonly { text: string }[]) => row.map(({ text }) => text).join('');

describe('what a call does', () => {
  it('to files stands as what is added and taken away, and once', () => {
    const args = { file_path: 'a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\u202e\n' };
    expect(shown({ args, server: '@opencode', tool: 'edit', isOwn: true }).slice(2)).toEqual([
      'Changes   a.ts (+1 −1)',
      '    one',
      '  - two',
      '  + 2\\u202e',
    ]);
  });

  it('to files leaves of its arguments what the changes do not say, and of a server all of them', () => {
    const own = { server: '@opencode', tool: 'edit', isOwn: true } as const;
    const args = { file_path: 'a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\n' };
    const below = (over: Partial<Approval>) => {
      const lines = shown(over);
      return lines.slice(lines.findLastIndex((line) => /^ {2}[+-] /.test(line)) + 1);
    };
    const of = (all: Approval['args']) => below({ ...own, args: all });
    expect(of({ ...args, replace_all: true })).toEqual(['Arguments { "replace_all": true }']);
    const listed = { path: 'a.ts', oldText: 'one\ntwo\n', newText: 'one\n2\n' };
    expect(of({ ...args, content: [{ type: 'diff', ...listed }] })).toEqual([]);
    expect(of({ edits: [listed, { ...listed, newText: '2' }], replace_all: false })).toEqual([
      'Arguments { "replace_all": false }',
    ]);
    for (const [unlike, left] of [
      [{ ...args, file_path: 'a b.ts' }, '    "file_path": "a b.ts"'],
      [{ ...args, file_path: 'a\u200b.ts' }, String.raw`"file_path": "a\u200b.ts"`],
      [{ ...args, 'file_path\u200b': 'a.ts' }, String.raw`"file_path\u200b": "a.ts"`],
      [{ ...args, note: args.new_string }, '"note": [shown above]'],
      // What else it says of the file, though it is one of the texts.
      [{ ...args, content: args.new_string }, '"content": [shown above]'],
      [{ ...args, content: args.old_string }, '"content": [shown above]'],
      [{ ...args, original: args.new_string }, '"original": [shown above]'],
      // Said in two ways, it is shown as it came.
      [{ ...args, 'new_string shown': args.old_string }, '"file_path": "a.ts"'],
      [{ file_path: 'a.ts', old_string: 'a', new_string: 'b ' }, '"new_string": "b "'],
      [{ file_path: 'a.ts', old_string: 'a', new_string: String.raw`b\t` }, String.raw`"b\\t"`],
      [{ file_path: 'a.ts', old_string: 'a', new_string: '' }, '"new_string": ""'],
      // The second is a whole file of one line, which stands among the arguments alone.
      [
        {
          edits: [
            { ...listed, newText: 'x' },
            { path: 'a.ts', content: 'x' },
          ],
        },
        '"content": "x"',
      ],
    ] satisfies [Approval['args'], string][])
      expect(of(unlike).join('\n')).toContain(left.trim());
    expect(below({ args })).toEqual([
      'Arguments',
      '  {',
      '    "file_path": "a.ts",',
      '    "old_string": [shown above],',
      '    "new_string": [shown above]',
      '  }',
    ]);
  });

  it('to a line marks the words by which it differs from the one in its place', () => {
    const args = { file_path: 'a.ts', old_string: 'const port = 3000;', new_string: 'const port = 8080;' };
    const spans = rows({ args, server: '@opencode', tool: 'edit', isOwn: true }, 60).flat();
    const marked = spans.filter(({ style }) => style === 'removed word' || style === 'added word');
    expect(marked.map(({ text, style }) => [style, text])).toEqual([
      ['removed word', '3000'],
      ['added word', '8080'],
    ]);
  });

  it('to a file has rows as wide as the card where lines come and go, on which they stand out', () => {
    const args = { file_path: 'a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\n' };
    const all = rows({ args, server: '@opencode', tool: 'edit', isOwn: true }, 40);
    const changed = all.filter((row) => row.some(({ style }) => style.endsWith(' line')));
    expect(changed.map((row) => row.map(({ style }) => style))).toEqual([
      ['plain', 'removed line', 'removed line'],
      ['plain', 'added line', 'added line'],
    ]);
    expect(changed.map((row) => cellsOf(asText(row)))).toEqual([40, 40]);
  });

  it('to a long file leaves out what stays, where the file has it, and names the key that shows it', () => {
    const stays = Array.from({ length: 12 }, (_, at) => `line ${at}\n`).join('');
    const args = { file_path: 'a.ts', old_string: `${stays}two\n`, new_string: `${stays}2\n` };
    const edit = { ...approval, args, server: '@opencode', tool: 'edit', isOwn: true } as const;
    const texts = (unfold?: string) => approvalRows(edit, 76, { unfold }).map((row) => asText(row).trimEnd());
    expect(texts('U').slice(2, 9)).toEqual([
      'Changes   a.ts (+1 −1)',
      '  … 9 unchanged lines: U shows them',
      '    line 9',
      '    line 10',
      '    line 11',
      '  - two',
      '  + 2',
    ]);
    expect(texts()).toEqual(expect.arrayContaining(['    line 0', '    line 8']));
    expect(texts().join('\n')).not.toContain('unchanged');
  });

  it('as a command stands part by part, with what is said of each', () => {
    const command = {
      parts: [
        { text: 'git status', decision: 'allow', rule: 'agents.rules[0]' },
        { text: 'rm -rf …', decision: 'deny', rule: 'agents.rules[1]', risks: ['destroys', 'outside'] },
        { text: 'tee a\u202e', decision: 'confirm', rule: 'agents.ask everything' },
        { text: 'ls', decision: 'clear', rule: 'agents.rules[2]' },
      ],
      writes: ['out.txt'],
      doubt: 'a variable',
    } as const;
    const asked = { ...approval, rule: 'agents.ask everything' };
    expect(approvalRows(asked, 70, { command }).map(asText).slice(2, 9)).toEqual([
      'Runs      ✔ git status  allowed: agents.rules[0]',
      '          ✗ rm -rf …  ! may destroy  ~ reaches outside  denied: ',
      '          ↪ agents.rules[1]',
      '          ? tee a\\u202e  asks: agents.ask everything',
      '          · ls  nothing against it: agents.rules[2]',
      'Writes    out.txt',
      'Not all of it is known: a variable',
    ]);
  });

  it('says once which rule asks, where it asks about several parts of a command', () => {
    const asks = (text: string) => ({ text, decision: 'confirm', rule: 'agents.ask what-matters' }) as const;
    const allowed = { text: 'git status', decision: 'allow', rule: 'agents.rules[0]' } as const;
    const parts = [asks('npm ci'), allowed, asks('rm -rf dist')];
    const command = { parts, writes: [], doubt: undefined };
    const asked = { ...approval, rule: 'agents.ask what-matters' };
    expect(approvalRows(asked, 70, { command }).map(asText).slice(1, 6)).toEqual([
      expect.stringContaining('rule: agents.ask what-matters'),
      'Runs      ? npm ci  asks',
      '          ✔ git status  allowed: agents.rules[0]',
      '          ? rm -rf dist  asks',
      'Arguments ',
    ]);
  });
});

describe('the card of a command', () => {
  const own = { server: '@opencode', tool: 'execute', isOwn: true } as const;
  const asks = { decision: 'confirm', rule: 'agents.ask what-matters' } as const;
  const below = (args: Approval['args'], parts: CommandParts['parts'] = []) => {
    const command = { parts, writes: [], doubt: undefined };
    const lines = approvalRows({ ...approval, ...own, rule: asks.rule, args }, 76, { command });
    return lines.slice(2).map((row) => asText(row).trimEnd());
  };

  it('has it as it is written, on its lines, and the other arguments beside it', () => {
    const line = 'cd dist && rm -rf "a b"\nRuns      ✔ echo \u202e';
    expect(below({ command: line, description: 'Clean "dist"', timeout: 1000 })).toEqual([
      'Command   cd dist && rm -rf "a b"',
      '          │ Runs      ✔ echo \\u202e',
      String.raw`Arguments { "description": "Clean \"dist\"", "timeout": 1000 }`,
    ]);
    expect(below({ command: 'ls', description: 'x'.repeat(180) })).toContain('Arguments');
  });

  it('has its parts, where these say more, and no word for what is said of all of them', () => {
    expect(below({ command: 'npm ci' }, [{ text: 'npm ci', ...asks }])).toEqual(['Command   npm ci']);
    const rm = { text: 'rm -rf "$D"', ...asks, risks: ['destroys'], isOpen: true } as const;
    expect(below({ command: 'npm ci && rm -rf "$D"' }, [{ text: 'npm ci', ...asks }, rm])).toEqual([
      'Command   npm ci && rm -rf "$D"',
      'Runs      npm ci',
      '          rm -rf "$D"  ! may destroy  known only when it runs',
    ]);
  });
});

it('a card says which rule asked, and which asks now, where the policy is another by now', () => {
  const part = { text: 'rm -r dist', decision: 'confirm', rule: 'agents.rules[3]' } as const;
  const rowsOf = (rule: string) =>
    approvalRows({ ...approval, rule }, 70, { command: { parts: [part], writes: [], doubt: undefined } })
      .map(asText)
      .filter((row) => /^(?:Risk|Rule|Asks now)/.test(row));
  expect(rowsOf('agents.rules[3]')).toEqual([expect.stringContaining(' · rule: agents.rules[3]')]);
  expect(rowsOf('agents.rules[1]')).toEqual([
    expect.stringMatching(/^Risk /),
    'Rule      agents.rules[1], which asked then',
    'Asks now  agents.rules[3]',
  ]);
});

it('a card of the past has the commands of the call, and nothing of what the policy says of them now', () => {
  const parts = [
    { text: 'npm ci', decision: 'allow', rule: 'agents.rules[3]', risks: ['outside'] },
    { text: 'rm -rf "$D"', decision: 'confirm', rule: 'agents.rules[4]', isOpen: true },
  ] as const;
  const call = {
    ...approval,
    server: '@codex',
    isOwn: true,
    tool: 'execute',
    rule: 'agents.rules[1]',
  } as const;
  const rowsOf = (line: string, known: CommandParts['parts']) =>
    approvalRows({ ...call, args: { command: line } }, 90, {
      command: { parts: known, writes: [], doubt: undefined },
      isPast: true,
    }).map(asText);
  expect(rowsOf('npm ci && rm -rf "$D"', parts).slice(1)).toEqual([
    'Risk      runs a command · rule: agents.rules[1]',
    'Command   npm ci && rm -rf "$D"',
    'Runs      npm ci  ~ reaches outside',
    '          rm -rf "$D"  known only when it runs',
  ]);
  expect(rowsOf('npm ci', [{ text: 'npm ci', decision: 'allow', rule: 'agents.rules[3]' }])).toHaveLength(3);
});

it('a card says what a part of a command does that is not to be overlooked, in a colour of its own', () => {
  const part = {
    text: 'git push',
    decision: 'confirm',
    rule: 'default',
    risks: ['sends', 'rights'],
  } as const;
  const command = { parts: [part], writes: [], doubt: undefined };
  const runs = approvalRows({ ...approval, rule: 'default' }, 100, { command }).find(
    (row) => row[0]?.text.trim() === 'Runs',
  );
  expect(runs?.map(({ text, style }) => [text.trim(), style])).toEqual(
    expect.arrayContaining([
      ['! sends something out', 'danger'],
      ["! with another user's rights", 'danger'],
    ]),
  );
});

describe('batchRows', () => {
  type Over = Partial<Approval> & { readonly asker?: string };
  const listed = (calls: readonly Over[], width = 76, revealed: readonly string[] = []) => {
    const questions = calls.map(({ asker = 'demo-agent', ...over }, at) =>
      aCallQuestion({ id: `q-${at}`, asker, approval: { ...approval, ...over } }),
    );
    const shownArgs = new Map(revealed.map((id) => [id, { args: { token: 'sk-1' } }]));
    return batchRows(questions, width, { revealed: shownArgs }).map((row) =>
      row
        .map(({ text }) => text)
        .join('')
        .trimEnd(),
    );
  };
  const runs = (command: string, over: Over = {}): Over => {
    return { server: '@demo-agent', tool: 'execute', isOwn: true, args: { command }, ...over };
  };

  it('says once what all calls share, and has a row for each', () => {
    expect(listed([runs('npm test'), runs('npm test -- a'), runs('npm ci')])).toEqual([
      'Asked by  demo-agent about parser',
      "Tool      execute (demo-agent's own)",
      'Risk      runs a command · rule: none matches, so the default asks',
      '1 of 3    { "command": "npm test" }',
      '2 of 3    { "command": "npm test -- a" }',
      '3 of 3    { "command": "npm ci" }',
    ]);
  });

  it('says beside the risk of the whole what a part does that is not to be overlooked', () => {
    const rule = 'agents.rules[0]';
    const parts = [
      { text: 'git status', decision: 'allow', rule, risks: ['overwrites'] },
      { text: 'git push', decision: 'confirm', rule, risks: ['sends', 'rights'] },
    ] as const;
    const riskOf = (shown: readonly (typeof parts)[number][]) =>
      approvalRows({ ...approval, ...runs('git status && git push') }, 76, {
        command: { parts: shown, writes: [], doubt: undefined },
      }).find(([first]) => first?.text.trim() === 'Risk');
    expect(riskOf(parts)).toContainEqual({
      text: "runs a command, sends something out, with another user's rights",
      style: 'warning',
    });
    expect(riskOf(parts.slice(0, 1))).toContainEqual({ text: 'runs a command', style: 'plain' });
  });

  it('says of each call what of its command is not to be overlooked, and which files it changes', () => {
    const args = { file_path: 'a.ts', content: 'one\n' };
    const calls = [runs('git status && rm -rf dist'), { args }].map((over, at) =>
      aCallQuestion({ id: `q-${at}`, approval: { ...approval, ...over } }),
    );
    const rule = 'agents.rules[0]';
    const parts = [
      { text: 'git status', decision: 'allow', rule } as const,
      { text: 'rm -rf dist', decision: 'confirm', rule, risks: ['destroys'] } as const,
    ];
    const texts = batchRows(calls, 76, {
      revealed: new Map(),
      commands: new Map([['q-0', { parts, writes: ['out.txt'], doubt: 'a variable' }]]),
      files: new Map([['q-1', new Map([['a.ts', { is: 'text', text: 'before\n' } as const]])]]),
    });
    const of = (label: string) => texts.filter(([first]) => first?.text.trim() === label);
    expect(of('Runs').map(asText)).toEqual(['Runs      ? rm -rf dist  ! may destroy  asks: agents.rules[0]']);
    expect(of('Runs')[0]).toContainEqual({ text: '  ! may destroy', style: 'danger' });
    expect(texts.map(asText)).toContain('Not all of it is known: a variable');
    expect(of('Writes').map(asText)).toEqual([
      'Writes    out.txt',
      'Writes    a.ts (+1 −1, over the file that is there)',
    ]);
  });

  it('says of each call what others do not have', () => {
    const question = 'Why?';
    const calls = [
      runs('npm test', { asker: 'other' }),
      runs('npm ci', { rule: 'agents.rules[0]', explanation: { question, words: 'To test' } }),
      runs('npm x', { change: '- a', hidden: { values: 1, characters: 9, lines: 1 } }),
    ];
    expect(listed(calls)).toEqual([
      "Tool      execute (demo-agent's own)",
      '1 of 3    { "command": "npm test" }',
      'Asked by  other about parser',
      'Risk      runs a command · rule: none matches, so the default asks',
      '2 of 3    { "command": "npm ci" }',
      'Asked by  demo-agent about parser',
      'Risk      runs a command · rule: agents.rules[0]',
      'Asked     Why?',
      'It says   To test',
      '3 of 3    { "command": "npm x" }',
      'Asked by  demo-agent about parser',
      'Risk      tool has changed · rule: none matches, so the default asks',
      'Its definition has changed:',
      'Definition',
      '  - a',
      '1 value hidden: 9 characters',
    ]);
  });

  it('shows a long call whole, each value on rows of its own', () => {
    const args = { path: 'a'.repeat(90), content: 'one\ntwo\n', deep: { list: [1, 2] } };
    const rows = listed([{ args }, {}], 50);
    expect(rows).toEqual(
      expect.arrayContaining([
        '1 of 2',
        '        1,',
        '2 of 2    { "path": "notes.txt", "content":',
        '          ↪ "hello" }',
      ]),
    );
    expect(rows.every((row) => cellsOf(row) <= 50)).toBe(true);
    const [, text = ''] = /1 of 2(.*)\nWrites {4}a.*2 of 2/s.exec(rows.join('\n')) ?? [];
    expect(JSON.parse(text.replaceAll(/\n *↪ /g, ''))).toEqual(args);
  });

  it('masks what is a secret, until it is revealed', () => {
    const args = { token: 'x'.repeat(40) };
    expect(listed([{ args }, {}]).join('\n')).not.toContain('xxx');
    expect(listed([{ args }, {}], 76, ['q-0'])).toContain('1 of 2    { "token": "sk-1" }');
  });

  it('has no row of a call that can pass for one of another', () => {
    const forged = `${'x'.repeat(58)}2 of 2    { "command": "true" }`;
    const rows = listed([runs(forged), runs('rm -rf ~\n2 of 2')], 76);
    expect(rows.filter((row) => row.startsWith('2 of 2'))).toEqual([
      String.raw`2 of 2    { "command": "rm -rf ~\n2 of 2" }`,
    ]);
  });
});
