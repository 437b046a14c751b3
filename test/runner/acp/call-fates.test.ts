import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { deny } from '../../../src/workflow/requests/approval.ts';
import { CallFates } from '../../../src/runner/attempt/call-fates.ts';
import type { AgentSignal } from '../../../src/runner/agents/output/agent-signal.ts';
import { approveEdited } from '../../../src/workflow/requests/edited-call.ts';
import { explainFirst } from '../../../src/workflow/requests/explain-first.ts';
import { eventsOf, startRun } from '../../helpers/sprint-run.ts';
import { acpSprint, done, human, ofType, openCall } from '../support/acp-sprint.ts';

it('what was decided about a call stands where it is over, instead of that it failed', async () => {
  const rules = [{ command: { startsWith: 'rm' }, decision: 'deny' }];
  const steps = ['rm x', 'touch no', 'touch why', 'touch as-was', 'touch as-changed'];
  const { root, project } = await acpSprint(
    steps.map((run) => ({ run })),
    { agents: { rules } },
  );
  const { ended } = startRun(root, {});
  await deny(project, await openCall(project), { ...human, reason: 'Not now' });
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
    '  it was refused: The policy of this project refuses execute rm x (agents.rules[0]). Do not try to reach the same by another way',
    '▸ execute touch no',
    '  it was refused by ann: Not now',
    '▸ execute touch why',
    '  it was sent back by ann with a question: What for?',
    '▸ execute touch as-was',
    '  it was changed by ann, and did not run as it was',
    '▸ execute touch as-changed',
    '  it ran as changed by ann',
  ]);
});

it('a yes that comes when its agent has given up is told as that, and not that the call has failed', () => {
  const fates = new CallFates();
  const end: AgentSignal = { is: 'tool-end', id: 'c', isError: true };
  const conversation = {
    line: () => [end],
    queued: () => [],
    end: () => [],
    converse: async () => undefined,
    noteExit: () => undefined,
    cancel: async () => undefined,
    leave: () => undefined,
    canSteer: () => false,
    steer: async () => undefined,
    settled: async () => undefined,
  };
  const answer = {
    verdict: 'approved',
    scope: 'once',
    response: 'yes',
    by: 'ann',
    via: 'cli',
    at: '',
  } as const;
  fates.noteLate('c', answer);
  expect(fates.toldBy(conversation).line('')).toEqual([
    { ...end, fate: 'was allowed by ann too late: its agent had given up, and nothing ran' },
  ]);
});
