import { createHmac } from 'node:crypto';
import { clip } from '../../../lib/text/clip.ts';
import { placeOf } from '../channel-place.ts';
import { postJson } from '../post-json.ts';
import { bodyText, plainMessage, type Message } from '../message.ts';
import { secretsOfUrl } from '../without-secrets.ts';
import type { RemoteChannel } from '../remote-channel.ts';
import { escapedForSlack } from './slack-text.ts';

/** What a webhook needs. Discord and Slack take it in a form of their own. */
export type WebhookParts = {
  readonly name: string;
  readonly url: URL;
  readonly format: 'clifford' | 'slack' | 'discord';
  /** What is signed with, and the text that it was: that is not repeated anywhere. */
  readonly signing: { readonly key: Buffer; readonly secret: string } | undefined;
};

/** Discord refuses more, in UTF-16 units. */
const MAX_DISCORD = 2_000;

/** Posts to an address. What is signed can be checked as Standard Webhooks describe: by id, time and body together. */
export function webhook({ name, url, format, signing }: WebhookParts): RemoteChannel {
  return {
    name,
    service: 'webhook',
    place: placeOf('webhook', url.href),
    async send(message, signal) {
      const body = JSON.stringify(bodies[format](message));
      const headers = signing === undefined ? {} : signed(message.id, body, signing.key);
      const secrets = [...secretsOfUrl(url), ...(signing === undefined ? [] : [signing.secret])];
      const { refusal, status } = await postJson({
        url,
        body,
        headers,
        signal,
        secrets,
      });
      if (refusal) throw refusal;
      return { said: `${url.host} answered HTTP ${status}` };
    },
  };
}

const bodies: Readonly<Record<WebhookParts['format'], (message: Message) => unknown>> = {
  clifford: plainMessage,
  // What agents say is text to Slack, and no link or mention.
  slack: (message) => ({ text: escapedForSlack(`*${message.title}*\n${bodyText(message)}`) }),
  discord: (message) => ({
    content: discordContent(message),
    allowed_mentions: { parse: [] },
    // Without a preview of what is linked.
    flags: 4,
  }),
};

function discordContent(message: Message): string {
  const { title, text, options, hint } = message;
  const head = `**${clip(discordText(title), MAX_DISCORD / 4)}**`;
  const shown = {
    ...message,
    text: discordText(text),
    options: options.map(discordText),
    hint: discordText(hint),
  };
  return `${head}\n${bodyText(shown, MAX_DISCORD - head.length - 1)}`;
}

/** Text of others for where Discord reads markup: it is none there. */
function discordText(text: string): string {
  return text.replaceAll(/[\\*_~`|[\]<>]|[#-](?<=^\s*[^])/gm, String.raw`\$&`);
}

function signed(id: string, body: string, key: Buffer): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}
