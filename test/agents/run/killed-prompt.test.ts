import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRequests } from '../../../src/workflow/requests/find-request.ts';
import { killAll, processesOf } from '../../helpers/project-processes.ts';
import { recorded } from '../../helpers/sprint-run.ts';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import { savedSession } from '../harness/saved-session.ts';
import type { ScriptedTurn } from '../../../src/runner/scripted-model/script.ts';

/** Says on disk that it ran, and leaves a process behind. */
const command = 'echo ran >> ran.txt; sleep 1000 > /dev/null 2>&1 < /dev/null &';

const RESUMED = 'You were interrupted while you worked on task form';

describe.each(ways.filter(({ via }) => via === 'acp'))('clifford run with $name ($via)', ({ agent, via }) => {
  it('asks once and runs once what is allowed after SIGKILLs of its runner and itself, and Ctrl-C ends it', async () => {
    const place = await agentSprint({
      agent,
      via,
      asks: true,
      script: ({ sprintDir }) => {
        const turns: ScriptedTurn[] = [
          { tool: 'get_sprint_context', args: { sprintDir } },
          { shell: command },
          { stall: true },
        ];
        // Where a session ends with its process, each attempt begins with the first turn.
        return { first: turns, resumedBy: RESUMED, after: turns };
      },
    });
    const { project, log, model, run, clifford, events } = place;
    const first = run();
    const { id } = await first.until(log.until((state) => openRequests(state)[0]));
    // Gemini CLI goes on with no session over ACP.
    if (agent.name !== 'gemini') await first.until(savedSession(place, agent, '# Task form'));
    const [started] = (await events()).filter(isA('agent.started'));
    first.kill('SIGKILL');
    await first.ended;
    killAll([-(started?.data.pid ?? 0)]);
    expect(await clifford('approve', id).ended).toMatchObject({ code: 0 });

    const second = run();
    await second.until(recorded(log, 'tool.allowed'));
    await expect.poll(() => readFile(join(project, 'ran.txt'), 'utf8').catch(() => '')).toBe('ran\n');
    second.kill('SIGINT');
    const { code, out, err } = await second.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 130, surprises: [] });
    expect(await processesOf(project, '')).toEqual([]);
    expect(await readFile(join(project, 'ran.txt'), 'utf8')).toBe('ran\n');
    const all = await events();
    expect(all.filter(isA('help.requested')).map(({ data }) => data.requestId)).toEqual([id]);
    expect(all.filter(isA('tool.allowed')).map(({ data }) => data.requestId)).toEqual([id]);
    expect(all.filter(isA('agent.started'))).toHaveLength(2);
    expect(all.filter(isA('task.retried'))).toEqual([]);
    const told = model.conversation().results.map(({ text }) => text);
    expect(told.join('\n')).toContain('The human allowed this call');
    expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
  });
});
