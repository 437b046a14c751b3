import type { EventType } from '../catalog.ts';
import type { StoredEvent } from '../envelope.ts';
import { ChainReader, decodeLine } from '../line/chain-reader.ts';
import type { SelectedBatch, Selection } from '../log/event-log.ts';
import type { Upcasters } from '../upcasters.ts';
import { assertStream, decodeMessage } from './decode-message.ts';
import { knownPlace } from './event-reader.ts';
import { assertPlace, fetchMessages, lastMessage } from './fetch-messages.ts';
import type { LogServer } from './log-server.ts';
import { placeAfter, tokenOf, type StoredMessage } from './message.ts';

/**
 * The selected events of the log, in order; the chain of the stream is checked. One stream alone is asked of the server;
 * for types in any stream every message comes here, and lines that are not asked for are skipped unparsed.
 *
 * @throws as `readEvents`.
 */
export async function* selectEvents(
  server: LogServer,
  { stream, types = new Set(), after, until }: Selection,
  upcasters: Upcasters | undefined,
): AsyncGenerator<SelectedBatch> {
  const { names } = server;
  const [from, to] = [after, until].map((bookmark) => bookmark && knownPlace(server, bookmark));
  const last = from || to || types.size > 0 ? await lastMessage(server, names.all) : undefined;
  for (const place of [from, to]) if (place) await assertPlace(server, place, last);
  const subject = types.size > 0 ? names.all : names.subjectOf(stream);
  const newest = types.size > 0 ? last : await lastMessage(server, subject);
  if (!newest) return;
  const picker = new Picker(server, { stream, types, after }, upcasters);
  for await (const messages of fetchMessages(server, { subject, after: from?.seq ?? 0, until: newest.seq })) {
    const inside = to ? messages.filter(({ seq }) => seq <= to.seq) : messages;
    if (inside.length > 0) yield picker.pick(inside);
    if (inside.length < messages.length) return;
  }
}

/** Says what is selected of each batch of messages, and how to go on after it. */
class Picker {
  readonly #server: LogServer;
  readonly #stream: string;
  readonly #types: ReadonlySet<EventType>;
  readonly #marks: readonly string[];
  readonly #chain: ChainReader;
  readonly #upcasters: Upcasters | undefined;
  #latest: readonly StoredMessage[] | undefined;

  constructor(
    server: LogServer,
    { stream, types, after }: Pick<Selection, 'stream' | 'after'> & { types: ReadonlySet<EventType> },
    upcasters: Upcasters | undefined,
  ) {
    this.#server = server;
    this.#stream = stream;
    this.#types = types;
    this.#marks = [...types].map((type) => `"type":"${type}"`);
    const head = after?.heads[stream];
    this.#chain = new ChainReader({ events: 0, heads: head ? { [stream]: head } : {} }, upcasters);
    this.#upcasters = upcasters;
  }

  pick(messages: readonly StoredMessage[]): SelectedBatch {
    this.#latest = messages;
    return {
      events: messages.flatMap((message) => this.#selected(message)),
      bookmark: () => {
        const last = messages.at(-1);
        if (this.#latest !== messages || !last)
          throw new Error('A batch was asked for its bookmark after the next one was read');
        return { token: tokenOf(placeAfter(last)), heads: this.#chain.heads() };
      },
    };
  }

  #selected(message: StoredMessage): StoredEvent[] {
    const isOwn = this.#server.names.streamOf(message.subject) === this.#stream;
    const events = decodeMessage(this.#server, message, (line) => {
      if (isOwn) return assertStream(this.#chain.read(line), this.#stream);
      if (!this.#marks.some((mark) => line.includes(mark))) return undefined;
      // What was looked for may stand nested in the data of another event.
      const event = decodeLine(line, this.#upcasters);
      return this.#types.has(event.type) ? event : undefined;
    });
    return events.filter((event) => event !== undefined);
  }
}
