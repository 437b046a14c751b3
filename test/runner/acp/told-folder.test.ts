import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { decideBy } from '../../../src/gateway/backtest/decide-by.ts';
import { readCalls } from '../../../src/gateway/backtest/read-calls.ts';
import { editCall } from '../../../src/gateway/edit/edit-call.ts';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { permitCall } from '../../../src/gateway/permission/permit-call.ts';
import type { RequestState } from '../../../src/machines/project-state.ts';
import { deny } from '../../../src/workflow/requests/approval.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { policyOf } from '../../gateway/backtest/recorded-calls.ts';
import { human } from '../support/acp-sprint.ts';
import { acpTalk } from '../support/acp-talk.ts';

it('a call that was told of in another folder is judged in both: when it is asked, edited, and from the log', async () => {
  const { root, project, stream } = await projectWithSprint();
  const rules = [
    { kind: 'execute', command: { startsWith: 'echo' }, decision: 'allow' },
    { kind: 'execute', path: { below: 'secrets' }, decision: 'deny' },
  ] as const;
  await writeMcpJson(root, { policy: { agents: { rules } } });
  const policy = new HeldPolicy({ root, env: { CLIFFORD_TRUST_PROJECT: '1' } });
  const agent = { id: 'run-1', client: 'fake' };
  const deps = { project, agent, name: 'fake', stream, taskId: 'a', policy };
  const { begin, update, ask, request, answer } = acpTalk(
    { projectRoot: root },
    { permit: (call, { id, ...known }, signal) => permitCall(call, { callId: id, ...known }, deps, signal) },
  );
  await begin();
  const expectDenied = async (call: RequestState | undefined, command: string) => {
    const edited = { args: { command, cwd: join(root, 'sub') } };
    const env = { CLIFFORD_TRUST_PROJECT: '1' };
    await expect(call && editCall(project, call, { ...human, edited, env })).rejects.toMatchObject({
      code: 'EDIT_DENIED',
    });
  };
  const askFor = (toolCallId: string, command: string, status: string) => {
    const call = { toolCallId, kind: 'execute', title: 'bash' };
    const told = { sessionUpdate: 'tool_call', status, ...call, rawInput: { command, workdir: 'sub' } };
    update(told);
    ask(toolCallId, { ...call, rawInput: { command } });
  };
  // From its folder these lead to the project; from that of its session out of it, and to what is denied.
  askFor('c1', 'echo x > ../made', 'pending');
  const id = await project.until((state) => openRequests(state)[0]?.id);
  const asked = openRequests(project.state)[0];
  expect(asked?.asked.approval).toMatchObject({ args: { cwd: join(root, 'sub') }, elsewhere: root });
  await expectDenied(asked, 'cat secrets/key');
  await deny(project, id, human);
  await request('session/cancel');
  await answer('session/prompt', { stopReason: 'cancelled' });
  await request('session/prompt', 2);
  askFor('c2', 'cat secrets/key', 'in_progress');
  const calls = await vi.waitFor(async () => {
    const found = await readCalls(project);
    expect(found.map(({ outcome }) => outcome.is)).toEqual(['denied', 'stopped']);
    return found;
  });
  const decide = decideBy(policyOf({ agents: { ask: 'what-matters', rules } }), { root, servers: [] });
  expect(calls.map((call) => decide(call).decision)).toEqual(['confirm', 'deny']);
  await request('session/cancel', 2);
  await answer('session/prompt', { stopReason: 'end_turn' }, 2);
});
