import type { z } from 'zod';

/** One thing that the server can be asked: its documentation, its checks and the types of its handler follow from this. */
export type Endpoint = {
  readonly method: 'get' | 'post';
  /** `{id}` stands for one of `params`. */
  readonly path: `/api/${string}`;
  readonly summary: string;
  /** What a token has to allow. */
  readonly needs: 'read' | 'decide';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** JSON; with `post` alone. */
  readonly body?: z.ZodObject;
  readonly response: z.ZodType;
  /** It changes nothing that stays: sent twice it is done twice, and no reply is kept. */
  readonly isAnew?: true;
  /** Beside what any request may be refused for: what else, by HTTP status. */
  readonly refusals?: Readonly<Record<number, { readonly about: string; readonly body?: z.ZodType }>>;
};

/** Whether it is done once, and has one reply, where it is sent twice with one key. */
export function repeatsAlike({ method, isAnew }: Endpoint): boolean {
  return method === 'post' && !isAnew;
}

/** What a handler of an endpoint is given: parsed, and what there is none of is empty. */
export type Asked<E extends Endpoint> = {
  readonly params: Parsed<E['params']>;
  readonly query: Parsed<E['query']>;
  readonly body: Parsed<E['body']>;
};

type Parsed<S> = S extends z.ZodObject ? z.output<S> : Record<never, never>;
