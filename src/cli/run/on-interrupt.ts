/** A closed terminal (SIGHUP) counts, too: nobody is left to answer or to press Ctrl-C. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** A second signal within this time is the first one, in ms: npm, e.g., passes on what the terminal has sent to both. */
const SAME_MS = 300;

/**
 * Calls `stop` at the first Ctrl-C, Ctrl-\, SIGTERM or SIGHUP instead of dying, until the returned function is called, and `again` at each
 * that comes later.
 */
export function onInterrupt(
  stop: (signal: NodeJS.Signals) => void,
  again: (signal: NodeJS.Signals) => void = () => undefined,
): () => void {
  let firedAt: number | undefined;
  const handle = (signal: NodeJS.Signals) => {
    if (firedAt === undefined) stop(signal);
    else if (performance.now() - firedAt >= SAME_MS) again(signal);
    firedAt ??= performance.now();
  };
  return onSignals(handle);
}

/** Has each signal that asks for an end handled instead of dying of it, until the returned function is called. */
export function onSignals(handle: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of signals) process.on(signal, handle);
  return () => {
    for (const signal of signals) process.off(signal, handle);
  };
}
