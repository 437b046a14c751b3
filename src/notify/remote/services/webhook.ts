import { createHmac } from 'node:crypto';
import { postJson } from '../post-json.ts';
import { bodyText, type Message } from '../message.ts';
import type { RemoteChannel } from '../remote-channel.ts';

/** What a webhook needs. Discord and Slack take it in a form of their own. */
export type WebhookParts = {
  readonly name: string;
  readonly url: URL;
  readonly format: 'clifford' | 'slack' | 'discord';
  readonly secret: string | undefined;
};

/** Discord refuses more, in UTF-16 units. */
const MAX_DISCORD = 2_000;

/** Posts to an address. What is signed can be checked as Standard Webhooks describe: by id, time and body together. */
export function webhook({ name, url, format, secret }: WebhookParts): RemoteChannel {
  return {
    name,
    service: 'webhook',
    async send(message, signal) {
      const body = JSON.stringify(bodies[format](message));
      const headers = secret === undefined ? {} : signed(message.id, body, secret);
      const secrets = [url.href, `${url.pathname}${url.search}`, ...(secret === undefined ? [] : [secret])];
      const { refusal, status } = await postJson({
        url,
        body,
        headers,
        signal,
        secrets: secrets.filter(isLong),
      });
      if (refusal) throw refusal;
      return { said: `${url.host} answered HTTP ${status}` };
    },
  };
}

const bodies: Readonly<Record<WebhookParts['format'], (message: Message) => unknown>> = {
  clifford: ({ tag: _tag, buttons: _buttons, ...message }) => message,
  // What agents say is text to Slack, and no link or mention.
  slack: (message) => ({ text: slackText(`*${message.title}*\n${bodyText(message)}`) }),
  discord: (message) => ({
    content: `**${discordText(message.title)}**\n${discordText(bodyText(message))}`.slice(0, MAX_DISCORD),
    allowed_mentions: { parse: [] },
    // Without a preview of what is linked.
    flags: 4,
  }),
};

function slackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function discordText(text: string): string {
  return text.replaceAll(/[\\*_~`|[\]<>]/g, String.raw`\$&`);
}

/** `secret`: as it is, or in base64 after `whsec_`. */
function signed(id: string, body: string, secret: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function isLong(text: string): boolean {
  return text.length > 1;
}
