import { text } from 'node:stream/consumers';
import type { Context } from 'hono';
import type { z } from 'zod';
import { isDeeper } from '../../lib/json/json-value.ts';
import type { Endpoint } from '../api/endpoint.ts';
import type { AppEnv } from './guards/gate.ts';
import { refusal } from './refuse.ts';
import type { Refusal } from './refusal.ts';

/** A longer body is refused, in bytes: the longest answer fits, with every character of it escaped. */
const MOST_BODY_BYTES = 1_048_576;
/** So deep may lists and objects of a body be in each other: what looks at them calls itself for each. */
const MOST_DEPTH = 200;

type Ctx = Context<AppEnv>;

/** What a request asks for, by the schemas of its endpoint. @throws {Refusal} 400, 413. */
export async function readRequest(c: Ctx, { params, query, body }: Endpoint): Promise<unknown> {
  return {
    params: params ? parse(params, c.req.param(), 'address') : {},
    query: query ? parse(query, c.req.query(), 'query') : {},
    body: body ? parse(body, await readJson(c), 'body') : {},
  };
}

async function readJson(c: Ctx): Promise<unknown> {
  const sent = await bodyOf(c);
  if (sent === '') return {};
  let json: unknown;
  try {
    json = JSON.parse(sent);
  } catch {
    throw invalid('body', 'it is no JSON');
  }
  if (isDeeper(json, MOST_DEPTH)) throw invalid('body', `it is nested more than ${MOST_DEPTH} deep`);
  return json;
}

async function bodyOf(c: Ctx): Promise<string> {
  try {
    return await text(piecesOf(c));
  } catch (error) {
    // Whoever has hung up hears nothing of it.
    if (c.env.incoming.destroyed || c.env.incoming.errored) throw invalid('body', 'it ended before its end');
    throw error;
  }
}

async function* piecesOf(c: Ctx): AsyncGenerator<Uint8Array> {
  let size = 0;
  // Who sends too much is told so on the same connection.
  for await (const piece of c.req.raw.body?.values({ preventCancel: true }) ?? []) {
    size += piece.length;
    if (size > MOST_BODY_BYTES) throw tooLong();
    yield piece;
  }
}

function tooLong(): Refusal {
  const most = `${MOST_BODY_BYTES} bytes`;
  return refusal(413, 'BODY_TOO_LONG', `Cannot take a body of more than ${most}`, 'Send less');
}

/** Takes what is as the schema says. @throws {Refusal} 400. */
export function parse<S extends z.ZodType>(schema: S, value: unknown, where: string): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(where, issue ? issueText(issue) : 'it is none');
}

function issueText({ path, ...issue }: z.core.$ZodIssue): string {
  const what = path.join('.');
  if (issue.code === 'custom') return `${what || 'it'} ${issue.message}`;
  if (issue.code === 'unrecognized_keys')
    return `${what || 'it'} has no ${issue.keys.join(', ')} in the schema`;
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `${what || 'it'} has to be there`;
  if (issue.code === 'invalid_type') return `${what || 'it'} has to be of the type ${issue.expected}`;
  return `${what || 'it'}: ${issue.message}`;
}

function invalid(where: string, why: string): Refusal {
  return refusal(
    400,
    'INPUT_INVALID',
    `Cannot take the ${where}: ${why}`,
    'See the schema at /api/openapi.json',
  );
}
