import { join } from 'node:path';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../../helpers/project-processes.ts';
import { recorded, taskBecomes } from '../../helpers/sprint-run.ts';
import { ways } from '../harness/agent-clis.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import type { AgentSprint, Transport } from '../harness/agent-sprint.ts';
import { savedSession } from '../harness/saved-session.ts';

const question = { task: 'form', reason: 'Two are free.', question: 'Which port?' };

const RESUMED = 'You were interrupted while you worked on task form';

/** Gemini CLI's sessions over ACP end with its process. */
const resuming = ways.filter(({ name, via }) => !(name === 'gemini' && via === 'acp'));

describe.each(resuming)('$name ($via) that waits for an answer', ({ agent, via }) => {
  it('is ended after a SIGKILL of its runner, and goes on with its session and the answer', async () => {
    const place = await sprintWithQuestion(agent, via);
    const { project, log, model, run, answer, usersFiles } = place;
    const before = await usersFiles();
    const first = run();
    await first.until(taskBecomes(log, 'blocked.question', 'form'));
    await first.until(recorded(log, 'agent.sessionopened'));
    await first.until(savedSession(place, agent, 'hello.txt'));
    expect((await processesOf(project, 'sleep')).length > 0).toBe(leavesProcesses(agent));
    first.kill('SIGKILL');
    await first.ended;
    expect(without(await usersFiles(), 'hello.txt')).toEqual(before);
    expect(await answer('Use port 8080')).toMatchObject({ code: 0 });

    const { code, out, err } = await run().ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    await expectGoneOn(place);
    const all = await place.events();
    const [lost, ...moreLost] = all.filter(isA('agent.lost'));
    const [started] = all.filter(isA('agent.started'));
    expect(moreLost).toEqual([]);
    expect(lost?.data.runId).toBe(started?.data.runId);
    expect(without(await usersFiles(), 'hello.txt', 'port.txt')).toEqual(before);
  });

  it('goes on with its session and the answer after a SIGKILL of itself', async () => {
    const place = await sprintWithQuestion(agent, via);
    const { project, log, model, run, answer, events } = place;
    const running = run();
    await running.until(taskBecomes(log, 'blocked.question', 'form'));
    const [started] = (await events()).filter(isA('agent.started'));
    await running.until(savedSession(place, agent, 'hello.txt'));
    expect((await processesOf(project, 'sleep')).length > 0).toBe(leavesProcesses(agent));
    process.kill(-(started?.data.pid ?? 0), 'SIGKILL');
    await running.until(recorded(log, 'agent.exited'));
    expect(await answer('Use port 8080')).toMatchObject({ code: 0 });
    const { code, out, err } = await running.ended;

    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    await expectGoneOn(place);
    const all = await events();
    expect(all.find(isA('agent.exited'))?.data).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(all.filter(isA('task.retried'))).toEqual([]);
    expect(all.filter(isA('help.delivered')).map(({ data }) => data.to)).toEqual([
      all.findLast(isA('agent.started'))?.data.runId,
    ]);
  });
});

/** A sprint whose agent asks, and after an interruption writes down what it was answered. */
function sprintWithQuestion(agent: AgentCli, via: Transport): Promise<AgentSprint> {
  return agentSprint({
    agent,
    via,
    script: ({ project, sprintDir }) => ({
      first: [
        { tool: 'get_sprint_context', args: { sprintDir } },
        { write: { path: join(project, 'hello.txt'), text: 'Hello, Ada!\n' } },
        { shell: 'sleep 1000 > /dev/null 2>&1 < /dev/null &' },
        { tool: 'request_help', args: question },
        // Whoever is not ended is to come no further.
        { stall: true },
      ],
      resumedBy: RESUMED,
      after: [
        { tool: 'get_sprint_context', args: { sprintDir } },
        {
          write: ({ results }) => ({
            path: join(project, 'port.txt'),
            text: results.map(({ text }) => text).find((text) => text.includes('Use port')) ?? 'nobody said',
          }),
        },
        { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
        { text: 'Done.' },
      ],
    }),
  });
}

/** Whether what a command of its shell leaves behind goes on when the command is over. */
function leavesProcesses({ name }: AgentCli): boolean {
  return name !== 'claude' && name !== 'codex';
}

/** The second run went on with the first one's session, knew the answer, and asked nobody again. */
async function expectGoneOn({ project, model, events, clifford }: AgentSprint): Promise<void> {
  expect(await readFile(join(project, 'port.txt'), 'utf8')).toContain('Use port 8080');
  const { prompt, later, results } = model.conversation();
  expect(prompt).toContain('You work on task form of the sprint');
  expect(later.join('\n')).toContain(RESUMED);
  expect(results.map(({ text }) => text).join('\n')).toContain('# Task form');
  const all = await events();
  const [first, second, ...more] = all.filter(isA('agent.started'));
  expect(more).toEqual([]);
  expect(first?.data).not.toHaveProperty('sessionId');
  expect(second?.data.sessionId).toBe(all.find(isA('agent.sessionopened'))?.data.sessionId);
  expect(all.filter(isA('help.requested'))).toHaveLength(1);
  expect(all.filter(isA('task.completed'))).toHaveLength(1);
  expect(all.at(-1)?.type).toBe('sprint.completed');
  expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });
  expect(await processesOf(project, '')).toEqual([]);
}

/** A snapshot without files that the agent has written into the project. */
function without(files: Readonly<Record<string, string>>, ...names: readonly string[]) {
  return Object.fromEntries(
    Object.entries(files).filter(
      // What a killed writer had half written is swept up after a minute.
      ([path]) => !path.endsWith('.tmp') && !names.some((name) => path === `project/${name}`),
    ),
  );
}
