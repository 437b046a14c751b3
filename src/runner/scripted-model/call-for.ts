import { randomUUID } from 'node:crypto';
import { fullName, TOOL_SEARCH, type Conversation, type OfferedTool } from './conversation.ts';
import { shells, writers } from './own-tools.ts';
import type { Action, FromConversation } from './script.ts';

/** A call as the model makes it. */
export type Call = { readonly id: string; readonly tool: OfferedTool; readonly args: object };

/**
 * Finds the tool an action means among those offered, whatever name the agent gives it.
 *
 * @throws {Error} when it is not offered, naming what is.
 */
export function callFor(action: Action, conversation: Conversation): Call {
  const { tools } = conversation.request;
  const id = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
  if ('tool' in action) {
    return { id, ...cliffordsCall(action.tool, told(action.args ?? {}, conversation), conversation) };
  }
  if ('write' in action) {
    const wish = told(action.write, conversation);
    const own = firstOffered(writers, tools);
    if (own) return { id, tool: own.tool, args: own.args(wish, own.tool, false) };
    return {
      id,
      ...shellCall(
        `mkdir -p "$(dirname ${quoted(wish.path)})" && printf %s ${quoted(wish.text)} > ${quoted(wish.path)}`,
        conversation,
      ),
    };
  }
  return { id, ...shellCall(told(action.shell, conversation), conversation) };
}

/** The value that was told, or made. */
export function told<T>(value: FromConversation<T>, conversation: Conversation): T {
  return isMaker(value) ? value(conversation) : value;
}

function isMaker<T>(value: FromConversation<T>): value is (conversation: Conversation) => T {
  return typeof value === 'function';
}

function cliffordsCall(
  name: string,
  args: object,
  { request: { tools }, results }: Conversation,
): Omit<Call, 'id'> {
  const ends = new RegExp(`(^|[^A-Za-z])clifford(__|[_.\\-/])${name}$`);
  const tool = tools.find((offered) => ends.test(fullName(offered)));
  if (tool) return { tool, args };
  const search = tools.find((offered) => offered.name === TOOL_SEARCH);
  // Once only: what was looked up and still is not there will not come.
  if (search && results.at(-1)?.tool !== TOOL_SEARCH)
    return { tool: search, args: { query: `select:mcp__clifford__${name}` } };
  throw notOffered(`clifford's ${name}`, tools);
}

function shellCall(
  command: string,
  { request: { tools, mayEscalate = false } }: Conversation,
): Omit<Call, 'id'> {
  const own = firstOffered(shells, tools);
  if (!own) throw notOffered('a shell', tools);
  return { tool: own.tool, args: own.args(command, own.tool, mayEscalate) };
}

function firstOffered<Own extends { readonly name: string }>(
  own: readonly Own[],
  tools: readonly OfferedTool[],
): (Own & { readonly tool: OfferedTool }) | undefined {
  for (const known of own) {
    const tool = tools.find(({ name, namespace }) => name === known.name && namespace === undefined);
    if (tool) return { ...known, tool };
  }
  return undefined;
}

function notOffered(what: string, tools: readonly OfferedTool[]): Error {
  return new Error(`Cannot call ${what}: the tools offered are ${tools.map(fullName).join(', ') || 'none'}`);
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
