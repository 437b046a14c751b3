import type { GetPromptResult, Prompt } from '@modelcontextprotocol/sdk/types.js';
import { relative } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { ADHOC_STREAM } from '../../events/adhoc-stream.ts';
import { noSuchThing } from '../../gateway/session/gateway-errors.ts';
import type { Session } from '../../gateway/session/session.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { statusOf, type SprintStatus, type TaskStatus } from '../../views/sprints/sprint-status.ts';
import type { Agent } from '../../workflow/project/agent.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';
import type { Project } from '../../workflow/project/project.ts';
import { isBeingRun } from '../../workflow/queue/worker-of.ts';
import { chooseSprint, type KnownSprint } from '../../workflow/sprint/choose-sprint.ts';
import { homeStream } from '../../workflow/sprint/home-stream.ts';
import { readTaskFile } from '../../workflow/task/read-task-file.ts';

/** So much of a task's file stands in the prompt, in bytes: the tool has all of it. */
const FILE_BYTES = 100_000;

/** Has an agent begin with the task that is next. */
export const workOnNextTask: Prompt & { readonly name: string } = {
  name: 'work-on-next-task',
  title: 'Work on the next task',
  description: 'Begin with the task of a sprint that is under way, or else the next one that is ready',
  arguments: [
    {
      name: 'sprint',
      description:
        'Id or folder name of the sprint; left out: the one you work on, or the only unfinished one',
      required: false,
    },
  ],
};

export type PromptCaller = {
  readonly project: Project;
  readonly agent: Agent;
  readonly session: Session;
};

/**
 * The prompt about one sprint. Decides and records nothing: that does who follows it.
 *
 * @throws {CliffordError} as {@link chooseSprint}.
 */
export async function nextTaskPrompt(
  caller: PromptCaller,
  { sprint: name }: { readonly sprint?: string | undefined },
): Promise<GetPromptResult> {
  const { project, agent } = caller;
  await project.refresh();
  const known = await sprintMeant(caller, name === '' ? undefined : name);
  const { folder, broken } = known;
  if (!folder) throw broken ?? withoutFolder(known.id);
  const hasRunner = (stream: string) => isBeingRun(project, stream);
  const view = statusOf(known, project.state, { hasRunner, isAlive });
  const task = nextTask(view, agent.runId);
  const dir = relative(project.root, folder.dir);
  if (!task) return said(`${nothingReady(view)} Tell me so, and do nothing else.`);
  const text = await readTaskFile(project.root, folder.dir, task.file, FILE_BYTES);
  return said(
    [
      `Work on the task ${task.id} of the sprint ${view.name} (${dir}), and on no other.`,
      ...steps(dir, task),
      '',
      ...(text === null
        ? [`Its file ${task.file} cannot be read.`]
        : [`Its file ${task.file} says:`, '', text]),
    ].join('\n'),
  );
}

function steps(sprintDir: string, { id, state }: TaskStatus): string[] {
  const about = `sprintDir ${JSON.stringify(sprintDir)}`;
  const status = (word: string) =>
    `${ownTool.updateTaskStatus} (taskId ${JSON.stringify(id)}, status "${word}")`;
  const isUnderWay = state === 'active' || state === 'blocked';
  return [
    `1. Call ${ownTool.getSprintContext} with ${about}, and follow its guidances and notes.`,
    `2. ${isUnderWay ? 'It has been begun: look at what is there already.' : `Say that you begin: ${status('active')}.`}`,
    `3. Do what the task says. Ask with ${ownTool.requestHelp} when a decision is not yours, and wait for the answer.`,
    `4. When it is done and checked, tell with ${ownTool.reportUat} how a human can check it, then say ${status('completed')}.`,
  ];
}

async function sprintMeant(
  { project, agent, session }: PromptCaller,
  name: string | undefined,
): Promise<KnownSprint> {
  if (name !== undefined) return chooseSprint(project, name);
  const home = await homeStream(project, agent, session);
  return chooseSprint(project, home === ADHOC_STREAM ? undefined : home);
}

/**
 * The task of the agent's own attempt, else the first under way at which no other is at work, else the first that waits for no other. A
 * sprint in the queue is left to a worker.
 */
function nextTask({ tasks, queuedAt }: SprintStatus, runId: string | undefined): TaskStatus | undefined {
  const isFree = ({ agent, isAgentGone }: TaskStatus) => agent === undefined || isAgentGone;
  const own = tasks.find(({ agent }) => runId !== undefined && agent?.runId === runId);
  if (own || queuedAt !== undefined) return own;
  return (
    tasks.find((task) => (task.state === 'active' || task.state === 'blocked') && isFree(task)) ??
    tasks.find(({ state, waitsFor }) => state === 'pending' && waitsFor.length === 0)
  );
}

function nothingReady({ name, tasks, queuedAt }: SprintStatus): string {
  if (queuedAt !== undefined)
    return `The sprint ${name} waits in the queue for a worker, which will start its tasks.`;
  const left = tasks.filter(({ state }) => state !== 'done').map(({ id, state }) => `${id} (${state})`);
  return left.length === 0
    ? `The sprint ${name} has no task left to be worked on.`
    : `No task of the sprint ${name} is free: others work on it, or it waits for tasks before it. Left are ${left.join(', ')}.`;
}

function said(text: string): GetPromptResult {
  return {
    description: workOnNextTask.description,
    messages: [{ role: 'user', content: { type: 'text', text } }],
  };
}

function withoutFolder(id: string): CliffordError {
  return new CliffordError(`Cannot work on sprint ${id}: its folder is missing`, {
    code: 'SPRINT_FOLDER_GONE',
    fix: 'Bring the folder back, or name another sprint',
  });
}

/** Where there are no other servers that could have it. */
export function noSuchPrompt(name: string): CliffordError {
  return noSuchThing('prompt', name, `there is ${workOnNextTask.name} alone`);
}
