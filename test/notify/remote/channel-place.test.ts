import { expect, it } from 'vitest';
import type { RemoteChannel } from '../../../src/notify/remote/remote-channel.ts';
import { email } from '../../../src/notify/remote/services/email.ts';
import { ntfy } from '../../../src/notify/remote/services/ntfy.ts';
import { slack } from '../../../src/notify/remote/services/slack.ts';
import { telegram } from '../../../src/notify/remote/services/telegram.ts';
import { webhook } from '../../../src/notify/remote/services/webhook.ts';

const url = new URL('https://example.org/');
const other = new URL('https://example.com/');
const inTelegram = { name: 'phone', url, token: '1:secret', chat: '5', takesAnswers: true };
const inSlack = {
  name: 'phone',
  url,
  token: 'xoxb',
  appToken: 'xapp-1-A1-7-secret',
  chat: 'C1',
  takesAnswers: true,
};
const byNtfy = { name: 'phone', url, topic: 'a', token: undefined };
const byHook = { name: 'phone', url, format: 'clifford', signing: undefined } as const;
const byMail = { name: 'phone', url, login: undefined, from: 'a@b.c', to: ['d@b.c', 'e@b.c'] };

const all: readonly (readonly [string, RemoteChannel, RemoteChannel])[] = [
  ['another bot', telegram(inTelegram), telegram({ ...inTelegram, token: '2:secret' })],
  ['another chat', telegram(inTelegram), telegram({ ...inTelegram, chat: '-5' })],
  ['another server of Telegram', telegram(inTelegram), telegram({ ...inTelegram, url: other })],
  ['another channel of Slack', slack(inSlack), slack({ ...inSlack, chat: 'C2' })],
  ['another app of Slack', slack(inSlack), slack({ ...inSlack, appToken: 'xapp-1-A2-7-secret' })],
  ['another topic', ntfy(byNtfy), ntfy({ ...byNtfy, topic: 'b' })],
  ['another hook', webhook(byHook), webhook({ ...byHook, url: new URL('https://example.org/2') })],
  ['other people', email(byMail), email({ ...byMail, to: ['d@b.c'] })],
  ['another service', ntfy({ ...byNtfy, topic: '' }), webhook(byHook)],
];

it.each(all)('%s is another place', (_, one, two) => {
  expect(one.place).toMatch(/^[\w-]{16}$/);
  expect(two.place).not.toBe(one.place);
});

const same: readonly (readonly [string, RemoteChannel, RemoteChannel])[] = [
  [
    'a new token of the same app',
    slack(inSlack),
    slack({ ...inSlack, token: 'xoxb-2', appToken: 'xapp-1-A1-8-other' }),
  ],
  ['a new token of the same bot', telegram(inTelegram), telegram({ ...inTelegram, token: '1:other' })],
  ['the same people in another order', email(byMail), email({ ...byMail, to: byMail.to.toReversed() })],
  ['another server for the mails', email(byMail), email({ ...byMail, url: other })],
];

it.each(same)('%s is the same place', (_, one, two) => {
  expect(two.place).toBe(one.place);
});
