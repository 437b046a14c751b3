import type { SprintState } from '../../machines/project-state.ts';
import { agreeToCommands, notAgreed } from '../../workflow/config/agree-to-commands.ts';
import { configError } from '../../workflow/config/config-problem.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { withoutNotifySecrets } from '../../workflow/config/notify-secrets.ts';
import { listed } from '../../lib/text/listed.ts';
import type { Project } from '../../workflow/project/project.ts';
import { chooseSprintFolder } from '../../workflow/sprint/choose-sprint.ts';
import type { AgreedRun } from '../sprint/sprint-runner.ts';
import type { JobDeps } from './worker-deps.ts';

const NOT_AGREED_HERE =
  'Look at it; a worker that is started with --accept-commands runs it, or one in whose folder a run has had it';

/** What was fetched, with commands that somebody has agreed to. */
export type AgreedFiles = {
  readonly env: JobDeps['env'];
  readonly agreed: Required<AgreedRun>;
  /** Whether the work on a task becomes a commit. */
  readonly wantsCommit: (task: string) => boolean;
};

/**
 * Reads the configuration of what was fetched. Commands in it that are new to this worker's folder somebody has to have looked at.
 *
 * @param isByAgents - Whether agents may have written what was fetched.
 * @throws {CliffordError} `COMMANDS_NEW`, or what is wrong with the files.
 */
export async function agreeToFiles(
  deps: JobDeps,
  project: Project,
  {
    stream,
    isByAgents,
  }: { readonly stream: string; readonly isByAgents: (sprint: SprintState | undefined) => boolean },
): Promise<AgreedFiles> {
  const { home, configMemory, accepts, agentCmd, commands, listeners } = deps;
  const folder = await chooseSprintFolder(project, stream);
  const reading = await readConfig({ root: project.root, env: deps.env, configMemory });
  if (reading.lost.length > 0) throw configError(reading.lost);
  const env = withoutNotifySecrets(deps.env, reading.config.notify);
  const { asLogged, dir, state } = project;
  // What is fetched anew has the commands of last time: the worker's folder remembers them.
  const remember = await agreeToCommands(
    { root: home.root, asLogged, dir, state },
    {
      reading,
      folder,
      accepts,
      chosen: { agentCmd },
      isByAgents: commands.fetch !== undefined && isByAgents(state.streams.get(stream)),
    },
    {
      env: deps.env,
      ask: async (lines) => {
        throw notAgreed(stream, lines, NOT_AGREED_HERE);
      },
      show: (text) => void listeners.emit('problem', text),
      warn: (problem) => void listeners.emit('problem', problem),
    },
  );
  const { manifest } = folder;
  const entries = new Map(manifest.tasks.map((task) => [task.id, task]));
  const wantsCommit = (task: string) =>
    (entries.get(task)?.commit ?? manifest.commit ?? reading.config.commit) === true;
  const uncommitted = manifest.tasks.flatMap(({ id }) => (wantsCommit(id) ? [] : id));
  if (commands.push !== undefined && uncommitted.length > 0)
    listeners.emit('problem', notPushed(project.root, { stream, tasks: uncommitted }));
  return { env, agreed: { folder, reading, accepts, remember }, wantsCommit };
}

/** That only commits are pushed. */
function notPushed(folder: string, { stream, tasks }: { stream: string; tasks: readonly string[] }): string {
  return `sprint ${stream} has no commits of ${listed(tasks)}: what changes there is not pushed, and stays in ${folder}. Set "commit": true in its manifest or in clifford.json`;
}
