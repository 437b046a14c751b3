import { isJsonObject } from '../../lib/json/json-object.ts';
import { jsonValue } from '../../lib/json/json-value.ts';

/** What stands in front of the first object or list of a message, in texts and numbers. */
const head = /^\s*\{((?:\s*"[^"\\]*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d+)\s*,)+)/;

/** Which request a message is, of which only the beginning is there. `undefined`: it is none, or does not say so there. */
export function requestIdIn(beginning: string): string | number | undefined {
  const [, members = ''] = head.exec(beginning) ?? [];
  const message = jsonValue(`{${members.trimEnd().slice(0, -1)}}`);
  if (!isJsonObject(message) || typeof message['method'] !== 'string') return undefined;
  const { id } = message;
  return typeof id === 'string' || typeof id === 'number' ? id : undefined;
}
