import { z } from 'zod';
import { sha256 } from '../../../lib/digest.ts';
import { clip } from '../../../lib/text/clip.ts';
import { DeliveryError } from '../delivery-error.ts';
import { messageText, overText } from '../message.ts';
import { placeOf } from '../channel-place.ts';
import { postJson } from '../post-json.ts';
import type { RemoteChannel, TakeReply } from '../remote-channel.ts';
import { buttonData, FILES_STAY, pressedButton, type Reply } from '../replies/reply.ts';
import { RememberedTexts } from './remembered-texts.ts';

/** What Telegram needs. */
export type TelegramParts = {
  readonly name: string;
  /** The server of the Bot API. */
  readonly url: URL;
  readonly token: string;
  readonly chat: string;
  /** Whether anybody may answer there. */
  readonly takesAnswers: boolean;
};

/** How long Telegram holds a request for news open, in seconds, and how much longer it may take, in ms. */
const POLL_S = 50;
const POLL_SLACK_MS = 10_000;
/** What Telegram takes of a message, and of what it says to who pressed a button, in UTF-16 units. */
const MAX_TEXT = 4_096;
const MAX_TOAST = 200;

const answerSchema = z.object({
  ok: z.boolean(),
  result: z.unknown().optional(),
  error_code: z.number().optional(),
  description: z.string().optional(),
});

const sentSchema = z.object({ message_id: z.int() });

const userSchema = z.object({ id: z.int() });
const placeSchema = z.object({
  message_id: z.int(),
  chat: z.object({ id: z.int(), type: z.string().optional() }),
});

/** Of all that Telegram tells only this matters here. What has another form is passed over. */
const updateSchema = z.object({
  update_id: z.int(),
  message: placeSchema
    .extend({
      from: userSchema.optional(),
      text: z.string().optional(),
      /** Of a picture, or another file. */
      caption: z.string().optional(),
      reply_to_message: z.object({ message_id: z.int() }).optional(),
      /** Of pictures that were sent together: each is a message of its own. */
      media_group_id: z.string().optional(),
    })
    .optional()
    .catch(undefined),
  callback_query: z
    .object({
      id: z.string(),
      from: userSchema,
      message: placeSchema.optional(),
      data: z.string().optional(),
    })
    .optional()
    .catch(undefined),
});
type Update = z.infer<typeof updateSchema>;

/** A bot of Telegram. It asks for news by itself: nothing has to be reached from outside. */
export function telegram(parts: TelegramParts): RemoteChannel {
  const { name, chat, takesAnswers, token, url } = parts;
  const call = apiOf(parts);
  const texts = new RememberedTexts();
  return {
    name,
    service: 'telegram',
    // The same bot has the same id, whatever its token is.
    place: placeOf('telegram', url.host, token.split(':', 1)[0] ?? '', chat),
    mostText: MAX_TEXT,
    async send(message, signal) {
      const text = messageText(message, MAX_TEXT);
      const keyboard = message.buttons.map(({ label, press }) => [
        { text: label, callback_data: buttonData(press, message.tag) },
      ]);
      const result = await call(
        'sendMessage',
        {
          chat_id: chat,
          text,
          link_preview_options: { is_disabled: true },
          ...(keyboard.length === 0 ? {} : { reply_markup: { inline_keyboard: keyboard } }),
        },
        signal,
      );
      const sent = sentSchema.safeParse(result).data;
      // It may be there all the same: somebody has to look.
      if (!sent) throw new DeliveryError(strange(parts.url), { isRefusal: true });
      const ref = String(sent.message_id);
      texts.keep(ref, overText(message, MAX_TEXT));
      return { said: `${parts.url.host} has sent it to the chat`, ref };
    },
    async settle(ref, outcome, signal, remade) {
      const where = { chat_id: chat, message_id: Number(ref) };
      const known = texts.get(ref);
      const text = known ?? (remade && overText(await remade(), MAX_TEXT));
      if (text === undefined) {
        await call('editMessageReplyMarkup', { ...where, reply_markup: { inline_keyboard: [] } }, signal);
        return;
      }
      const whole = `${clip(text, MAX_TEXT - outcome.length - 2)}\n\n${outcome}`;
      await call(
        'editMessageText',
        { ...where, text: whole, link_preview_options: { is_disabled: true } },
        signal,
      );
    },
    ...(takesAnswers
      ? { listen: listener(call, parts), listensAs: sha256(`telegram ${token}`).slice(0, 16) }
      : {}),
  };
}

type Call = (method: string, params: object, signal: AbortSignal, limitMs?: number) => Promise<unknown>;

