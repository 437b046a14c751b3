import { useApp, useStdout } from 'ink';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ScreenActor } from './screen-actor.ts';
import type { ScreenState } from './screen-state.ts';
import { isConfirming, type Focus } from './focus.ts';

/** Pause in typing after which a new box takes keys, in ms from its painting or the last dropped key. */
const BOX_QUIET_MS = 300;
/** The same, where one of these keys decides, sends what was answered, or, behind what was closed, acts on the sprint. */
const CALL_QUIET_MS = 600;
/** The same after a key that was dropped: whoever writes to somebody pauses between words. */
export const STRAY_QUIET_MS = 2_000;
/** Time a confirmation is seen before it can be given, in ms from its painting. */
export const CONFIRM_DELAY_MS = 600;

/** Whether a screen is drawn as it is once this focus is armed, before it is; and what has it drawn so. */
export type Offer<F> = { readonly isOffered: boolean; readonly offer: (focus: F) => void };

/** What is armed is offered first: no key decides before the frame that names it was painted. */
export function useOffer<F>(focus: F): Offer<F> {
  const [offered, offer] = useState<F>();
  return { isOffered: offered === focus, offer };
}

/** Arms what must not take keys that were typed before it could be seen. Nothing is armed while it cannot. */
export function useArming(
  actor: ScreenActor,
  { isActing, isSeen, ...offered }: Offer<Focus> & { focus: Focus; isActing: boolean; isSeen: boolean },
): void {
  useArmingAfter(actor, { ...offered, delayMs: isSeen ? delayOf(offered.focus, isActing) : undefined });
}

/** The same of any screen, so long after it was painted. `undefined`: there is nothing to arm. */
export function useArmingAfter<F>(
  actor: { readonly send: (event: { type: 'armed'; focus: F }) => void },
  { focus, delayMs, isOffered, offer }: Offer<F> & { focus: F; delayMs: number | undefined },
): void {
  const { waitUntilRenderFlush } = useApp();
  // At once behind the frame: who answers it at once answers what was painted.
  useLayoutEffect(() => {
    if (delayMs === undefined) return;
    return isOffered
      ? afterPainting(waitUntilRenderFlush, () => actor.send({ type: 'armed', focus }))
      : afterPainting(waitUntilRenderFlush, () => offer(focus), delayMs);
  }, [actor, focus, delayMs, isOffered, offer, waitUntilRenderFlush]);
}

/** What was armed takes nothing on a terminal of another size before it was seen there. */
export function useDisarming(actor: { readonly send: (event: { type: 'unseen' }) => void }): void {
  const { stdout } = useStdout();
  useEffect(() => {
    // At once: before it is drawn, keys may come.
    const disarm = () => actor.send({ type: 'unseen' });
    stdout.on('resize', disarm);
    return () => void stdout.off('resize', disarm);
  }, [actor, stdout]);
}

/** What is asked is read to its end once the frame with that was painted. */
export function useReading(
  actor: ScreenActor,
  { state, isAtEnd }: { readonly state: ScreenState; readonly isAtEnd: boolean },
): void {
  const { waitUntilRenderFlush } = useApp();
  const { current, focus, questionTop, revealed, files, folded, past } = state;
  const isToBeRead = isAtEnd && current !== undefined && !state.readToEnd.has(current);
  useEffect(() => {
    if (!isToBeRead) return;
    const of = { current, focus, questionTop, revealed, files, folded, past };
    return afterPainting(waitUntilRenderFlush, () => actor.send({ type: 'end-painted', of }));
  }, [actor, isToBeRead, current, focus, questionTop, revealed, files, folded, past, waitUntilRenderFlush]);
}

/** Says whether it is too early for keys, of which it is told: after nothing could be seen, until nobody typed for a moment. */
export function useBlindness(isTooSmall: boolean): {
  readonly isBlind: () => boolean;
  readonly onDropped: () => void;
} {
  const { waitUntilRenderFlush } = useApp();
  const isBlind = useRef(isTooSmall);
  const [dropped, setDropped] = useState(0);
  useEffect(() => {
    if (isTooSmall) isBlind.current = true;
    if (isTooSmall || !isBlind.current) return;
    return afterPainting(waitUntilRenderFlush, () => (isBlind.current = false), BOX_QUIET_MS);
  }, [isTooSmall, dropped, waitUntilRenderFlush]);
  return { isBlind: () => isBlind.current, onDropped: () => setDropped((count) => count + 1) };
}

/** Does this when what is drawn was painted, or so long after that, unless the returned function was called before. */
function afterPainting(flush: () => Promise<void>, then: () => void, delayMs?: number): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  void flush().then(() => {
    if (isOver) return;
    if (delayMs === undefined) then();
    else timer = setTimeout(then, delayMs);
  });
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

function delayOf(focus: Focus, isActing: boolean): number | undefined {
  if (focus.at === 'arming')
    return !isActing ? BOX_QUIET_MS : focus.dropped > 0 ? STRAY_QUIET_MS : CALL_QUIET_MS;
  return isConfirming(focus) && !focus.isArmed ? CONFIRM_DELAY_MS : undefined;
}
