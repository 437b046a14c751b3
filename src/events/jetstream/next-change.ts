import type { LogServer } from './log-server.ts';

/** Resolves when something is appended, or may have been since the call, when the server is away for long, or when `signal` aborts. */
export function nextChange(server: LogServer, signal: AbortSignal): Promise<void> {
  return nextPublication(server, server.names.all, signal);
}

/** The same of whatever is published with such a subject. */
export function nextPublication(server: LogServer, subject: string, signal: AbortSignal): Promise<void> {
  if (signal.aborted || server.closing.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const ending = AbortSignal.any([signal, server.closing]);
  // What is published is brought to whoever listens, too, stored or not.
  const subscription = server.connection.subscribe(subject, { callback: () => resolve() });
  const stop = () => resolve();
  // Whoever asks then finds out what became of it.
  const offLink = server.onLink(stop);
  ending.addEventListener('abort', stop, { once: true });
  return promise.finally(() => {
    ending.removeEventListener('abort', stop);
    offLink();
    subscription.unsubscribe();
  });
}
