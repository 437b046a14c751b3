import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { mayBeTriedAgain } from '../../events/log/may-be-tried-again.ts';
import type { HeldJob } from '../../events/queue/job-queue.ts';
import { lostWork } from '../../machines/fold-offer.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, SprintState, TaskState } from '../../machines/project-state.ts';
import { nameOf, wordOf } from '../../machines/status-words.ts';
import { Git } from '../../workflow/commit/git.ts';
import { hasCommit } from '../../workflow/commit/repository.ts';
import { openProject, type Project } from '../../workflow/project/project.ts';
import { SprintRunner } from '../sprint/sprint-runner.ts';
import { agreeToFiles } from './agree-to-files.ts';
import { beginAt } from './begin-at.ts';
import { Checkout } from './checkout.ts';
import { noteFiles } from './continue-here.ts';
import { JobHold } from './job-hold.ts';
import { commitOf } from './missing-work.ts';
import { assertOfferHeld, takeOffer, type TakenOffer } from './take-offer.ts';
import { SPRINT_TAKEN } from './take-sprint.ts';
import type { JobDeps } from './worker-deps.ts';
import type { SprintLeft } from './worker-events.ts';

/** How long a task is kept from the next worker that this one could not begin, in ms. */
const LATER_MS = 15_000;

type Ending = Pick<EventData<'offer.ended'>, 'outcome' | 'reason' | 'sha'>;
type TaskJob = HeldJob & { readonly task: string };

/** Works on one task of a sprint that another worker has: gets its files, runs its attempts, pushes its commit, and says so. */
export async function workOnTask(deps: JobDeps, job: TaskJob): Promise<SprintLeft> {
  const { home, worker, losses, listeners } = deps;
  const { sprint: stream, task: taskId } = job;
  const report = (problem: string) => void listeners.emit('problem', problem);
  const hold = new JobHold(job, report);
  const left = { sprint: subjectOf(stream, taskId) };
  try {
    const { taken, offer } = await takeOffer(home, { stream, taskId, worker, losses });
    if (taken !== 'taken' || !offer) {
      await job.finish();
      const reason = taken === 'exhausted' ? 'too many workers were lost' : 'it is not offered any more';
      return { ...left, how: taken === 'exhausted' ? taken : 'over', reason };
    }
    return await new TaskWork(deps, job, { hold, offer }).run();
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    if (error.code === SPRINT_TAKEN) return { ...left, how: 'taken over', reason: error.message };
    if (!mayBeTriedAgain(error)) throw error;
    // Log or queue are away: nothing can be said, and when nothing is heard of this worker another one has the task.
    report(error.inOneLine);
    return { ...left, how: 'returned', reason: error.message };
  } finally {
    hold.end();
  }
}

/** Agents have made commits for the sprint: they may have written what is fetched of it. */
function hasCommits(sprint: SprintState | undefined): boolean {
  return [...(sprint?.tasks.values() ?? [])].some(({ commit }) => commit !== undefined && 'sha' in commit);
}

/** The work on one task that this worker has. */
class TaskWork {
  readonly #deps: JobDeps;
  readonly #job: TaskJob;
  readonly #hold: JobHold;
  readonly #offer: TakenOffer;
  readonly #checkout: Checkout;
  readonly #ending: AbortSignal;

  constructor(deps: JobDeps, job: TaskJob, { hold, offer }: { hold: JobHold; offer: TakenOffer }) {
    this.#deps = deps;
    this.#job = job;
    this.#hold = hold;
    this.#offer = offer;
    const { home, project, commands, env, stopped } = deps;
    const { sprint, task } = job;
    this.#checkout = new Checkout({ base: home.root, project, sprint, task, commands, env });
    this.#ending = AbortSignal.any([stopped, hold.gone]);
  }

  get #subject(): string {
    return subjectOf(this.#job.sprint, this.#job.task);
  }

