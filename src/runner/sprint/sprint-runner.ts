import { ConfigMemory } from '../../workflow/config/config-file.ts';
import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeldPolicy } from '../../gateway/permission/held-policy.ts';
import { tryHold, type HeldLock } from '../../lib/files/kernel-lock.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { chooseSprintFolder } from '../../workflow/sprint/choose-sprint.ts';
import { requireTasks } from '../../workflow/sprint/require-tasks.ts';
import { agreeToCommands, notAgreed, type RememberAgreed } from '../../workflow/config/agree-to-commands.ts';
import { agreeToWays } from '../../workflow/config/agree-to-ways.ts';
import type { ConfigReading } from '../../workflow/config/load-config.ts';
import type { SprintFolder } from '../../workflow/sprint/sprint-folders.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { chooseLog } from '../../workflow/log/choose-log.ts';
import { filesBehindLog } from '../../workflow/projections/behind-log.ts';
import { runnerLockPath } from '../../workflow/project/runner-lock.ts';
import { rootOf, type ProjectOptions } from '../../workflow/project/project-options.ts';
import type { SprintRunnerEvents } from './runner-events.ts';
import type { SprintShare } from '../jobs/sharing.ts';
import type { RunEnd } from './run-end.ts';
import { goOnByHand } from './go-on-by-hand.ts';
import { flagsOf, runOptionsOf } from './run-flags.ts';
import { requireFree, running } from './require-free.ts';
import { SprintDriver } from './sprint-driver.ts';
import { chooseIsolation } from '../plan/choose-isolation.ts';
import { TaskPlans } from '../plan/task-plans.ts';
import { TERM_GRACE_MS } from '../../lib/processes/terminate.ts';

/**
 * The files of a run as a person was shown them: what is written into them since then starts nothing.
 *
 * @internal
 */
export type AgreedRun = {
  readonly folder?: SprintFolder;
  readonly reading?: ConfigReading;
  /** As `acceptCommands`. */
  readonly accepts?: boolean;
  /** Is called when the run begins. */
  readonly remember?: RememberAgreed;
};

/** How a sprint is to be run. */
export type SprintRunnerOptions = ProjectOptions & {
  /**
   * Command line of the agents: quotes, no shell; `{prompt}` is replaced, else the prompt goes to stdin.
   * Default: what the manifest or the configuration says, task by task.
   */
  readonly agentCmd?: string | undefined;
  /** How the agent of `agentCmd` is spoken with: by what it prints, or over the Agent Client Protocol. Default: `cli`. */
  readonly agentVia?: 'acp' | 'cli' | undefined;
  /** Name of the agent, one of those in the configuration. Not together with `agentCmd`, which wins. */
  readonly agent?: string | undefined;
  /** Takes the place of `{model}` in the command line. Default: as for `agentCmd`. */
  readonly model?: string | undefined;
  /** Id or folder name. Default: the only sprint that is not finished. */
  readonly sprint?: string | undefined;
  /** Attempts that may fail before a task has, 1 to 1000. Default: as for `agentCmd`, else 1. */
  readonly maxAttempts?: number | undefined;
  /** Tasks that are worked on at once, 1 to 64. Default: as the manifest or the configuration says, else 1. */
  readonly parallel?: number | undefined;
  /** False: end when only a human, or the end of a usage limit, lets it go on. Default true: wait. */
  readonly wait?: boolean | undefined;
  /** Start no other task once one has failed. Default false: those that do not depend on it go on. */
  readonly failFast?: boolean | undefined;
  /** The worker that runs it, as `job.taken` names it. Default: nobody took the sprint from a queue. @internal */
  readonly worker?: string | undefined;
  /** It goes on with a run that somebody else has left: tasks that failed are not tried again. Default false. @internal */
  readonly continues?: boolean | undefined;
  /** How its tasks are shared with other workers. Default: they are not. @internal */
  readonly share?: SprintShare | undefined;
  /** Start agents at once whose usage limit was known before and has not ended. Default false. */
  readonly despiteLimit?: boolean | undefined;
  /**
   * Run commands that the files name since the last run of the project. Default false: the run is refused, unless
   * `CLIFFORD_TRUST_PROJECT=1` is set. The first run of a project takes them as they are.
   */
  readonly acceptCommands?: boolean | undefined;
  /**
   * What somebody has agreed to run, as it was when they looked at it. Default: whoever starts the run agrees by that.
   *
   * @internal
   */
  readonly agreed?: AgreedRun | undefined;
  /** @internal */
  readonly configMemory?: ConfigMemory | undefined;
  /**
   * A project that is open already; it stays open. Default: opened for the run.
   *
   * @internal
   */
  readonly project?: Project | undefined;
  /** How long an agent may go on after its task or its turn, in ms; 0: without limit. Default: as configured. */
  readonly completionGraceMs?: number | undefined;
  /** Between SIGTERM and SIGKILL, in ms. Default 5,000. */
  readonly killGraceMs?: number | undefined;
  /** Delay before the second attempt, in ms; it doubles with every failure. Default 1,000. */
  readonly retryDelayMs?: number | undefined;
};

