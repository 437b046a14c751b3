import { setTimeout as sleep } from 'node:timers/promises';
import { CliffordError } from '../../errors.ts';
import { copyLog, headsOf } from '../../events/copy/copy-log.ts';
import type { LineLog } from '../../events/copy/line-log.ts';
import { mirrorLines } from '../../events/copy/mirror-lines.ts';
import { ConflictError } from '../../events/log/event-log.ts';
import { isReplaced, isStale } from '../../events/log/log-replaced.ts';
import type { ServedLines } from '../../events/jetstream/jetstream-lines.ts';
import { openJsonlLines } from '../../events/jsonl/jsonl-lines.ts';
import { LogCorruptError } from '../../events/jsonl/log-errors.ts';
import { logFile } from '../project/project-log.ts';
import type { ServedLog } from './choose-log.ts';
import { MAKE_ANEW } from './mirror-log.ts';
import { mirrorEnd, reachesEnd } from './mirror-end.ts';
import { readMirrorMark, writeMirrorMark, type MirrorMark } from './mirror-mark.ts';

/** How often the mark says that nothing has come since, in ms. */
const CONFIRM_MS = 10_000;
/** How long the newest event is waited for in the end, in ms. */
const FINISH_MS = 3_000;

/** What is to be done about events that only the file has. */
const KEEP_APART =
  'Copy those events there with clifford log copy, or move the file away; or say "mirror": false in "log" of clifford.json';

type FollowEnd =
  | { readonly is: 'over' | 'moved' | 'cut' }
  | { readonly is: 'conflict'; readonly error: ConflictError };

/** Keeps a file as the mirror of a log on a server, as long as the server can be reached. */
export class Mirror {
  readonly #dir: string;
  readonly #from: ServedLog;
  readonly #ending: AbortSignal;
  #served: ServedLines | undefined;
  #token: string | null = null;
  /** The mark that is there, with where the file ended then. */
  #mark: MirrorMark | undefined;
  /** Resolves when it has come farther. */
  #step = Promise.withResolvers<void>();

  /** `dir`: the `.clifford` of the project, absolute. */
  constructor(dir: string, from: ServedLog, ending: AbortSignal) {
    this.#dir = dir;
    this.#from = from;
    this.#ending = ending;
  }

