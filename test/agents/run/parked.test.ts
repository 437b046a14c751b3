import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRequest } from '../../../src/workflow/requests/find-request.ts';
import { processesOf } from '../../helpers/project-processes.ts';
import { recorded, taskBecomes } from '../../helpers/sprint-run.ts';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';

/** Gemini CLI goes on with no session over ACP. */
const tested = ways.filter(({ name, via }) => via === 'acp' && name !== 'gemini');
/** Leaves one line each time it runs. */
const shell = 'echo ran >> ran.txt';

describe.each(tested)('clifford run with $name ($via)', ({ agent, via }) => {
  it('is parked while a human is away, and runs the command once that was allowed meanwhile', async () => {
    const { project, log, model, run, clifford, events } = await agentSprint({
      agent,
      via,
      asks: true,
      // 1.2 s: the agent has to be quiet for so long.
      config: { agent: agent.name, agents: { [agent.name]: { via, parkAfter: 0.02 } } },
      script: ({ sprintDir }) => ({
        first: [{ shell }, { stall: true }],
        resumedBy: 'You were interrupted while you worked on task form',
        after: [
          { shell },
          { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
          { text: 'Done.' },
        ],
      }),
    });
    const running = run();
    await running.until(taskBecomes(log, 'blocked.approval', 'form'));
    await running.until(recorded(log, 'agent.parked'));
    await running.until(recorded(log, 'agent.exited'));
    const { id } = findRequest(await log.refresh(), 'last');
    expect(await processesOf(project, '')).toEqual([]);
    expect(await clifford('approve', id).ended).toMatchObject({ code: 0 });
    const { code, out, err } = await running.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    expect(await readFile(join(project, 'ran.txt'), 'utf8')).toBe('ran\n');
    const all = await events();
    expect(all.filter(isA('help.requested'))).toHaveLength(1);
    expect(all.filter(isA('task.retried'))).toEqual([]);
    const [opened] = all.filter(isA('agent.sessionopened'));
    expect(all.filter(isA('agent.resumed')).map(({ data }) => data.sessionId)).toEqual([
      opened?.data.sessionId,
    ]);
    expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
    expect(await processesOf(project, '')).toEqual([]);
  });
});
