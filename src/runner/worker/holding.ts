import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { machineTrouble } from '../../lib/system-error.ts';
import { backoffMs } from '../../lib/time/backoff.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { countUnfit, whyNobody, type Unfit } from '../../machines/unfit.ts';
import { machineOf } from '../../machines/worker-name.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import { TAKEN_OUT } from '../sprint/sprint-driver.ts';
import { WorkMissingError } from '../sprint/work-missing-error.ts';
import { SprintRunner, type SprintRunnerOptions } from '../sprint/sprint-runner.ts';
import { Checkout } from './checkout.ts';
import type { JobHold } from './job-hold.ts';
import { SPRINT_TAKEN } from './take-sprint.ts';
import type { JobDeps } from './worker-deps.ts';
import { whoHasWork } from './who-has-work.ts';
import type { Lack, SprintLeft } from './worker-events.ts';

/** How long a job is kept from the next worker that this one could not begin, in ms. */
export const LATER_MS = 15_000;

/** How long it is kept back once a second machine could not begin it, in ms, longer for each more: what all of them lack may come back. */
const HELD_BACK = { firstMs: 60_000, longestMs: 600_000 };

/** Who says something of it, and why. */
type Said = { readonly worker: string; readonly reason: string };

/** How it is out of the queue: worked on, as far as that goes; not to be worked on; made, and not pushed. `sha`: of the commit with its changes. */
export type Ending = {
  readonly outcome: 'over' | 'unusable' | 'unpushed';
  readonly reason: string;
  readonly sha?: string;
};

/** What a worker has, a sprint or a task of one, and how the log speaks of that. */
export type Claim = {
  /** The stream, or the task in it. */
  readonly subject: string;
  /** @throws {CliffordError} `SPRINT_TAKEN` when by this state another worker has it. */
  readonly assertHeld: (state: ProjectState) => void;
  /** Who could not begin it, in a row. */
  readonly unfit: (state: ProjectState) => Unfit | undefined;
  /** It is for the next worker. */
  readonly returned: (data: Said & Pick<EventData<'job.returned'>, 'unfit'>) => Candidate;
  /** It was taken out of the queue while this worker had it. */
  readonly takenOut: (data: Said) => Candidate;
  readonly ended: (data: Ending & Said) => Candidate;
  /** What is to be said before a fact by which it is left. */
  readonly before: (state: ProjectState, fact: Candidate) => readonly Candidate[];
};

/** Codes of what says that files are not here: on another machine they may be. */
const NOT_HERE: ReadonlySet<string> = new Set([
  'FETCH_FAILED',
  'SETUP_FAILED',
  'SPRINT_UNKNOWN',
  'SPRINT_FOLDER_GONE',
]);

/** The files of what a worker has, and the ways to leave it: each is said in the log, then in the queue. */
export class Holding {
  readonly deps: JobDeps;
  readonly job: HeldJob;
  readonly checkout: Checkout;
  /** Aborts when the worker leaves without waiting for agents, and when the job was taken out of the queue. */
  readonly ending: AbortSignal;
  readonly #claim: Claim;
  readonly #hold: JobHold;

  constructor(deps: JobDeps, { job, hold, claim }: { job: HeldJob; hold: JobHold; claim: Claim }) {
    this.deps = deps;
    this.job = job;
    this.#claim = claim;
    this.#hold = hold;
    const { home, project, commands, env, stopped } = deps;
    const { sprint, task } = job;
    this.checkout = new Checkout({ base: home.root, project, sprint, task, commands, env });
    this.ending = AbortSignal.any([stopped, hold.gone]);
  }

  /** Why it is left before its end, if it is: the worker leaves, or it was taken out of the queue. */
  get leaving(): string | undefined {
    return this.#hold.gone.aborted ? TAKEN_OUT : this.deps.leaving();
  }

