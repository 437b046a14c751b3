import { expect, it } from 'vitest';
import type { SentQuestion } from '../../src/web/api/question.ts';
import { shownOfCall } from '../../src/web/page/question/call/shown-of-call.ts';

const fileCall = {
  server: 'fs',
  tool: 'write_file',
  agent: undefined,
  cut: undefined,
  hidden: undefined,
  isTrusted: false,
  rule: 'default',
  risk: 'reads',
  changes: [],
  hints: [],
  args: { path: 'a' },
};

const call: SentQuestion = {
  id: 'q-1',
  sprint: 'demo',
  kind: 'approval',
  asker: 'codex',
  risk: 'none',
  riskText: 'reads',
  askedAt: '2026-01-01T00:00:00.000Z',
  title: 'fs/write_file',
  isAwaited: true,
  question: 'Allow fs/write_file?',
  options: [],
  isMultiple: false,
  phase: 'open',
  scopes: ['once'],
  call: fileCall,
};

const others: readonly Partial<SentQuestion>[] = [
  { call: { ...fileCall, args: { path: 'b' } } },
  { command: { parts: [{ text: 'make', decision: 'deny', rule: 'agents.rules[0]' }], writes: [] } },
  { offer: ['allow make'] },
  { reason: 'To build' },
  { seen: 'of other files' },
  { comparison: 'failed' },
];

it.each(others)('a call is another one to its reader with %j', (change) => {
  expect(shownOfCall({ ...call, ...change })).not.toBe(shownOfCall(call));
});

it('a call is the same to its reader whatever else becomes of it', () => {
  expect(shownOfCall({ ...call, revision: 2, parkedSince: call.askedAt, scopes: [] })).toBe(
    shownOfCall(call),
  );
});
