import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { agreeToCommands, notAgreed } from '../../workflow/config/agree-to-commands.ts';
import type { ConfigMemory } from '../../workflow/config/config-file.ts';
import { configError } from '../../workflow/config/config-problem.ts';
import { readConfig } from '../../workflow/config/load-config.ts';
import { withoutNotifySecrets } from '../../workflow/config/notify-secrets.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { chooseSprintFolder } from '../../workflow/sprint/choose-sprint.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import { SprintRunner } from '../sprint/sprint-runner.ts';
import { Checkout, type RepositoryCommands } from './checkout.ts';
import { JobHold } from './job-hold.ts';
import { continueHere } from './continue-here.ts';
import { Publisher } from './publisher.ts';
import { assertHeld, SPRINT_TAKEN, takeSprint } from './take-sprint.ts';
import type { SprintLeft, WorkerListeners } from './worker-events.ts';

/** What the work on a job needs. */
export type JobDeps = {
  /** The worker's own project: the same log, in its own folder. */
  readonly home: Project;
  /** How the log names this worker. */
  readonly worker: string;
  /** The project's name on the server. */
  readonly project: string;
  readonly commands: RepositoryCommands;
  /** What sprints and their agents have of the environment: the log is named in it. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly configMemory: ConfigMemory;
  /** New commands of the files are run without anybody having looked at them. */
  readonly accepts: boolean;
  /** The command line of the agents, where whoever started the worker has chosen one. */
  readonly agentCmd: string | undefined;
  /** So many workers may be lost with a sprint in a row. */
  readonly losses: number;
  readonly listeners: WorkerListeners;
  /** Hands out the runner once there is one, to be drained or stopped, and `undefined` when it is over. */
  readonly onRunner: (runner: SprintRunner | undefined) => void;
  /** Why the worker leaves, once it does: the sprint is for another one then. */
  readonly leaving: () => string | undefined;
  /** Aborts when it leaves without waiting for what agents have under way. */
  readonly stopped: AbortSignal;
  /** Aborts when it waits for nothing at all. */
  readonly killed: AbortSignal;
};

/** How long a job is kept from the next worker that this one could not begin, in ms. */
const LATER_MS = 15_000;

type Ending = EventData<'job.ended'>['outcome'];

/** Runs the sprint of a job: gets its files, runs it, brings away what it made, and says in log and queue what became of it. */
export async function workOnJob(deps: JobDeps, job: HeldJob): Promise<SprintLeft> {
  const { home, worker, losses, listeners } = deps;
  const stream = job.sprint;
  const report = (problem: string) => void listeners.emit('problem', problem);
  const hold = new JobHold(job, report);
  try {
    const taken = await takeSprint(home, { stream, worker, losses });
    if (taken !== 'taken') {
      await job.finish();
      return {
        sprint: stream,
        how: taken,
        reason: taken === 'over' ? 'it was over already' : 'too many workers were lost',
      };
    }
    return await new JobWork(deps, job, hold).run();
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    if (error.code === SPRINT_TAKEN) return { sprint: stream, how: 'taken over', reason: error.message };
    if (!mayBeTriedAgain(error)) throw error;
    // Log or queue are away: nothing can be said, and when nothing is heard of this worker another one has the sprint.
    report(error.inOneLine);
    return { sprint: stream, how: 'returned', reason: error.message };
  } finally {
    hold.end();
  }
}

/** Agents have worked on it: what is fetched of it may be theirs. */
function isBegun(sprint: SprintState | undefined): boolean {
  return [...(sprint?.tasks.values() ?? [])].some(({ machine }) => machine.context.attempt > 0);
}

/** The work on one job that this worker has. */
class JobWork {
  readonly #deps: JobDeps;
  readonly #job: HeldJob;
  readonly #hold: JobHold;
  readonly #checkout: Checkout;
  readonly #ending: AbortSignal;

  constructor(deps: JobDeps, job: HeldJob, hold: JobHold) {
    this.#deps = deps;
    this.#job = job;
    this.#hold = hold;
    const { home, project, commands, env, stopped } = deps;
    this.#checkout = new Checkout({ base: home.root, project, sprint: job.sprint, commands, env });
    this.#ending = AbortSignal.any([stopped, hold.gone]);
  }

