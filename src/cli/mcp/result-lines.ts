import type { RawObject } from '../../gateway/server/manager-event.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { visible } from '../../lib/text/visible.ts';

/** The result of a tool for people: its text, and what else is in it by name. */
export function resultLines({ content, structuredContent }: RawObject): string[] {
  const parts = Array.isArray(content) ? content.filter(isJsonObject).map(partText) : [];
  if (parts.length > 0) return parts;
  return [structuredContent === undefined ? '(an empty result)' : json(structuredContent)];
}

function partText(part: RawObject): string {
  const { type, text, mimeType, data, uri, resource } = part;
  if (type === 'text') return visible(String(text));
  if (type === 'resource' && isJsonObject(resource) && typeof resource['text'] === 'string')
    return `[${visible(String(resource['uri']))}]\n${visible(resource['text'])}`;
  if (typeof data === 'string') {
    const bytes = Buffer.byteLength(data, 'base64');
    return visible(`[${String(type)}, ${String(mimeType)}, ${bytes} bytes: --json has it]`);
  }
  if (type === 'resource_link') return visible(`[resource ${String(uri)}]`);
  return json(part);
}

function json(value: unknown): string {
  return visible(JSON.stringify(value, null, 2));
}
