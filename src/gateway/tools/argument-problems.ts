import type { ErrorObject } from 'ajv';
import { didYouMean } from '../../lib/text/did-you-mean.ts';
import { cleanLine, showHiddenOnLine } from '../../lib/text/hidden-characters.ts';

/** What is wrong with one field of the arguments. */
export type ArgumentProblem = {
  /** `edits[0].path`; empty for the arguments as a whole. */
  readonly field: string;
  /** `must be string, got number`. */
  readonly text: string;
};

/** Longest part of a line that repeats what the schema or the agent said, in UTF-16 units. */
const MAX_QUOTE = 200;
const MAX_CHOICES = 20;
/** Longest name of a field, and longest path of one, in UTF-16 units. */
const MAX_NAME = 100;
const MAX_PATH = 300;

/** What a validator found, in words an agent can act on: one per field and rule, without values of the agent. */
export function argumentProblems(errors: readonly ErrorObject[]): ArgumentProblem[] {
  const choices = new Set(errors.filter(isChoice).map(({ instancePath }) => instancePath));
  const told = errors.filter((error) => !isAside(error, choices, errors.length)).map(problemOf);
  const seen = new Set<string>();
  return told.filter(({ field, text }) => {
    const key = JSON.stringify([field, text]);
    return !seen.has(key) && seen.add(key);
  });
}

/** What a value is: `null`, `array`, `object`, `string`, `number`, `boolean`. */
function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Each form that a value may have says why it is not that one: the list of forms says it better. */
function isAside(
  { keyword, instancePath }: ErrorObject,
  choices: ReadonlySet<string>,
  count: number,
): boolean {
  if (keyword === 'if') return count > 1;
  return (keyword === 'type' || keyword === 'const' || keyword === 'enum') && choices.has(instancePath);
}

function isChoice({ keyword }: ErrorObject): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf';
}

function problemOf(error: ErrorObject): ArgumentProblem {
  const params = error.params as Record<string, unknown>;
  const field = fieldOf(error.instancePath);
  const got = `, got ${typeOf(error.data)}`;
  switch (error.keyword) {
    case 'required':
    case 'dependentRequired':
    case 'dependencies': {
      const missing = String(params['missingProperty']);
      return { field: joined(field, missing), text: `is missing${expected(propertiesOf(error)[missing])}` };
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const extra = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return {
        field: joined(field, extra),
        text: `is not known here${alternatives(extra, propertiesOf(error))}`,
      };
    }
    case 'propertyNames':
      return {
        field: joined(field, String(params['propertyName'])),
        text: 'has a name that is not allowed here',
      };
    case 'type':
      return { field, text: `must be ${typesText(params['type'])}${got}` };
    case 'enum':
      return { field, text: `must be one of ${choices(params['allowedValues'])}${got}` };
    case 'const':
      return { field, text: `must be ${quoted(params['allowedValue'])}${got}` };
    case 'pattern':
      return { field, text: `must match the pattern ${quoted(params['pattern'])}${got}` };
    case 'anyOf':
    case 'oneOf':
      return { field, text: `must be ${formsText(error)}${got}` };
    case 'false schema':
      return { field, text: 'must not be given' };
    default:
      return {
        field,
        text: `${cleanLine(error.message ?? `breaks the rule ${error.keyword}`, MAX_QUOTE)}${got}`,
      };
  }
}

function formsText({ schema, keyword, params }: ErrorObject): string {
  if (keyword === 'oneOf' && Array.isArray((params as { passingSchemas?: unknown }).passingSchemas)) {
    return 'of one form only, and fits more than one';
  }
  const forms = Array.isArray(schema) ? (schema as unknown[]).slice(0, MAX_CHOICES).map(formText) : [];
  return `one of: ${[...new Set(forms)].join('; ')}`;
}

/** A schema in a few words: `string`, `object with path, mode`. */
function formText(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return 'anything';
  const { type, enum: allowed, const: only, required, $ref, title } = schema as Record<string, unknown>;
  if (only !== undefined) return quoted(only);
  if (Array.isArray(allowed)) return choices(allowed);
  const name =
    typeof title === 'string' ? title : typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
  const what = type === undefined ? cleanLine(name, 100) || 'object' : typesText(type);
  if (!Array.isArray(required) || required.length === 0) return what;
  const fields = (required as unknown[]).slice(0, MAX_CHOICES).map((field) => cleanLine(String(field), 100));
  return `${what} with ${fields.join(', ')}`;
}

function expected(schema: unknown): string {
  if (typeof schema !== 'object' || schema === null) return '';
  const { type, enum: allowed } = schema as Record<string, unknown>;
  if (Array.isArray(allowed)) return `, expected one of ${choices(allowed)}`;
  return type === undefined ? '' : `, expected ${typesText(type)}`;
}

function alternatives(extra: string, properties: Readonly<Record<string, unknown>>): string {
  const known = Object.keys(properties).map((name) => cleanLine(name, 100));
  const near = didYouMean(extra.slice(0, MAX_QUOTE), known);
  if (near !== '') return near;
  if (known.length === 0) return '; there are no fields';
  return `; known: ${known.slice(0, MAX_CHOICES).join(', ')}${known.length > MAX_CHOICES ? ', …' : ''}`;
}

function propertiesOf({ parentSchema }: ErrorObject): Readonly<Record<string, unknown>> {
  const properties = (parentSchema as Record<string, unknown> | undefined)?.['properties'];
  if (typeof properties !== 'object' || properties === null)
    return Object.create(null) as Record<string, unknown>;
  // Without a prototype: a field may be named like something every object has.
  return Object.assign(Object.create(null) as Record<string, unknown>, properties);
}

function typesText(types: unknown): string {
  return cleanLine(Array.isArray(types) ? types.map(String).join(' or ') : String(types), MAX_QUOTE);
}

function choices(values: unknown): string {
  if (!Array.isArray(values)) return quoted(values);
  const shown = values.slice(0, MAX_CHOICES).map((value) => cleanLine(JSON.stringify(value) ?? '', 60));
  return `${shown.join(', ')}${values.length > MAX_CHOICES ? `, … (${values.length} in all)` : ''}`;
}

function quoted(value: unknown): string {
  return cleanLine(JSON.stringify(value) ?? String(value), MAX_QUOTE);
}

/** A JSON pointer as people write it: `/edits/0/path` is `edits[0].path`. */
function fieldOf(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path = steps.reduce(
    (above, step) => (/^\d+$/.test(step) ? `${above}[${step}]` : joined(above, step)),
    '',
  );
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH).toWellFormed()}…`;
}

/** Letter by letter, with what cannot be seen written out: ` path` is not `path`. */
function joined(path: string, name: string): string {
  if (/^[\w$-]+$/.test(name) && name.length <= MAX_NAME) return path === '' ? name : `${path}.${name}`;
  const shown = showHiddenOnLine(name.slice(0, MAX_NAME)).replaceAll('"', String.raw`\"`);
  return `${path}["${shown}${name.length > MAX_NAME ? '…' : ''}"]`;
}
