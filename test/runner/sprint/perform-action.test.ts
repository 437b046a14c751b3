import { EventEmitter } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Attempt } from '../../../src/runner/attempt/attempt.ts';
import { performAction } from '../../../src/runner/sprint/perform-action.ts';
import { RunnerMemory } from '../../../src/runner/reconcile/runner-memory.ts';
import type { Action } from '../../../src/runner/reconcile/runner-view.ts';
import { configSchema } from '../../../src/workflow/config/config-schema.ts';
import { answerRequest } from '../../../src/workflow/requests/answer.ts';
import { ask } from '../../../src/workflow/requests/ask.ts';
import { cancelSprint, pauseSprint } from '../../../src/workflow/sprint/control.ts';
import type { Project } from '../../../src/workflow/project/project.ts';
import { isRunHere, noteRun } from '../../../src/workflow/worktree/worktree-claims.ts';
import { findSprintFolder, listSprintFolders } from '../../../src/workflow/sprint/sprint-folders.ts';
import { attemptParts } from '../support/attempt-parts.ts';
import { projectWithSprint } from '../../helpers/temp-project.ts';
import { typesOf } from '../../helpers/sprint-run.ts';

const parking = configSchema.parse({ limits: { exit: 0 } });
const { limits, budget } = parking;
const policy = {
  wait: true,
  concurrency: 1,
  failFast: false,
  isolation: 'none' as const,
  paths: new Map(),
  areFilesJudged: false,
  limits,
  budget,
  parking,
  agents: new Map(),
};

/** Performs actions on a sprint that was taken up, and says what they appended. */
async function sprintTakenUp() {
  const { root, project, stream } = await projectWithSprint({ tasks: ['a'] });
  await project.dispatch(stream, () => [
    { type: 'sprint.started', subject: stream, data: { runner: 'clifford', maxAttempts: 1 } },
  ]);
  const memory = Object.assign(new RunnerMemory(), { entered: true, recovered: true, takenUp: true });
  memory.prepared.add('a');
  const folder = findSprintFolder(await listSprintFolders(root), stream);
  const appended = async (action: Exclude<Action, { do: 'end' | 'wait' }>) => {
    const before = (await typesOf(project)).length;
    await performAction(
      {
        project,
        folder,
        memory,
        view: () => {
          const { streams, spending, limits } = project.state;
          return memory.view(streams.get(stream), {
            policy,
            spending,
            limits,
            retryAt: new Map(),
            now: Date.now(),
          });
        },
        startAttempt: async ({ taskId }, decide) => {
          await decide(() => [
            { type: 'task.started', subject: `${stream}/${taskId}`, data: { attempt: 1, by: 'clifford' } },
          ]);
        },
        onEntered: () => undefined,
        temporaryEdits: { undo: async () => undefined },
        plans: {
          limits: async () => ({ maxAttempts: 1 }),
          worktrees: async () => configSchema.parse({}).worktrees,
          checksFor: async () => ({ commands: [], areOwn: false, commit: false }),
        },
        onNews: () => undefined,
        isolation: 'none',
        by: 'clifford',
        listeners: new EventEmitter(),
        retryDelayMs: 0,
        assertFree: () => undefined,
        killGraceMs: 0,
      },
      action,
    );
    return (await typesOf(project)).slice(before);
  };
  return { project, memory, appended };
}

describe('an action', () => {
  it('that is still the thing to do is recorded', async () => {
    const { appended } = await sprintTakenUp();
    expect(await appended({ do: 'start-attempt', taskId: 'a' })).toEqual(['task.started']);
  });

  const me = { stream: 'demo', by: 'me' };
  const agent = { id: 'session-1' };
  it.each<
    [string, Action & { do: 'start-attempt' | 'fail-sprint' | 'complete-sprint' }, (p: Project) => unknown]
  >([
    ['paused', { do: 'start-attempt', taskId: 'a' }, (project) => pauseSprint(project, me)],
    ['cancelled', { do: 'fail-sprint', reason: 'x' }, (project) => cancelSprint(project, me)],
    ['cancelled', { do: 'complete-sprint' }, (project) => cancelSprint(project, me)],
  ])('that was overtaken because the sprint was %s changes nothing', async (_, action, overtake) => {
    const { project, appended } = await sprintTakenUp();
    await overtake(project);
    expect(await appended(action)).toEqual([]);
  });

  it('that would park an agent whose answer was faster leaves it alone', async () => {
    const { project, memory, appended } = await sprintTakenUp();
    const attempt = new Attempt(attemptParts(project.dir));
    memory.attempts.set('run-1', attempt);
    onTestFinished(() => attempt.abandon());
    expect(await appended({ do: 'park-agent', runId: 'run-1' })).toEqual([]);
    expect(attempt.view().phase).toBe('working');
  });

  it('that takes a sprint up forgets the note of the run before, and keeps its own however often it does', async () => {
    const { project, memory, appended } = await sprintTakenUp();
    const run = { runner: 'clifford', maxAttempts: 1, run: 'runner-before' };
    await noteRun(project, run.run);
    await project.dispatch('demo', () => [{ type: 'sprint.started', subject: 'demo', data: run }]);
    memory.run = 'runner-now';
    for (const _time of ['first', 'second']) {
      memory.takenUp = false;
      expect(await appended({ do: 'start-sprint' })).toEqual(['sprint.started']);
      expect(['runner-before', 'runner-now'].filter((id) => isRunHere(project, id))).toEqual(['runner-now']);
    }
  });

  it('that was overtaken by an answer changes nothing', async () => {
    const { project, appended } = await sprintTakenUp();
    const { id } = await ask(project, { stream: 'demo', agent, kind: 'help', question: 'Go on?' });
    await answerRequest(project, id, { response: 'yes', by: 'me', via: 'cli' });
    expect(await appended({ do: 'fail-sprint', reason: 'nobody answers' })).toEqual([]);
  });
});
