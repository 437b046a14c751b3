import { describe, expect, it } from 'vitest';
import { processesOf } from '../../helpers/project-processes.ts';
import { agentClis, ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';

// Longer than an agent that is refused more pauses between two of its own tries.
const limits = { idle: 15_000 };
// Claude Code tries ten times else, for minutes.
const env = { CLAUDE_CODE_MAX_RETRIES: '1' };

/** Over ACP Copilot says it in prose only. */
const sayIt = ways.filter(({ name, via }) => !(name === 'copilot' && via === 'acp'));

describe.each(sayIt)('clifford run with $name ($via)', ({ agent, via }) => {
  it('does not burn an attempt when the plan is used up', async () => {
    const resetsAt = Math.round(Date.now() / 1_000) + 3_600;
    const { project, clifford, events } = await agentSprint({
      agent,
      via,
      config: { limits },
      env,
      script: () => [{ fail: { kind: 'usage-limit', resetsAt } }],
    });
    const { code, out, err } = await clifford('run', '--plain', '--no-wait').ended;
    expect(code, `${out}${err}`).toBe(4);
    const all = await events();
    expect(all.filter(isA('agent.limited')).length).toBeGreaterThan(0);
    expect(all.filter(isA('agent.exited'))).toMatchObject([{ data: { reason: 'limited' } }]);
    expect(all.filter(isA('task.failed'))).toEqual([]);
    expect(await processesOf(project, '')).toEqual([]);
  });
});

describe.each(agentClis.filter(({ name }) => name === 'codex'))('clifford run with $name', (agent) => {
  it('ends it when its model says nothing any more', async () => {
    const { project, run, events } = await agentSprint({
      agent,
      config: { limits: { idle: 8_000 } },
      script: ({ sprintDir }) => [{ tool: 'get_sprint_context', args: { sprintDir } }, { stall: true }],
    });
    const { code, out, err } = await run().ended;
    expect(code, `${out}${err}`).toBe(1);
    expect((await events()).filter(isA('agent.exited'))).toMatchObject([{ data: { reason: 'stalled' } }]);
    expect(await processesOf(project, '')).toEqual([]);
  });
});
