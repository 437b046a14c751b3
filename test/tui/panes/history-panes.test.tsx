import { describe, expect, it, vi } from 'vitest';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import { contentFrom, showPane } from '../../helpers/shown-pane.tsx';
import { eventLog } from '../../helpers/stored-events.ts';

/** The rows of a pane beside the tasks, without those that are empty and without the time of day. */
const rows = (lines: readonly string[], from: number) =>
  lines
    .slice(2, -2)
    .map((line) =>
      line
        .slice(from)
        .trimEnd()
        .replace(/\d\d:\d\d(:\d\d)?/, (_, seconds) => (seconds ? '12:00:00' : '12:00')),
    )
    .filter((line) => line !== '');

const events = eventLog(
  'sprint-13/parser',
  ['task.started'],
  ['tool.requested', { server: 'fs', tool: 'write_file', args: { path: 'a\u001B[2J.txt' } }],
  ['tool.allowed', { rule: 'rules[0]' }],
  ['tool.returned', { bytes: 12, lines: { added: 3, removed: 1 } }],
  [
    'tool.requested',
    { callId: 'c-2', server: '@codex', tool: 'execute', title: 'rm -rf build', paths: ['build'] },
  ],
  ['tool.denied', { callId: 'c-2', by: 'ada' }],
);

