import { describe, expect, it } from 'vitest';
import { AgentGate } from '../../../src/gateway/policy/agent-gate.ts';
import type { AgentPolicy, AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { acpCallSchema } from '../../../src/runner/acp/acp-call.ts';
import { agentCallOf } from '../../../src/runner/acp/agent-call-of.ts';
import { callChanges } from '../../../src/views/call-changes.ts';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { policyOf } from './policy-facts.ts';

function decide(
  kind: string,
  rawInput: object,
  { ask = 'what-matters', rules = [] }: Partial<AgentPolicy> = {},
) {
  const call = agentCallOf(acpCallSchema.parse({ toolCallId: 'c', kind, rawInput }), '/project');
  const gate = new AgentGate(policyOf({ agents: { ask, rules } }), [], { root: '/project' });
  return gate.check({ ...call, agent: 'claude', digest: 'd', stream: 's-1', taskId: 'a' }).decision;
}

const diff = (path: string) => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-x\n+y\n`;

describe('a human is asked about a call of which not all files are known for sure', () => {
  it.each<[string, string, object]>([
    ['a list in a field that may be a map', 'read', { files: { paths: ['/etc/passwd'] } }],
    [
      'texts in a field that may be a map',
      'edit',
      { document: '/etc/passwd', edits: { oldText: 'a', newText: 'b' } },
    ],
    ['a map in a map', 'edit', { changes: { files: { '/etc/passwd': { content: 'x' } } } }],
    [
      'a map with a name that may be no path',
      'edit',
      { changes: { Makefile: { content: 'x' }, 'a.ts': { content: 'x' } } },
    ],
    [
      'what is binary in a patch',
      'edit',
      { patch: `${diff('a/a.ts')}diff --git a/.env b/.env\nGIT binary patch\nliteral 1` },
    ],
    [
      'a mode in a patch',
      'edit',
      { patch: `${diff('a/a.ts')}diff --git a/x b/x\nold mode 100644\nnew mode 100755` },
    ],
    [
      'a name in a patch that is encoded',
      'edit',
      { path: 'a.ts', patch: '--- "a/\\056env"\n+++ "b/\\056env"\n@@ -1 +1 @@\n-x\n+y\n' },
    ],
    [
      'a mark without its blank',
      'edit',
      { path: 'a.ts', patch: '*** Begin Patch\n*** Add File:/etc/x\n+x\n*** End Patch' },
    ],
    [
      'files that stand deeper than is looked',
      'edit',
      { path: 'a.ts', a: { b: { c: { d: { e: { f: { path: '/etc/passwd', content: 'x' } } } } } } },
    ],
    ['lists of lists of paths', 'read', { path: 'a.ts', paths: [['/etc/passwd']] }],
    ['files in lists of lists', 'edit', { path: 'a.ts', edits: [[{ path: '/etc/passwd', content: 'x' }]] }],
    ['a patch beside a text', 'edit', { path: 'a.ts', newText: 'x', patch: 'x' }],
    ['a patch of a file that goes', 'edit', { path: 'a.ts', type: 'delete', patch: 'x' }],
    [
      'more files of one text than are looked at',
      'edit',
      { urls: Array.from({ length: 9 }, (_, at) => `file:///project/${at}`), content: 'x' },
    ],
  ])('%s', (_, kind, input) => {
    expect(decide(kind, input)).toBe('confirm');
  });

  it.each<[string, object]>([
    ['a patch of the project', { patch: diff('a/src/a.ts').replace('+++ a/', '+++ b/') }],
    ['a map of its files', { changes: { 'src/a.ts': { content: 'x' } } }],
    ['an edit below its file', { file_path: 'a.ts', edits: { old_string: 'a', new_string: 'b' } }],
  ])('not about %s', (_, input) => {
    expect(decide('edit', input)).toBe('allow');
  });

  it('where a rule is about a file as some programs read its name', () => {
    const rules: AgentRule[] = [{ decision: 'deny', path: { below: 'deploy' } }];
    expect(decide('edit', { patch: diff('x/deploy/p.yml') }, { rules })).toBe('deny');
  });

  it('where a rule is about a file that it may be about, though nothing else is asked about', () => {
    const rules: AgentRule[] = [{ decision: 'deny', path: { below: 'deploy' } }];
    const unclear = { path: 'a.ts', patch: 'x' };
    expect(decide('edit', unclear, { ask: 'nothing', rules })).not.toBe('allow');
    expect(decide('edit', { path: 'a.ts' }, { ask: 'nothing', rules })).toBe('allow');
  });
});

it('a change is shown at the path that its patch has, whatever other path is named', () => {
  const patch = '*** Begin Patch\n*** Update File: deploy/config.json\n@@\n-a\n+b\n*** End Patch';
  for (const path of ['config.json', '/project/test/deploy/config.json'])
    expect(callChanges({ path, patch }).map((change) => change.path)).toEqual(['deploy/config.json']);
});

it('an edit below its file is shown as one', () => {
  const input = { file_path: 'src/a.ts', edits: { old_string: 'a', new_string: 'b' } };
  expect(callChanges(input)).toMatchObject([{ path: 'src/a.ts', how: 'edit', texts: ['a', 'b'] }]);
});

it('texts are not multiplied by paths without end', () => {
  const urls = Array.from({ length: 2_700 }, (_, at) => `file:///${at}`);
  const edits = Array.from({ length: 2_000 }, () => ({ newText: 'x' }));
  const { changes, named, hasUnread } = filesInCall({ urls, edits });
  expect(named).toHaveLength(2_700);
  expect(changes.length).toBeLessThanOrEqual(1_000);
  expect(hasUnread).toBe(true);
  const many = Array.from({ length: 200_000 }, (_, at) => `${at}`);
  expect(filesInCall({ paths: many }).named).toHaveLength(200_000);
});

it('a machine is named wherever in a call its URL stands', () => {
  const rules: AgentRule[] = [{ kind: 'fetch', host: 'example.com', decision: 'allow' }];
  const url = 'https://example.com/a';
  expect(decide('fetch', { url, more: [{ url }] }, { rules })).toBe('allow');
  expect(decide('fetch', { url, more: [{ url: 'https://other.example/b' }] }, { rules })).toBe('confirm');
});
