import type { ErrorObject, Options, ValidateFunction } from 'ajv';
import { isQuickSchema } from './quick-schema.ts';
import { createCompiler, dialectOf, type Dialect, type SchemaObject } from './schema-dialect.ts';
import { OUT_OF_TIME, withinTime } from './within-time.ts';
import { messageOf } from '../../lib/message-of.ts';

/** How long a schema may take to compile, and a value to be held against it, in ms each. */
export const CHECK_LIMIT_MS = 500;

/** What is wrong with a value; nothing when it fits. */
export type SchemaCheck = (value: unknown) => readonly ErrorObject[] | typeof OUT_OF_TIME | 'too deep';

const options: Options = {
  // A schema that breaks a rule nothing depends on is still of use.
  validateSchema: false,
  allErrors: true,
  verbose: true,
  // `toString` is no field of an object that has not got it itself.
  ownProperties: true,
  // In the dialect of MCP a format is a remark; whoever means it checks it.
  validateFormats: false,
  code: { regExp: Object.assign(lenientRegExp, { code: 'lenientRegExp' }) },
};

/**
 * Compiles a schema of a server, in bounded time; nothing is fetched. Each has a compiler of its own, so that an
 * `$id` of one is known to no other.
 *
 * @returns `unusable`, why, in one line: when it refers to what is not there, or is none.
 */
export function compileSchema(schema: SchemaObject): SchemaCheck | { readonly unusable: string } {
  const compiled = compiledIn(dialectOf(schema), schema);
  if (typeof compiled === 'function') return checkBy(compiled, isQuickSchema(schema));
  // Many write draft 7 and do not say so.
  const older = compiledIn('draft-07', schema);
  return typeof older === 'function' ? checkBy(older, isQuickSchema(schema)) : compiled;
}

function compiledIn(
  dialect: Dialect,
  schema: SchemaObject,
): ValidateFunction | { readonly unusable: string } {
  // An asynchronous one would answer with a promise, which is always truthy.
  const { $async: _, ...rest } = schema;
  try {
    const compiled = withinTime(CHECK_LIMIT_MS, () => createCompiler(dialect, options).compile(rest));
    return compiled === OUT_OF_TIME ? { unusable: 'it takes too long to compile' } : compiled;
  } catch (error) {
    // Whatever a compiler says of a schema of others: only that schema is none.
    return { unusable: messageOf(error) };
  }
}

function checkBy(validate: ValidateFunction, isQuick: boolean): SchemaCheck {
  const errorsOf = (value: unknown) => (validate(value) === true ? [] : (validate.errors ?? []));
  return (value) => {
    try {
      return isQuick ? errorsOf(value) : withinTime(CHECK_LIMIT_MS, () => errorsOf(value));
    } catch (error) {
      if (error instanceof RangeError) return 'too deep';
      throw error;
    }
  };
}

/** A pattern that is none costs only itself, not the rest of its schema. */
function lenientRegExp(pattern: string): { test: (text: string) => boolean } {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return { test: () => true, toString: () => `none: ${pattern}` } as { test: (text: string) => boolean };
}
