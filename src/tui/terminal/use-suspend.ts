import { useApp } from 'ink';
import { useEffect } from 'react';
import { stopHere } from '../../lib/processes/stop-here.ts';

/** A screen that says when the person suspends it, and is told that it was. */
type Suspended = {
  readonly on: (type: 'suspend', handler: () => void) => { readonly unsubscribe: () => void };
  /** It was out of sight: what was armed is not. */
  readonly send: (event: { type: 'unseen' }) => void;
};

/**
 * Gives the terminal back to the shell while the screen is suspended: by its key, or by whoever sends the signal. After a stop
 * that no process hears of (SIGSTOP), takes the terminal and draws anew. `onAway` hears of both, so that nothing else of ours
 * stays in the terminal.
 */
export function useSuspend(actor: Suspended, onAway?: (isAway: boolean) => void): void {
  const { suspendTerminal } = useApp();
  useEffect(() => {
    let isAway = false;
    const giveBack = async (meanwhile: () => Promise<void>) => {
      if (isAway) return;
      isAway = true;
      // It is the system's to stop the process now.
      process.off('SIGTSTP', stop);
      let isGiven = false;
      onAway?.(true);
      try {
        await suspendTerminal(() => {
          isGiven = true;
          return meanwhile();
        });
      } catch (error) {
        if (isGiven) throw error;
        // An editor has the terminal.
        await meanwhile();
      } finally {
        isAway = false;
        if (isShown) process.on('SIGTSTP', stop);
        onAway?.(false);
        actor.send({ type: 'unseen' });
      }
    };
    let isShown = true;
    const stop = () => void giveBack(stopHere);
    const goOn = () => void giveBack(() => Promise.resolve());
    process.on('SIGTSTP', stop);
    process.on('SIGCONT', goOn);
    const heard = actor.on('suspend', stop);
    return () => {
      isShown = false;
      process.off('SIGTSTP', stop);
      process.off('SIGCONT', goOn);
      heard.unsubscribe();
    };
  }, [actor, suspendTerminal, onAway]);
}
