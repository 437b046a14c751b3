/**
 * Does something that a signal ends: that of whoever asks for it, or that so long has passed, in ms.
 *
 * @throws what `late` makes, where that has ended it.
 */
export async function within<T>(
  ms: number,
  late: () => Error,
  asking: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  asking?.throwIfAborted();
  const ending = new AbortController();
  const end = () => ending.abort(asking?.reason);
  const timer = setTimeout(() => ending.abort(late()), ms);
  asking?.addEventListener('abort', end);
  try {
    return await work(ending.signal);
  } finally {
    clearTimeout(timer);
    asking?.removeEventListener('abort', end);
  }
}
