import type { LiveMessage, LiveName } from '../../api/live.ts';
import { patched } from '../../api/patched.ts';

/** A message with what it says. */
export type Message = {
  [N in Exclude<LiveName, 'patch'>]: { readonly name: N; readonly data: LiveMessage[N] };
}[Exclude<LiveName, 'patch'>];

type Whole = LiveMessage['patch']['of'];

/** What one stream has told whole, and what has changed of it since. */
export class StreamState {
  readonly #wholes: { [N in Whole]?: LiveMessage[N] } = {};

  /** The message, with all that its name stands for. @throws {Error} when it changes what was never told. */
  take(name: LiveName, data: unknown): Message {
    if (name !== 'patch') {
      const message = { name, data } as Message;
      if (message.name === 'state' || message.name === 'sprint' || message.name === 'question')
        Object.assign(this.#wholes, { [message.name]: message.data });
      return message;
    }
    const { of, ...patch } = data as LiveMessage['patch'];
    const before = this.#wholes[of];
    if (!before) throw new Error(`What has changed of ${of} was told, and not what it was`);
    return this.take(of, patched(before, patch));
  }
}
