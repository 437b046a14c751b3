import { useEffect, useRef, useState } from 'react';
import type { History } from '../../api/history.ts';

/** So often a step is made, in ms: faster than that nobody reads. */
const STEP_MS = 120;

type PlayerOptions = {
  readonly history: History;
  readonly at: number;
  /** Times as fast as it was. */
  readonly speed: number;
  readonly onGo: (version: number) => void;
};

/** Plays a history, from where one is, or anew from its end, as it was but without the long waits. */
export function usePlayer({
  history,
  at,
  speed,
  onGo,
}: PlayerOptions): readonly [boolean, (isPlaying: boolean) => void] {
  const [isPlaying, setPlaying] = useState(false);
  const now = useRef({ at, speed, onGo, history });
  useEffect(() => {
    now.current = { at, speed, onGo, history };
  });
  useEffect(() => {
    if (!isPlaying) return;
    const { at: from, history: whole, onGo: begin } = now.current;
    const first = from < whole.length ? from : 1;
    if (first !== from) begin(first);
    let playedMs = playedAt(whole, first);
    // What is gone to is drawn some time later.
    let isThere = first === from;
    const timer = setInterval(() => {
      const { at: version, speed: times, onGo: go, history: of } = now.current;
      isThere ||= version !== from;
      if (!isThere) return;
      if (version >= of.length) return setPlaying(false);
      playedMs += STEP_MS * times;
      const next = versionAt(of, playedMs);
      if (next > version) go(next);
    }, STEP_MS);
    return () => clearInterval(timer);
  }, [isPlaying]);
  return [isPlaying, setPlaying];
}

/** A history that is too long to say when each event is played is played evenly: fifty events a second. */
const EVENT_MS = 20;

function playedAt({ playedMs }: History, version: number): number {
  return playedMs === undefined ? version * EVENT_MS : (playedMs[version - 1] ?? 0);
}

/** The last version that is played by then. */
function versionAt({ playedMs, length }: History, ms: number): number {
  if (playedMs === undefined) return Math.min(length, Math.floor(ms / EVENT_MS));
  const after = playedMs.findIndex((each) => each > ms);
  return after < 0 ? length : Math.max(1, after);
}
