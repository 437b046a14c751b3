import { expect, it } from 'vitest';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { permitCall } from '../../../src/gateway/permission/permit-call.ts';
import { deny } from '../../../src/workflow/requests/approval.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { filesInCall } from '../../../src/events/call-files/files-in-call.ts';
import { unclearFiles } from '../../../src/views/calls/unclear-files.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { human } from '../support/acp-sprint.ts';
import { acpTalk } from '../support/acp-talk.ts';

it.each<[string, object]>([
  ['env', { command: 'npm test', env: { NODE_OPTIONS: '--import ./x.js' } }],
  ['args', { command: 'npm test', args: '; rm -rf src' }],
  ['working_directory', { command: 'npm test', cwd: '.', working_directory: '/etc' }],
  ['command', { command: ['npm', ['test']] }],
])(
  'a human is asked about a command that a rule allows, and told of "%s", which is not understood',
  async (field, rawInput) => {
    const { root, project, stream } = await projectWithSprint();
    const rules = [{ kind: 'execute', command: { startsWith: 'npm' }, decision: 'allow' }] as const;
    await writeMcpJson(root, { policy: { agents: { rules } } });
    const policy = new HeldPolicy({ root, env: { CLIFFORD_TRUST_PROJECT: '1' } });
    const deps = {
      project,
      agent: { id: 'run-1', client: 'fake' },
      name: 'fake',
      stream,
      taskId: 'a',
      policy,
    };
    const { begin, ask, outcomeOf, request, answer } = acpTalk(
      { projectRoot: root },
      {
        permit: (call, { id, ...known }, signal) => permitCall(call, { callId: id, ...known }, deps, signal),
      },
    );
    await begin();
    ask('c1', { toolCallId: 'c1', kind: 'execute', title: 'bash', rawInput: { command: 'npm test' } });
    expect(await outcomeOf('c1')).toMatchObject({ outcome: 'selected' });
    ask('c2', { toolCallId: 'c2', kind: 'execute', title: 'bash', rawInput });
    const id = await project.until((state) => openRequests(state)[0]?.id);
    const approval = openRequests(project.state)[0]?.asked.approval;
    expect(approval && unclearFiles(approval, filesInCall(approval.args))).toEqual({ is: 'field', field });
    await deny(project, id, human);
    await request('session/cancel');
    await answer('session/prompt', { stopReason: 'end_turn' });
  },
);

it.each<[string, object]>([
  ['what a part of a change says besides', { content: [{ ...changeOf('a.ts'), move_to: 'b.ts' }] }],
  ['a part of a change that is none', { content: [changeOf('a.ts'), { type: 'diff', path: 'b.ts' }] }],
  ['a place without a path', { locations: [{ path: 'a.ts' }, { file: 'b.ts' }] }],
])('a human is asked about %s, which the protocol does not know', async (_, said) => {
  const { begin, ask, asked, until } = acpTalk();
  await begin();
  ask('c1', { toolCallId: 'c1', kind: 'edit', title: 'a.ts', ...said });
  const { call } = await until(() => asked[0]);
  expect(call.isUnclear).toBe(true);
  expect(JSON.stringify(call.args)).toContain('b.ts');
});

function changeOf(path: string) {
  return { type: 'diff', path, oldText: 'a', newText: 'b' };
}
