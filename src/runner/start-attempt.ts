import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { subjectOf } from '../events/envelope.ts';
import type { StoredEvent } from '../events/envelope.ts';
import type { Candidate } from '../machines/legality.ts';
import type { SprintState } from '../machines/project-state.ts';
import { STATE_DIR } from '../workflow/project-root.ts';
import type { Project } from '../workflow/project.ts';
import type { SprintFolder } from '../workflow/sprint-folders.ts';
import { startTask } from '../workflow/start-task.ts';
import { agentPrompt } from './agent-prompt.ts';
import type { PromptFacts } from './agent-prompt.ts';
import type { AgentPlan, PlannedOrder } from './agent-plan.ts';
import { Attempt } from './attempt.ts';
import { cliffordVariables, mcpServerCommand } from './mcp-server-command.ts';
import { RUN_ID_VARIABLE } from './orphans.ts';
import type { RunnerListeners } from './runner-events.ts';
import type { RunnerMemory } from './runner-memory.ts';
import type { TaskPlans } from './task-plans.ts';
import { resumableSession } from './resumable-session.ts';
import { runDir, RunFiles } from './run-files.ts';
import { Transcript, transcriptPath } from './transcript.ts';

/** Appends the start of an attempt if it is still wanted. */
type Decide = (choose: (sprint: SprintState) => readonly Candidate[]) => Promise<readonly StoredEvent[]>;

/** Starts the next attempt at a task. */
export type StartAttempt = (taskId: string, decide: Decide) => Promise<void>;

/** What starting an attempt needs. */
export type StartAttemptDeps = {
  readonly project: Project;
  readonly folder: SprintFolder;
  readonly plans: TaskPlans;
  readonly memory: RunnerMemory;
  readonly listeners: RunnerListeners;
  /** Called when something happened that the log does not say yet. */
  readonly onNews: () => void;
  /** The environment that agents inherit. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly killGraceMs: number;
  /** How the runner is named as the author of its decisions. */
  readonly by: string;
};

/**
 * Makes the function that starts attempts. `task.started` is appended before the agent is started: its
 * first tool call is legal, and a crash in between leaves a trace. `agent.started` says which process it is.
 */
export function createStartAttempt(deps: StartAttemptDeps): StartAttempt {
  const { project, folder, plans, memory, listeners } = deps;
  const stream = folder.manifest.id;
  return async (taskId, decide) => {
    const runId = `run-${uuidv7()}`;
    const plan = await plans.planFor(taskId);
    const [started] = await decide((sprint) => {
      const task = sprint.tasks.get(taskId);
      return task ? startTask(sprint, task, { by: deps.by, runId }) : [];
    });
    if (started?.type !== 'task.started') return;
    memory.retryAt.delete(taskId);

    const { attempt: number } = started.data;
    const order = orderFor(deps, { taskId, runId, plan });
    const files = new RunFiles(order.runDir);
    const attempt = new Attempt({
      runId,
      taskId,
      subject: subjectOf(stream, taskId),
      transcript: new Transcript(project.dir, runId),
      files,
      wasResumed: plan.adapter.connects && order.sessionId !== undefined,
      parser: plan.adapter.createParser?.(),
      onOutput: (channel, text) => listeners.emit('output', { task: taskId, runId, channel, text }),
      onNews: deps.onNews,
    });
    memory.attempts.set(runId, attempt);
    listeners.emit('task-start', { task: taskId, attempt: number, runId });

    const launch = plan.launch(order);
    files.write(launch.files ?? []);
    const identity = await attempt.start({
      file: plan.file,
      args: launch.args,
      input: launch.input,
      cwd: project.root,
      env: { ...order.mcp.env, ...launch.env },
      killGraceMs: deps.killGraceMs,
    });
    if (!identity) return;
    const { sessionId } = order;
    const data = {
      runId,
      attempt: number,
      adapter: plan.adapter.name,
      ...(plan.agent === undefined ? {} : { agent: plan.agent }),
      argv: plan.recorded(order),
      ...identity,
      transcript: `${STATE_DIR}/${transcriptPath(runId)}`,
      ...(sessionId === undefined ? {} : { sessionId }),
    };
    await project.record(stream, [{ type: 'agent.started', subject: subjectOf(stream, taskId), data }]);
  };
}

/** What the agent of this attempt is started for. */
function orderFor(
  deps: StartAttemptDeps,
  { taskId, runId, plan }: { taskId: string; runId: string; plan: AgentPlan },
): PlannedOrder {
  const { project, folder, env } = deps;
  const task = project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
  const sessionId = task && resumableSession(task, plan);
  return {
    prompt: agentPrompt({ ...promptFacts(deps, taskId), isResumed: sessionId !== undefined }),
    sessionId,
    mcp: mcpServerCommand({
      ...cliffordVariables(env),
      CURRENT_SPRINT_DIR: folder.dir,
      CLIFFORD_PROJECT_ROOT: project.root,
      [RUN_ID_VARIABLE]: runId,
    }),
    projectRoot: project.root,
    runDir: runDir(project.dir, runId),
    env,
  };
}

function promptFacts({ project, folder }: StartAttemptDeps, taskId: string): Omit<PromptFacts, 'isResumed'> {
  const task = project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
  return {
    taskId,
    taskFile: join(folder.dir, task?.file ?? ''),
    sprintName: folder.manifest.name ?? folder.manifest.id,
    sprintDir: folder.dir,
    projectRoot: project.root,
  };
}
