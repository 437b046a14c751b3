import { hash } from 'node:crypto';
import type { StoredEvent } from '../envelope.ts';
import type { StreamHead } from '../log/event-log.ts';

/**
 * Longest line in bytes, without its newline. Every text field at its longest, fully escaped,
 * is 393 KB; a longer line than this is damage.
 */
export const MAX_LINE_BYTES = 4_194_304;

/** The head of a stream without events. */
export const EMPTY_HEAD: StreamHead = { version: 0, hash: '' };

/** The chain's hash: base64url SHA-256 of a line's UTF-8 bytes, without the newline. */
export function hashLine(line: string | Uint8Array): string {
  return hash('sha256', line, 'base64url');
}

/**
 * A line, without its newline, in two halves: what stands before and after its place in the chain.
 * The halves are made before the lock is taken; only the place has to be filled in under it.
 */
export type LineTemplate = { readonly before: string; readonly after: string };

/**
 * Serialises all of a checked event but its place. Key order and spelling are part of the format.
 * Only `subject` and `data` can hold anything that JSON has to escape.
 */
export function lineTemplate(event: StoredEvent): LineTemplate {
  const { id, source, type, subject, time, schemaversion, data, following } = event;
  return {
    before:
      `{"specversion":"1.0","id":"${id}","source":"${source}","type":"${type}",` +
      `"subject":${JSON.stringify(subject)},"time":"${time}"`,
    after: `"schemaversion":${schemaversion},"data":${JSON.stringify(data)}${followingPart(following)}}`,
  };
}

/** The line of an event that follows `head` in its stream. */
export function fillTemplate(template: LineTemplate, head: StreamHead): string {
  const place = `,"streamversion":${head.version + 1},"prevhash":"${head.hash}",`;
  return template.before + place + template.after;
}

const FOLLOWING_KEY = ',"following":';

function followingPart(following: number | undefined): string {
  return following === undefined ? '' : FOLLOWING_KEY + following;
}

/** More characters than the end of a line with `following` takes. */
const FOLLOWING_END_LENGTH = 40;
const FOLLOWING_END = new RegExp(`${FOLLOWING_KEY}([1-9]\\d*)\\}$`);

/**
 * How many events of the same append follow a line, as its end says: 0 for the last one, and for what is
 * no line of ours. It is the last attribute, so that nobody has to parse a line to know.
 */
export function followingOf(line: string): number {
  const [, count = '0'] = FOLLOWING_END.exec(line.slice(-FOLLOWING_END_LENGTH)) ?? [];
  return Number(count);
}

const SUBJECT_KEY = ',"subject":"';
// The constant text and the id before the three names, e.g. {"specversion":"1.0","id":"…","source":"
const LENGTH_BEFORE_NAMES = '{"specversion":"1.0","id":"","source":"'.length + 36;
const TYPE_KEY_LENGTH = '","type":"'.length;

/**
 * Whether `line` is spelled as {@link lineTemplate} spells it, up to its subject. Appenders look for
 * a stream's last line by these bytes, so another spelling of the same JSON would escape them.
 */
export function hasCanonicalSubject(line: string, event: { source: string; type: string }): boolean {
  const end = LENGTH_BEFORE_NAMES + event.source.length + TYPE_KEY_LENGTH + event.type.length + 1;
  return line.startsWith(SUBJECT_KEY, end);
}
