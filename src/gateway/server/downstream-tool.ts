import { isJsonObject } from '../../lib/json/json-object.ts';
import { digestOf } from '../../lib/digest.ts';

/** A tool of another MCP server, as that server defines it. */
export type DownstreamTool = {
  readonly serverId: string;
  readonly name: string;
  /** As it came over the wire, with every field, known or not. */
  readonly definition: Readonly<Record<string, unknown>>;
  /** SHA-256 of the canonical JSON of the definition, base64url. It tells any two definitions apart. */
  readonly digest: string;
};

/** The tool that an element of a `tools/list` result stands for; `undefined` for what has no name. */
export function downstreamTool(serverId: string, element: unknown): DownstreamTool | undefined {
  if (!isJsonObject(element)) return undefined;
  const { name } = element;
  if (typeof name !== 'string' || name === '') return undefined;
  return { serverId, name, definition: element, digest: digestOf(element) };
}
