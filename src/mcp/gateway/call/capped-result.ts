import { join } from 'node:path';
import { writeAtomically } from '../../../workflow/write-atomically.ts';
import type { RawObject } from '../server/manager-event.ts';

/** The share of the limit that the beginning of a result which is too large may take. */
const KEPT_SHARE = 1 / 4;

/** Where results are kept that are too large, and what too large is. */
export type ResultCap = {
  /** The project's `.clifford`, absolute. */
  readonly dir: string;
  readonly callId: string;
  /** In bytes of JSON. */
  readonly maxBytes: number;
};

/**
 * A result as it came, if it is no larger than it may be. Of a larger one the agent gets the beginning of its text
 * and the path of the file that has the whole: `.clifford/results/<callId>.json`, mode 0600.
 */
export async function cappedResult(
  result: RawObject,
  { dir, callId, maxBytes }: ResultCap,
): Promise<RawObject> {
  const bytes = Buffer.byteLength(JSON.stringify(result));
  if (bytes <= maxBytes) return result;
  const file = join(dir, 'results', `${callId}.json`);
  await writeAtomically(file, `${JSON.stringify(result, null, 2)}\n`);
  const beginning = textOf(result)
    .slice(0, maxBytes * KEPT_SHARE)
    .toWellFormed();
  const note =
    `[Clifford: this result has ${bytes} bytes, more than the ${maxBytes} that are handed on. ` +
    `${beginning === '' ? 'It' : 'Above is the beginning of its text; it'} is whole in ${file}]`;
  // Without structuredContent, which some agents show in place of the text.
  return {
    content: [beginning, note].filter((text) => text !== '').map((text) => ({ type: 'text', text })),
    ...(result['isError'] === true ? { isError: true } : {}),
  };
}

function textOf({ content, structuredContent }: RawObject): string {
  const texts = Array.isArray(content) ? content.flatMap(textOfPart) : [];
  if (texts.length > 0 || structuredContent === undefined) return texts.join('\n');
  return JSON.stringify(structuredContent, null, 2);
}

function textOfPart(part: unknown): string[] {
  const isText = typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string';
  return isText ? [part.text as string] : [];
}
