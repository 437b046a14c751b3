import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { HeldPolicy } from '../../../src/gateway/permission/held-policy.ts';
import { openConversation } from '../../../src/runner/attempt/open-conversation.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { on } from '../../helpers/history.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { approve, deny } from '../../../src/workflow/requests/approval.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { acpSprint, done, human, ofType, openCall } from '../support/acp-sprint.ts';

it('what was decided about a call stands where it is over, instead of that it failed, and no more than 200 characters of why', async () => {
  const rules = [{ command: { startsWith: 'rm' }, decision: 'deny' }];
  const steps = ['rm x', 'touch no', 'touch why', 'touch as-was', 'touch as-changed'];
  const { root, project } = await acpSprint(
    steps.map((run) => ({ run })),
    { agents: { rules } },
  );
  const { ended } = startRun(root, {});
  const long = 'Not now. '.repeat(40).trim();
  await deny(project, await openCall(project), { ...human, reason: long });
  const next = async (count: number) => {
    await project.until(({ streams }) => (streams.get('demo')?.requests.size === count ? true : undefined));
    return openCall(project);
  };
  await explainFirst(project, await next(2), { ...human, question: 'What for?' });
  await approveEdited(project, await next(3), { ...human, args: { command: 'touch as-changed' } });
  expect(await ended).toEqual(done);
  const { transcript = '' } = ofType(await eventsOf(project), 'agent.started')[0]?.data ?? {};
  const text = await readFile(join(root, transcript), 'utf8');
  const chunkSchema = z.tuple([z.number(), z.string(), z.string()]);
  const [, ...lines] = text.trimEnd().split('\n');
  const chunks = lines.map((line) => chunkSchema.parse(JSON.parse(line)));
  const shown = chunks
    .flatMap(([, type, data]) => (type === 'o' ? [data] : []))
    .join('')
    .split(/\r?\n/);
  expect(shown.filter((line) => /^(?:▸ execute| {2})/.test(line))).toEqual([
    '▸ execute rm x',
    '  it was denied: The policy of this project denies execute rm x (agents.rules[0]). Do not try to reach the same by another way',
    '▸ execute touch no',
    `  it was denied by ann: ${long.slice(0, 199)}…`,
    '▸ execute touch why',
    '  it was sent back by ann with a question: What for?',
    '▸ execute touch as-was',
    '  it was changed by ann, and did not run as it was',
    '▸ execute touch as-changed',
    '  it ran as changed by ann',
  ]);
});

type Message = { readonly id?: number; readonly method?: string };
const run = { toolCallId: 'c', kind: 'execute', title: 'Make it', rawInput: { command: 'touch made' } };
const options = [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }];

/** The conversation of an attempt whose agent, the test, ends its turn while the yes to its call is taken. */
async function tooLate() {
  const { root, project, stream } = await projectWithSprint();
  const starts = [on(stream, 'sprint.started'), on(`${stream}/a`, 'task.started')];
  for (const start of starts) await project.dispatch(stream, () => [start]);
  const [sent, printed]: [Message[], AgentSignal[]] = [[], []];
  const say = (message: object) =>
    printed.push(...(conversation?.line(JSON.stringify({ jsonrpc: '2.0', ...message })) ?? []));
  const idOf = (method: string) => sent.find((each) => each.method === method)?.id;
  const untilSent = async (method: string) => {
    await vi.waitUntil(() => idOf(method) !== undefined);
    return idOf(method);
  };
  const answer = async (method: string, result: object) => say({ id: await untilSent(method), result });
  const isOver = (status: 'completed' | 'failed') => {
    const update = { sessionUpdate: 'tool_call_update', toolCallId: 'c', status };
    say({ method: 'session/update', params: { sessionId: 's', update } });
  };
  const unused = () => undefined;
  const attempt = {
    write: async (text: string) => sent.push(JSON.parse(text) as Message) > 0,
    // It is looked at last before the yes is taken.
    isAlive: () => say({ id: idOf('session/prompt'), result: { stopReason: 'cancelled' } }) >= 0,
    noteQueued: () => void printed.push(...(conversation?.queued?.() ?? [])),
    hangUp: unused,
    wake: unused,
    noteFact: unused,
    remark: unused,
    stop: unused,
  };
  const conversation = await openConversation(
    { takesMcp: true, namesOwnTool: () => false },
    {
      prompt: 'Work.',
      sessionId: undefined,
      mcp: { command: 'clifford', args: [], env: {} },
      projectRoot: root,
    },
    {
      project,
      folder: findSprintFolder(await listSprintFolders(root), stream),
      agentPolicy: new HeldPolicy({ root, env: {} }),
      taskId: 'a',
      runId: 'run-1',
      name: 'fake',
      attempt: () => attempt,
      isWanted: () => true,
    },
  );
  void conversation?.converse();
  await answer('initialize', { protocolVersion: 1, agentCapabilities: {} });
  await answer('session/new', { sessionId: 's' });
  await untilSent('session/prompt');
  const params = { sessionId: 's', toolCall: run, options };
  say({ id: 'p', method: 'session/request_permission', params });
  const id = await project.until((state) => openRequests(state)[0]?.id);
  const allow = async () => {
    await approve(project, id, { ...human, scope: 'once' });
    await vi.waitFor(async () => expect(ofType(await eventsOf(project), 'tool.withheld')).toHaveLength(1));
  };
  const said = () =>
    printed.flatMap((signal) =>
      signal.is === 'tool-end' ? [signal.fate] : signal.is === 'text' ? [signal.text] : [],
    );
  return { isOver, allow, said };
}

describe('a yes that comes when its agent has given up', () => {
  it('stands where its agent then says that the call has failed', async () => {
    const { isOver, allow, said } = await tooLate();
    await allow();
    isOver('failed');
    expect(said()).toEqual(['was allowed by ann too late: its agent had given up, and nothing ran']);
  });

  it('is told after what was said of the call when its agent called it failed before', async () => {
    const { isOver, allow, said } = await tooLate();
    isOver('failed');
    const brokenOff = 'was broken off before anybody decided';
    expect(said()).toEqual([brokenOff]);
    await allow();
    expect(said()).toEqual([
      brokenOff,
      'execute touch made was allowed by ann too late: its agent had given up, and nothing ran',
    ]);
  });

  it('does not say that nothing ran where its agent says that it did it all the same', async () => {
    const { isOver, allow, said } = await tooLate();
    await allow();
    isOver('completed');
    expect(said()).toEqual(['was allowed by ann too late, and done all the same']);
  });
});
