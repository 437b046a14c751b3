import { z } from 'zod';
import { jsonValue } from '../../../../src/lib/json/json-value.ts';
import { webServer, type Answer, type Received } from './web-server.ts';

const label = z.string().min(1);
const action = z.discriminatedUnion('action', [
  z.object({ action: z.literal('view'), label, url: z.url(), clear: z.boolean().optional() }),
  z.object({
    action: z.literal('http'),
    label,
    url: z.url(),
    method: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
    clear: z.boolean().optional(),
  }),
  z.object({
    action: z.literal('broadcast'),
    label,
    intent: z.string().optional(),
    extras: z.record(z.string(), z.string()).optional(),
    clear: z.boolean().optional(),
  }),
]);
/** What may be published as JSON, see https://docs.ntfy.sh/publish/#publish-as-json. */
const publication = z.object({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  priority: z.int().min(1).max(5).optional(),
  tags: z.array(z.string()).optional(),
  click: z.url().optional(),
  actions: z.array(action).max(3).optional(),
});
type Publication = z.infer<typeof publication>;

/** So much JSON is read, in bytes: twice as much as a message may have. */
const MAX_BYTES = 2 * 4_096;

const errors = {
  priority: [40_007, 'invalid priority parameter', '/publish/#message-priority'],
  topic: [40_009, 'invalid request: topic invalid', ''],
  json: [40_017, 'invalid request: request body must be message JSON', '/publish/#publish-as-json'],
  actions: [40_018, 'invalid request: actions invalid', '/publish/#action-buttons'],
  login: [40_101, 'unauthorized', '/publish/#authentication'],
  right: [40_301, 'forbidden', '/publish/#authentication'],
  path: [40_401, 'page not found', ''],
  size: [41_303, 'JSON body too large', ''],
} as const;

type NtfyParts = {
  /** What it answers first, whatever it is sent. */
  readonly troubles?: Answer[];
  /** Who may publish, by the header `Authorization`. Default: everybody. */
  readonly lets?: readonly string[];
};

/** A server of ntfy: `published` is what it has taken, as it understood it. */
export async function ntfyServer({ troubles = [], lets }: NtfyParts = {}) {
  const received: Received[] = [];
  const published: Publication[] = [];
  const { url } = await webServer((each) => {
    received.push(each);
    if (troubles.length > 0) return troubles.shift();
    const { authorization } = each.headers;
    if (each.path !== '/') return refusal('path');
    if (lets && authorization !== undefined && !lets.includes(String(authorization))) return refusal('login');
    if (Buffer.byteLength(each.body) > MAX_BYTES) return refusal('size');
    const { data, error } = publication.safeParse(jsonValue(each.body));
    if (error) return refusal(error.issues[0]?.path[0]);
    if (lets && authorization === undefined) return refusal('right');
    published.push(data);
    const time = Math.floor(Date.now() / 1_000);
    const id = String(published.length).padStart(12, 'm');
    return {
      json: {
        id,
        time,
        expires: time + 43_200,
        event: 'message',
        ...data,
        message: data.message || 'triggered',
      },
    };
  });
  return { url, received, published };
}

function refusal(what: PropertyKey | undefined): Answer {
  const [code, error, page] =
    what !== undefined && Object.hasOwn(errors, what) ? errors[what as keyof typeof errors] : errors.json;
  const http = Math.floor(code / 100);
  const link = page === '' ? {} : { link: `https://ntfy.sh/docs${page}` };
  return { status: http, json: { code, http, error, ...link } };
}
