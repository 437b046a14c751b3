import { MAX_TEXT_LENGTH } from '../../events/field-schemas.ts';
import { validateArguments } from '../tools/validate-arguments.ts';
import type { DownstreamTool } from '../server/downstream-tool.ts';
import type { McpManager } from '../server/mcp-manager.ts';
import type { RawObject } from '../server/manager-event.ts';
import { noToolResult } from '../session/gateway-errors.ts';
import type { Target } from './target.ts';

/** A tool of a server as a {@link Target}, as it is defined now. */
export function toolTarget(tool: DownstreamTool, manager: Pick<McpManager, 'callTool'>): Target {
  const { serverId, name, definition, digest } = tool;
  return {
    serverId,
    name,
    method: 'tools/call',
    definition,
    digest,
    problemOf: (args) => validateArguments(tool, args)?.slice(0, MAX_TEXT_LENGTH),
    run: async (args, options) => toolResultOf(tool, await manager.callTool(serverId, name, args, options)),
  };
}

/** @throws {CliffordError} `RESULT_INVALID` for what would break the client's connection. */
function toolResultOf({ serverId, name }: DownstreamTool, result: RawObject): RawObject {
  const { content } = result;
  if (content === undefined) return { ...result, content: [] };
  if (Array.isArray(content) && content.every(isPart)) return result;
  throw noToolResult(serverId, name);
}

function isPart(part: unknown): boolean {
  return typeof part === 'object' && part !== null && 'type' in part && typeof part.type === 'string';
}
