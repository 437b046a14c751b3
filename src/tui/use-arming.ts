import { useApp } from 'ink';
import { useEffect } from 'react';
import type { ScreenActor } from './screen-actor.ts';
import type { Focus } from './screen-state.ts';

/** Pause in typing after which a new box takes keys, in ms from its painting or the last dropped key. */
const BOX_QUIET_MS = 300;
/** Time a confirmation is seen before it can be given, in ms from its painting. */
const CONFIRM_DELAY_MS = 600;

/** Arms what must not take keys that were typed before it could be seen. */
export function useArming(actor: ScreenActor, focus: Focus): void {
  const { waitUntilRenderFlush } = useApp();
  useEffect(() => {
    const delayMs = delayOf(focus);
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
  }, [actor, focus, waitUntilRenderFlush]);
}

function delayOf(focus: Focus): number | undefined {
  if (focus.at === 'arming') return BOX_QUIET_MS;
  return focus.at === 'confirm' && !focus.isArmed ? CONFIRM_DELAY_MS : undefined;
}
