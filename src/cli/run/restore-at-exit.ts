const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Calls `restore` before this process ends: at its exit, also by an error, and at the first signal that may end it,
 * whoever else listens. Not for SIGKILL.
 *
 * @returns the function that ends it.
 */
export function restoreAtExit(restore: () => void): () => void {
  const onSignal = (signal: NodeJS.Signals) => {
    stop();
    restore();
    // Nobody else listens: what it does by itself, it does now.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const stop = () => {
    process.off('exit', restore);
    // Gone before the others are called: Ink restores the screen if nobody else seems to care for the signal.
    for (const signal of signals) process.off(signal, onSignal);
  };
  process.on('exit', restore);
  for (const signal of signals) process.prependListener(signal, onSignal);
  return stop;
}
