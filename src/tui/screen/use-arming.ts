import { useApp, useStdout } from 'ink';
import { useEffect } from 'react';
import type { ScreenActor } from './screen-actor.ts';
import type { ScreenState } from './screen-state.ts';
import { isConfirming, type Focus } from './focus.ts';

/** Pause in typing after which a new box takes keys, in ms from its painting or the last dropped key. */
const BOX_QUIET_MS = 300;
/** The same, where one of these keys decides. */
const CALL_QUIET_MS = 600;
/** Time a confirmation is seen before it can be given, in ms from its painting. */
export const CONFIRM_DELAY_MS = 600;

/** Arms what must not take keys that were typed before it could be seen. Nothing is armed while it cannot. */
export function useArming(
  actor: ScreenActor,
  { focus, isCall, isSeen }: { focus: Focus; isCall: boolean; isSeen: boolean },
): void {
  useArmingAfter(actor, { focus, delayMs: isSeen ? delayOf(focus, isCall) : undefined });
}

/** The same of any screen, so long after it was painted. `undefined`: there is nothing to arm. */
export function useArmingAfter<F>(
  actor: { readonly send: (event: { type: 'armed'; focus: F }) => void },
  { focus, delayMs }: { focus: F; delayMs: number | undefined },
): void {
  const { waitUntilRenderFlush } = useApp();
  useEffect(() => {
    if (delayMs === undefined) return;
    let timer: NodeJS.Timeout | undefined;
    let isOver = false;
    void waitUntilRenderFlush().then(() => {
      if (!isOver) timer = setTimeout(() => actor.send({ type: 'armed', focus }), delayMs);
    });
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [actor, focus, delayMs, waitUntilRenderFlush]);
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
  const { current, focus, questionTop, revealed, past } = state;
  const isToBeRead = isAtEnd && current !== undefined && !state.readToEnd.has(current);
  useEffect(() => {
    if (!isToBeRead) return;
    let isOver = false;
    void waitUntilRenderFlush().then(() => {
      const of = { current, focus, questionTop, revealed, past };
      if (!isOver) actor.send({ type: 'end-painted', of });
    });
    return () => void (isOver = true);
  }, [actor, isToBeRead, current, focus, questionTop, revealed, past, waitUntilRenderFlush]);
}

function delayOf(focus: Focus, isCall: boolean): number | undefined {
  if (focus.at === 'arming') return isCall ? CALL_QUIET_MS : BOX_QUIET_MS;
  return isConfirming(focus) && !focus.isArmed ? CONFIRM_DELAY_MS : undefined;
}
