import { isJsonObject } from '../../lib/json/json-object.ts';
import { isDeeper } from '../../lib/json/json-value.ts';
import type { RawObject } from '../server/manager-event.ts';

/** An argument of a tool that goes into a header as well: `Mcp-Param-<name>`. */
export type MirroredArgument = { readonly path: readonly string[]; readonly name: string };

/** Where the tool says so. */
const DECLARATION = 'x-mcp-header';

/** The characters that the name of a header may have (RFC 9110). */
const TOKEN = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Each level of a schema costs stack frames. */
const MAX_DEPTH = 500;

const MIRRORED_TYPES = new Set<unknown>(['string', 'integer', 'boolean']);

/** What names the thing that a request is about, by method. */
const NAMED_BY: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * The arguments of a tool that the server wants to see in headers.
 *
 * @returns what is wrong with the schema, as a clause, where it asks for what may not be: such a tool is not to be
 * called over HTTP.
 */
export function mirroredArguments(
  inputSchema: unknown,
): { readonly mirrored: readonly MirroredArgument[] } | { readonly problem: string } {
  if (isDeeper(inputSchema, MAX_DEPTH)) return { problem: 'its schema is nested too deeply' };
  const mirrored: MirroredArgument[] = [];
  const take = (schema: unknown, path: readonly string[]): void => {
    if (!isJsonObject(schema)) return;
    const { [DECLARATION]: name, type, properties } = schema;
    if (typeof name === 'string' && TOKEN.test(name) && MIRRORED_TYPES.has(type) && path.length > 0)
      mirrored.push({ path, name });
    if (!isJsonObject(properties)) return;
    for (const [key, inner] of Object.entries(properties)) take(inner, [...path, key]);
  };
  take(inputSchema, []);
  // Whatever else has the mark stands where it may not stand, or is none.
  if (mirrored.length !== declarationsIn(inputSchema, false))
    return { problem: `its schema has an ${DECLARATION} where none may be` };
  if (new Set(mirrored.map(({ name }) => name.toLowerCase())).size !== mirrored.length)
    return { problem: `its schema has the same ${DECLARATION} twice` };
  return { mirrored };
}

/** How often a schema has the mark. `isNames`: the keys at this level are names that somebody chose. */
function declarationsIn(schema: unknown, isNames: boolean): number {
  if (Array.isArray(schema))
    return schema.reduce<number>((sum, each) => sum + declarationsIn(each, false), 0);
  if (!isJsonObject(schema)) return 0;
  let count = !isNames && Object.hasOwn(schema, DECLARATION) ? 1 : 0;
  for (const [key, inner] of Object.entries(schema))
    if (isNames || !HOLDS_VALUES.has(key)) count += declarationsIn(inner, !isNames && HOLDS_NAMES.has(key));
  return count;
}

/** Keywords whose keys are names, and keywords with values that look like schemas and are none. */
const HOLDS_NAMES = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);
const HOLDS_VALUES = new Set(['default', 'const', 'enum', 'examples']);

/** The headers that repeat what a request of the revision 2026-07-28 says, for those on the way who read no bodies. */
export function mirroredHeaders(
  protocol: string,
  method: string,
  params: RawObject,
  mirrored: readonly MirroredArgument[],
): Record<string, string> {
  const headers: Record<string, string> = { 'mcp-protocol-version': protocol, 'mcp-method': method };
  const name = params[NAMED_BY[method] ?? ''];
  if (typeof name === 'string') headers['mcp-name'] = headerValue(name);
  for (const { path, name: header } of mirrored) {
    const value = valueAt(params['arguments'], path);
    if (value !== undefined) headers[`mcp-param-${header}`] = headerValue(String(value));
  }
  return headers;
}

function valueAt(args: unknown, path: readonly string[]): string | number | boolean | undefined {
  let value = args;
  for (const key of path) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  const isSimple = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
  return isSimple ? (value as string | number | boolean) : undefined;
}

/** As it is where a header can hold it, else in base64, which is marked. */
function headerValue(text: string): string {
  const isPlain = /^[!-~](?:[\t -~]*[!-~])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
