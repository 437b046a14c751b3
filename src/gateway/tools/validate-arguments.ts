import type { DownstreamTool } from '../server/downstream-tool.ts';
import { argumentProblems } from './argument-problems.ts';
import { CHECK_LIMIT_MS, compileSchema, type SchemaCheck } from './compile-schema.ts';
import { OUT_OF_TIME } from './within-time.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';

type Defined = Pick<DownstreamTool, 'definition'>;

const MAX_PROBLEMS = 10;
/** A list of thousands may be wrong in every element: so much is put into words. */
const MAX_ERRORS = 200;

/** Compiled once per definition, as long as somebody has it. `undefined`: nothing can be checked. */
const checks = new WeakMap<DownstreamTool['definition'], SchemaCheck | undefined>();

/**
 * Holds the arguments of a call against the tool's own `inputSchema`, in at most {@link CHECK_LIMIT_MS}, and once
 * as long the first time.
 *
 * @returns what the agent is told instead of a result: each field, what it must be, and the type it has. Nothing when
 * they fit, or when the schema cannot be used: then the server checks them itself.
 */
export function validateArguments(tool: Defined, args: unknown): string | undefined {
  const misfits = misfitsOf(tool, args);
  if (misfits === OUT_OF_TIME) {
    return `The arguments could not be checked against the input schema of this tool within ${CHECK_LIMIT_MS} ms, so it was not called. Shorter texts and lists may help; otherwise go on without this tool`;
  }
  if (misfits.length === 0) return undefined;
  return `These arguments do not fit the input schema of this tool, so it was not called:\n${misfits
    .map((line) => `- ${line}`)
    .join('\n')}\nCorrect them and call it again`;
}

/** What of the arguments does not fit the tool's `inputSchema`, a line for each field, the last perhaps of how many more there are. */
export function misfitsOf(tool: Defined, args: unknown): readonly string[] | typeof OUT_OF_TIME {
  if (args !== undefined && !isJsonObject(args)) return ['(the arguments): must be object'];
  const errors = checkOf(tool)?.(args ?? {}) ?? [];
  if (errors === OUT_OF_TIME) return OUT_OF_TIME;
  if (errors === 'too deep') return ['(the arguments): are nested too deeply'];
  const problems = argumentProblems(errors.slice(0, MAX_ERRORS));
  const lines = problems.map(({ field, text }) => `${field || '(the arguments)'}: ${text}`);
  const more = lines.splice(MAX_PROBLEMS).length;
  if (more === 0) return lines;
  return [...lines, errors.length > MAX_ERRORS ? 'and many more' : `and ${more} more`];
}

function checkOf({ definition }: Defined): SchemaCheck | undefined {
  if (checks.has(definition)) return checks.get(definition);
  const { inputSchema } = definition;
  const compiled = isJsonObject(inputSchema) ? compileSchema(inputSchema) : undefined;
  const check = typeof compiled === 'function' ? compiled : undefined;
  checks.set(definition, check);
  return check;
}
