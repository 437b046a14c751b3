import { useApp } from 'ink';
import { useEffect } from 'react';
import { stopHere } from '../../lib/processes/stop-here.ts';

/** A screen that says when the person suspends it, and is told that it was. */
type Suspended = {
  readonly on: (type: 'suspend', handler: () => void) => { readonly unsubscribe: () => void };
  /** It was out of sight: what was armed is not. */
  readonly send: (event: { type: 'unseen' }) => void;
};

/** Gives the terminal back to the shell while the person has suspended the screen. */
export function useSuspend(actor: Suspended): void {
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