  /**
   * Mirrors until it is ended, or lines of the file are gone: what was remembered of it no longer holds, so that a new
   * mirror has to go on.
   *
   * @throws {CliffordError} with recovery `retry` while the server is away; `MIRROR_REFUSED` where the file is something else, or damaged.
   */
  async run(): Promise<void> {
    const { openJetStreamLines } = await import('../../events/jetstream/jetstream-lines.ts');
    const served = await openJetStreamLines(this.#from);
    const file = openJsonlLines(logFile(this.#dir));
    this.#served = served;
    const confirming = setInterval(() => void this.#note().catch(() => undefined), CONFIRM_MS);
    try {
      let mark = this.#known(served) ?? (await this.#begin(served, file));
      let isMended = false;
      while (!this.#ending.aborted) {
        const end = await this.#follow(served, file, mark);
        if (end.is === 'cut') return;
        if (end.is === 'conflict') {
          // Whole lines may be gone from its end. Once that is mended, what does not fit is of another log.
          if (isMended) throw refused(`its ${end.error.stream} has gone on differently`);
          isMended = true;
        } else isMended = false;
        if (end.is !== 'over') mark = await this.#begin(served, file);
      }
    } catch (error) {
      if (isReplaced(error)) return;
      throw error instanceof LogCorruptError ? refused(error.message, { isDamaged: true }) : error;
    } finally {
      clearInterval(confirming);
      this.#served = undefined;
      await Promise.all([served.close(), file.close()]);
    }
  }

  /** Waits until it has what is there now, for a moment. */
  async finish(): Promise<void> {
    const served = this.#served;
    if (!served) return;
    const over = sleep(FINISH_MS, 'over' as const, { ref: false });
    const end = await Promise.race([served.end().catch(() => undefined), over]);
    while (end !== 'over' && end !== undefined && this.#token !== end)
      if ((await Promise.race([this.#step.promise, over])) === 'over') return;
  }

  /** @returns why it ended. `moved`: the mark's place is not in the log; `cut`: the file is not as far as it was. */
  async #follow(served: ServedLines, file: LineLog, mark: MirrorMark): Promise<FollowEnd> {
    try {
      this.#token = mark.token;
      this.#mark = mark;
      await this.#note();
      // Before the first line: what is half there is no log of its own. And no sooner: a file without one is nobody's mirror.
      let isMarked = mark.token !== null;
      const following = served.follow({ after: mark.token ?? undefined, signal: this.#ending });
      for await (const { lines, token } of following) {
        if (this.#lacksLines()) return { is: 'cut' };
        if (!isMarked) await writeMirrorMark(this.#dir, mark);
        isMarked = true;
        await mirrorLines(file, lines);
        this.#token = token;
        await this.#note();
      }
      return { is: 'over' };
    } catch (error) {
      if (isStale(error)) return { is: 'moved' };
      if (error instanceof ConflictError) return { is: 'conflict', error };
      throw error;
    }
  }

  /** The mark that is there; `undefined`: none, or nothing is left of the file that it is of. */
  #known(served: ServedLines): MirrorMark | undefined {
    const known = mirrorEnd(this.#dir).bytes > 0 ? readMirrorMark(this.#dir) : undefined;
    if (known && known.of !== served.name) throw refused(`it is the mirror of ${known.of}`);
    // Lines may be gone from its end, of streams that nothing comes to any more. What is behind the mark is told again.
    return known && reachesEnd(this.#dir, known) ? known : undefined;
  }

  /** Whether lines are gone from its end since it was marked. */
  #lacksLines(): boolean {
    return this.#mark?.bytes !== undefined && !reachesEnd(this.#dir, this.#mark);
  }

  /** A mark, and the file such that all that it lacks is behind the mark's place. */
  async #begin(served: ServedLines, file: LineLog): Promise<MirrorMark> {
    const heads = await headsOf(file);
    if (Object.keys(heads).length === 0) return { of: served.name, at: null, token: null };
    const mark = { of: served.name, at: readMirrorMark(this.#dir)?.at ?? null };
    // It was the log before the log was copied to the server, or after it was copied from there.
    const end = (await served.end()) ?? null;
    const there = await headsOf(served);
    const ahead = Object.entries(heads).find(
      ([stream, { version }]) => version > (there[stream]?.version ?? 0),
    );
    if (ahead) throw refused(`it has events of ${ahead[0]} that are not there`);
    await copyLog(served, file).catch((error: unknown) => {
      throw error instanceof CliffordError && error.code === 'LOGS_DIVERGED' ? refused(error.message) : error;
    });
    const begun = { ...mark, token: end, ...mirrorEnd(this.#dir) };
    await writeMirrorMark(this.#dir, begun);
    return begun;
  }

  /** Marks how far it has come, and that nothing is missing, where that is so. */
  async #note(): Promise<void> {
    const [served, token] = [this.#served, this.#token];
    if (!served || token === null || this.#lacksLines()) return;
    // Before the server is asked: what is gone by then is not marked as there.
    const file = mirrorEnd(this.#dir);
    const isWhole = (await served.end()) === token;
    const at = isWhole ? new Date().toISOString() : (readMirrorMark(this.#dir)?.at ?? null);
    const mark = { of: served.name, at, token, ...file };
    await writeMirrorMark(this.#dir, mark);
    this.#mark = mark;
    const { resolve } = this.#step;
    this.#step = Promise.withResolvers<void>();
    resolve();
  }
}

function refused(reason: string, { isDamaged = false } = {}): CliffordError {
  return new CliffordError(`Cannot mirror the log into .clifford/events.jsonl: ${reason}`, {
    code: 'MIRROR_REFUSED',
    fix: isDamaged ? MAKE_ANEW : KEEP_APART,
  });
}
