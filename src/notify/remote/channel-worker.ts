import { subjectOf } from '../../events/envelope.ts';
import { withSent } from '../../machines/fold-notify.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { AutoResetEvent } from '../../lib/time/auto-reset-event.ts';
import { isFinal } from '../reasons.ts';
import { LONGEST_SLEEP_MS } from '../pace.ts';
import { namedProject } from '../named-project.ts';
import { standingOf } from '../standing.ts';
import { whereOf } from './channel-place.ts';
import { ClosedMessages } from './closed-messages.ts';
import { asDeliveryError, type DeliveryError } from './delivery-error.ts';
import { dueFor, type Due } from './due.ts';
import { makeMessage, type ToTell } from './make-message.ts';
import type { Message } from './message.ts';
import { recordIfPossible } from '../record-if-possible.ts';
import { recordFailed, type Saying } from './record-failed.ts';
import { Trouble } from './trouble.ts';
import type { WorkerParts } from './worker-parts.ts';

/** How often is looked whether somebody wants to be told, in ms. */
const NOBODY_MS = 2_000;

type Task = { readonly stream: string; readonly tell: ToTell };

/** A message that was sent, to be recorded: the array is kept, and so its event is in the log once. */
type Unrecorded = { readonly stream: string; readonly facts: readonly [SentFact] };

type SentFact = Candidate<'notify.sent'>;

/**
 * Tells through one channel what there is to tell, one message after the other. What that is, is looked up in the state
 * each time: what was answered meanwhile is not told, however long the service was away.
 */
