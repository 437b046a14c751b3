import { basename } from 'node:path';
import { completeSprint } from '../../src/workflow/sprint/complete-sprint.ts';
import { currentTask, undelivered } from '../../src/workflow/task/current-task.ts';
import { openProject } from '../../src/workflow/project/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { questionText, replyText } from '../../src/workflow/requests/reply-text.ts';
import { setTaskStatus } from '../../src/workflow/task/set-task-status.ts';
import { logEnv } from './log-env.ts';

/** What an agent program of the tests can do, in the words of the tools it stands in for. */
export type AgentSession = {
  readonly task: string;
  readonly attempt: number;
  complete(): Promise<void>;
  completeSprint(): Promise<void>;
  /** Returns once the question stands in the log. */
  ask(question: string): Promise<void>;
  /** Asks, waits for the answer and takes it. */
  askAndWait(question: string): Promise<string>;
  /** What a human said to earlier attempts, which it takes. */
  guidance(): Promise<string[]>;
  /** Waits until each of these tasks has had a worktree that was ready. */
  prepared(tasks: readonly string[]): Promise<void>;
  /** Does something inside of a call of one of Clifford's tools. */
  call(work: () => Promise<unknown>): Promise<void>;
  /** Leaves the project. */
  close(): Promise<void>;
};

/** Joins the sprint an agent was started for, by its environment: that of this process. */
export async function joinSprint(env: NodeJS.ProcessEnv = process.env): Promise<AgentSession> {
  const { CLIFFORD_PROJECT_ROOT: root, CURRENT_SPRINT_DIR: dir, CLIFFORD_RUN_ID: runId } = env;
  if (root === undefined || dir === undefined || runId === undefined)
    throw new Error('not started by a runner');
  const project = await openProject({ root, source: '/clifford/mcp', env: logEnv() });
  const stream = basename(dir);
  const sprint = project.state.streams.get(stream);
  const current = sprint && currentTask(sprint, runId);
  if (!current) throw new Error(`no task for ${runId}`);
  const agent = { id: runId, runId };
  const task = current.id;
  const request = (question: string) => ask(project, { stream, agent, kind: 'help', task, question });
  const takeGuidance = async () => {
    const answered = undelivered(sprint, task);
    await recordDelivery(project, answered, runId);
    return answered.map((request) => `${questionText(request)} ${replyText(request)}`);
  };
  return {
    task,
    close: () => project.close(),
    attempt: current.machine.context.attempt,
    complete: async () => {
      await setTaskStatus(project, { stream, taskId: task, status: 'completed', agent });
    },
    completeSprint: () => completeSprint(project, { stream, by: 'agent', summary: 'by the agent', runId }),
    ask: async (question) => {
      await request(question);
    },
    guidance: takeGuidance,
    askAndWait: async (question) => {
      const { id } = await request(question);
      const answered = await project.until((state) => {
        const asked = state.streams.get(stream)?.requests.get(id);
        return asked?.phase === 'open' ? undefined : asked;
      });
      await recordDelivery(project, [answered], runId);
      return answered.answer?.response ?? 'dismissed';
    },
    prepared: async (tasks) => {
      await project.until((state) => {
        const all = state.streams.get(stream)?.tasks;
        const isPrepared = (id: string) =>
          all?.get(id)?.isApart && all.get(id)?.worktree?.phase !== 'claimed';
        return tasks.every(isPrepared) || undefined;
      });
    },
    call: async (work) => {
      const subject = `${stream}/${task}`;
      const call = { callId: 'call-1', server: 'clifford', tool: 'update_task_status' };
      const asked = { ...call, args: {}, argsDigest: 'digest', runId };
      await project.record(stream, [{ type: 'tool.requested', subject, data: asked }]);
      await work();
      const returned = { callId: call.callId, isError: false, durationMs: 1, bytes: 1 };
      await project.record(stream, [{ type: 'tool.returned', subject, data: returned }]);
    },
  };
}
