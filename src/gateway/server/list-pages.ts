import type { CallClock } from './call-clock.ts';
import type { ServerConnection } from './server-connection.ts';
import type { RawObject } from './manager-event.ts';

/** Most pages, elements and UTF-16 units of JSON that one list may have. */
const MAX_PAGES = 1_000;
const MAX_ELEMENTS = 20_000;
const MAX_LENGTH = 64 * 1024 * 1024;

/** A list as far as it could be had. */
export type PagedList = {
  readonly elements: readonly unknown[];
  /** Why it ends early, as a clause. */
  readonly problem?: string;
};

/**
 * Follows a list of a server to its last page, within limits: what was there until then counts. `ask` requests one
 * page, `key` is the field of the result that has the elements.
 *
 * @throws what `ask` throws for the first page.
 * @internal for tests
 */
export async function listPages(
  key: string,
  ask: (params: RawObject) => Promise<RawObject>,
): Promise<PagedList> {
  const elements: unknown[] = [];
  const cursors = new Set<string>();
  let length = 0;
  let params: RawObject = {};
  for (;;) {
    const page = await pageOf(params, ask, cursors.size === 0);
    if ('problem' in page) return { elements, problem: page.problem };
    const { [key]: found, nextCursor } = page.result;
    if (!Array.isArray(found)) return { elements, problem: `its list of ${key} has an empty page` };
    elements.push(...found.slice(0, MAX_ELEMENTS - elements.length));
    length += JSON.stringify(found).length;
    if (typeof nextCursor !== 'string') return { elements };
    const problem = endOf(key, { nextCursor, cursors, count: elements.length, length });
    if (problem !== undefined) return { elements, problem };
    cursors.add(nextCursor);
    params = { cursor: nextCursor };
  }
}

async function pageOf(
  params: RawObject,
  ask: (params: RawObject) => Promise<RawObject>,
  isFirst: boolean,
): Promise<{ readonly result: RawObject } | { readonly problem: string }> {
  try {
    return { result: await ask(params) };
  } catch (error) {
    if (isFirst || !(error instanceof Error)) throw error;
    return { problem: `its list is incomplete (${error.message})` };
  }
}

function endOf(
  key: string,
  at: { nextCursor: string; cursors: ReadonlySet<string>; count: number; length: number },
): string | undefined {
  if (at.cursors.has(at.nextCursor)) return `its list of ${key} returns a page that it returned before`;
  if (at.cursors.size + 1 >= MAX_PAGES) return `its list of ${key} has more than ${MAX_PAGES} pages`;
  if (at.count >= MAX_ELEMENTS) return `its list of ${key} has more than ${MAX_ELEMENTS}`;
  if (at.length > MAX_LENGTH) return `its list of ${key} is longer than ${MAX_LENGTH / 1024 / 1024} MiB`;
  return undefined;
}

/** A list of a server; empty where it has no such thing. */
export async function listOf(
  connection: ServerConnection,
  method: string,
  key: string,
  clock: CallClock,
): Promise<PagedList> {
  const [capability = ''] = method.split('/');
  if (connection.identity?.capabilities[capability] === undefined) return { elements: [] };
  return listPages(key, (params) => connection.request({ method, params, what: listName(key) }, clock, {}));
}

/** What is asked for then, for people. */
export function listName(key: string): string {
  return `the list of ${key}`;
}