describe('the pane of events', () => {
  it('has the question how to merge the task, too', async () => {
    const asked = eventLog('sprint-13', ['help.requested', { task: 'parser', question: 'Merge it how?' }]);
    const { lines } = showPane('events', await contentFrom('events', asked), [80, 24]);
    expect(rows(lines(), 34)[0]).toContain('Question asked Merge it how?');
  });

  it('names the files of calls from the root of the project on', async () => {
    const edit = { path: '/nowhere/src/a.ts', old_string: 'a', new_string: 'b' };
    const made = eventLog('sprint-13/parser', [
      'tool.requested',
      { server: '@codex', tool: 'edit', args: edit },
    ]);
    const said = { events: 'Edit src/a.ts', 'sprint-events': 'Edit src/a.ts' };
    for (const [pane, text] of Object.entries(said)) {
      const { lines } = await contentFrom(pane, made);
      expect(lines(80).map(({ line }) => line.spans.at(-1)?.text)).toEqual([text]);
    }
    const calls = await contentFrom('calls', made);
    const whole = calls.lines(80).flatMap((line) => line.whole?.(80) ?? []);
    expect(whole.map(({ spans }) => spans.map(({ text }) => text).join(''))).toContain(
      'Changes   src/a.ts (+1 −1, not compared with what is there, as the system says ENOENT)',
    );
  });

  it.each(['events', 'calls'])(
    'says above its list that earlier events were not looked at: %s',
    async (pane) => {
      const first = async (from: readonly StoredEvent[]) => {
        const [line] = (await contentFrom(pane, from)).lines(80);
        return [line?.isHeading, line?.line.spans.map(({ text }) => text).join('')];
      };
      expect(await first(events.slice(1))).toEqual([true, '… before event 2: clifford replay sprint-13']);
      expect((await first(events))[0]).toBeUndefined();
      // Where none is of the task, that is said in their place.
      const others = eventLog('sprint-13/docs', ['task.started'], ['task.started']).slice(1);
      const { lines, empty } = await contentFrom(pane, others);
      expect([lines(80), empty]).toEqual([[], expect.stringContaining('clifford replay has all')]);
    },
  );

  it('names the files of calls of the past from where the task was worked on then', async () => {
    const made = eventLog('sprint-13/parser', [
      'tool.requested',
      {
        server: '@codex',
        tool: 'edit',
        args: { path: '/nowhere/src/a.ts', old_string: 'a', new_string: 'b' },
      },
    ]);
    const now = { worktree: '../worktrees/parser' };
    for (const pane of ['events', 'sprint-events']) {
      const said = async (past: object) => {
        const { lines } = await contentFrom(pane, made, [], { ...now, ...past });
        return lines(80).map(({ line }) => line.spans.at(-1)?.text);
      };
      expect(await said({})).toEqual(['Edit /nowhere/src/a.ts']);
      expect(await said({ past: { version: 1, sprint: { tasks: new Map(), requests: new Map() } } })).toEqual(
        ['Edit src/a.ts'],
      );
    }
  });

  it('says in the colours of states what failed, what asks, and what is done', async () => {
    const all = eventLog(
      'sprint-13/parser',
      ['task.started'],
      ['help.requested', { question: 'Which?' }],
      ['task.completed'],
      ['task.failed', { reason: 'exit 1' }],
    );
    const { lines } = await contentFrom('events', all);
    expect(lines(80).map(({ line }) => line.spans[2]?.style)).toEqual(['name', 'warning', 'added', 'danger']);
  });

  it('of the sprint gives what they say the room that they need, behind the task', async () => {
    const { lines } = await contentFrom('sprint-events', events);
    const textOf = (cells: number) =>
      lines(cells)[3]
        ?.line.spans.map(({ text }) => text)
        .join('');
    const said = 'a result of 12 bytes after 1 ms';
    expect(textOf(70)).toMatch(new RegExp(String.raw`^\d\d:\d\d parser Call returned ${said}`));
    expect(textOf(80)).toMatch(new RegExp(String.raw`^\d\d:\d\d:\d\d parser Call returned ${said}`));
    expect(textOf(40)).toMatch(`parser Call returned ${said}`);
  });

  it('lists what the log has of the task, and shows the one at the cursor in full', async () => {
    const other = eventLog('sprint-13/docs', ['task.noted', { text: 'of another task' }]);
    const content = await contentFrom('events', [...events, ...other]);
    const { lines, press } = showPane('events', content, [80, 24]);
    expect(rows(lines(), 34)).toMatchInlineSnapshot(`
      [
        "  12:00 Task started attempt 1 by runner",
        "        Call made fs/write_file a\\u001b[2J.t…",
        "        Call allowed rules[0]",
        "        Call returned a result of 12 bytes a…",
        "        Call made execute by codex: build",
        "› 12:00 Call stopped by ada",
        "─────────────────────────────────────────────",
        "Call stopped",
        "by ada",
        "Number  6 of sprint-13",
        "Time    2026-01-31 12:00:00.000",
        "Type    tool.denied",
        "From    /clifford/runner",
        "Id      01900000-0000-7000-8000-000000000005",
        "Data",
        "  {",
        "    "callId": "c-2",",
        "    "by": "ada"",
        "  }",
      ]
    `);
    press('\u001B[A');
    await vi.waitFor(() => expect(rows(lines(), 34)[4]).toMatch(/^›/));
    press('\r');
    await vi.waitFor(() => expect(rows(lines(), 34)[0]).toMatch(/^Call made/));
    expect(rows(lines(), 34)).toMatchInlineSnapshot(`
      [
        "Call made",
        "execute by codex: build",
        "Number  5 of sprint-13",
        "Time    2026-01-31 12:00:00.000",
        "Type    tool.requested",
        "From    /clifford/runner",
        "Id      01900000-0000-7000-8000-000000000004",
        "Data",
        "  {",
        "    "callId": "c-2",",
        "    "server": "@codex",",
        "    "tool": "execute",",
        "    "args": {},",
        "    "argsDigest": "d",",
        "    "title": "rm -rf build",",
        "    "paths": [",
        "      "build"",
        "    ]",
        "  }",
      ]
    `);
  });
});

describe('what the line at the cursor has more to say', () => {
  const notes = Array.from({ length: 60 }, (_, at): Parameters<typeof eventLog>[1] => [
    'task.noted',
    { text: `note ${at}` },
  ]);
  const log = eventLog('sprint-13/parser', ...notes);
  const cursor = (lines: readonly string[]) => lines.findIndex((line) => / › \d/.test(line));
  const rule = (lines: readonly string[]) => lines.findIndex((line) => / ─{60}/.test(line));

  it('stands in the lower half of a tall pane, and follows the cursor', async () => {
    const { lines, press } = showPane('events', await contentFrom('events', log), [120, 40]);
    expect(lines().length - rule(lines())).toBeGreaterThan(16);
    expect(lines()[cursor(lines())]).toContain('note 59');
    const below = () => lines().slice(rule(lines())).join('\n');
    expect(below()).toContain('"text": "note 59"');
    press('k');
    await vi.waitFor(() => expect(below()).toContain('"text": "note 58"'));
  });

  it('is as wide as its column, beside what agents write on a wide screen', async () => {
    const long = eventLog('sprint-13/parser', ['task.noted', { text: 'x'.repeat(300) }]);
    const { lines } = showPane('events', await contentFrom('events', long), [200, 60]);
    expect(lines()[2]).toMatch(/x…$/);
    expect(lines()[2]).toHaveLength(199);
  });

  it('leaves all rows to a long list in a low pane', async () => {
    const { lines } = showPane('events', await contentFrom('events', log), [80, 24]);
    expect(rows(lines(), 34)).toHaveLength(20);
    expect(lines().join('\n')).not.toContain('"text"');
  });
});

