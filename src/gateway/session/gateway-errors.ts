import { CliffordError } from '../../errors.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';
import { meantTool } from '../tools/meant-tool.ts';
import type { ServerState } from '../server/server-state.ts';

/** A name that none of these tools has. */
export function noSuchTool(name: string, tools: readonly string[]): CliffordError {
  return uncallableTool(name, `there is no such tool${meantTool(name, tools)}`);
}

/** A name that no tool has that can be called. `why` is a clause. */
export function uncallableTool(name: string, why: string): CliffordError {
  return new CliffordError(`Cannot call ${cleanLine(name, 100)}: ${why}`, {
    code: 'TOOL_UNKNOWN',
    fix: 'List the tools again, and take one of those by its exact name',
  });
}

/** Why the server that a tool would be of has none. `undefined`: it has others, or there is no such server. */
export function whyWithoutTool(name: string, servers: readonly ServerState[]): string | undefined {
  const server = servers.find(({ id }) => name.startsWith(`mcp__${id}__`));
  if (!server) return undefined;
  const { id, health, problem, toolCount } = server;
  // One that is ready and has none may not have been able to list them.
  if (health === 'ready' && (toolCount > 0 || problem === undefined)) return undefined;
  return `its server ${id} is ${health}${problem ? ` (${problem})` : ''}`;
}

/** A resource or a prompt that no server has, or whose server cannot be told. */
export function noSuchThing(what: 'resource' | 'prompt', name: string, why: string): CliffordError {
  return new CliffordError(`Cannot read the ${what} ${cleanLine(name, 200)}: ${why}`, {
    code: what === 'resource' ? 'RESOURCE_UNKNOWN' : 'PROMPT_UNKNOWN',
    fix: `List the ${what}s again, and take one of those by its exact ${what === 'resource' ? 'URI' : 'name'}`,
  });
}

/** A server that is away, or does not tell of changes of single resources. */
export function noSubscriptions(serverId: string): CliffordError {
  return new CliffordError(
    `Cannot subscribe to resources of the MCP server ${serverId}: it does not offer that, or is away`,
    { code: 'SUBSCRIPTION_UNSUPPORTED', fix: 'Read the resource when it is needed', recovery: 'give-up' },
  );
}

export function tooManySubscriptions(): CliffordError {
  return new CliffordError('Cannot subscribe to more resources: there are a thousand already', {
    code: 'RESOURCES_TOO_MANY',
    fix: 'Unsubscribe from some',
  });
}

/** What a server sent is not what the protocol has for the result of a tool. */
export function noToolResult(serverId: string, tool: string): CliffordError {
  return new CliffordError(
    `Cannot use what the MCP server ${serverId} returned for ${cleanLine(tool, 100)}: it is not a tool result`,
    { code: 'RESULT_INVALID', fix: 'Go on without this tool, and tell the human', recovery: 'give-up' },
  );
}
