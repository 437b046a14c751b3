import { z } from 'zod';
import { nameSchema } from '../../../events/field-schemas.ts';
import { clip } from '../../../lib/text/clip.ts';
import { DeliveryError } from '../delivery-error.ts';
import { postJson } from '../post-json.ts';

const answerSchema = z.object({
  ok: z.boolean(),
  error: z.string().optional(),
  // What the log could not have is no name of it.
  ts: nameSchema.optional().catch(undefined),
  url: z.string().optional(),
});

/** Calls a method of the Web API. @throws {DeliveryError} */
export type SlackCall = (
  method: string,
  params: object,
  options: { readonly token: string; readonly signal: AbortSignal },
) => Promise<z.infer<typeof answerSchema>>;

/** The Web API of a server, with the tokens of an app. */
export function slackApi({
  url,
  token,
  appToken = '',
}: {
  readonly url: URL;
  readonly token: string;
  readonly appToken: string | undefined;
}): SlackCall {
  return async (method, params, { token: authority, signal }) => {
    const { json, refusal } = await postJson({
      url: new URL(`/api/${method}`, url),
      body: JSON.stringify(params),
      headers: { authorization: `Bearer ${authority}`, 'content-type': 'application/json; charset=utf-8' },
      secrets: [token, ...(appToken === '' ? [] : [appToken])],
      signal,
    });
    if (refusal) throw refusal;
    const answer = answerSchema.safeParse(json).data;
    if (!answer) throw new DeliveryError(`${url.host} does not speak as Slack does`, { isRefusal: true });
    if (!answer.ok) {
      const why = clip(answer.error ?? 'without a reason', 60);
      throw new DeliveryError(`${url.host} refused ${method}: ${why}`, { isRefusal: !passing.has(why) });
    }
    return answer;
  };
}

/** What Slack says that is over by itself. */
const passing = new Set([
  'ratelimited',
  'rate_limited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
]);
