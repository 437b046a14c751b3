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
import { withPrompt } from './agent-command.ts';
import { agentPrompt } from './agent-prompt.ts';
import { Attempt } from './attempt.ts';
import { RUN_ID_VARIABLE } from './orphans.ts';
import type { RunnerListeners } from './runner-events.ts';
import type { RunnerMemory } from './runner-memory.ts';
import type { TaskPlans } from './task-plans.ts';
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
  readonly onEnd: () => void;
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
    const command = await plans.commandFor(taskId);
    const [started] = await decide((sprint) => {
      const task = sprint.tasks.get(taskId);
      return task ? startTask(sprint, task, { by: deps.by, runId }) : [];
    });
    if (started?.type !== 'task.started') return;
    memory.retryAt.delete(taskId);

    const { attempt: number } = started.data;
    const attempt = new Attempt({
      runId,
      taskId,
      subject: subjectOf(stream, taskId),
      transcript: new Transcript(project.dir, runId),
      onOutput: (channel, text) => listeners.emit('output', { task: taskId, runId, channel, text }),
      onEnd: deps.onEnd,
    });
    memory.attempts.set(runId, attempt);
    listeners.emit('task-start', { task: taskId, attempt: number, runId });

    const { args, input } = withPrompt(command, agentPrompt(promptFacts(deps, taskId)));
    const identity = await attempt.start({
      file: command.file,
      args,
      input,
      cwd: project.root,
      env: {
        CURRENT_SPRINT_DIR: folder.dir,
        CLIFFORD_PROJECT_ROOT: project.root,
        [RUN_ID_VARIABLE]: runId,
      },
      killGraceMs: deps.killGraceMs,
    });
    if (!identity) return;
    const data = {
      runId,
      attempt: number,
      adapter: 'command',
      argv: [...command.recorded],
      ...identity,
      transcript: `${STATE_DIR}/${transcriptPath(runId)}`,
    };
    await project.record(stream, [{ type: 'agent.started', subject: subjectOf(stream, taskId), data }]);
  };
}

function promptFacts(
  { project, folder }: StartAttemptDeps,
  taskId: string,
): Parameters<typeof agentPrompt>[0] {
  const task = project.state.streams.get(folder.manifest.id)?.tasks.get(taskId);
  return {
    taskId,
    taskFile: join(folder.dir, task?.file ?? ''),
    sprintName: folder.manifest.name ?? folder.manifest.id,
    sprintDir: folder.dir,
    projectRoot: project.root,
  };
}
