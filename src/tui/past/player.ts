import { compressIdle } from '../../views/events/compress-idle.ts';
import { placeOf } from '../../workflow/history/found-events.ts';
import type { HistoryCursor } from '../../workflow/history/history-cursor.ts';

/** Time between two moments that are shown while a history is played, in ms. */
const FRAME_MS = 100;

/** Where nothing happened for longer, playing waits only for so long, in ms at normal speed. */
const LONGEST_GAP_MS = 2_000;

type Played = {
  readonly cursor: HistoryCursor;
  /** The version that it begins at. */
  readonly from: number;
  /** So many times as fast as it was. */
  readonly speed: number;
  /** Only these versions are shown. */
  readonly versions: readonly number[] | undefined;
  /** Called with the version that is to be shown. */
  readonly show: (version: number) => void;
  readonly onEnd: () => void;
};

/** Plays a history. */
export class Player {
  #timer: NodeJS.Timeout | undefined;

  /** Plays it from here on, in place of what was played; from its beginning, where nothing comes after. */
  play({ cursor: { index }, from, speed, versions, show, onEnd }: Played): void {
    this.stop();
    const instants = versions ? versions.map((each) => index.timeOf(each)) : index.times;
    const times = compressIdle(instants, { longestMs: LONGEST_GAP_MS });
    const showAt = (place: number) => show(versions ? (versions[place - 1] ?? from) : place);
    const stands = versions ? placeOf(versions, from + 1) : from;
    const isAtEnd = stands >= instants.length;
    if (isAtEnd) showAt(1);
    let playedMs = times.playedAt(isAtEnd ? 1 : stands);
    this.#timer = setInterval(() => {
      playedMs += FRAME_MS * speed;
      showAt(times.versionAt(playedMs));
      if (playedMs < times.totalMs) return;
      this.stop();
      onEnd();
    }, FRAME_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
