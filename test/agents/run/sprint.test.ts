import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../../helpers/project-processes.ts';
import { taskBecomes } from '../../helpers/sprint-run.ts';
import type { StoredEvent } from '../../../src/events/envelope.ts';
import type { AgentCli } from '../harness/agent-cli.ts';
import { ways } from '../harness/agent-clis.ts';
import { agentSprint, isA } from '../harness/agent-sprint.ts';
import { snapshot } from '../harness/snapshot.ts';

const question = { task: 'form', reason: 'Two are free.', question: 'Which port?' };

describe.each(ways)('clifford run with $name ($via)', ({ agent, via }) => {
  it('works through two tasks, and asks a human in between', async () => {
    const { project, log, model, run, answer, clifford, events, usersFiles } = await agentSprint({
      agent,
      via,
      tasks: ['form', 'page'],
      manifest: {
        tasks: [
          { id: 'form', file: 'form.md' },
          { id: 'page', file: 'page.md', dependsOn: ['form'] },
        ],
      },
      script: ({ project: root, sprintDir }) => ({
        'task form of': [
          { say: 'First the sprint.', tool: 'get_sprint_context', args: { sprintDir } },
          { write: { path: join(root, 'hello.txt'), text: 'Hello, Ada!\n' } },
          { tool: 'request_help', args: question },
          { write: ({ results }) => ({ path: join(root, 'port.txt'), text: results.at(-1)?.text ?? '' }) },
          { tool: 'update_task_status', args: { sprintDir, taskId: 'form', status: 'completed' } },
          { text: 'The form is done.' },
        ],
        'task page of': [
          { tool: 'get_sprint_context', args: { sprintDir } },
          { shell: 'cat hello.txt port.txt > page.txt' },
          { tool: 'update_task_status', args: { sprintDir, taskId: 'page', status: 'completed' } },
          { text: 'The page is done.' },
        ],
      }),
    });
    const before = await usersFiles();

    const running = run();
    await running.until(taskBecomes(log, 'blocked.question', 'form'));
    expect(await answer('Use port 8080')).toMatchObject({ code: 0 });
    const { code, out, err } = await running.ended;

    // What the agent did, and what its model saw.
    expect({ code, surprises: model.surprises }, `${out}${err}`).toEqual({ code: 0, surprises: [] });
    const { prompt, results } = model.conversation('task form of');
    expect(prompt).toContain('You work on task form of the sprint "Sprint demo".');
    const [context, , help, , completed] = results.filter(({ tool }) => tool !== 'ToolSearch');
    expect(context?.text).toContain('# Task form');
    expect(help?.text).toContain('Use port 8080');
    expect(completed?.text).toContain('Task form is completed');
    expect(await readFile(join(project, 'page.txt'), 'utf8')).toMatch(/^Hello, Ada!\n[^]*Use port 8080/);

    // What the log says.
    const all = await events();
    expect(all.map(({ type }) => type).filter((type) => !isDetail.test(type))).toEqual([
      'sprint.created',
      'sprint.started',
      'task.started',
      'agent.started',
      'help.requested',
      'help.answered',
      'help.delivered',
      'task.completed',
      'agent.exited',
      'task.started',
      'agent.started',
      'task.completed',
      'agent.exited',
      'sprint.completed',
    ]);
    const ofClifford = all.filter(isA('tool.requested')).filter(({ data }) => data.server === 'clifford');
    expect(ofClifford.map(({ data: { tool } }) => tool)).toEqual([
      'get_sprint_context',
      'request_help',
      'update_task_status',
      'get_sprint_context',
      'update_task_status',
    ]);
    expect(all.filter(isA('tool.returned')).filter(({ data: { isError } }) => isError)).toEqual([]);
    const started = all.filter(isA('agent.started'));
    for (const { data, subject } of started) {
      expect(data).toMatchObject({ adapter: agent.name, agent: agent.name, attempt: 1 });
      expect(data.argv[0]).toContain(agent.name);
      expect(data.argv.join(' ')).not.toMatch(/You work on task|You were interrupted/);
      expect(data).not.toHaveProperty('sessionId');
      const ofRun = all.filter((event) => 'runId' in event.data && event.data.runId === data.runId);
      // Some connect anew when a session begins.
      const connected = ofRun.filter(isA('agent.connected')).length;
      expect(via === 'cli' ? [1] : [1, 2], subject).toContain(connected);
      expect(ofRun.filter(isA('agent.sessionopened')), subject).toHaveLength(1);
      const [exited] = ofRun.filter(isA('agent.exited'));
      // Who speaks a protocol waits for more, and may have to be ended: that is no failure.
      const { reason, ...end } = exited?.data ?? {};
      expect(via === 'cli' ? [undefined] : [undefined, 'turned']).toContain(reason);
      const byItself = { code: 0, signal: null };
      expect(reason === 'turned' ? { ...end, ...byItself } : end).toEqual({
        runId: data.runId,
        durationMs: expect.any(Number),
        ...byItself,
      });
    }
    const sessions = all.filter(isA('agent.sessionopened')).map(({ data: { sessionId } }) => sessionId);
    expect(new Set(sessions).size).toBe(2);
    // The model counts 1000 tokens in and 50 out for each of its turns.
    const isWhole = !(agent.name === 'opencode' && via === 'acp');
    const turns = model.exchanges.filter(({ key }) => key !== undefined).length;
    const used = all.filter(isA('agent.usage')).map(({ data: { tokens } }) => tokens);
    const counted = {
      input: sum(used.map(({ input }) => input)),
      output: sum(used.map(({ output }) => output)),
    };
    // Of a turn over ACP OpenCode counts the last step: two turns.
    const counts = isWhole ? turns : 2;
    expect(counted).toEqual({ input: counts * 1_000, output: counts * 50 });
    const cost = sum(all.filter(isA('agent.usage')).map(({ data: { costUsd = 0 } }) => costUsd));
    expect(cost > 0).toBe(tellsCost(agent));
    // By its command line an agent has no questions of its own; over ACP nobody is asked here, and the log has the call.
    expect(runUnasked(all, 'cat hello.txt port.txt')).toEqual(
      via === 'acp' ? ['agents.ask nothing (otherwise agents.ask what-matters)'] : [],
    );
    expect(await clifford('replay', '--verify').ended).toMatchObject({ code: 0 });

    // What is left of it.
    const {
      'project/hello.txt': _hello,
      'project/port.txt': _port,
      'project/page.txt': _page,
      ...after
    } = await usersFiles();
    expect(after).toEqual(before);
    const kept = Object.keys(await snapshot(join(project, '.clifford')));
    expect(kept.filter((path) => path.startsWith('runs/'))).toEqual([]);
    expect(await processesOf(project, '')).toEqual([]);
  });
});

/** Whether it says what its tokens cost. */
function tellsCost({ name }: AgentCli): boolean {
  return name === 'opencode' || name === 'claude';
}

/** By which rules a command ran that a human was not asked about. */
function runUnasked(events: readonly StoredEvent[], command: string): readonly (string | undefined)[] {
  const own = events.filter(isA('tool.requested')).filter(({ data }) => data.server.startsWith('@'));
  const calls = own.filter(({ data }) => JSON.stringify([data.args, data.title]).includes(command));
  const ids = calls.map(({ data }) => data.callId);
  const allowed = events.filter(isA('tool.allowed')).filter(({ data }) => ids.includes(data.callId));
  return allowed.map(({ data }) => data.rule);
}

/** Where these stand among the others is each agent's own affair. */
const isDetail = /^(tool\.|agent\.(connected|sessionopened|usage)$)/;

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
