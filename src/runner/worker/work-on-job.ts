import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import { SprintRunner } from '../sprint/sprint-runner.ts';
import { agreeToFiles } from './agree-to-files.ts';
import { Checkout } from './checkout.ts';
import { JobHold } from './job-hold.ts';
import { continueHere } from './continue-here.ts';
import { Publisher } from './publisher.ts';
import { assertHeld, SPRINT_TAKEN, takeSprint } from './take-sprint.ts';
import type { JobDeps } from './worker-deps.ts';
import { shareSprint } from './share-sprint.ts';
import type { SprintLeft } from './worker-events.ts';

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
    const files = await agreeToFiles(this.#deps, project, { stream, isByAgents: isBegun });
    const { env, agreed, wantsCommit } = files;
    const sprint = project.state.streams.get(stream);
    const again = this.#job.fromBase ? this.#job.by : undefined;
    if (commands.fetch !== undefined && sprint)
      await continueHere(project, { sprint, wantsCommit, env, signal: this.#ending, again });
    const report = (problem: string) => void listeners.emit('problem', problem);
    const push = async (signal = killed) => {
      assertHeld(await project.refresh(), { stream, worker });
      await this.#checkout.push(signal, this.#checkout.branch);
    };
    const fetch = (signal: AbortSignal) => this.#checkout.fetch(signal);
    const publisher = new Publisher(project, { push, stream, signal: killed, report });
    // Worktrees are of one machine: what is in them no other worker could go on with. Other workers have more tasks.
    const parallel = commands.fetch === undefined ? undefined : 1;
    const share = shareSprint(this.#deps, this.#job, { files, root: project.root, push, fetch });
    const how = { env, configMemory, agentCmd, agreed, parallel, share };
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
