import type { z } from 'zod';

/** Any JSON value, as a type: it contains itself. */
type Json = z.core.util.JSONType;

/** What a view is once it has been sent: a key that was `undefined` is not there, and lists are the reader's own. */
export type Sent<V> = Json extends V
  ? V
  : V extends readonly (infer Item)[]
    ? Sent<Item>[]
    : V extends object
      ? Flat<
          { -readonly [K in keyof V as undefined extends V[K] ? never : K]: Sent<V[K]> } & {
            -readonly [K in keyof V as undefined extends V[K] ? K : never]?: Sent<V[K]> | undefined;
          }
        >
      : V;

type Flat<T> = { [K in keyof T]: T[K] };

/** The schema, where it says exactly what is sent of the view. Parts of it may be schemas of views themselves. */
type Exact<V, S extends z.ZodType> = [Sent<V>] extends [Sent<z.output<S>>]
  ? [Sent<z.output<S>>] extends [Sent<V>]
    ? S
    : never
  : never;

/**
 * The schema of a view as it is sent: one that says less, more, or something else than the view does not compile. Who
 * reads it has the view's own type, so that it can be handed to the functions of `src/views`: a key that was not sent
 * reads as `undefined`.
 */
export function viewSchema<V>(): <S extends z.ZodType>(schema: Exact<V, S>) => z.ZodType<V> {
  return (schema) => schema as z.ZodType as z.ZodType<V>;
}