  async run(): Promise<SprintLeft> {
    this.#deps.listeners.emit('take', { sprint: this.#subject, folder: this.#checkout.folder });
    try {
      await this.#checkout.fetch(this.#ending);
      return (await this.#adopt()) ?? (await this.#withProject((project) => this.#runTask(project)));
    } catch (error) {
      if (!(error instanceof CliffordError)) {
        if (this.#ending.aborted || this.#deps.killed.aborted) return await this.#return(this.#whyLeft());
        throw error;
      }
      const { code, message, inOneLine } = error;
      if (mayBeTriedAgain(error) || code === SPRINT_TAKEN) throw error;
      if (code === 'SPRINT_RUNNING') return await this.#return(message, LATER_MS);
      return await this.#end({ outcome: 'unusable', reason: inOneLine });
    }
  }

  /**
   * A commit of a worker that is gone is taken as it is where it is here, pushed or not: it is pushed again. Any other is lost, and the task
   * is done again.
   */
  async #adopt(): Promise<SprintLeft | undefined> {
    const { home, worker } = this.#deps;
    const { sprint: stream, task: taskId } = this.#job;
    const { base, branch } = this.#offer;
    const place = { cwd: this.#checkout.folder, env: {}, signal: this.#ending };
    const task = await this.#task();
    if (task && nameOf(task.machine.value) === 'done.completed') {
      const sha = commitOf(task);
      if (sha !== undefined && (await hasCommit(new Git(place), sha))) {
        await beginAt(place, { base: sha, branch });
        return this.#push(sha, 'it was done already');
      }
      await home.dispatch(stream, (state) => {
        assertOfferHeld(state, { stream, taskId, worker });
        return this.#lost(state);
      });
    }
    await beginAt(place, { base, branch });
    return undefined;
  }

  async #runTask(project: Project): Promise<SprintLeft> {
    const { worker, listeners, onRunner, configMemory, agentCmd } = this.#deps;
    const { sprint: stream, task: taskId } = this.#job;
    const { env, agreed } = await agreeToFiles(this.#deps, project, { stream, isByAgents: hasCommits });
    if (((await this.#task())?.machine.context.attempt ?? 0) > 0)
      await noteFiles(project, { env, signal: this.#ending, stream, taskId });
    const how = { env, configMemory, agentCmd, agreed, parallel: 1, worker, continues: true };
    const share = { rules: { as: 'helper', taskId } } as const;
    const runner = new SprintRunner({ project, sprint: stream, ...how, share });
    const gone = () => void runner.stop('it was taken out of the queue');
    this.#hold.gone.addEventListener('abort', gone, { once: true });
    onRunner(runner);
    listeners.emit('run', { project, stream, runner });
    try {
      await runner.run();
    } finally {
      onRunner(undefined);
      this.#hold.gone.removeEventListener('abort', gone);
    }
    assertOfferHeld(await project.refresh(), { stream, taskId, worker });
    const task = await this.#task();
    if (!task || wordOf(task.machine.value) !== 'done') {
      const isLeaving = this.#deps.leaving() !== undefined || this.#hold.gone.aborted;
      return this.#return(this.#whyLeft(), isLeaving ? 0 : LATER_MS);
    }
    const sha = nameOf(task.machine.value) === 'done.completed' ? commitOf(task) : undefined;
    if (sha === undefined && lostWork(task, worker).length > 0)
      return this.#return(this.#whyLeft(), LATER_MS);
    if (sha === undefined) return this.#end({ outcome: 'done', reason: nameOf(task.machine.value) });
    return this.#push(sha, 'completed');
  }

  /** Brings away the commit that is checked out, and ends with it. */
  async #push(sha: string, reason: string): Promise<SprintLeft> {
    try {
      await this.#checkout.push(this.#deps.killed, this.#offer.branch);
    } catch (error) {
      if (!(error instanceof CliffordError)) throw error;
      return this.#end({ outcome: 'unpushed', reason: error.inOneLine, sha });
    }
    return this.#end({ outcome: 'done', reason, sha });
  }

  async #withProject(work: (project: Project) => Promise<SprintLeft>): Promise<SprintLeft> {
    const { env, worker } = this.#deps;
    const { sprint, task: taskId } = this.#job;
    const project = await openProject({
      root: this.#checkout.folder,
      source: '/clifford/runner',
      env,
      guard: (state, stream) => {
        if (stream === sprint) assertOfferHeld(state, { stream, taskId, worker });
      },
    });
    try {
      return await work(project);
    } finally {
      await project.close();
    }
  }

  async #task(): Promise<TaskState | undefined> {
    const { sprint, task } = this.#job;
    return (await this.#deps.home.refresh()).streams.get(sprint)?.tasks.get(task);
  }

  #whyLeft(): string {
    if (this.#hold.gone.aborted) return 'it was taken out of the queue';
    return this.#deps.leaving() ?? 'it could not go on here';
  }

  async #return(reason: string, afterMs = 0): Promise<SprintLeft> {
    const { worker } = this.#deps;
    const data = { worker, reason: reason.slice(0, MAX_TEXT_LENGTH) };
    await this.#record({ type: 'offer.returned', subject: this.#subject, data });
    if (!this.#hold.gone.aborted) await this.#job.giveBack(afterMs);
    return { sprint: this.#subject, how: 'returned', reason };
  }

  async #end({ outcome, reason, ...rest }: Ending): Promise<SprintLeft> {
    const { worker } = this.#deps;
    const data = { worker, outcome, reason: reason.slice(0, MAX_TEXT_LENGTH), ...rest };
    await this.#record({ type: 'offer.ended', subject: this.#subject, data });
    if (!this.#hold.gone.aborted) await this.#job.finish();
    return { sprint: this.#subject, how: outcome === 'done' ? 'over' : outcome, reason };
  }

  /** Says it in the log, unless another worker has the task by now. */
  async #record(fact: Candidate): Promise<void> {
    const { home, worker } = this.#deps;
    const { sprint: stream, task: taskId } = this.#job;
    await home.dispatch(stream, (state) => {
      assertOfferHeld(state, { stream, taskId, worker });
      const isPushed = fact.type === 'offer.ended' && fact.data.sha !== undefined;
      return [...(isPushed ? [] : this.#lost(state)), fact];
    });
  }

  /** What is completed and was not pushed is done again. */
  #lost({ streams }: Pick<ProjectState, 'streams'>): Candidate[] {
    const task = streams.get(this.#job.sprint)?.tasks.get(this.#job.task);
    return lostWork(task, this.#deps.worker).map((data) => ({
      type: 'task.reopened',
      subject: this.#subject,
      data,
    }));
  }
}
