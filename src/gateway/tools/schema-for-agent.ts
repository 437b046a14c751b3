import { isDeeper } from '../../lib/json/json-value.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { CHECK_LIMIT_MS, compileSchema } from './compile-schema.ts';
import { withoutHidden } from '../../lib/text/hidden-characters.ts';
import {
  createCompiler,
  dialectOf,
  identifierOf,
  type Dialect,
  type SchemaObject,
} from './schema-dialect.ts';
import { withinTime } from './within-time.ts';

/** The `inputSchema` an agent is shown, in the form that MCP clients insist on. */
export type InputSchema = { readonly type: 'object'; readonly [key: string]: unknown };

/** What is shown, and why it is not what the server said, if it is not. */
export type SchemaForAgent = { readonly schema: InputSchema; readonly changed?: string };

/** Of one schema: more fills the window of a model. In UTF-16 units of its JSON. */
const MAX_SIZE = 131_072;
const MAX_DEPTH = 64;
/** What cannot take long, whatever stands in it. In UTF-16 units of its JSON. */
const SMALL_SIZE = 4_096;

/** Takes any arguments. */
const permissive: InputSchema = { type: 'object', additionalProperties: true };

/** Of the dialects of JSON Schema, compiled when first needed: they never change. */
const validators = new Map<Dialect, (schema: unknown) => boolean>();

/**
 * A tool's `inputSchema` for the eyes of an agent: without hidden characters, and valid, since one that is not can
 * cost an agent all of its tools. A property that is no schema loses its rules, keeps its name and description; a
 * schema that cannot be mended takes any arguments.
 */
export function schemaForAgent(inputSchema: unknown): SchemaForAgent {
  if (!isJsonObject(inputSchema)) return { schema: permissive, changed: 'is not an object' };
  if (isDeeper(inputSchema, MAX_DEPTH)) return { schema: permissive, changed: 'is nested too deeply' };
  if (JSON.stringify(inputSchema).length > MAX_SIZE)
    return { schema: permissive, changed: 'is too large to show' };
  const clean = cleaned(inputSchema) as SchemaObject;
  const { type = 'object' } = clean;
  if (type !== 'object') return { schema: permissive, changed: 'is not of type object' };
  const schema: InputSchema = { ...clean, type: 'object' };
  if (isUsable(schema)) return { schema };
  const mended = withSoundProperties(schema);
  if (mended && isUsable(mended)) return { schema: mended, changed: 'has parts that are not JSON Schema' };
  return { schema: permissive, changed: 'is not a JSON Schema, or refers to something outside' };
}

/** The rest of a schema may hang on definitions: it goes with what it refers to. */
function withSoundProperties({ properties, required }: InputSchema): InputSchema | undefined {
  if (!isJsonObject(properties)) return undefined;
  const sound = Object.entries(properties).map(([name, property]) => {
    if (isJsonObject(property) && isUsable(property)) return [name, property] as const;
    const description = isJsonObject(property) ? property['description'] : undefined;
    return [name, typeof description === 'string' ? { description } : {}] as const;
  });
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return {
    type: 'object',
    properties: Object.fromEntries(sound),
    ...(names.length > 0 ? { required: [...new Set(names)] } : {}),
  };
}

function isUsable(schema: SchemaObject): boolean {
  if (!isSchema(schema) || !hasPlainProperties(schema)) return false;
  const texts = textsIn(schema);
  if (texts.some(([key, text]) => key === 'pattern' && !isRegex(text))) return false;
  const hasReferences = texts.some(([key]) => /^\$(?:dynamic|recursive)?ref$/i.test(key));
  // Only a compiler finds out whether they lead anywhere; it fetches nothing.
  return !hasReferences || typeof compileSchema(schema) === 'function';
}

/** Clients refuse `true` as a property, which is a schema otherwise. */
function hasPlainProperties({ properties }: SchemaObject): boolean {
  return (
    properties === undefined || (isJsonObject(properties) && Object.values(properties).every(isJsonObject))
  );
}

function isSchema(schema: SchemaObject): boolean {
  const dialect = dialectOf(schema);
  const validate = validators.get(dialect) ?? validatorOf(dialect);
  validators.set(dialect, validate);
  // The limit costs more than the check of a small one, and there may be thousands of them.
  const isSmall = JSON.stringify(schema).length <= SMALL_SIZE;
  return isSmall ? validate(schema) : withinTime(CHECK_LIMIT_MS, () => validate(schema)) === true;
}

/** Compiled whole, outside of any limit, since all schemas share it. */
function validatorOf(dialect: Dialect): (schema: unknown) => boolean {
  const compiler = createCompiler(dialect, {});
  const validate = compiler.getSchema(identifierOf(dialect));
  if (!validate) throw new Error(`the compiler does not know ${identifierOf(dialect)}`);
  return (schema) => validate(schema) === true;
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'u') instanceof RegExp;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

/** Every field with a text for a value, however deep. */
function textsIn(schema: unknown): [key: string, text: string][] {
  if (Array.isArray(schema)) return schema.flatMap(textsIn);
  if (!isJsonObject(schema)) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    typeof value === 'string' ? [[key, value] satisfies [string, string]] : textsIn(value),
  );
}

/** A copy in which no text, and no name, has anything hidden. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return withoutHidden(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [withoutHidden(key), cleaned(item)]));
}
