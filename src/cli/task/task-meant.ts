import { CliffordError } from '../../errors.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import { chooseSprintFolder } from '../../workflow/sprint/choose-sprint.ts';
import { enterSprint } from '../../workflow/sprint/enter-sprint.ts';
import { ownTask } from '../../workflow/task/own-task.ts';
import type { Project } from '../../workflow/project/project.ts';
import { requireTask } from '../../workflow/task/require-task.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import type { Cli } from '../cli.ts';
import { decider } from '../../workflow/project/require-human.ts';
import { attemptHere } from '../../workflow/project/who-calls.ts';
import { shellAgent } from '../requests/shell-agent.ts';

/** The task that somebody speaks of, and who does. */
export type TaskMeant = {
  readonly stream: string;
  readonly taskId: string;
  readonly folder: SprintFolder;
  /** With a run id: an agent of a runner. Else the person at the keyboard, or the agent of an editor. */
  readonly agent: Agent;
};

/**
 * The task that is meant: an agent's own, or the one a person names.
 *
 * @throws {CliffordError} `ATTEMPT_ENDED`, `NOT_YOUR_TASK`; `TASK_MISSING`, `TASK_UNKNOWN`; `SPRINT_UNKNOWN` and its like.
 */
export async function taskMeant(
  cli: Cli,
  project: Project,
  { task, sprint }: { task: string | undefined; sprint: string | undefined },
): Promise<TaskMeant> {
  if (attemptHere(cli.env, project) === undefined) {
    const folder = await chooseSprintFolder(project, sprint, { task, toDo: 'act on' });
    await enterSprint(project, folder);
    const stream = folder.manifest.id;
    if (task === undefined) throw taskMissing(stream);
    requireTask(project.state, { stream, taskId: task });
    return { stream, taskId: task, folder, agent: { id: decider(cli, project) } };
  }
  const { agent, context } = shellAgent(cli, project, 'clifford task');
  const own = ownTask(project.state, agent, context);
  if (!own) throw taskMissing(sprint ?? 'of this agent');
  const [stream, taskId] = [own.sprint.id, own.task.id];
  if (task !== undefined && task !== taskId) throw notYours(task, taskId);
  const folder = await chooseSprintFolder(project, stream, { toDo: 'act on' });
  return { stream, taskId, folder, agent };
}

function taskMissing(sprint: string): CliffordError {
  return new CliffordError(`Cannot tell which task of sprint ${sprint} is meant: none is named`, {
    code: 'TASK_MISSING',
    fix: 'Name it by its id: see clifford status',
  });
}

function notYours(named: string, own: string): CliffordError {
  return new CliffordError(`Cannot act on task ${named}: this agent was started for task ${own}`, {
    code: 'NOT_YOUR_TASK',
    fix: `Leave the name out, or name ${own}`,
    recovery: 'give-up',
  });
}
