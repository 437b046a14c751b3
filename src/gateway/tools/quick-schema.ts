import { isJsonObject } from '../../lib/json/json-object.ts';
import type { SchemaObject } from './schema-dialect.ts';

/** Keywords that are checked at once, whatever they say: no text is searched, no list is gone through. */
const atOnce = new Set(
  (
    '$schema $comment title description default examples deprecated readOnly writeOnly format type ' +
    'minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength minItems maxItems minProperties maxProperties'
  ).split(' '),
);

/**
 * Whether holding a value against a schema takes no longer than reading both: then it needs no limit, which costs more
 * than the check. What a schema says of every element of a list is checked at once, so that the two are not multiplied.
 */
export function isQuickSchema(schema: SchemaObject): boolean {
  return Object.entries(schema).every(([keyword, value]) => {
    switch (keyword) {
      case 'properties':
        return isJsonObject(value) && Object.values(value).every((each) => isAll(each, isQuickSchema));
      case 'items':
      case 'additionalProperties':
        return isAll(value, (each) => Object.keys(each).every((name) => atOnce.has(name)));
      case 'required':
      case 'enum':
      case 'const':
        return true;
      default:
        return atOnce.has(keyword);
    }
  });
}

/** `true` and `false` are schemas, too: of everything and of nothing. */
function isAll(schema: unknown, isSo: (schema: SchemaObject) => boolean): boolean {
  return typeof schema === 'boolean' || (isJsonObject(schema) && isSo(schema));
}
