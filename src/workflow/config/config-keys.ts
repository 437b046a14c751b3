import { z } from 'zod';

/** A key for people: `clarification.enabled`, `agents["my agent"].command`, `verify[1]`. */
export function keyText(path: readonly (string | number)[]): string {
  return path.map((step, index) => stepText(step, index === 0)).join('');
}

function stepText(step: string | number, isFirst: boolean): string {
  if (typeof step === 'number') return `[${step}]`;
  if (!/^[$\w-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
  return isFirst ? step : `.${step}`;
}

/** What stands under a key: an object of known keys, an object whose keys are names, or a value. */
export type KeyKind =
  | { readonly is: 'object'; readonly keys: ReadonlyMap<string, z.ZodType> }
  | { readonly is: 'names'; readonly name: z.ZodType; readonly each: z.ZodType }
  | { readonly is: 'value' };

/** What the schema of a key says of its shape. */
export function kindOf(schema: z.ZodType): KeyKind {
  const inner = withoutDefault(schema);
  if (inner instanceof z.ZodObject)
    return { is: 'object', keys: new Map(Object.entries<z.ZodType>(inner.shape)) };
  if (
    inner instanceof z.ZodRecord &&
    inner.keyType instanceof z.ZodType &&
    inner.valueType instanceof z.ZodType
  )
    return { is: 'names', name: inner.keyType, each: inner.valueType };
  return { is: 'value' };
}

/** The schema of the entries of a list, `undefined` when it is none. */
export function entryOf(schema: z.ZodType): z.ZodType | undefined {
  const inner = withoutDefault(schema);
  return inner instanceof z.ZodArray && inner.element instanceof z.ZodType ? inner.element : undefined;
}

/** A schema without what says that its value may be missing. */
export function withoutDefault(schema: z.ZodType): z.ZodType {
  if (
    !(
      schema instanceof z.ZodOptional ||
      schema instanceof z.ZodExactOptional ||
      schema instanceof z.ZodDefault ||
      schema instanceof z.ZodPrefault
    )
  )
    return schema;
  const inner = schema.unwrap();
  return inner instanceof z.ZodType ? withoutDefault(inner) : schema;
}

/** What a schema says of the value at a path below it; `undefined` where it does not tell. */
export function schemaAt(schema: z.ZodType, path: readonly (string | number)[]): z.ZodType | undefined {
  let at: z.ZodType | undefined = schema;
  for (const step of path) {
    if (!at) return undefined;
    const kind = kindOf(at);
    if (kind.is === 'object') at = kind.keys.get(String(step));
    else at = kind.is === 'names' ? kind.each : entryOf(at);
  }
  return at;
}

/** The keys that hold values, as paths in the order of the schema. Names, as of agents, are left out. */
export function valueKeys(schema: z.ZodType, path: readonly string[] = []): (readonly string[])[] {
  const kind = kindOf(schema);
  if (kind.is === 'names') return [];
  if (kind.is === 'value') return [path];
  return [...kind.keys].flatMap(([name, each]) => valueKeys(each, [...path, name]));
}
