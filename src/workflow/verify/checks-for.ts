import type { ConfigMemory } from '../config/config-file.ts';
import { CliffordError } from '../../errors.ts';
import type { Agent } from '../project/agent.ts';
import { loadTaskSettings, settingsError } from '../config/task-settings.ts';
import type { Project } from '../project/project.ts';
import { requireTask } from '../task/require-task.ts';
import type { SprintFolder } from '../sprint/sprint-folders.ts';
import { CHECKS_VARIABLE, packChecks, unpackChecks, type AttemptChecks } from './attempt-checks.ts';
import { hasOwnVerify } from './verdict.ts';

/** A task, who says that it is completed, and the process that asks. */
type ChecksOrder = {
  readonly stream: string;
  readonly taskId: string;
  readonly folder: SprintFolder;
  readonly agent: Agent;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly report: (problem: string) => void;
  readonly configMemory?: ConfigMemory | undefined;
};

/**
 * What has to succeed before the task counts as completed: while an attempt of a runner is under way what held when it
 * began, whatever the files say by now, and whoever says so, as an agent may hide that it is one; else what the files say.
 *
 * @throws {CliffordError} `TASK_SETTINGS_INVALID` when that is not known; `CHECKS_CHANGED` when what held when the
 *   attempt began is not known here any more.
 */
export async function checksFor(
  { root, state }: Pick<Project, 'root' | 'state'>,
  { stream, taskId, folder, agent, ...source }: ChecksOrder,
): Promise<AttemptChecks> {
  const { checksDigest, machine } = requireTask(state, { stream, taskId }).task;
  const isAttempt = agent.runId !== undefined || machine.context.runId !== null;
  const digest = isAttempt ? checksDigest : undefined;
  const fixed = digest && unpackChecks(source.env[CHECKS_VARIABLE], digest);
  if (fixed) return fixed;
  const settings = await loadTaskSettings({ root, ...source }, { folder, taskId });
  settings.problems.forEach(source.report);
  if (settings.verifyProblems.length > 0) throw settingsError(settings.verifyProblems);
  const checks = { commands: settings.verify.value, areOwn: hasOwnVerify(folder, taskId) };
  if (digest && packChecks(checks).digest !== digest) throw changed(taskId, agent);
  return checks;
}

function changed(taskId: string, { runId }: Agent): CliffordError {
  return new CliffordError(
    `Cannot complete task ${taskId}: the commands that verify it have changed since its attempt began, ` +
      `and ${CHECKS_VARIABLE} does not say what they were`,
    {
      code: 'CHECKS_CHANGED',
      fix:
        'Put "verify" back as it was in clifford.json and the manifest, or ' +
        (runId === undefined
          ? 'wait until its agent has ended: then it counts as it is'
          : 'exit: the next attempt takes it as it is'),
      recovery: 'give-up',
    },
  );
}