  /**
   * Gets the files and has them worked on. What goes wrong with that is said in the log.
   *
   * @throws {CliffordError} `SPRINT_TAKEN`; while log or queue are away, what may be tried again.
   */
  async run(work: () => Promise<SprintLeft>): Promise<SprintLeft> {
    this.deps.listeners.emit('take', { sprint: this.#claim.subject, folder: this.checkout.folder });
    try {
      await this.checkout.fetch(this.ending);
      return await work();
    } catch (error) {
      const trouble = machineTrouble(error);
      if (trouble !== undefined)
        return this.#leaveUnfit({ problem: `the system says ${trouble}`, lacks: 'files' });
      if (error instanceof CliffordError) return this.#leaveFor(error);
      if (!this.ending.aborted && !this.deps.killed.aborted) throw error;
      return this.giveBack(this.leaving ?? 'the worker ends');
    }
  }

  /** Opens the project in the checkout: whatever is decided there is refused once another worker has it. */
  async withProject<T>(work: (project: Project) => Promise<T>): Promise<T> {
    const project = await openProject({
      root: this.checkout.folder,
      source: '/clifford/runner',
      env: this.deps.env,
      guard: (state, stream) => {
        if (stream === this.job.sprint) this.#claim.assertHeld(state);
      },
    });
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }

  /** Runs the sprint, or its task, until that is over, or this worker is to leave it. @throws as `SprintRunner.run`; `SPRINT_TAKEN`. */
  async runHere(
    project: Project,
    how: Pick<SprintRunnerOptions, 'env' | 'agreed' | 'parallel' | 'share'>,
  ): Promise<RunEnd> {
    const { worker, listeners, onRunner, configMemory, agentCmd } = this.deps;
    const sprint = this.job.sprint;
    const runner = new SprintRunner({
      ...how,
      project,
      sprint,
      configMemory,
      agentCmd,
      worker,
      continues: true,
    });
    const gone = () => void runner.stop(TAKEN_OUT);
    this.#hold.gone.addEventListener('abort', gone, { once: true });
    onRunner(runner);
    listeners.emit('run', { project, stream: sprint, runner });
    try {
      return await runner.run();
    } finally {
      onRunner(undefined);
      this.#hold.gone.removeEventListener('abort', gone);
    }
  }

  /** Makes sure that it is this worker's still. @throws {CliffordError} `SPRINT_TAKEN`. */
  async assertHeld(project: Pick<Project, 'refresh'>): Promise<void> {
    this.#claim.assertHeld(await project.refresh());
  }

  /** Leaves it to the next worker, after a while (ms). To none, if it was taken out of the queue. */
  async giveBack(reason: string, afterMs = 0): Promise<SprintLeft> {
    const { subject, returned, takenOut } = this.#claim;
    if (this.#hold.gone.aborted) {
      await this.#record(() => takenOut(this.#said(TAKEN_OUT)));
      return { sprint: subject, how: 'over', reason: TAKEN_OUT };
    }
    await this.#record(() => returned(this.#said(reason)));
    await this.job.giveBack(afterMs);
    return { sprint: subject, how: 'returned', reason };
  }

  /** Takes it out of the queue, and says why. */
  async end(ending: Ending): Promise<SprintLeft> {
    const { subject, ended } = this.#claim;
    await this.#record(() => ended({ ...ending, ...this.#said(ending.reason) }));
    if (!this.#hold.gone.aborted) await this.job.finish();
    return { sprint: subject, how: ending.outcome, reason: ending.reason };
  }

  async #leaveFor(error: CliffordError): Promise<SprintLeft> {
    if (error instanceof WorkMissingError) return this.#leaveToItsMachine(error);
    const { code, message, inOneLine: reason } = error;
    if (mayBeTriedAgain(error) || code === SPRINT_TAKEN) throw error;
    if (code === 'SPRINT_RUNNING') return this.giveBack(message, LATER_MS);
    if (NOT_HERE.has(code)) return this.#leaveUnfit({ problem: reason, lacks: 'files' });
    if (code === 'COMMANDS_NEW') return this.#leaveUnfit({ problem: reason, lacks: 'agreement' });
    return this.end({ outcome: code === 'PUSH_FAILED' ? 'unpushed' : 'unusable', reason });
  }

  /**
   * What was done is not in what was fetched. Where the worker that did it is there, it is left to that, however often. If not, that may be
   * back: it is left to the next one, which that may be, until this one finds the same again.
   */
  async #leaveToItsMachine({ tasks, message, inOneLine: problem }: WorkMissingError): Promise<SprintLeft> {
    const { home, worker, queue } = this.deps;
    const other = await whoHasWork(home, {
      queue,
      needs: this.job.needs,
      stream: this.job.sprint,
      tasks,
      worker,
    });
    if (other !== undefined)
      return this.#leaveUnfit({
        problem: `${message}; it is left to worker ${other}`,
        lacks: 'work',
      });
    const { machines = [], reason } = this.#claim.unfit(home.state) ?? {};
    const isSaidAgain = machines.includes(machineOf(worker)) && reason === this.#said(problem).reason;
    return isSaidAgain
      ? this.end({ outcome: 'unusable', reason: problem })
      : this.#leaveUnfit({ problem, lacks: 'files' });
  }

  /** It cannot be begun on this machine: another one may have what this one lacks, unless too many did not. */
  async #leaveUnfit({ problem, lacks }: { problem: string; lacks: Lack }): Promise<SprintLeft> {
    if (this.#hold.gone.aborted) return { ...(await this.giveBack(problem)), lacks };
    const { worker, losses } = this.deps;
    const { subject, unfit, returned, ended } = this.#claim;
    let [reason, afterMs] = [problem, 0];
    let how: 'unfit' | 'unusable' = 'unfit';
    await this.#record((state) => {
      const said = { ...this.#said(problem), unfit: lacks === 'files' ? true : lacks } as const;
      // Who has agreed to it, or has its work, can begin it at once: those who have not leave it to them, however many they are.
      if (lacks !== 'files') return returned(said);
      const counted = countUnfit(unfit(state), { ...said, worker });
      const others = counted.machines.length - 1;
      afterMs = others > 0 ? backoffMs(HELD_BACK, others - 1) : 0;
      const nobody = whyNobody(counted, losses);
      how = nobody === undefined ? 'unfit' : 'unusable';
      reason = `${nobody ?? ''}${problem}`;
      return how === 'unfit' ? returned(said) : ended({ outcome: how, ...this.#said(reason) });
    });
    await (how === 'unfit' ? this.job.giveBack(afterMs) : this.job.finish());
    return { sprint: subject, how, reason, lacks };
  }

  #said(reason: string): Said {
    return { worker: this.deps.worker, reason: reason.slice(0, MAX_TEXT_LENGTH) };
  }

  /** Says it in the log, unless another worker has it by now. */
  async #record(decide: (state: ProjectState) => Candidate): Promise<void> {
    await this.deps.home.dispatch(this.job.sprint, (state) => {
      this.#claim.assertHeld(state);
      const fact = decide(state);
      return [...this.#claim.before(state, fact), fact];
    });
  }
}
