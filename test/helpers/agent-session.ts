import { basename } from 'node:path';
import { completeSprint } from '../../src/workflow/complete-sprint.ts';
import { currentTask } from '../../src/workflow/current-task.ts';
import { openProject } from '../../src/workflow/project.ts';
import { ask } from '../../src/workflow/requests/ask.ts';
import { recordDelivery } from '../../src/workflow/requests/deliver.ts';
import { setTaskStatus } from '../../src/workflow/set-task-status.ts';

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
};

/** Joins the sprint this process was started for, by its environment. */
export async function joinSprint(): Promise<AgentSession> {
  const { CLIFFORD_PROJECT_ROOT: root, CURRENT_SPRINT_DIR: dir, CLIFFORD_RUN_ID: runId } = process.env;
  if (root === undefined || dir === undefined || runId === undefined)
    throw new Error('not started by a runner');
  const project = await openProject({ root, source: '/clifford/mcp', env: {} });
  const stream = basename(dir);
  const sprint = project.state.streams.get(stream);
  const current = sprint && currentTask(sprint, runId);
  if (!current) throw new Error(`no task for ${runId}`);
  const agent = { id: runId, runId };
  const task = current.id;
  const request = (question: string) => ask(project, { stream, agent, kind: 'help', task, question });
  return {
    task,
    attempt: current.machine.context.attempt,
    complete: async () => {
      await setTaskStatus(project, { stream, taskId: task, status: 'completed', agent });
    },
    completeSprint: () => completeSprint(project, { stream, by: 'agent', summary: 'by the agent', runId }),
    ask: async (question) => {
      await request(question);
    },
    askAndWait: async (question) => {
      const { id } = await request(question);
      const answered = await project.until((state) => {
        const asked = state.streams.get(stream)?.requests.get(id);
        return asked?.phase === 'open' ? undefined : asked;
      });
      await recordDelivery(project, [answered], runId);
      return answered.answer?.response ?? 'dismissed';
    },
  };
}
