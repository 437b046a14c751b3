import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { looksSecret } from '../../events/secrets/looks-secret.ts';
import { exists } from '../../lib/files/exists.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { isAgentsEnd } from '../../machines/humans-word.ts';
import { isForAskerAlone, isTyped } from '../../machines/typed-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';
import { answerText, questionText } from '../../workflow/requests/reply-text.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { asksSecret } from '../../views/requests/asks-secret.ts';
import { untypedAnswers } from '../../workflow/task/current-task.ts';
import { CHECKS_VARIABLE } from '../../workflow/verify/attempt-checks.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import type { AgentPlan, PlannedOrder } from '../plan/agent-plan.ts';
import type { PromptFacts } from '../plan/agent-prompt.ts';
import { cliffordVariables, mcpServerCommand } from '../plan/mcp-server-command.ts';
import { resumableSession } from '../plan/resumable-session.ts';
import { runDir } from './run-files.ts';

/** What an order is made from. */
type OrderDeps = {
  readonly project: Project;
  readonly folder: SprintFolder;
  /** The environment that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** What the agent of this attempt is started for. */
export function orderFor(
  deps: OrderDeps,
  {
    taskId,
    runId,
    plan,
    checks,
    folder: workRoot,
    variables,
  }: {
    taskId: string;
    runId: string;
    plan: AgentPlan;
    checks: string;
    folder: string;
    variables: Readonly<Record<string, string>>;
  },
): PlannedOrder {
  const { project, folder, env } = deps;
  const task = taskOf(deps, taskId);
  const sessionId = task && resumableSession(task, plan);
  const facts = promptFacts(deps, taskId, workRoot);
  return {
    prompt: plan.prompt({ ...facts, isResumed: sessionId !== undefined }),
    sessionId,
    newSessionId: runId.replace(/^run-/, ''),
    mcp: mcpServerCommand({
      ...cliffordVariables(env),
      ...variables,
      CURRENT_SPRINT_DIR: folder.dir,
      CLIFFORD_PROJECT_ROOT: project.root,
      CLIFFORD_TASK: taskId,
      CLIFFORD_TASK_FILE: facts.taskFile,
      [RUN_ID_VARIABLE]: runId,
      [CHECKS_VARIABLE]: checks,
    }),
    projectRoot: workRoot,
    runDir: runDir(project.dir, runId),
    env,
  };
}

function promptFacts(deps: OrderDeps, taskId: string, workRoot: string): Omit<PromptFacts, 'isResumed'> {
  const { project, folder } = deps;
  const task = taskOf(deps, taskId);
  return {
    taskId,
    taskFile: taskFileIn(workRoot, project.root, join(folder.dir, task?.file ?? '')),
    sprintName: folder.manifest.name ?? folder.manifest.id,
    sprintDir: folder.dir,
    projectRoot: workRoot,
    isInWorktree: workRoot !== project.root,
    notes: task?.notes ?? [],
    answered: allUntypedOf(deps, taskId)
      .filter((each) => !isTypedSecret(each) || !isAgentsEnd(each))
      .map((each) => (isTypedSecret(each) ? secretText(each) : answerText(each))),
    lastFailure: task !== undefined && task.machine.context.failures > 0 ? task.lastFailure : undefined,
  };
}

/** The file of a task whose agent would have nothing to read, from the project's root; `undefined`: it is there, or known. */
export async function missingFile(
  deps: OrderDeps,
  taskId: string,
  plan: AgentPlan,
): Promise<string | undefined> {
  const task = taskOf(deps, taskId);
  if (!task || resumableSession(task, plan) !== undefined) return undefined;
  const { project } = deps;
  const { taskFile } = promptFacts(deps, taskId, workFolder(project, task));
  return (await exists(taskFile)) ? undefined : relative(project.root, taskFile);
}

type Place = Pick<OrderDeps, 'project' | 'folder'>;

/** A task of the sprint, as it is now. */
export function taskOf({ project, folder }: Place, taskId: string): TaskState | undefined {
  return project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
}

/** What a human said to its prompts, and was typed nowhere: no secret, which would stand in the command line of its agent. */
export function untypedOf(place: Place, taskId: string): readonly RequestState[] {
  return allUntypedOf(place, taskId).filter((request) => !isTypedSecret(request));
}

function allUntypedOf({ project, folder }: Place, taskId: string): readonly RequestState[] {
  const sprint = project.state.streams.get(folder.manifest.id);
  return sprint ? untypedAnswers(sprint, taskId) : [];
}

/** That there is an answer, and no word of it. */
function secretText(request: RequestState): string {
  return `${questionText(request)}\nIt was answered with a secret, which ${ownTool.getSprintContext} tells. Where you have no such tool, do without it: no command line has it.`;
}

/** An option that is chosen, and why a prompt gets no answer, are none; words for its program alone are not told at all. */
function isTypedSecret(request: RequestState): boolean {
  const { asked, answer } = request;
  if (answer === undefined || !isTyped(asked, answer) || isForAskerAlone(request)) return false;
  return asksSecret(asked) || looksSecret(answer.response);
}

/** The text of a task where its agent works, if it is there; else where it is in the project. */
function taskFileIn(workRoot: string, root: string, file: string): string {
  const own = join(workRoot, relative(root, file));
  return existsSync(own) ? own : file;
}
