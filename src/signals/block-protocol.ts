import { join } from 'node:path';
import type { RequestState } from '../machines/project-state.ts';
import { openRequests, requestById } from '../workflow/requests/find-request.ts';
import { BLOCK_FILE, RESPONSE_FILE } from '../workflow/requests/signal-files.ts';
import type { Claims } from './claims.ts';
import { labelOf, tellUnshown, tryToChange, type SignalDeps } from './signal-deps.ts';
import { blockFileSchema, type BlockFile } from './file-schemas.ts';
import { acceptForAuthor, writeForAuthor, type GoodAnswer } from './foreign-answer.ts';
import { adopt, isAwaitedByFile, recordHandedOver, replyFor } from './foreign-question.ts';
import { unknownReason } from './give-answer.ts';
import { isReadable, publish, withdraw } from './own-file.ts';
import { readAnswer } from './read-answer.ts';
import { rejectFile } from './reject-file.ts';
import { stampOf, type Stamp } from './signal-file.ts';

/** How long an answered block of another program, and our response to it, keep their place, in ms. */
const TAKE_AWAY_MS = 10_000;

/** What our request ids look like. */
const OWN_ID = /^q-/;

/** Whose question the block file shows. */
type Holder =
  | { readonly whose: 'nobody' }
  /** Something that can be neither used nor moved, or is still being written. */
  | { readonly whose: 'unknown' }
  | { readonly whose: 'ours'; readonly id: string; readonly stamp: Stamp }
  | { readonly whose: 'other'; readonly request: RequestState; readonly stamp: Stamp };

/**
 * One question at a time: `mcp-block.json` shows the oldest open one of kind `help`, and
 * `mcp-response.json` answers it. A block that another program wrote keeps its place; its answer is
 * left for that program.
 */
export class BlockProtocol {
  readonly #deps: SignalDeps;
  readonly #claims: Claims;
  readonly #blockPath: string;
  readonly #responsePath: string;
  /** Requests that no file can show. */
  readonly #unreadable = new Set<string>();
  /** The request that was shown last, and since when. */
  #shown: { readonly id: string; readonly since: bigint } | undefined;
  /** The response that lies there for another program, and since when. */
  #handed: { readonly key: string; readonly since: number } | undefined;
  /** The request of another program's block that is answered but still there, and since when. */
  #answered: { readonly id: string; readonly since: number } | undefined;

  constructor(deps: SignalDeps, claims: Claims) {
    this.#deps = deps;
    this.#claims = claims;
    this.#blockPath = join(deps.project.dir, BLOCK_FILE);
    this.#responsePath = join(deps.project.dir, RESPONSE_FILE);
  }

