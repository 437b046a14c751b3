import { Ajv, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** A JSON object that claims to be a schema. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** The dialects there are compilers for; schemas of older drafts are read as draft 7. */
export type Dialect = 'draft-07' | '2020-12';

const identifiers: Readonly<Record<Dialect, string>> = {
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
};

/** The dialect a schema names, else the one MCP assumes. */
export function dialectOf({ $schema }: SchemaObject): Dialect {
  return typeof $schema === 'string' && /\/draft-0?[3-7]\//.test($schema) ? 'draft-07' : '2020-12';
}

/** A compiler that knows of no other schema than those of the dialects themselves, and fetches none. */
export function createCompiler(dialect: Dialect, options: Options): Ajv | Ajv2020 {
  const all: Options = { strict: false, logger: false, ...options };
  return dialect === 'draft-07' ? new Ajv(all) : new Ajv2020(all);
}

/** How a dialect names itself in `$schema`. */
export function identifierOf(dialect: Dialect): string {
  return identifiers[dialect];
}
