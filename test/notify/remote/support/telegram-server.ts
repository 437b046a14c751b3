import { z } from 'zod';
import { webServer, type Answer } from './web-server.ts';

const paramsSchema = z.looseObject({
  chat_id: z.string().optional(),
  text: z.string().optional(),
  offset: z.int().optional(),
  message_id: z.int().optional(),
});
/** A call of the Bot API. */
export type TelegramCall = z.infer<typeof paramsSchema> & { readonly method: string };

const keyboardSchema = z.object({
  inline_keyboard: z.array(z.array(z.object({ text: z.string(), callback_data: z.string().max(64) }))),
});

/** So long a request for news is held open here, in ms. */
const POLL_MS = 200;

/**
 * Speaks as the Bot API of Telegram does, as far as it is described at https://core.telegram.org/bots/api: updates are
 * kept until they are confirmed by a higher offset, texts are at most 4096 long, callback data 64 bytes.
 */
export async function telegramServer(token: string) {
  const calls: TelegramCall[] = [];
  const updates: { update_id: number; [kind: string]: unknown }[] = [];
  /** What the next calls of `sendMessage` get in place of success. */
  const troubles: Answer[] = [];
  let nextUpdate = 100;
  let nextMessage = 1;
  let news = Promise.withResolvers<void>();
  /** Updates that are sent whatever was confirmed: as a broken or hostile server would. */
  let forgetsOffsets = false;

  let oddAnswers: Readonly<Record<string, unknown>> = {};
  let refusals: Readonly<Record<string, string>> = {};
  let held: { readonly came: () => void; readonly until: Promise<void> } | undefined;

  const push = (update: object) => {
    updates.push({ update_id: nextUpdate, ...update });
    nextUpdate += 1;
    news.resolve();
    news = Promise.withResolvers<void>();
  };
  const ok = (result: unknown) => ({ json: { ok: true, result } });
  const refused = (status: number, description: string) => ({
    status,
    json: { ok: false, error_code: status, description },
  });

  const answer = async (path: string, body: string): Promise<Answer> => {
    const prefix = `/bot${token}/`;
    if (!path.startsWith(prefix)) return refused(404, 'Not Found');
    const method = path.slice(prefix.length);
    const params = paramsSchema.parse(JSON.parse(body));
    calls.push({ method, ...params });
    const odd = oddAnswers[method];
    const refusal = refusals[method];
    if (refusal !== undefined) return refused(400, refusal);
    if (odd !== undefined) return typeof odd === 'string' ? { text: odd } : { json: odd };
    switch (method) {
      case 'sendMessage': {
        held?.came();
        await held?.until;
        if (troubles.length > 0) return troubles.shift();
        const { text = '', chat_id, reply_markup } = params;
        if (text === '' || text.length > 4_096)
          return refused(400, 'Bad Request: message text is empty or too long');
        if (reply_markup !== undefined) keyboardSchema.parse(reply_markup);
        const message = {
          message_id: nextMessage,
          chat: { id: Number(chat_id), type: 'private' },
          date: 0,
          text,
        };
        nextMessage += 1;
        return ok(message);
      }
      case 'getUpdates': {
        const { offset = 0 } = params;
        const waiting = () => updates.filter(({ update_id }) => forgetsOffsets || update_id >= offset);
        if (!forgetsOffsets) while ((updates[0]?.update_id ?? offset) < offset) updates.shift();
        if (waiting().length === 0)
          await Promise.race([news.promise, new Promise((resolve) => setTimeout(resolve, POLL_MS))]);
        return ok(waiting());
      }
      case 'answerCallbackQuery':
      case 'editMessageText':
      case 'editMessageReplyMarkup':
        return ok(true);
      default:
        return refused(404, 'Not Found: method not found');
    }
  };

  const { url } = await webServer(({ path, body }) => answer(path, body));
  const sent = () => calls.filter(({ method }) => method === 'sendMessage');
  return {
    url,
    calls,
    sent,
    troubles,
    /** The buttons of the latest message that has any: label and data. */
    buttons: () =>
      sent()
        .flatMap(({ reply_markup }) => keyboardSchema.safeParse(reply_markup).data ?? [])
        .at(-1)
        ?.inline_keyboard.flat() ?? [],
    /** `as`: where a file comes with it, its words are a caption. `album`: of which it is a picture. */
    write: (
      text: string,
      {
        from,
        chat = from,
        to,
        as = 'text',
        album,
      }: { from: number; chat?: number; to?: number; as?: 'text' | 'caption'; album?: string },
    ) =>
      push({
        message: {
          message_id: 9_000 + nextUpdate,
          date: 0,
          from: { id: from, is_bot: false, first_name: 'Somebody' },
          chat: { id: chat, type: chat < 0 ? 'group' : 'private' },
          ...(text !== '' && { [as]: text }),
          ...(album !== undefined && { media_group_id: album }),
          ...(to === undefined ? {} : { reply_to_message: { message_id: to, date: 0, chat: { id: chat } } }),
        },
      }),
    press: (data: string, { from, chat = from, on }: { from: number; chat?: number; on: number }) =>
      push({
        callback_query: {
          id: `press-${nextUpdate}`,
          from: { id: from, is_bot: false, first_name: 'Somebody' },
          chat_instance: 'x',
          message: { message_id: on, date: 0, chat: { id: chat, type: 'private' } },
          data,
        },
      }),
    /** What it says to methods in place of what it should. */
    odd: (answers: Readonly<Record<string, unknown>>) => (oddAnswers = answers),
    /** Methods that it refuses, and why. */
    refuse: (reasons: Readonly<Record<string, string>>) => (refusals = reasons),
    /** The next message is taken when it is told to go on. */
    hold: () => {
      const [came, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      held = { came: came.resolve, until: goesOn.promise };
      return { isThere: came.promise, goOn: goesOn.resolve };
    },
    /** From now on every update comes again and again. */
    replay: () => (forgetsOffsets = true),
  };
}