function apiOf({ url, token }: TelegramParts): Call {
  return async (method, params, signal, limitMs) => {
    const { json, refusal } = await postJson({
      url: new URL(`${url.pathname.replace(/\/$/, '')}/bot${token}/${method}`, url),
      body: JSON.stringify(params),
      secrets: [token, ...token.split(':').slice(1)],
      signal,
      ...(limitMs === undefined ? {} : { limitMs }),
    });
    const answer = answerSchema.safeParse(json);
    // Another program that reads the answers of this bot goes away again.
    if (answer.data?.error_code === 409)
      throw new DeliveryError(
        `another program reads the answers of this bot (${url.host} answered HTTP 409)`,
      );
    // Whoever was killed meanwhile has made this edit.
    if (answer.data?.description?.includes('message is not modified')) return undefined;
    if (refusal) throw refusal;
    if (!answer.data?.ok) throw new DeliveryError(strange(url), { isRefusal: true });
    return answer.data.result;
  };
}

function strange({ host }: URL): string {
  return `${host} does not speak as Telegram does`;
}

function listener(call: Call, { chat, url }: TelegramParts) {
  // Stays when reading is interrupted: what was taken is not taken again.
  let next: number | undefined;
  let album: string | undefined;
  return async (take: TakeReply, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const result = await call(
        'getUpdates',
        {
          timeout: POLL_S,
          allowed_updates: ['message', 'callback_query'],
          ...(next === undefined ? {} : { offset: next }),
        },
        signal,
        POLL_S * 1_000 + POLL_SLACK_MS,
      );
      const raw = z.array(z.unknown()).safeParse(result).data;
      if (!raw) throw new DeliveryError(strange(url));
      const updates = raw.flatMap((each) => updateSchema.safeParse(each).data ?? []);
      for (const update of updates) {
        // One that was there before is no news, whoever sends it again.
        if (next !== undefined && update.update_id < next) continue;
        if (!isToldWith(update, album, updates)) await handle(update, { call, chat, take, signal });
        album = update.message?.media_group_id ?? album;
        next = update.update_id + 1;
      }
    }
  };
}

/** Whether a picture without words is answered with another one of its album: one before it, or one that has words. */
function isToldWith({ message }: Update, told: string | undefined, updates: readonly Update[]): boolean {
  const album = message?.media_group_id;
  if (album === undefined || wordsOf(message) !== undefined) return false;
  const isOf = ({ message: other }: Update) => other?.media_group_id === album;
  return told === album || updates.some((each) => isOf(each) && wordsOf(each.message) !== undefined);
}

function wordsOf(message: Update['message']): string | undefined {
  return message?.text ?? message?.caption;
}

async function handle(
  { message, callback_query: press }: Update,
  { call, chat, take, signal }: { call: Call; chat: string; take: TakeReply; signal: AbortSignal },
): Promise<void> {
  if (press) {
    const said = await take(pressOf(press));
    await tell(() =>
      call(
        'answerCallbackQuery',
        { callback_query_id: press.id, ...(said === undefined ? {} : { text: clip(said, MAX_TOAST) }) },
        signal,
      ),
    );
    return;
  }
  if (message?.from === undefined) return;
  const ref = message.reply_to_message?.message_id;
  // A picture alone is no answer, which whoever sent it in place of one is told.
  const text = wordsOf(message) ?? (ref === undefined ? undefined : '');
  if (text === undefined) return;
  // In a group people speak with each other.
  if (ref === undefined && message.chat.type !== 'private') return;
  const said = await take({
    sender: String(message.from.id),
    chat: String(message.chat.id),
    ref: ref === undefined ? undefined : String(ref),
    isDirect: message.chat.type === 'private',
    said: { text },
  });
  if (said === undefined) return;
  const told = message.text === undefined ? `${said}\n${FILES_STAY}` : said;
  const reply = { message_id: message.message_id, allow_sending_without_reply: true };
  await tell(() => call('sendMessage', { chat_id: chat, text: told, reply_parameters: reply }, signal));
}

/** What was recorded is recorded, whether or not they hear of it. */
async function tell(send: () => Promise<unknown>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!(error instanceof DeliveryError)) throw error;
  }
}

function pressOf({ from, message, data = '' }: NonNullable<Update['callback_query']>): Reply {
  return {
    sender: String(from.id),
    chat: message ? String(message.chat.id) : '',
    ref: message ? String(message.message_id) : undefined,
    // Buttons are ours alone.
    isDirect: true,
    said: pressedButton(data),
  };
}