  async run(): Promise<SprintLeft> {
    const { listeners } = this.#deps;
    const { sprint } = this.#job;
    listeners.emit('take', { sprint, folder: this.#checkout.folder });
    try {
      await this.#checkout.fetch(this.#ending);
      return await this.#withProject((project) => this.#runSprint(project));
    } catch (error) {
      if (!(error instanceof CliffordError)) {
        if (this.#ending.aborted || this.#deps.killed.aborted) return await this.#leave();
        throw error;
      }
      const { code, message, inOneLine } = error;
      if (mayBeTriedAgain(error) || code === SPRINT_TAKEN) throw error;
      if (code === 'SPRINT_RUNNING') return await this.#return(message, LATER_MS);
      return await this.#end(code === 'PUSH_FAILED' ? 'unpushed' : 'unusable', inOneLine);
    }
  }

  async #runSprint(project: Project): Promise<SprintLeft> {
    const { worker, listeners, onRunner, leaving, killed, configMemory, agentCmd, commands } = this.#deps;
    const stream = this.#job.sprint;
    const { env, agreed, wantsCommit } = await this.#agreed(project);
    const sprint = project.state.streams.get(stream);
    if (commands.fetch !== undefined && sprint)
      await continueHere(project, { sprint, wantsCommit, env, signal: this.#ending });
    const report = (problem: string) => void listeners.emit('problem', problem);
    const publisher = new Publisher(project, {
      checkout: this.#checkout,
      stream,
      signal: killed,
      report,
      assertHeld: async () => assertHeld(await project.refresh(), { stream, worker }),
    });
    // Worktrees are of one machine: what is in them no other worker could go on with.
    const parallel = commands.fetch === undefined ? undefined : 1;
    const how = { env, configMemory, agentCmd, agreed, parallel };
    const runner = new SprintRunner({ project, sprint: stream, ...how, worker, continues: true });
    const gone = () => void runner.stop('it was taken out of the queue');
    this.#hold.gone.addEventListener('abort', gone, { once: true });
    onRunner(runner);
    listeners.emit('run', { project, stream, runner });
    let end: RunEnd;
    try {
      end = await runner.run();
    } finally {
      onRunner(undefined);
      this.#hold.gone.removeEventListener('abort', gone);
    }
    assertHeld(await project.refresh(), { stream, worker });
    await publisher.finish();
    if (end.outcome !== 'stopped')
      return { ...(await this.#end('over', `${end.outcome}: ${end.reason}`)), outcome: end.outcome };
    return leaving() === undefined && !this.#hold.gone.aborted
      ? this.#end('over', end.reason)
      : this.#leave();
  }

  /** The configuration of what was fetched, with commands that somebody may have to have looked at. */
  async #agreed(project: Project) {
    const { home, configMemory, accepts, agentCmd, commands, listeners } = this.#deps;
    const stream = this.#job.sprint;
    const folder = await chooseSprintFolder(project, stream);
    const reading = await readConfig({ root: project.root, env: this.#deps.env, configMemory });
    if (reading.lost.length > 0) throw configError(reading.lost);
    const env = withoutNotifySecrets(this.#deps.env, reading.config.notify);
    const { asLogged, dir, state } = project;
    const isByAgents = commands.fetch !== undefined && isBegun(state.streams.get(stream));
    // What is fetched anew has the commands of last time: the worker's folder remembers them.
    await agreeToCommands(
      { root: home.root, asLogged, dir, state },
      { reading, folder, accepts, chosen: { agentCmd }, isByAgents },
      {
        env: this.#deps.env,
        ask: async (lines) => {
          throw notAgreed(stream, lines, '--accept-commands');
        },
        warn: (problem) => void listeners.emit('problem', problem),
      },
    );
    const { manifest } = folder;
    const entries = new Map(manifest.tasks.map((task) => [task.id, task]));
    const wantsCommit = (task: string) =>
      (entries.get(task)?.commit ?? manifest.commit ?? reading.config.commit) === true;
    return { env, agreed: { folder, reading, accepts }, wantsCommit };
  }

  async #withProject(work: (project: Project) => Promise<SprintLeft>): Promise<SprintLeft> {
    const { env, worker } = this.#deps;
    const project = await openProject({
      root: this.#checkout.folder,
      source: '/clifford/runner',
      env,
      guard: (state, stream) => {
        if (stream === this.#job.sprint) assertHeld(state, { stream, worker });
      },
    });
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }

  /** The worker ends, or the job is not in the queue any more. */
  #leave(): Promise<SprintLeft> {
    if (this.#hold.gone.aborted) return this.#end('over', 'it was taken out of the queue');
    return this.#return(this.#deps.leaving() ?? 'the worker ends');
  }

  async #return(reason: string, afterMs = 0): Promise<SprintLeft> {
    const { worker } = this.#deps;
    const subject = this.#job.sprint;
    const data = { worker, reason: reason.slice(0, MAX_TEXT_LENGTH) };
    await this.#record({ type: 'job.returned', subject, data });
    await this.#job.giveBack(afterMs);
    return { sprint: subject, how: 'returned', reason };
  }

  async #end(outcome: Ending, reason: string): Promise<SprintLeft> {
    const { worker } = this.#deps;
    const subject = this.#job.sprint;
    const data = { worker, outcome, reason: reason.slice(0, MAX_TEXT_LENGTH) };
    await this.#record({ type: 'job.ended', subject, data });
    if (!this.#hold.gone.aborted) await this.#job.finish();
    return { sprint: subject, how: outcome, reason };
  }

  /** Says it in the log, unless another worker has the sprint by now. */
  async #record(fact: Candidate): Promise<void> {
    const { home, worker } = this.#deps;
    const stream = this.#job.sprint;
    await home.dispatch(stream, (state) => {
      assertHeld(state, { stream, worker });
      return [fact];
    });
  }
}
