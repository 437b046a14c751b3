import { z } from 'zod';
import { typeText } from '../../lib/json/kind-text.ts';
import { refusalRule } from './unshown-keys.ts';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** What a value must be, in plain words: `a whole number from 0`. Says no more than this value needs. */
export function ruleText(schema: z.ZodType, value?: unknown): string {
  return describe(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), value);
}

function describe(rule: JsonSchema, value: unknown): string {
  if (rule.enum) return `one of ${rule.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  if (rule.const !== undefined) return JSON.stringify(rule.const);
  switch (rule.type) {
    case 'boolean':
      return typeText('boolean');
    case 'integer':
      return `a whole number${rangeText(rule)}${unitText(rule)}`;
    case 'number':
      return `${typeText('number')}${rangeText(rule)}${unitText(rule)}`;
    case 'string':
      return `${typeText('string')}${lengthText(rule, value)}${patternText(rule, value)}`;
    case 'array':
      return `${typeText('array')}${isEmptyList(value) ? ' that is not empty' : ''}, as in ["…"]`;
    case 'object':
      return `${typeText('object')}, as in { "…": … }`;
    default:
      return 'something else';
  }
}

function rangeText({ minimum, maximum }: JsonSchema): string {
  const from = minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`;
  const to = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return from + to;
}

/** The description of a time says what it is counted in: nobody can write `5m`. */
function unitText({ description = '' }: JsonSchema): string {
  return /, in (?:ms|minutes|seconds)\b/.exec(description)?.[0] ?? '';
}

function lengthText({ minLength = 0, maxLength = Infinity }: JsonSchema, value: unknown): string {
  if (typeof value === 'string' && value.length > maxLength) return ` of at most ${maxLength} characters`;
  return minLength > 0 ? ' that is not empty' : '';
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A pattern that has an example is told by it. The one without, that of a model, says how a text begins. */
function patternText({ pattern, examples: [example] = [] }: JsonSchema, value: unknown): string {
  const fails = pattern !== undefined && typeof value === 'string' && !new RegExp(pattern, 'u').test(value);
  if (example !== undefined) return `, as in ${JSON.stringify(example)}`;
  return fails && value !== '' ? ', and begins with neither a dash nor a space' : '';
}

/** What is wrong with a value: `must be true or false (current value is 1)`. */
export function mustBe(schema: z.ZodType, value: unknown): string {
  const refusal = refusalRule(schema);
  if (refusal === undefined)
    return `must be ${ruleText(schema, value)} (current value is ${valueText(value)})`;
  return isTextOf(schema, value) ? refusal : `must be ${ruleText(schema, value)}`;
}

/** Whether it is a text as long as it may be, whatever else it has to be. */
function isTextOf(schema: z.ZodType, value: unknown): boolean {
  const { minLength = 0, maxLength = Infinity } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return typeof value === 'string' && value.length >= minLength && value.length <= maxLength;
}

/** A value for a message about it: short, on one line. */
export function valueText(value: unknown): string {
  const text = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? String(value));
  return text.length <= 60 ? text : `${text.slice(0, 57)}…`;
}
