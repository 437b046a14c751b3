import { bodyText, type Message } from '../message.ts';
import { placeOf } from '../channel-place.ts';
import { secretsOfUrl } from '../without-secrets.ts';
import { postJson } from '../post-json.ts';
import type { RemoteChannel } from '../remote-channel.ts';

/** What ntfy needs. */
export type NtfyParts = {
  readonly name: string;
  /** The server. */
  readonly url: URL;
  readonly topic: string;
  readonly token: string | undefined;
};

/** A longer message becomes a file to it, in bytes. */
const MAX_BYTES = 4_000;

/** Publishes to a topic. The message opens a page where there is one, and no right to answer is in it: the server reads it. */
export function ntfy({ name, url, topic, token }: NtfyParts): RemoteChannel {
  return {
    name,
    service: 'ntfy',
    place: placeOf('ntfy', url.href, topic),
    async send(message, signal) {
      const { title, link, kind, request } = message;
      const isWanted = request !== undefined || kind === 'waiting';
      const body = JSON.stringify({
        topic,
        title,
        message: inBytes({ ...message, link: undefined }) || title,
        priority: isWanted ? 4 : 3,
        tags: [tags[kind] ?? 'bell'],
        ...(link === undefined
          ? {}
          : { click: link, actions: [{ action: 'view', label: 'Open', url: link }] }),
      });
      const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const secrets = [...secretsOfUrl(url), topic, ...(token === undefined ? [] : [token])];
      const { refusal } = await postJson({ url, body, headers, secrets, signal });
      if (refusal) throw refusal;
      return { said: `${url.host} has published it` };
    },
  };
}

/** Names of pictures that ntfy knows. */
const tags: Readonly<Record<string, string>> = {
  question: 'question',
  prompt: 'question',
  waiting: 'question',
  approval: 'lock',
  completed: 'white_check_mark',
  failed: 'x',
};

function inBytes(message: Message): string {
  let most = MAX_BYTES;
  let text = bodyText(message, most);
  for (let bytes = Buffer.byteLength(text); bytes > MAX_BYTES && most > 0; bytes = Buffer.byteLength(text)) {
    most = Math.floor((most * MAX_BYTES) / bytes) - 1;
    text = bodyText(message, most);
  }
  return text;
}
