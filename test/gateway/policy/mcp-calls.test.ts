import { describe, expect, it } from 'vitest';
import type { AgentRule } from '../../../src/gateway/config/agent-policy.ts';
import { jsonSchema } from '../../../src/events/field-schemas.ts';
import { codexAcp } from '../../../src/runner/agents/codex/codex-acp.ts';
import { callTitle } from '../../../src/views/calls/call-title.ts';
import { judged, saidCall } from './said-call.ts';

/** As Codex tells of it; it asks by the id alone. */
const calls = (server: string, args: unknown = { sql: 'select 1' }) => ({
  title: `mcp.${server}.query`,
  rawInput: { server, tool: 'query', arguments: args },
});

describe('a call of the tool of a server that Codex has for itself', () => {
  const rules: AgentRule[] = [
    { kind: 'execute', command: { startsWith: 'git push' }, decision: 'deny' },
    { kind: 'execute', decision: 'confirm' },
    { path: { below: 'deploy' }, decision: 'deny' },
  ];

  it('is no command, and is judged as other tools are', () => {
    expect(judged('execute', calls('db'), { rules, ask: 'nothing' }).decision).toBe('allow');
    const asked = judged('execute', calls('db'), { rules });
    expect(asked.decision).toBe('confirm');
    expect(asked.reason).toContain('db/query');
    const allowed: AgentRule[] = [{ kind: 'other', decision: 'allow' }];
    expect(judged('execute', calls('db'), { rules: allowed }).decision).toBe('allow');
  });

  it('and by what stands in its arguments', () => {
    const by = (args: unknown) => judged('execute', calls('db', args), { rules, ask: 'nothing' }).decision;
    expect(by({ path: 'deploy/x' })).toBe('deny');
    expect(by({ path: 'src/x' })).toBe('allow');
    expect(by({ command: 'git push' })).toBe('deny');
    expect(by({ path: 'mcp.json' })).toBe('deny');
  });

  it('is shown as such, in whichever folder its session works', () => {
    for (const sessionFolder of ['/project', '/project/sub']) {
      const { kind, args } = saidCall('execute', calls('db'), { sessionFolder });
      const title = callTitle({ server: '@codex', tool: kind, args: jsonSchema.parse(args) });
      expect(title).toBe('db/query by codex: select 1');
    }
  });

  it.each<[string, object]>([
    ['with a command', { ...calls('db').rawInput, command: 'rm x' }],
    ['with anything else', { ...calls('db').rawInput, env: { A: 'b' } }],
    ['with words for arguments', calls('db', ['-c', 'rm x']).rawInput],
    ['without arguments', { server: 'db', tool: 'query' }],
    ['without a tool', { server: 'db', tool: '', arguments: {} }],
  ])('but not %s', (_, rawInput) => {
    expect(saidCall('execute', { rawInput }).kind).toBe('execute');
    expect(judged('execute', { rawInput }, { rules, ask: 'nothing' }).decision).toBe('deny');
  });

  it("is Clifford's own where the server is Clifford, whose tools their server judges", () => {
    const isOwn = (rawInput: unknown) => codexAcp.isOwnTool?.({ toolCallId: 'c', rawInput });
    expect(isOwn(calls('clifford').rawInput)).toBe(true);
    expect(isOwn(calls('db').rawInput)).toBe(false);
    expect(isOwn({ ...calls('clifford').rawInput, command: 'rm x' })).toBe(false);
  });
});