export class ChannelWorker {
  readonly #parts: WorkerParts;
  readonly #since = Date.now();
  readonly #wake = new AutoResetEvent();
  /** What the log has not taken: it counts as told all the same. */
  readonly #unrecorded = new Set<Unrecorded>();
  /** When that is recorded anew, in ms since the epoch. */
  #recordAgainAt = 0;
  readonly #trouble: Trouble;
  readonly #closed: ClosedMessages;
  #pausedUntil = 0;
  #isEnding = false;
  #isOver = false;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#trouble = new Trouble(parts.timing.firstRetryMs);
    const messageOf = (stream: string, tell: ToTell) => this.#messageOf({ stream, tell });
    this.#closed = new ClosedMessages(parts, messageOf);
  }

  /** Something happened: there may be more to tell. */
  wake(): void {
    this.#wake.set();
  }

  /** Tells what there is to tell now, and is over then. */
  end(): void {
    this.#isEnding = true;
    this.#pausedUntil = 0;
    this.#wake.set();
  }

  /** Works until `signal` aborts, or it is ended. */
  async run(signal: AbortSignal): Promise<void> {
    const onAbort = () => this.#wake.set();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      while (!signal.aborted && !this.#isOver) {
        const settleMs = await this.#closed.settle(signal, this.#isEnding);
        const { task, waitMs } = await this.#nextThatIsHeard();
        if (task) {
          await this.#deliver(task, signal);
          continue;
        }
        if (this.#isEnding) break;
        if (this.#recordInMs() <= 0) await this.#recordSent(signal);
        this.#wake.setIn(Math.min(waitMs, settleMs, this.#recordInMs(), LONGEST_SLEEP_MS));
        await this.#wake.wait();
      }
      if (this.#unrecorded.size === 0) return;
      // Whoever calls next goes by that.
      await this.#recordSent(signal);
      if (!this.#isOver) await this.#closed.settle(signal, true);
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#wake.clear();
    }
  }

  /** Nothing, while there is nobody to hear it. */
  async #nextThatIsHeard(): Promise<{ task?: Task; waitMs: number }> {
    const { hasReceivers } = this.#parts.remote.channel;
    const next = this.#next(Date.now());
    if (next.task === undefined || hasReceivers === undefined || (await hasReceivers())) return next;
    return { waitMs: NOBODY_MS };
  }

  /** What to tell now, or how long to wait. What says that all is over does not wait its turn. */
  #next(now: number): { task?: Task; waitMs: number } {
    const pauseMs = Math.max(0, this.#pausedUntil - now);
    const dues = this.#parts.project.state.streams
      .loaded()
      .map(({ id }) => ({ stream: id, due: this.#due(id, now) }));
    const tasks = dues.flatMap(({ stream, due }) => due.now.map((tell) => ({ stream, tell })));
    const final = this.#trouble.isThere ? undefined : tasks.find(({ tell }) => tell.reasons.some(isFinal));
    const task = final ?? (pauseMs === 0 ? tasks[0] : undefined);
    if (task) return { task, waitMs: 0 };
    const nextMs = Math.min(Number.POSITIVE_INFINITY, ...dues.map(({ due }) => due.nextMs));
    return { waitMs: tasks.length > 0 ? pauseMs : Math.max(pauseMs, nextMs) };
  }

  #due(stream: string, now: number): Due {
    const { project, remote, lookedAt } = this.#parts;
    const { state } = project;
    const sprint = this.#sprint(stream);
    if (!sprint) return { now: [], nextMs: Number.POSITIVE_INFINITY };
    const standing = standingOf(state, stream, now, sprint);
    const limitedAt = state.limits.find(({ agent }) => agent === standing.stall?.agent)?.at;
    const look = {
      now,
      since: this.#since,
      lookedAt: lookedAt(),
      gatherMs: this.#parts.timing.gatherMs,
      isBundled: remote.channel.listen === undefined,
    };
    return dueFor(remote.rules, sprint, { standing, limitedAt }, look);
  }

  /** How it is once the log has taken everything. */
  #sprint(stream: string): SprintState | undefined {
    const sprint = this.#parts.project.state.streams.get(stream);
    const unrecorded = [...this.#unrecorded].filter((each) => each.stream === stream);
    if (!sprint || unrecorded.length === 0) return sprint;
    return withSent(
      sprint,
      unrecorded.map(({ facts: [{ data }] }) => data),
    );
  }

  async #deliver(task: Task, signal: AbortSignal): Promise<void> {
    const { channel } = this.#parts.remote;
    const message = await this.#messageOf(task);
    let ref: string | undefined;
    try {
      ({ ref } = await channel.send(message, signal));
    } catch (error) {
      const failure = asDeliveryError(error, channel.service);
      if (!signal.aborted) await this.#failed(task.stream, failure, signal);
      return;
    }
    this.#pausedUntil = Date.now() + (this.#isEnding ? 0 : this.#parts.timing.pauseMs);
    this.#trouble.worked();
    await this.#noteSent(task, message, ref, signal);
  }

  async #failed(stream: string, error: DeliveryError, signal: AbortSignal): Promise<void> {
    const { retryMs, isNews } = this.#trouble.failed(error);
    this.#pausedUntil = Date.now() + retryMs;
    // Nobody waits for a service at the end: whoever calls next has it to tell.
    this.#isOver = this.#isEnding;
    if (!isNews) return;
    const why = error.message;
    await recordFailed(this.#saying, { stream, why, retryMs: this.#isOver ? undefined : retryMs }, signal);
  }

  get #saying(): Saying {
    const { project, remote, report } = this.#parts;
    return { project, channel: remote.channel, report };
  }

  async #messageOf({ stream, tell }: Task): Promise<Message> {
    const { project, env, remote, isListening, linkTo } = this.#parts;
    const named = await namedProject(env, project.root);
    const now = Date.now();
    const [only, ...others] = tell.reasons;
    const request = only?.is === 'request' && others.length === 0 ? only.request.id : undefined;
    return makeMessage(tell, standingOf(project.state, stream, now), {
      manner: {
        channel: remote.channel.name,
        shows: remote.shows,
        takesAnswers: isListening(),
        approvals: remote.approvals,
        mostText: remote.channel.mostText ?? Number.POSITIVE_INFINITY,
      },
      wording: { asLogged: project.asLogged, now },
      named,
      link: linkTo(stream, request),
    });
  }

  async #noteSent(
    { stream, tell }: Task,
    message: Message,
    ref: string | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { service } = this.#parts.remote.channel;
    const asked = tell.reasons.flatMap((reason) => (reason.is === 'request' ? [reason.request] : []));
    const failures = tell.reasons.flatMap((reason) =>
      reason.is === 'failures' ? reason.failures.map(({ task: id, attempt }) => ({ task: id, attempt })) : [],
    );
    const taskIds = [...asked.map(({ taskId }) => taskId), ...failures.map(({ task: id }) => id)];
    const taskId = taskIds.length === 1 ? taskIds[0] : undefined;
    const data = {
      ...whereOf(this.#parts.remote.channel),
      service,
      about: message.kind,
      ...(asked.length === 0 ? {} : { requests: asked.map(({ id }) => id) }),
      ...(failures.length === 0 ? {} : { failures }),
      ...(ref === undefined ? {} : { ref }),
      ...(message.showsCall ? { showsCall: true as const } : {}),
      sentAt: new Date().toISOString(),
    };
    const subject = subjectOf(stream, taskId);
    this.#unrecorded.add({ stream, facts: [{ type: 'notify.sent', subject, data }] });
    await this.#recordSent(signal, { stream, report: this.#parts.report });
  }

  /**
   * Records what was sent, that of each stream in its order, as far as the log takes it now.
   *
   * @param just - The stream that something was sent about just now, alone, and who is told why the log does not take it.
   *   Default: all of them, and nobody: that is said already.
   */
  async #recordSent(
    signal: AbortSignal,
    just?: { readonly stream: string; readonly report: (problem: string) => void },
  ): Promise<void> {
    const { project, timing } = this.#parts;
    const waiting = new Set<string>();
    const problems: string[] = [];
    const recording = { project, report: (problem: string) => void problems.push(problem) };
    for (const sent of this.#unrecorded) {
      const { stream, facts } = sent;
      if (just && stream !== just.stream) continue;
      const isNext = !waiting.has(stream);
      if (isNext && (await recordIfPossible(recording, stream, facts, signal))) this.#unrecorded.delete(sent);
      else waiting.add(stream);
    }
    const [problem] = problems;
    if (problem !== undefined) just?.report(problem);
    if (!just || waiting.size > 0) this.#recordAgainAt = Date.now() + timing.recordMs;
  }

  #recordInMs(): number {
    return this.#unrecorded.size === 0 ? Number.POSITIVE_INFINITY : this.#recordAgainAt - Date.now();
  }
}
