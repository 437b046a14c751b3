import { useApp } from 'ink';
import { useEffect } from 'react';
import { stopHere } from '../../lib/processes/stop-here.ts';
import type { ScreenActor } from './screen-actor.ts';

/** Gives the terminal back to the shell while the person has suspended the screen. */
export function useSuspend(actor: ScreenActor): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    let isAway = false;
    const heard = actor.on('suspend', () => {
      if (isAway) return;
      isAway = true;
      void suspendTerminal(stopHere).finally(() => {
        isAway = false;
        actor.send({ type: 'unseen' });
      });
    });
    return () => heard.unsubscribe();
  }, [actor, suspendTerminal]);
}
