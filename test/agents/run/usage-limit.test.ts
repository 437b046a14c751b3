import { describe, expect, it } from 'vitest';
import { agentClis } from '../harness/agent-clis.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import type { AgentSprint } from '../harness/agent-sprint.ts';
import type { Failure } from '../../../src/runner/scripted-model/script.ts';

const RESUMED = 'You were interrupted while you worked on task form';

/** How its provider tells that a limit is reached, and when it ends: each one is told in another way. */
type Refusal = {
  readonly fail: () => Omit<Failure, 'kind'>;
  readonly env?: Readonly<Record<string, string>>;
};

const nowS = () => Math.floor(Date.now() / 1_000);

const refusals: Readonly<Record<AgentCli['name'], Refusal>> = {
  // It tries five times more, each time after as long as it is told.
  opencode: { fail: () => ({ retryAfterS: 1 }) },
  // Only for a plan it says until when.
  claude: {
    fail: () => ({ resetsAt: nowS() + 10 }),
    env: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
  },
  // It tells the minute and no more, so that its whole minute counts: this one is over at once.
  codex: { fail: () => ({ resetsAt: nowS() - 60 }) },
  // Of a quota per day they do not say when it ends.
  gemini: { fail: () => ({}) },
  copilot: { fail: () => ({ retryAfterS: 1 }) },
};

const isSilent = ({ name }: AgentCli) => name === 'gemini' || name === 'copilot';

describe.each(agentClis.filter((agent) => !isSilent(agent)))('$name that is refused more', (agent) => {
  it('goes on with its session when the limit ends, and no attempt is burned', async () => {
    const place = await refusedSprint(agent);
    const { code, out, err } = await place.run().ended;
    expect({ code, surprises: place.model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    const resetsAt = await expectGoneOn(place);
    const second = (await place.events()).findLast(isA('agent.started'));
    expect(Date.parse(second?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(resetsAt ?? ''));
  });
});

describe.each(agentClis.filter(isSilent))('$name that is refused more, and not told until when', (agent) => {
  it('ends a run that does not wait, and a later one goes on with its session', async () => {
    const place = await refusedSprint(agent);
    const { code, out, err } = await place.clifford('run', '--plain', '--no-wait').ended;
    expect({ code, surprises: place.model.surprises }, `${out}${err}`).toEqual({ code: 4, surprises: [] });
    expect(out).toContain(`the usage limit of ${agent.name} is reached`);
    const limited = (await place.events()).findLast(isA('agent.limited'));
    expect(limited?.data).not.toHaveProperty('resetsAt');

    // As if the minutes were over after which it is tried again.
    const data = { runId: limited?.data.runId ?? '', resetsAt: new Date(Date.now() - 60_000).toISOString() };
    await place.log.record('demo', [{ type: 'agent.limited', subject: 'demo/form', data }]);
    expect(await place.run().ended).toMatchObject({ code: 0 });
    await expectGoneOn(place);
  });
});

/** The second run went on with the session of the first, which was none that counts. Returns when the limit ended. */
async function expectGoneOn({ events, model }: AgentSprint): Promise<string | undefined> {
  const all = await events();
  const [first, second, ...more] = all.filter(isA('agent.started'));
  expect(more).toEqual([]);
  const limited = all.filter(isA('agent.limited'));
  expect(new Set(limited.map(({ data }) => data.runId))).toEqual(new Set([first?.data.runId]));
  expect(all.find(isA('agent.exited'))?.data).toMatchObject({ code: expect.any(Number), reason: 'limited' });
  expect(all.filter(isA('task.retried'))).toEqual([]);
  expect(second?.data.sessionId).toBe(all.find(isA('agent.sessionopened'))?.data.sessionId);
  expect(model.conversation().prompt).toContain('You work on task form of the sprint');
  expect(model.conversation().later.join('\n')).toContain(RESUMED);
  expect(all.at(-1)?.type).toBe('sprint.completed');
  return limited.at(-1)?.data.resetsAt;
}

function refusedSprint(agent: AgentCli): Promise<AgentSprint> {
  const { fail, env } = refusals[agent.name];
  return agentSprint({
    agent,
    ...(env && { env }),
    script: ({ sprintDir }) => {
      const context = { tool: 'get_sprint_context', args: { sprintDir } };
      return {
        first: [context, { fail: { kind: 'usage-limit', ...fail() } }],
        resumedBy: RESUMED,
        after: [
          context,
          { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
          { text: 'Done.' },
        ],
      };
    },
  });
}