  /** The file that holds the block. */
  get label(): string {
    return labelOf(this.#deps, this.#blockPath);
  }

  /**
   * Takes what lies in the two files, then shows what is to be shown. An unfinished response holds the
   * block: it was begun for the question that is shown now.
   *
   * @returns whether another program's request waits at the block file; `undefined` while that is open.
   */
  async serve(): Promise<((label: string, request: RequestState) => boolean) | undefined> {
    const holder = await this.#holder();
    const isHeld = await this.#takeResponse(holder);
    await this.#claims.settle();
    if (!isHeld) await this.#show(holder);
    if (holder.whose === 'unknown') return undefined;
    return (_label, { id }) => holder.whose === 'other' && holder.request.id === id;
  }

  /** Takes our own block away. */
  withdraw(): void {
    const reading = this.#deps.reader.read(this.#blockPath, blockFileSchema);
    if (reading.state !== 'good' || this.#ownId(reading.value) === undefined) return;
    tryToChange(this.#deps, this.#blockPath, 'remove', () => withdraw(this.#blockPath, reading.stamp));
  }

  async #holder(): Promise<Holder> {
    const reading = this.#deps.reader.read(this.#blockPath, blockFileSchema);
    if (reading.state === 'absent') return { whose: 'nobody' };
    if (reading.state === 'bad') {
      await rejectFile(this.#deps, this.#blockPath, reading);
      return { whose: 'unknown' };
    }
    if (reading.state !== 'good') return { whose: 'unknown' };
    const { value, stamp, digest } = reading;
    const id = this.#ownId(value);
    if (id !== undefined) {
      if (this.#shown?.id !== id) this.#shown = { id, since: stamp.mtimeNs };
      return { whose: 'ours', id, stamp };
    }
    const { label } = this;
    const request = await adopt(this.#deps, { label, kind: 'block', stamp, digest, question: asked(value) });
    return request ? { whose: 'other', request, stamp } : { whose: 'unknown' };
  }

  /** The request of a block of ours, which may be one of a log that is no longer there. */
  #ownId({ requestId }: BlockFile): string | undefined {
    if (requestId === undefined) return undefined;
    const isKnown = requestById(this.#deps.project.state, requestId) !== undefined;
    return isKnown || OWN_ID.test(requestId) ? requestId : undefined;
  }

  /** @returns whether a response is being written, so that nothing may change. */
  async #takeResponse(holder: Holder): Promise<boolean> {
    const label = labelOf(this.#deps, this.#responsePath);
    const reading = readAnswer(this.#deps.reader, this.#responsePath, label);
    if (reading.state === 'unfinished') return true;
    if (reading.state !== 'good' && reading.state !== 'bad') return false;
    // Also one that nobody would read as an answer: the author of the block gets what the log has.
    if (this.#isHandedOver(reading, holder)) return false;
    if (reading.state === 'bad') {
      await rejectFile(this.#deps, this.#responsePath, reading);
      return false;
    }

    const { names } = reading.value;
    if (names !== undefined && !(holder.whose === 'other' && holder.request.id === names)) {
      if (requestById(this.#deps.project.state, names)) {
        this.#claims.take(this.#responsePath, names, reading.stamp);
      } else {
        await rejectFile(this.#deps, this.#responsePath, { ...reading, reason: unknownReason(names) });
      }
      return false;
    }
    if (holder.whose === 'unknown') return true;
    const shown = holder.whose === 'other' ? shownBy(holder) : this.#shown;
    if (!shown) await rejectFile(this.#deps, this.#responsePath, { ...reading, reason: this.#nobodyAsked() });
    else if (names === undefined && reading.stamp.mtimeNs < shown.since) {
      await rejectFile(this.#deps, this.#responsePath, {
        ...reading,
        reason: olderThan(shown.since, reading.stamp),
      });
    } else if (holder.whose === 'other') await this.#takeForOther(holder.request, reading);
    else this.#claims.take(this.#responsePath, shown.id, reading.stamp);
    return false;
  }

  async #takeForOther(request: RequestState, reading: GoodAnswer): Promise<void> {
    const isAccepted = await acceptForAuthor(this.#deps, this.#responsePath, { request, reading });
    if (!isAccepted) return;
    this.#handed = { key: reading.stamp.key, since: performance.now() };
    if (isAwaitedByFile(request)) await recordHandedOver(this.#deps, request);
  }

  /** Whether a response lies there for the author of a block, who takes it away, or has left. */
  #isHandedOver({ stamp }: { readonly stamp: Stamp }, holder: Holder): boolean {
    if (holder.whose === 'other' && holder.request.phase !== 'open' && !isAwaitedByFile(holder.request)) {
      if (this.#handed?.key !== stamp.key) this.#handed = { key: stamp.key, since: performance.now() };
      return true;
    }
    if (this.#handed?.key !== stamp.key) return false;
    if (holder.whose !== 'other' && performance.now() - this.#handed.since > TAKE_AWAY_MS) {
      tryToChange(this.#deps, this.#responsePath, 'remove', () => withdraw(this.#responsePath, stamp));
    }
    return true;
  }

  async #show(holder: Holder): Promise<void> {
    if (holder.whose === 'unknown') return;
    const wanted = openRequests(this.#deps.project.state).find(
      (request) => request.asked.kind === 'help' && this.#isReadable(request),
    );
    if (holder.whose === 'other') {
      if (holder.request.phase === 'open') return;
      if (isAwaitedByFile(holder.request)) await this.#handOver(holder.request);
      if (!wanted || !this.#hasHadTime(holder.request)) return;
    } else if (holder.whose === 'ours' && holder.id === wanted?.id) return;

    tryToChange(this.#deps, this.#blockPath, 'write', () => {
      if (holder.whose !== 'nobody') withdraw(this.#blockPath, holder.stamp);
      if (wanted && publish(this.#blockPath, blockOf(wanted))) {
        // By the clock that stamps the responses too.
        this.#shown = { id: wanted.id, since: stampOf(this.#blockPath)?.mtimeNs ?? 0n };
      }
    });
  }

  #isReadable(request: RequestState): boolean {
    if (this.#unreadable.has(request.id)) return false;
    if (isReadable(blockOf(request), blockFileSchema)) return true;
    this.#unreadable.add(request.id);
    tellUnshown(this.#deps, this.#blockPath, request);
    return false;
  }

  /** Whether the author of an answered block could have taken it away by now. */
  #hasHadTime({ id }: RequestState): boolean {
    if (this.#answered?.id !== id) this.#answered = { id, since: performance.now() };
    return performance.now() - this.#answered.since > TAKE_AWAY_MS;
  }

  /** Writes the answer for the author of a block. */
  async #handOver(request: RequestState): Promise<void> {
    const rejected = request.answer?.rejected || request.dismissal ? { rejected: true } : {};
    const content = { response: replyFor(request), ...rejected };
    await writeForAuthor(this.#deps, this.#responsePath, { request, content });
  }

  #nobodyAsked(): string {
    return `no question is shown in ${this.label}; to answer another one, name it with "requestId"`;
  }
}

function shownBy({ request, stamp }: { request: RequestState; stamp: Stamp }): { id: string; since: bigint } {
  return { id: request.id, since: stamp.mtimeNs };
}

function olderThan(since: bigint, { mtimeNs }: Stamp): string {
  const [shown, written] = [since, mtimeNs].map((ns) => new Date(Number(ns / 1_000_000n)).toISOString());
  return `it was written ${written}, before the question was shown at ${shown}: write it again, or name the question with "requestId"`;
}

function asked({ question, task, reason }: BlockFile) {
  return {
    kind: 'help' as const,
    question,
    ...(task ? { task } : {}),
    ...(reason ? { reason } : {}),
  };
}

function blockOf({ id, taskId, asked: { task, reason, question }, askedAt }: RequestState): object {
  return {
    type: 'block',
    task: taskId ?? task ?? '',
    reason: reason ?? '',
    question,
    timestamp: Date.parse(askedAt),
    requestId: id,
  };
}
