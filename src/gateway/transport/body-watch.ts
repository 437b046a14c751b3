import { messageOf } from '../../lib/message-of.ts';

/** How the body of a response ended. */
export type BodyEnd = {
  /** Why it broke off; `undefined` when it came to its end. `isOurs`: because we did not take any more. */
  readonly why: { readonly text: string; readonly isOurs: boolean } | undefined;
  /** It is a stream that can be taken up again: its events have ids. */
  readonly canResume: boolean;
};

export type BodyWatch = {
  /** Server-sent events: the limit is for each of them, not for all. */
  readonly isStream: boolean;
  readonly maxMessageBytes: number;
  /** Aborts when nobody wants the rest. */
  readonly abandoned?: AbortSignal;
  /** Called once, when everything has been read or nothing more will be. Not when the reader has left. */
  readonly onEnd: (end: BodyEnd) => void;
};

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The body of a response as it comes, cut off when a message in it becomes too large. */
export function bodyWatch(response: Response, watch: BodyWatch): ReadableStream<Uint8Array> | null {
  if (response.body === null) return null;
  const { maxMessageBytes, isStream, abandoned, onEnd } = watch;
  const reader = response.body.getReader();
  const events = new EventSizes();
  let size = 0;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let next;
      try {
        next = await reader.read();
      } catch (error) {
        if (abandoned?.aborted) {
          // A stream just ends: that it did not bring its answer is nobody's mistake.
          if (isStream) controller.close();
          else controller.error(abandoned.reason);
          return;
        }
        const text = `its stream was interrupted (${messageOf(error)})`;
        onEnd({ why: { text, isOurs: false }, canResume: events.haveIds });
        controller.error(error);
        return;
      }
      if (next.done) {
        controller.close();
        onEnd({ why: undefined, canResume: events.haveIds });
        return;
      }
      size = isStream ? events.push(next.value) : size + next.value.length;
      if (size <= maxMessageBytes) {
        controller.enqueue(next.value);
        return;
      }
      const text = `it sent a message of more than ${Math.floor(maxMessageBytes / 1024 / 1024)} MiB`;
      controller.error(new Error(text));
      onEnd({ why: { text, isOurs: true }, canResume: false });
      await reader.cancel();
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Follows server-sent events without reading them: how large the one under way is, and whether any has an id. */
class EventSizes {
  haveIds = false;
  #size = 0;
  /** The beginning of the line under way, three bytes of it at most. */
  #begin = '';

  /** Takes the next bytes. Returns the size that the largest event has reached in them. */
  push(chunk: Uint8Array): number {
    let largest = 0;
    let at = 0;
    while (at < chunk.length) {
      const end = chunk.indexOf(NEWLINE, at);
      const stop = end < 0 ? chunk.length : end + 1;
      this.#size += stop - at;
      largest = Math.max(largest, this.#size);
      this.#readBegin(chunk.subarray(at, stop));
      if (end >= 0) this.#endLine();
      at = stop;
    }
    return largest;
  }

  #readBegin(line: Uint8Array): void {
    for (const byte of line.subarray(0, 3)) {
      if (this.#begin.length >= 3 || byte === NEWLINE) return;
      if (byte !== RETURN) this.#begin += String.fromCharCode(byte);
    }
  }

  #endLine(): void {
    if (this.#begin === 'id:') this.haveIds = true;
    if (this.#begin === '') this.#size = 0;
    this.#begin = '';
  }
}
