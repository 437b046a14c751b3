import { describe, expect, it } from 'vitest';
import { unaskedText } from '../../../src/events/descriptors/tool-events.ts';
import type { AgentCall } from '../../../src/gateway/permission/agent-call.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { unaskedCall } from '../../../src/gateway/permission/unasked-call.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';

const rules = [
  { host: 'evil.org', decision: 'deny' },
  { path: { below: 'secrets' }, decision: 'deny' },
  { host: 'docs.org', kind: 'fetch', decision: 'allow' },
];

async function setUp() {
  const { root, project, stream } = await projectWithSprint();
  await writeMcpJson(root, { policy: { agents: { rules } } });
  const policy = new HeldPolicy({ root, env: { CLIFFORD_TRUST_PROJECT: '1' } });
  const deps = {
    project,
    agent: { id: 'run-1', client: 'fake', runId: 'run-1' },
    name: 'fake',
    stream,
    policy,
  };
  return (said: Partial<AgentCall>, wasRefused = false) =>
    unaskedCall(
      { kind: 'other', title: 'A call', args: {}, commands: [], cwd: root, paths: [], hosts: [], ...said },
      { callId: 'c', wasRefused },
      deps,
    );
}

describe('what an agent has done without asking', () => {
  it.each<[string, Partial<AgentCall>, object | undefined]>([
    ['changes something', { kind: 'delete', paths: ['a'] }, { decision: 'confirm', about: 'a' }],
    ['reaches another machine', { kind: 'fetch', hosts: ['x.org'] }, { decision: 'confirm', about: 'x.org' }],
    ['reaches a denied one', { kind: 'fetch', hosts: ['evil.org'] }, { decision: 'deny', about: 'evil.org' }],
    ['reaches an allowed one', { kind: 'fetch', hosts: ['docs.org'] }, undefined],
    ['is of no known kind', { kind: 'other' }, undefined],
    ['is of no known kind, and denied', { paths: ['secrets/a'] }, { decision: 'deny', about: 'secrets/a' }],
    ['only reads', { kind: 'read', paths: ['/etc/passwd'] }, undefined],
    ['only reads, and is denied', { kind: 'read', paths: ['secrets/a'] }, undefined],
    [
      'runs a command, and is said to read',
      { kind: 'read', commands: ['cat a; rm a'] },
      { decision: 'confirm', about: 'cat a; rm a' },
    ],
    [
      'reaches a machine, and is said to search',
      { kind: 'search', hosts: ['x.org'] },
      { decision: 'confirm', about: 'x.org' },
    ],
    ['reads what a URL names that is no machine', { kind: 'read', hosts: [''], paths: ['a'] }, undefined],
    ['stays in the project', { kind: 'edit', paths: ['a'] }, undefined],
  ])('counts where it should have: what %s', async (_what, call, expected) => {
    const found = await (await setUp())(call);
    const { decision, about } = found?.data ?? {};
    expect(found && { decision, about }).toEqual(expected);
  });

  it.each<[string, Partial<AgentCall>]>([
    ['a human has to allow', { kind: 'delete', paths: ['a'] }],
    ['is denied', { kind: 'read', paths: ['secrets/a'] }],
    ['is allowed by now', { kind: 'fetch', hosts: ['docs.org'] }],
    ['is of no known kind', { kind: 'other' }],
  ])('is denied, and ends the attempt, where it was refused: what %s', async (_what, call) => {
    const found = await (await setUp())(call, true);
    expect(found).toMatchObject({ data: { decision: 'deny', refused: true }, stops: true });
    const text = found && unaskedText(found.data);
    expect(text).toContain(', although it was denied (agents.');
  });

  it('is nothing where the agent stays in the mode that it asked to leave', async () => {
    expect(await (await setUp())({ kind: 'switch_mode' }, true)).toBeUndefined();
  });

  it('ends the attempt where it is denied', async () => {
    const judge = await setUp();
    expect((await judge({ kind: 'fetch', hosts: ['evil.org'] }))?.stops).toBe(true);
    expect((await judge({ kind: 'fetch', hosts: ['x.org'] }))?.stops).toBe(false);
  });
});
