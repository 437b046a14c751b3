import { describe, expect, it } from 'vitest';
import { agentClis } from '../harness/agent-clis.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import type { AgentSprint } from '../harness/agent-sprint.ts';
import type { Failure } from '../model/script.ts';

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
  // Only a plan says until when.
  claude: {
    fail: () => ({ resetsAt: nowS() + 15 }),
    env: { ANTHROPIC_API_KEY: '', CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-dummy' },
  },
  // It tells the minute only: this one is almost over.
  codex: { fail: () => ({ resetsAt: nowS() - 60 }) },
  gemini: { fail: () => ({ retryAfterS: 5 }) },
  copilot: { fail: () => ({ retryAfterS: 1 }) },
};

const tellsReset = agentClis.filter(({ name }) => name !== 'copilot');

describe.each(tellsReset)('$name that is refused more by its provider', (agent) => {
  it('goes on with its session when the limit ends, and no attempt is burned', async () => {
    const place = await refusedSprint(agent);
    const { code, out, err } = await place.run().ended;

    expect({ code, surprises: place.model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    const all = await place.events();
    console.log(agent.name, all.filter((e) => /^agent/.test(e.type)).map((e) => `${e.time} ${e.type} ${JSON.stringify({ ...e.data, argv: 0 })}`).join('\n'), err);
    const limited = all.filter(isA('agent.limited'));
    const [first, second, ...more] = all.filter(isA('agent.started'));
    expect(more).toEqual([]);
    expect(new Set(limited.map(({ data }) => data.runId))).toEqual(new Set([first?.data.runId]));
    expect(all.find(isA('agent.exited'))?.data).toMatchObject({ reason: 'limited' });
    expect(all.filter(isA('task.retried'))).toEqual([]);
    expect(second?.data.sessionId).toBe(all.find(isA('agent.sessionopened'))?.data.sessionId);
    const resetsAt = limited.at(-1)?.data.resetsAt ?? '';
    expect(Date.parse(second?.time ?? '')).toBeGreaterThanOrEqual(Date.parse(resetsAt));
  });
});

it('copilot', async () => {
    const agent = agentClis.find((a) => a.name === 'copilot')!;
    const place = await refusedSprint(agent);
    const { code, out, err } = await place.clifford('run', '--plain', '--no-wait').ended;
    const all = await place.events();
    console.log(code, agent.name, all.filter((e) => /^agent/.test(e.type)).map((e) => `${e.time} ${e.type} ${JSON.stringify({ ...e.data, argv: 0 })}`).join('\n'), out, err);
});

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
