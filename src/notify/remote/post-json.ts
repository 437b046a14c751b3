import { codeOf } from '../../lib/system-error.ts';
import { jsonValue } from '../../lib/json/json-value.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { DeliveryError } from './delivery-error.ts';
import { withoutSecrets } from './without-secrets.ts';

/** How long a service may take, in ms. */
const LIMIT_MS = 10_000;
/** So much of what a service answers is read, in bytes. */
const MAX_BYTES = 1024 * 1024;
const MAX_SAID = 160;

/** What is posted, and where to. */
export type Post = {
  readonly url: URL;
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the service may repeat and nobody is to read. */
  readonly secrets?: readonly string[];
  readonly signal: AbortSignal;
  /** Default: {@link LIMIT_MS}. */
  readonly limitMs?: number;
};

/** What a service answered that took it, or refused it in words of its own. */
export type Answered = {
  readonly status: number;
  readonly json: unknown;
  /** The error, unless it took it. */
  readonly refusal: DeliveryError | undefined;
};

/**
 * Posts JSON. No redirect is followed: what is sent is for this one address.
 *
 * @throws {DeliveryError} when the service cannot be reached, is busy or broken. It names the host alone: the rest of an
 *   address may be a secret.
 */
export function postJson(post: Post): Promise<Answered> {
  return postBytes({ ...post, headers: { 'content-type': 'application/json', ...post.headers } });
}

/** The same with whatever content. @throws {DeliveryError} as {@link postJson}. */
export async function postBytes(post: Post): Promise<Answered> {
  const { url, secrets = [] } = post;
  const { response, text } = await reach(post);
  const { status } = response;
  const safe = withoutSecrets(text, secrets);
  const said = cleanLine(safe.trim(), MAX_SAID);
  const kind = `${url.host} answered HTTP ${status}`;
  const what = `${kind}${said === '' ? '' : `: ${said}`}`;
  if (status === 429 || status >= 500)
    throw new DeliveryError(what, { kind, retryAfterMs: retryAfterMs(response, text) });
  const isTaken = status >= 200 && status < 300;
  return {
    status,
    json: jsonValue(safe),
    refusal: isTaken ? undefined : new DeliveryError(what, { kind, isRefusal: true }),
  };
}

async function reach({ url, body, headers = {}, signal, limitMs = LIMIT_MS }: Post) {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    });
    return { response, text: await readSome(response) };
  } catch (cause) {
    throw new DeliveryError(`${url.host} ${whyUnreached(cause, limitMs)}`);
  }
}

async function readSome(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MAX_BYTES).toString('utf8');
}

/** What `fetch` says has the whole address in it: of its error only the code is told. */
function whyUnreached(error: unknown, limitMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `has not answered within ${limitMs / 1_000} s`;
  if (error instanceof Error && error.name === 'AbortError') return 'was not waited for any longer';
  const cause = error instanceof Error ? error.cause : undefined;
  const code = codeOf(cause) ?? codeOf(error);
  return `cannot be reached${code === undefined ? '' : ` (${code})`}`;
}

/** In a header, in seconds or as a date; or in the JSON of Telegram and Discord, in seconds. */
function retryAfterMs(response: Response, text: string): number | undefined {
  const header = response.headers.get('retry-after') ?? inBody(text);
  if (header === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(header)) return Math.ceil(Number(header) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

function inBody(text: string): string | undefined {
  return /"retry_after"\s*:\s*(\d{1,9}(?:\.\d{1,6})?)/.exec(text)?.[1];
}
