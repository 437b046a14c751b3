import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentCall } from '../../../src/gateway/permission/agent-call.ts';
import { agentGround } from '../../../src/gateway/permission/agent-ground.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { permitCall } from '../../../src/gateway/permission/permit-call.ts';
import { AgentGate } from '../../../src/gateway/policy/agent-gate.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint, tempRoot } from '../../helpers/temp-project.ts';
import { policyOf } from '../policy/policy-facts.ts';

const callOf = (said: Partial<AgentCall>): AgentCall => ({
  kind: 'execute',
  title: '',
  args: {},
  commands: [],
  cwd: '/project',
  paths: [],
  hosts: [],
  ...said,
});

const HOME = '/home/ada';

/** What the gate says where a rule allows everything. */
function wordOn(said: Partial<AgentCall>, env: Record<string, string> = { HOME }): string {
  const policy = policyOf({ agents: { ask: 'what-matters', rules: [{ decision: 'allow' }] } });
  const gate = new AgentGate(policy, [], agentGround('/project', env));
  return gate.check({ ...callOf(said), agent: 'claude', digest: 'd', stream: 's-1' }).decision;
}

describe('what a user trusts, and how their projects are worked on', () => {
  it.each<[AgentCall['kind'], string, string]>([
    ['edit', '/home/ada/.local/state/clifford/trusted.json', 'deny'],
    ['edit', '~/.local/state/clifford/trusted.json', 'deny'],
    ['edit', '../home/ada/.local/state/Clifford/commands.json', 'deny'],
    ['move', '/home/ada/.local/state/clifford', 'deny'],
    ['delete', '/home/ada/.config/clifford/config.json', 'deny'],
    ['other', '/home/ada/.config/clifford/config.json', 'confirm'],
    ['read', '/home/ada/.local/state/clifford/trusted.json', 'allow'],
    ['edit', '/home/ada/.local/state/cliffords', 'allow'],
    ['edit', '/home/ada/.config/clifford/other.json', 'allow'],
    ['edit', '/home/bob/.local/state/clifford/trusted.json', 'allow'],
    ['edit', '~bob/.local/state/clifford/trusted.json', 'allow'],
  ])('is written by no agent: %s %s %s', (kind, path, expected) => {
    expect(wordOn({ kind, paths: [path] })).toBe(expected);
  });

  it.each([
    ['cp a /home/ada/.local/state/clifford/trusted.json', 'confirm'],
    ['cp a ~/.local/state/clifford/trusted.json', 'confirm'],
    ['cp a "$HOME/.config/clifford/config.json"', 'confirm'],
    [`python3 -c "open('/home/ada/.local/state/clifford/trusted.json', 'w')"`, 'confirm'],
    ['cd /home/ada/.local/state; cp a clifford/trusted.json', 'confirm'],
    ['echo x > /home/ada/.local/state/clifford/trusted.json', 'deny'],
    ['cp a ~/.local/state/cli*/trusted.json', 'confirm'],
    ['cp a /home/*/.config/clifford/config.*', 'confirm'],
    ['clifford status; ls .local/clifford', 'allow'],
  ])('nor by a command: %s %s', (command, expected) => {
    expect(wordOn({ commands: [command] })).toBe(expected);
  });

  it('is where the environment has it', () => {
    const env = { HOME, XDG_STATE_HOME: '/state', CLIFFORD_CONFIG: '/etc/clifford.json' };
    expect(wordOn({ kind: 'edit', paths: ['/state/clifford/trusted.json'] }, env)).toBe('deny');
    expect(wordOn({ kind: 'edit', paths: ['/etc/clifford.json'] }, env)).toBe('deny');
    expect(wordOn({ kind: 'edit', paths: ['/home/ada/.local/state/clifford/a'] }, env)).toBe('allow');
    expect(wordOn({ commands: ['echo "$X" /state/clifford/trusted.json'] }, env)).toBe('confirm');
  });

  it('is reached through a link, too', async () => {
    const home = await tempRoot();
    await mkdir(join(home, 'elsewhere'));
    await mkdir(join(home, '.local/state'), { recursive: true });
    await symlink('../../elsewhere', join(home, '.local/state/clifford'));
    const paths = [join(home, 'elsewhere/trusted.json')];
    expect(wordOn({ kind: 'edit', paths }, { HOME: home })).toBe('deny');
  });

  it('is not written where nobody is asked', async () => {
    const { root, project, stream } = await projectWithSprint();
    await writeMcpJson(root, { policy: { agents: { ask: 'nothing' } } });
    const policy = new HeldPolicy({ root, env: { HOME, CLIFFORD_TRUST_PROJECT: '1' } });
    const deps = { project, agent: { id: 'run-1', client: 'fake' }, name: 'fake', stream, policy };
    const permit = (path: string) =>
      permitCall(
        callOf({ kind: 'edit', args: { path }, paths: [path], cwd: root }),
        { callId: path, isRecorded: false },
        deps,
        new AbortController().signal,
      );
    expect(await permit('/home/ada/a')).toEqual({ is: 'allowed' });
    expect(await permit('/home/ada/.local/state/clifford/trusted.json')).toMatchObject({
      is: 'refused',
      reason: expect.stringContaining('.local/state/clifford decides over what agents may do'),
    });
  });
});
