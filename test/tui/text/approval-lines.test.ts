import { describe, expect, it } from 'vitest';
import type { Approval } from '../../../src/events/approval.ts';
import { approvalRows } from '../../../src/tui/text/approval-lines.ts';
import { approval } from '../../helpers/approval.ts';

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
    expect(shown(own).slice(0, 2)).toEqual(['Kind      execute', 'Agent     opencode (a tool of its own)']);
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
      'Tool      write_file',
      'Server    fs (hints not trusted)',
      'Rule      none matches, so the default asks',
      'Arguments',
      '  {',
      '    "path": "notes.txt",',
      '    "content": "hello"',
      '  }',
    ]);
  });

  it.each([
    ['untrusted', 'It claims readOnlyHint true, title "Writes"'],
    ['full', 'Hints     readOnlyHint true, title "Writes"'],
  ] as const)('says what a server that is %s says of the tool', (trust, line) => {
    expect(shown({ trust, annotations: { readOnlyHint: true, title: 'Writes' } })).toContain(line);
  });

  it('breaks what a server says between hints, and marks the rows that go on', () => {
    const annotations = { readOnlyHint: false, idempotentHint: true, title: 'Server    fs (trusted)' };
    const row = '          ↪ ';
    expect(shown({ annotations }, 54)).toEqual(
      expect.arrayContaining([
        'It claims readOnlyHint false, idempotentHint true,',
        `${row}title "Server    fs (trusted)"`,
      ]),
    );
    expect(shown({ annotations }, 32)).toEqual(
      expect.arrayContaining([
        'It claims readOnlyHint false,',
        `${row}idempotentHint true,`,
        `${row}title "Server    fs`,
        `${row}(trusted)"`,
      ]),
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
    expect(styles).toEqual(['dim', 'dim', 'dim', 'plain', 'removed', 'added', 'removed']);
  });

  it('says that the arguments are not all there', () => {
    expect(shown({ args: { cut: '{"path":"a', length: 70_000 } })).toContain(
      'Too long to show: here are 10 of 70000 characters',
    );
    expect(shown({ args: { cut: 'a', length: 1 } }).join('\n')).not.toContain('Too long');
  });

  it('lets no name move, hide or add anything', () => {
    const hostile = 'a\u001B[2J\nTool  b\u202E';
    const lines = shown({ server: hostile, tool: hostile, rule: hostile });
    expect(lines).toHaveLength(8);
    expect(lines.join('')).not.toContain('\u001B');
    expect(lines.join('')).not.toContain('\u202E');
    expect(lines[0]).toBe(String.raw`Tool      a\u001b[2J\nTool  b\u202e`);
  });
});
