import { jsonValue } from '../../lib/json/json-value.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import type { RawObject } from '../server/manager-event.ts';

type Field = { readonly name: string; readonly schema: RawObject; readonly isRequired: boolean };

/** Values of a form, or what is wrong with them, as a clause. */
export type FilledForm = { readonly content: RawObject } | { readonly problem: string };

/** Whether there is anything to fill in. */
export function hasFields(requestedSchema: unknown): boolean {
  return fieldsOf(requestedSchema).length > 0;
}

/** What a human has to fill in, a line for each field: a form of MCP has no others within them. */
export function formText(requestedSchema: unknown): string {
  const fields = fieldsOf(requestedSchema);
  if (fields.length === 0) return 'Answer yes or no';
  const how =
    fields.length === 1
      ? 'Answer with the value of'
      : 'Answer with a line for each, as `name: value`, or with a JSON object:';
  return [how, ...fields.map(fieldText)].join('\n');
}

/** Reads what a human answered: a JSON object, lines of `name: value`, or the value of the only field. */
export function filledForm(requestedSchema: unknown, response: string): FilledForm {
  const fields = fieldsOf(requestedSchema);
  const said = saidValues(fields, response.trim());
  const content: Record<string, unknown> = {};
  for (const { name, schema, isRequired } of fields) {
    const value = valueOf(schema, said.get(name));
    if (value === undefined && said.get(name) !== undefined)
      return { problem: `${cleanLine(name, 100)} must be ${kindOf(schema)}` };
    if (value !== undefined) content[name] = value;
    else if (isRequired) return { problem: `${cleanLine(name, 100)} is missing` };
  }
  return { content };
}

function fieldsOf(requestedSchema: unknown): Field[] {
  if (!isJsonObject(requestedSchema) || !isJsonObject(requestedSchema['properties'])) return [];
  const { properties, required } = requestedSchema;
  const isRequired = (name: string) => Array.isArray(required) && required.includes(name);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    schema: isJsonObject(schema) ? schema : {},
    isRequired: isRequired(name),
  }));
}

function fieldText({ name, schema, isRequired }: Field): string {
  const about = typeof schema['description'] === 'string' ? `: ${cleanLine(schema['description'], 500)}` : '';
  return `- ${cleanLine(name, 100)} (${kindOf(schema)}${isRequired ? '' : ', optional'})${about}`;
}

function kindOf(schema: RawObject): string {
  const choices = choicesOf(schema);
  if (choices !== undefined) return `one of ${choices.map((choice) => cleanLine(choice, 100)).join(', ')}`;
  switch (schema['type']) {
    case 'boolean':
      return 'yes or no';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'array':
      return 'a JSON list';
    default:
      return 'a text';
  }
}

function saidValues(fields: readonly Field[], text: string): Map<string, unknown> {
  const json = jsonValue(text);
  if (isJsonObject(json)) return new Map(Object.entries(json));
  const [only, second] = fields;
  if (only && !second) return new Map([[only.name, text]]);
  return new Map(text.split('\n').flatMap(saidInLine));
}

/** `name: value`, maybe of a list. */
function saidInLine(line: string): [name: string, value: string][] {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).trim().replace(/^-\s*/, '');
  return name === '' ? [] : [[name, line.slice(colon + 1).trim()]];
}

function valueOf(schema: RawObject, said: unknown): unknown {
  if (said === undefined) return undefined;
  const choices = choicesOf(schema);
  if (choices !== undefined) return choices.find((choice) => choice === said);
  switch (schema['type']) {
    case 'boolean':
      return booleanOf(said);
    case 'integer':
    case 'number': {
      const value = typeof said === 'string' && said !== '' ? Number(said) : said;
      const fits = schema['type'] === 'integer' ? Number.isInteger(value) : Number.isFinite(value);
      return fits ? value : undefined;
    }
    case 'array': {
      const value = typeof said === 'string' ? jsonValue(said) : said;
      return Array.isArray(value) ? value : undefined;
    }
    default:
      return typeof said === 'string' ? said : undefined;
  }
}

function booleanOf(said: unknown): boolean | undefined {
  if (typeof said === 'boolean') return said;
  if (typeof said !== 'string') return undefined;
  if (/^(y|yes|true)$/i.test(said)) return true;
  return /^(n|no|false)$/i.test(said) ? false : undefined;
}

/** The values to choose from: `enum`, or the `const` of each of `oneOf`. */
function choicesOf({ enum: values, oneOf }: RawObject): string[] | undefined {
  if (Array.isArray(values)) return values.filter((value) => typeof value === 'string');
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.flatMap((each) =>
    isJsonObject(each) && typeof each['const'] === 'string' ? [each['const']] : [],
  );
}
