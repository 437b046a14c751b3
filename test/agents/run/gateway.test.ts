import { describe, expect, it } from 'vitest';
import { writeMcpJson } from '../../helpers/mcp-json.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { taskBecomes } from '../../helpers/sprint-run.ts';
import { fixture } from '../../mcp/support/gateway-agent.ts';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';

const words = { words: 'through the gateway' };

describe.each(ways)('clifford run with $name ($via)', ({ agent, via }) => {
  it('hands calls of other servers through: one by its policy, one when a human allows it', async () => {
    const { project, log, model, run, clifford, events } = await agentSprint({
      agent,
      via,
      env: { CLIFFORD_TRUST_PROJECT: '1' },
      script: ({ sprintDir }) => [
        { tool: 'mcp__it__rumour', args: {} },
        { tool: 'mcp__it__echo', args: words },
        { tool: 'mcp__it__fork', args: {} },
        { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
        { text: 'Done.' },
      ],
    });
    const policy = {
      allowlist: [{ server: 'it', tool: 'rumour' }],
      denylist: [{ server: 'it', tool: 'die' }],
    };
    await writeMcpJson(project, { servers: { it: fixture('handy.ts') }, policy });
    const running = run();
    await running.until(taskBecomes(log, 'blocked.approval', 'form'));
    const { id } = await running.until(log.until((state) => openRequests(state)[0]));
    expect(await clifford('approve', id).ended).toMatchObject({ code: 0 });
    await running.until(
      log.until((state) => openRequests(state).find(({ asked }) => asked.approval?.tool === 'fork')),
    );
    expect(await clifford('deny', 'last', '--reason', 'no forks').ended).toMatchObject({ code: 0 });
    const { code, out, err } = await running.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    const results = model.conversation().results.filter(({ tool }) => tool !== 'ToolSearch');
    const [rumour, echo, fork] = results.map(({ text }) => text);
    expect(rumour).toContain('it is said');
    expect(echo).toContain('through the gateway');
    expect(fork).toContain('no forks');
    const all = await events();
    expect(
      all
        .filter(isA('tool.requested'))
        .filter(({ data }) => !data.server.startsWith('@'))
        .map(({ data: { server, tool } }) => `${server} ${tool}`),
    ).toEqual(['it rumour', 'it echo', 'it fork', 'clifford update_task_status']);
    expect(all.filter(isA('help.requested')).map(({ subject }) => subject)).toEqual([
      'demo/form',
      'demo/form',
    ]);
    expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
    expect(await processesOf(project, '')).toEqual([]);
  });
});
