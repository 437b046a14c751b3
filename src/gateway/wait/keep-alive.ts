/** Tells the client of a call that it is alive. Only there when the client asked for it. */
export type SendProgress = (note: { progress: number; total?: number; message?: string }) => Promise<void>;

type SignsOfLife = {
  readonly send: SendProgress | undefined;
  readonly everyMs: number;
  /** What the client may show, given the ms since the start. */
  readonly message: (sinceMs: number) => string;
};

/** Sends progress at once and then at an interval, until the returned function is called. Without `send` it does nothing. */
export function keepAlive({ send, everyMs, message }: SignsOfLife): () => void {
  if (!send) return () => undefined;
  const startedAt = performance.now();
  let progress = 0;
  const tell = () => {
    progress += 1;
    // A link that is broken ends the call by itself.
    send({ progress, message: message(performance.now() - startedAt) }).catch(stop);
  };
  const timer = setInterval(tell, everyMs).unref();
  const stop = () => clearInterval(timer);
  tell();
  return stop;
}