describe('the pane of calls', () => {
  it('has marks without words at 80×24, but for what is not done, and room for the arguments', async () => {
    const done = eventLog(
      'sprint-13/parser',
      [
        'tool.requested',
        { server: 'files', tool: 'search_files', args: { path: 'src', pattern: '**/*.ts' } },
      ],
      ['tool.returned', { bytes: 12 }],
      ['tool.requested', { callId: 'c-2', server: 'clifford', tool: 'report_uat', args: { title: 'Look' } }],
      ['tool.returned', { callId: 'c-2', bytes: 12 }],
    );
    const { lines } = showPane('calls', await contentFrom('calls', done), [80, 24]);
    expect(rows(lines(), 34).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "  12:00 ✔ files/search_files path: src, patt…",
        "› 12:00 ✔ report_uat         title: Look",
      ]
    `);
    const others = showPane('calls', await contentFrom('calls', events), [80, 24]);
    expect(rows(others.lines(), 34).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "  12:00 ✔        fs/write_file path: a\\u001b…",
        "› 12:00 ✗ denied execute       rm -rf build",
      ]
    `);
    const narrow = showPane('calls', await contentFrom('calls', events), [60, 24]);
    expect(rows(narrow.lines(), 30).slice(0, 2)).toMatchInlineSnapshot(`
      [
        "  ✔ fs/write_file path: a\\u0…",
        "› ✗ execute       rm -rf bui…",
      ]
    `);
  });

  it('has a question as one, which is not a call that waits for a yes', async () => {
    const asked = eventLog(
      'sprint-13/parser',
      ['tool.requested', { callId: 'c-1', server: 'fs', tool: 'write_file', args: {} }],
      [
        'tool.requested',
        { callId: 'c-2', server: 'clifford', tool: 'ask_clarification', args: { question: 'Which?' } },
      ],
    );
    const content = await contentFrom('calls', asked, [{ callId: 'c-1' }]);
    const { lines } = showPane('calls', content, [120, 40]);
    expect(rows(lines(), 50).slice(0, 6)).toEqual([
      '  12:00:00 ○ waits   fs/write_file',
      '› 12:00:00 ? asks    clifford/ask_clarification question: Which?',
      '─'.repeat(69),
      'Call      clifford/ask_clarification',
      'Time      2026-01-31 12:00:00',
      'Question  waits for an answer',
    ]);
  });

  it('says of one that nobody is asked about that it runs, and of one like it that waits that it waits', async () => {
    const args = { path: 'a.ts' };
    const open = eventLog(
      'sprint-13/parser',
      ['tool.requested', { callId: 'c-1', server: 'clifford', tool: 'set_task_status', args: {} }],
      ['tool.requested', { callId: 'c-2', server: 'fs', tool: 'write_file', args }],
    );
    const content = await contentFrom('calls', open, [
      { callId: 'c-0', server: 'fs', tool: 'write_file', args },
    ]);
    const { lines } = showPane('calls', content, [120, 40]);
    expect(rows(lines(), 50).slice(0, 2)).toEqual([
      '  12:00:00 ● runs    clifford/set_task_status',
      '› 12:00:00 ○ waits   fs/write_file            path: a.ts',
    ]);
  });

  it('says of one that ran when its agent ended that nothing came of it', async () => {
    const left = eventLog(
      'sprint-13/parser',
      [
        'tool.requested',
        { callId: 'c-1', server: '@codex', tool: 'execute', title: 'npm test', runId: 'r-1' },
      ],
      ['tool.allowed', { callId: 'c-1', rule: 'rules[0]' }],
      ['agent.lost', { runId: 'r-1' }],
    );
    const { lines } = showPane('calls', await contentFrom('calls', left), [120, 40]);
    expect(rows(lines(), 50).slice(0, 7)).toEqual([
      '› 12:00:00 ✗ ended   execute npm test',
      '─'.repeat(69),
      'Call      execute, a tool of codex itself',
      'Time      2026-01-31 12:00:00',
      'Approval  allowed by the rule rules[0]',
      'Title     npm test',
      'Result    none: its agent has ended',
    ]);
    // One that was killed with its runner has not said so.
    const killed = await contentFrom('calls', left.slice(0, 2), [], { goneRun: 'r-1' });
    expect(rows(showPane('calls', killed, [120, 40]).lines(), 50)[0]).toBe(
      '› 12:00:00 ✗ ended   execute npm test',
    );
    const other = await contentFrom('calls', left.slice(0, 2), [], { goneRun: 'r-2' });
    expect(rows(showPane('calls', other, [120, 40]).lines(), 50)[0]).toBe(
      '› 12:00:00 ● runs    execute npm test',
    );
  });

  it('has what one ran with where a human has changed it, and what its agent made it with', async () => {
    const args = { path: 'a.ts', old_string: 'one', new_string: 'two' };
    const ran = eventLog(
      'sprint-13/parser',
      ['tool.requested', { callId: 'c-1', server: 'fs', tool: 'remove', args }],
      ['tool.allowed', { callId: 'c-1', by: 'ada', requestId: 'q-0' }],
      ['tool.returned', { callId: 'c-1', bytes: 12 }],
    );
    const approval = { callId: 'c-1', server: 'fs', tool: 'remove', args, definitionDigest: 'd' };
    const content = await contentFrom('calls', ran, [approval], {
      answer: { verdict: 'edited', edited: { args: { ...args, new_string: 'three' }, callDigest: 'e' } },
    });
    expect(rows(showPane('calls', content, [120, 40]).lines(), 50).slice(4)).toEqual([
      'Approval  allowed as changed by ada',
      'Result    12 bytes after 1 ms',
      'Changes   a.ts (+1 −1)',
      '  - one',
      '  + three',
      'Arguments as they were changed',
      '  {',
      '    "path": "a.ts",',
      '    "old_string": "one",',
      '    "new_string": "three"',
      '  }',
      'Arguments of its agent',
      '  {',
      '    "path": "a.ts",',
      '    "old_string": "one",',
      '    "new_string": "two"',
      '  }',
    ]);
  });

  it('lists them with what became of them, and shows one whole at 120×40', async () => {
    const { lines, press } = showPane('calls', await contentFrom('calls', events), [120, 40]);
    expect(rows(lines(), 50)).toMatchInlineSnapshot(`
      [
        "  12:00:00 ✔ done    fs/write_file path: a\\u001b[2J.txt",
        "› 12:00:00 ✗ denied  execute       rm -rf build",
        "─────────────────────────────────────────────────────────────────────",
        "Call      execute, a tool of codex itself",
        "Time      2026-01-31 12:00:00",
        "Approval  denied by ada",
        "Title     rm -rf build",
        "Files     build",
        "Arguments",
        "  {}",
      ]
    `);
    press('\r');
    await vi.waitFor(() => expect(rows(lines(), 50)[0]).toMatch(/^Call/));
    expect(rows(lines(), 50)).toMatchInlineSnapshot(`
      [
        "Call      execute, a tool of codex itself",
        "Time      2026-01-31 12:00:00",
        "Approval  denied by ada",
        "Title     rm -rf build",
        "Files     build",
        "Arguments",
        "  {}",
      ]
    `);
    press('\u001B');
    await vi.waitFor(() => expect(rows(lines(), 50)[1]).toMatch(/^›/));
    press('k');
    await vi.waitFor(() => expect(rows(lines(), 50)[0]).toMatch(/^›/));
    press('\r');
    await vi.waitFor(() => expect(rows(lines(), 50)[0]).toMatch(/^Call/));
    expect(rows(lines(), 50)).toMatchInlineSnapshot(`
      [
        "Call      fs/write_file",
        "Time      2026-01-31 12:00:00",
        "Approval  allowed by the rule rules[0]",
        "Result    12 bytes after 1 ms, +3 −1 lines",
        "Arguments",
        "  {",
        "    "path": "a\\u001b[2J.txt"",
        "  }",
      ]
    `);
  });
});
