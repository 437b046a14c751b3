import { subjectOf } from '../../events/envelope.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { isToldAt } from '../../machines/told.ts';
import type { NoticeKind } from '../notice.ts';
import { whereOf } from './channel-place.ts';
import { asDeliveryError } from './delivery-error.ts';
import type { ToTell } from './make-message.ts';
import type { Message } from './message.ts';
import { outcomeLines } from './outcome-line.ts';
import { recordIfPossible } from '../record-if-possible.ts';
import { Trouble } from './trouble.ts';
import type { WorkerParts } from './worker-parts.ts';

/**
 * Says on messages whose requests are over how they ended: nobody is to press a button of theirs. Which those are says the log,
 * whoever sent them, and however long the service took.
 */
export class ClosedMessages {
  readonly #parts: WorkerParts;
  readonly #messageOf: (stream: string, tell: ToTell) => Promise<Message>;
  /** Messages that say how their request ended, whatever the log could be told of that, and those that the service does not let say it. */
  readonly #settled = new Set<string>();
  readonly #trouble: Trouble;
  #tryAt = 0;

  /** `messageOf`: makes the message that tells of something. */
  constructor(parts: WorkerParts, messageOf: (stream: string, tell: ToTell) => Promise<Message>) {
    this.#parts = parts;
    this.#messageOf = messageOf;
    this.#trouble = new Trouble(parts.timing.firstRetryMs);
  }

  /**
   * Settles those there are.
   *
   * @param isLast - Nobody tries later: a service that failed is not left alone.
   * @returns in how many ms it is worth another try.
   */
  async settle(signal: AbortSignal, isLast: boolean): Promise<number> {
    if (Date.now() < this.#tryAt && !isLast) return this.#tryAt - Date.now();
    for (const [ref, requests] of this.#unsettled())
      if (signal.aborted || !(await this.#settleOne(requests, ref, signal)))
        return Math.max(0, this.#tryAt - Date.now());
    return Number.POSITIVE_INFINITY;
  }

  /** Messages, by what the service calls them, all of whose requests are over: one that still waits is answered by its message. */
  #unsettled(): Map<string, RequestState[]> {
    const { project, remote } = this.#parts;
    if (!remote.channel.settle) return new Map();
    const where = whereOf(remote.channel);
    const toldOf = new Map<string, RequestState[]>();
    for (const { requests } of project.state.streams.loaded())
      for (const request of requests.values())
        for (const told of request.told ?? []) {
          const { ref, isSettled } = told;
          if (isToldAt(told, where) && ref !== undefined && !isSettled && !this.#settled.has(ref))
            toldOf.set(ref, [...(toldOf.get(ref) ?? []), request]);
        }
    const isOver = (requests: readonly RequestState[]) => requests.every(({ phase }) => phase !== 'open');
    return new Map([...toldOf].filter(([, requests]) => isOver(requests)));
  }

  /** Whether it worked, or is not to be tried again here. */
  async #settleOne(requests: readonly RequestState[], ref: string, signal: AbortSignal): Promise<boolean> {
    const { project, remote, report } = this.#parts;
    const { channel } = remote;
    try {
      const text = project.asLogged(outcomeLines(requests, remote.shows));
      await channel.settle?.(ref, text, signal, this.#remaker(requests, ref));
    } catch (error) {
      const failure = asDeliveryError(error, channel.service);
      if (failure.isRefusal) {
        // The message may be gone, or a token wrong: the next process tries it once, too.
        this.#settled.add(ref);
        return true;
      }
      // Whoever presses it meanwhile is told.
      this.#tryAt = Date.now() + this.#trouble.failed(failure).retryMs;
      return false;
    }
    this.#trouble.worked();
    this.#settled.add(ref);
    for (const request of requests)
      await recordIfPossible(
        { project, report },
        request.stream,
        [
          {
            type: 'notify.settled',
            subject: subjectOf(request.stream, request.taskId),
            data: { ...whereOf(channel), service: channel.service, request: request.id, ref },
          },
        ],
        signal,
      );
    return true;
  }

  /** Makes a message of before once more; `undefined`: it told of more than one request, and the state does not say of what. */
  #remaker([request, ...others]: readonly RequestState[], ref: string): (() => Promise<Message>) | undefined {
    const where = whereOf(this.#parts.remote.channel);
    const told = request?.told?.find((each) => isToldAt(each, where) && each.ref === ref);
    if (!request || !told || others.length > 0 || !aboutOne.has(told.about)) return undefined;
    const tell: ToTell = { reasons: [{ is: 'request', request }], nth: 0, at: told.at };
    return () => this.#messageOf(request.stream, tell);
  }
}

/** What messages about one request, and nothing else, are about. */
const aboutOne: ReadonlySet<string> = new Set(['question', 'prompt', 'approval'] satisfies NoticeKind[]);
