import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { agentGateCall } from '../../../src/gateway/backtest/gate-calls.ts';
import { jsonSchema } from '../../../src/events/field-schemas.ts';
import { call as recorded } from '../backtest/recorded-calls.ts';
import { decideSaid, saidCall, type Said } from './said-call.ts';

const rules: AgentRule[] = [
  { kind: 'delete', decision: 'deny' },
  { path: { below: 'deploy' }, decision: 'deny' },
];
const diff = (path: string, more: object = {}) => ({
  type: 'diff',
  path,
  oldText: 'x\n',
  newText: 'y\n',
  ...more,
});
const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });

describe('what is judged of a call is all that is shown of it', () => {
  it.each<[string, Said]>([
    [
      'a patch in what it shows, without an input',
      {
        locations: [{ path: 'a.ts' }],
        content: [text('*** Begin Patch\n*** Delete File: deploy/x\n*** End Patch')],
      },
    ],
    ['a diff that says that its file goes', { content: [diff('a.ts', { op: 'delete' })] }],
    ['the same beside an input', { rawInput: { path: 'a.ts' }, content: [diff('a.ts', { op: 'delete' })] }],
    ['a diff that says so below', { content: [diff('a.ts', { _meta: { kind: 'delete' } })] }],
    ['a diff that says where its file goes', { content: [diff('a.ts', { newPath: 'deploy/x' })] }],
    [
      'the same beside an input',
      { rawInput: { file_path: 'a.ts' }, content: [diff('a.ts', { newPath: 'deploy/x' })] },
    ],
    ['a diff that leaves nothing', { content: [diff('a.ts', { newText: '' })] }],
    ['the same beside an input', { rawInput: { path: 'a.ts' }, content: [diff('a.ts', { newText: '' })] }],
    [
      'a diff of another file than the one of which an edit takes a part out',
      {
        rawInput: { file_path: 'a.ts', old_string: 'x\n', new_string: '' },
        content: [diff('b.ts', { newText: '' })],
      },
    ],
  ])('%s', (_, said) => {
    expect(decideSaid('edit', said, { ask: 'nothing', rules })).toBe('deny');
  });

  it('and the log says the same of it', () => {
    const said: Said[] = [
      { locations: [{ path: 'a.ts' }], content: [diff('b.ts', { op: 'delete' })] },
      { rawInput: { input: 'ls' }, content: ['x'] },
      { rawInput: { path: 'a.ts', unread: 'so' }, content: ['x'] },
      {
        rawInput: { path: 'a.ts' },
        locations: [{ path: 'c.ts' }],
        content: [{ type: 'diff', path: 'd.ts' }],
      },
    ];
    for (const each of said)
      for (const kind of ['edit', 'execute'] as const) {
        const { args, commands, paths, isUnclear, deletes } = saidCall(kind, each);
        const logged = recorded({ tool: kind, args: jsonSchema.parse(args) });
        const judged = agentGateCall(logged, 'fake', '/project');
        expect({ ...judged, paths: judged.paths.toSorted() }).toMatchObject({
          commands,
          paths: paths.toSorted(),
        });
        expect([judged.isUnclear, judged.deletes]).toEqual([isUnclear, deletes]);
      }
  });
});

it('a line that an edit takes out of a file does not delete the file', () => {
  const said = {
    rawInput: { file_path: 'a.ts', old_string: 'x\n', new_string: '' },
    content: [diff('a.ts', { newText: '' })],
  };
  expect(decideSaid('edit', said)).toBe('allow');
  expect(decideSaid('edit', said, { ask: 'nothing', rules })).toBe('allow');
});