/**
 * Runs one sprint: starts an agent for each task, waits for humans, retries, and leaves a log from
 * which any later runner goes on. One use per instance.
 */
export class SprintRunner extends EventEmitter<SprintRunnerEvents> {
  readonly #options: SprintRunnerOptions;
  readonly #settled = Promise.withResolvers<void>();
  #driver: SprintDriver | undefined;
  #stopReason: string | undefined;
  #drainReason: string | undefined;
  #hasRun = false;

  constructor(options: SprintRunnerOptions = {}) {
    super();
    this.#options = options;
  }

  /**
   * Runs the sprint to its end, or until it is stopped. No agent is left afterwards.
   *
   * @throws {CliffordError} `AGENT_NOT_FOUND`, `SPRINT_UNKNOWN`, `SPRINT_EMPTY`, `MANIFEST_INVALID` and their like, before
   *   anything was started; `COMMANDS_NEW` when the files name commands that no run of the project had, and
   *   `NOT_A_HUMAN` when an agent of a runner would run them; `SPRINT_RUNNING` when another runner has the sprint; an error of the log.
   */
  async run(): Promise<RunEnd> {
    if (this.#hasRun) throw new Error('a SprintRunner runs once: make a new one');
    this.#hasRun = true;
    try {
      const end = await this.#run();
      this.emit('stop', end);
      return end;
    } finally {
      this.#settled.resolve();
    }
  }

  /** Ends the agents (SIGTERM, grace, SIGKILL) and the run, as Ctrl-C does. Returns when both are over. */
  async stop(reason = 'it was stopped'): Promise<void> {
    this.#stopReason ??= reason;
    this.#driver?.stop(reason);
    if (this.#hasRun) await this.#settled.promise;
  }

  /**
   * Begins nothing new, and ends the run when the attempts under way have ended and what they made is verified, committed and merged.
   * Agents that wait for a human are ended. Returns at once.
   *
   * @internal
   */
  drain(reason: string): void {
    this.#drainReason ??= reason;
    this.#driver?.drain(reason);
  }

  /** Stops at once: agents that are ended have no time left to end by themselves. */
  async kill(reason = 'it was stopped'): Promise<void> {
    const stopped = this.stop(reason);
    this.#driver?.kill();
    await stopped;
  }

  async #run(): Promise<RunEnd> {
    const { sprint, agreed, env = process.env, configMemory = new ConfigMemory() } = this.#options;
    const root = this.#options.project?.root ?? rootOf(this.#options);
    const project = this.#options.project ?? (await openProject({ root, source: '/clifford/runner', env }));
    try {
      const folder = agreed?.folder ?? (await chooseSprintFolder(project, sprint));
      requireTasks(project.state, folder);
      const { share } = this.#options;
      const hasQueue = (await chooseLog({ root, env })) !== undefined;
      const taking = { stream: folder.manifest.id, worker: this.#options.worker, hasQueue };
      const assertFree = (state: ProjectState) => {
        if (share?.rules.as !== 'helper') requireFree(project, state, taking);
      };
      assertFree(project.state);
      const report = (problem: string) => void this.emit('problem', problem);
      const flags = flagsOf(this.#options);
      const commandVia = this.#options.agentVia;
      const source = { root, env, report, configMemory };
      const { parallel } = this.#options;
      const plans = new TaskPlans({ source, folder, flags, parallel, begun: agreed?.reading, commandVia });
      await plans.check(project.state.streams.get(folder.manifest.id));
      const remember = agreed ? agreed.remember : await this.#agree(project, folder, await plans.begun());
      const rememberWays = await agreeToWays(project, plans.ways(), {
        env,
        accepts: agreed?.accepts ?? this.#options.acceptCommands ?? false,
        isChosen: (this.#options.agent ?? this.#options.agentCmd) !== undefined,
        sprint: folder.manifest.id,
        warn: report,
      });
      const lock = await holdSprint(project, folder.manifest.id);
      try {
        await project.confirm(folder.manifest.id, { usage: true });
        await catchUp(project, folder.manifest.id);
        // What follows may say of attempts that they are lost.
        assertFree(await project.refresh());
        // Another machine may have run it before. A worker has fetched what was made there, or has said the same.
        if (project.isShared && !share)
          await goOnByHand(project, { stream: folder.manifest.id, plans, env, report });
        const apart = await chooseIsolation({
          root,
          folder,
          report,
          settings: await plans.parallel(),
          worktrees: await plans.worktrees(),
          areFilesJudged: (await plans.rules()).areFilesJudged,
        });
        const agentPolicy = new HeldPolicy({ root, env, report });
        await agentPolicy.begin();
        const driver = new SprintDriver({
          project,
          folder,
          plans,
          options: runOptionsOf(this.#options.worker === undefined ? this.#options : {}),
          policy: {
            wait: this.#options.wait ?? true,
            ...apart,
            failFast: this.#options.failFast ?? false,
            keepsFailed: this.#options.continues ?? false,
            share: share?.rules,
          },
          sharing: share?.sharing,
          despiteLimit: this.#options.despiteLimit ?? false,
          completionGraceMs: this.#options.completionGraceMs,
          retryDelayMs: this.#options.retryDelayMs ?? 1_000,
          killGraceMs: this.#options.killGraceMs ?? TERM_GRACE_MS,
          listeners: this,
          env: agentPolicy.forAgents(env),
          agentPolicy,
          worker: this.#options.worker,
          assertFree,
        });
        this.#driver = driver;
        if (this.#stopReason !== undefined) driver.stop(this.#stopReason);
        if (this.#drainReason !== undefined) driver.drain(this.#drainReason);
        // Whatever refuses a run has done so by now.
        await remember?.();
        await rememberWays();
        return await driver.run();
      } finally {
        lock.release();
      }
    } finally {
      if (!this.#options.project) await project.close();
    }
  }

  async #agree(project: Project, folder: SprintFolder, reading: ConfigReading): Promise<RememberAgreed> {
    const { env = process.env, acceptCommands: accepts = false } = this.#options;
    const ask = async (lines: readonly string[]) => {
      throw notAgreed(folder.manifest.id, lines, 'Look at it, then run the same with acceptCommands: true');
    };
    const warn = (problem: string) => void this.emit('problem', problem);
    return agreeToCommands(
      project,
      { reading, folder, accepts, chosen: this.#options },
      { env, ask, show: warn, warn },
    );
  }
}

/** What nobody could write when it was decided is written now, if it can be. */
async function catchUp(project: Project, stream: string): Promise<void> {
  const behind = await filesBehindLog(project, [stream]);
  if (behind.length > 0) await project.writeProjections(stream);
}

/** How often the lock is tried, and how long between two tries, in ms: whoever looks whether it is held, holds it. */
const LOCK_TRIES = 5;
const LOCK_TRY_EVERY_MS = 20;

/** The kernel gives the lock back when this process dies, however it dies. */
async function holdSprint(project: Project, stream: string): Promise<HeldLock> {
  for (let tries = 1; tries <= LOCK_TRIES; tries++) {
    const lock = tryHold(runnerLockPath(project.dir, stream));
    if (lock) return lock;
    await sleep(LOCK_TRY_EVERY_MS);
  }
  throw running(stream, 'another runner works on it', `Watch it with: clifford attach ${stream}`);
}
