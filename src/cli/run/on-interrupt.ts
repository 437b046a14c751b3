/** A closed terminal (SIGHUP) counts, too: nobody is left to answer or to press Ctrl-C. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** Calls `stop` at the first Ctrl-C, Ctrl-\, SIGTERM or SIGHUP instead of dying, until the returned function is called. */
export function onInterrupt(stop: (signal: NodeJS.Signals) => void): () => void {
  let hasFired = false;
  const handle = (signal: NodeJS.Signals) => {
    if (!hasFired) stop(signal);
    hasFired = true;
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
