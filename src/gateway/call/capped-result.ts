import { join } from 'node:path';
import { makeOwnFolder } from '../../lib/files/own-folder.ts';
import { writeOwn } from '../../lib/files/write-own.ts';
import type { RawObject } from '../server/manager-event.ts';
import type { Target } from './target.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

/** The share of the limit that the beginning of a result which is too large may take. */
const KEPT_SHARE = 1 / 4;

/** Where results are kept that are too large, and what too large is. */
export type ResultCap = {
  /** The project's `.clifford`, absolute. */
  readonly dir: string;
  readonly callId: string;
  /** What the result has the form of. */
  readonly method: Target['method'];
  /** In bytes of JSON. */
  readonly maxBytes: number;
};

/**
 * A result as it came, if it is no larger than it may be. Of a larger one the agent gets the beginning of its text
 * and the path of the file that has the whole: `.clifford/results/<callId>.json`, mode 0600.
 */
export async function cappedResult(
  result: RawObject,
  { dir, callId, method, maxBytes }: ResultCap,
): Promise<RawObject> {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= maxBytes) return result;
  const file = join(dir, 'results', `${callId}.json`);
  makeOwnFolder(dir);
  await writeOwn(dir, file, `${JSON.stringify(result, null, 2)}\n`);
  const beginning = textOf(result)
    .slice(0, maxBytes * KEPT_SHARE)
    .toWellFormed();
  const note =
    `[Clifford: this result has ${bytes} bytes, more than the ${maxBytes} that are handed on. ` +
    `${beginning === '' ? 'It' : 'Above is the beginning of its text; it'} is whole in ${file}]`;
  const texts = [beginning, note].filter((text) => text !== '');
  return { ...inFormOf(method, texts, result), ...(result['isError'] === true ? { isError: true } : {}) };
}

/** Texts in place of a result, in the form that clients insist on: without `structuredContent`, which some show. */
function inFormOf(method: Target['method'], texts: readonly string[], result: RawObject): RawObject {
  const parts = texts.map((text) => ({ type: 'text', text }));
  switch (method) {
    case 'tools/call':
      return { content: parts };
    case 'resources/subscribe':
      return {};
    case 'prompts/get':
      return { messages: parts.map((content) => ({ role: 'user', content })) };
    case 'resources/read': {
      const [first] = listAt(result, 'contents');
      const uri = isJsonObject(first) && typeof first['uri'] === 'string' ? first['uri'] : '';
      return { contents: texts.map((text) => ({ uri, mimeType: 'text/plain', text })) };
    }
  }
}

function textOf(result: RawObject): string {
  const { structuredContent } = result;
  const messages = listAt(result, 'messages').map((each) =>
    isJsonObject(each) ? each['content'] : undefined,
  );
  const parts = [...listAt(result, 'content'), ...listAt(result, 'contents'), ...messages];
  const texts = parts.flatMap((part) =>
    isJsonObject(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  if (texts.length > 0 || structuredContent === undefined) return texts.join('\n');
  return JSON.stringify(structuredContent, null, 2);
}

function listAt(result: RawObject, key: string): readonly unknown[] {
  const value = result[key];
  return Array.isArray(value) ? value : [];
}
