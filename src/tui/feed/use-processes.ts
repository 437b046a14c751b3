import { useEffect } from 'react';
import { useGoneAgents, useHasRunner } from '../terminal/clock.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';

/** Tells a screen who is at work on its sprint, which no event says. In the past who was then is no matter. */
export function useProcesses(actor: ScreenActor, { isPast }: { readonly isPast: boolean }): void {
  const hasRunner = useHasRunner();
  const gone = useGoneAgents();
  useEffect(() => {
    const { processes } = actor.getSnapshot().context;
    const isSame = processes.hasRunner === hasRunner && processes.gone.symmetricDifference(gone).size === 0;
    if (!isPast && !isSame) actor.send({ type: 'processes', processes: { hasRunner, gone } });
  }, [actor, isPast, hasRunner, gone]);
}
