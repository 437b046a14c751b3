import { sha256 } from '../../../lib/digest.ts';
import { clip } from '../../../lib/text/clip.ts';
import { messageText, overText } from '../message.ts';
import { placeOf } from '../channel-place.ts';
import type { RemoteChannel } from '../remote-channel.ts';
import { buttonData } from '../replies/reply.ts';
import { RememberedTexts } from './remembered-texts.ts';
import { slackApi } from './slack-api.ts';
import { listenToSlack } from './slack-socket.ts';
import { escapedForSlack as escaped, quietInSlack as quietly } from './slack-text.ts';

/** What Slack needs. */
export type SlackParts = {
  readonly name: string;
  /** The server, as in `https://slack.com`. */
  readonly url: URL;
  readonly token: string;
  /** Opens the connection that answers come by. */
  readonly appToken: string | undefined;
  readonly chat: string;
  /** Whether anybody may answer there. */
  readonly takesAnswers: boolean;
};

/** What Slack takes of a block of text and of the label of a button, in characters. */
const MAX_BLOCK = 3_000;
const MAX_LABEL = 75;

/** An app of Slack. Answers come by a connection that it opens itself (Socket Mode): nothing has to be reached from outside. */
export function slack(parts: SlackParts): RemoteChannel {
  const { name, url, chat, token, appToken, takesAnswers } = parts;
  const call = slackApi(parts);
  const texts = new RememberedTexts();
  return {
    name,
    service: 'slack',
    // Another app cannot change what this one has posted.
    place: placeOf('slack', url.host, (appToken ?? token).split('-')[2] ?? '', chat),
    mostText: MAX_BLOCK,
    async send(message, signal) {
      const text = messageText(message, MAX_BLOCK);
      const buttons = message.buttons.map(({ label, press }, at) => ({
        type: 'button',
        text: plain(clip(label, MAX_LABEL)),
        action_id: `clifford-${at}`,
        value: buttonData(press, message.tag),
      }));
      const blocks = [
        { type: 'section', text: plain(text) },
        ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
      ];
      const params = { channel: chat, text: escaped(message.title), blocks, ...quietly };
      const { ts: ref } = await call('chat.postMessage', params, { token, signal });
      if (ref !== undefined) texts.keep(ref, overText(message, MAX_BLOCK));
      return { said: `${url.host} has posted it`, ref };
    },
    async settle(ref, outcome, signal) {
      const text = texts.get(ref);
      if (text === undefined) {
        const params = { channel: chat, thread_ts: ref, text: escaped(outcome), ...quietly };
        await call('chat.postMessage', params, { token, signal });
        return;
      }
      const whole = `${clip(text, MAX_BLOCK - outcome.length - 2)}\n\n${outcome}`;
      const blocks = [{ type: 'section', text: plain(whole) }];
      await call(
        'chat.update',
        { channel: chat, ts: ref, text: escaped(outcome), blocks },
        { token, signal },
      );
    },
    ...(takesAnswers && appToken !== undefined
      ? {
          listen: (take, signal) => listenToSlack({ call, take, signal, token, appToken, host: url.host }),
          listensAs: sha256(`slack ${appToken}`).slice(0, 16),
        }
      : {}),
  };
}

/** No markup is read in it: what agents say makes no link and no mention. */
function plain(text: string): object {
  return { type: 'plain_text', text, emoji: false };
}
