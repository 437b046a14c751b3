import type { CallPolicy } from '../../gateway/session/policy-in-force.ts';
import { rememberTools } from '../../gateway/lists/known-tools.ts';
import { placeOfCall, type Caller } from '../../gateway/call/place-of-call.ts';
import type { Target } from '../../gateway/call/target.ts';
import { toolTarget } from '../../gateway/call/tool-target.ts';
import type { McpServerConfig } from '../../gateway/config/server-config.ts';
import { digestOf } from '../../lib/digest.ts';
import type { McpManager } from '../../gateway/server/mcp-manager.ts';
import { createSession } from '../../gateway/session/session.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { agentRun } from '../../workflow/project/require-human.ts';
import { shellAgent } from '../requests/shell-agent.ts';
import { canAsk } from '../input/yes-or-no.ts';
import { callPolicyOf, unattendedPolicyOf } from './decisions.ts';
import { noSuchToolOf, unusableServer } from './mcp-errors.ts';
import { findMcpPlace, startableServer } from './mcp-place.ts';
import { onProject } from '../project/on-project.ts';
import { reach } from './reach.ts';
import { readArgs } from './read-args.ts';
import { runCall, type ToolResult } from './run-call.ts';
import { withServers } from './with-servers.ts';
import type { RawObject } from '../../gateway/server/manager-event.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { visible } from '../../lib/text/visible.ts';

export type CallOptions = { readonly args?: string; readonly json?: true };

/**
 * Calls a tool as an agent would: judged by the policy, its arguments checked, recorded in the log. What a human has to
 * allow is asked at the terminal, and refused where there is none.
 */
export async function callServerTool(
  cli: Cli,
  serverId: string,
  toolName: string,
  options: CallOptions,
): Promise<void> {
  const args = await readArgs(cli, options.args);
  const place = await findMcpPlace(cli);
  const config = startableServer(place, serverId);
  const isAttended = canAsk(cli) && agentRun(cli, { dir: place.stateDir }) === undefined;
  const policy = isAttended ? callPolicyOf(place.reading) : unattendedPolicyOf(place.reading);
  await withServers(cli, place, ({ manager, signal }) =>
    onProject(cli, place, async (project) => {
      const { agent } = shellAgent(cli, project, 'clifford mcp call');
      const report = (problem: unknown) => cli.note(String(problem));
      // Some agents' clients do not wait long. A person does.
      const env = { ...cli.env, CLIFFORD_WAIT_LIMIT_MS: '0' };
      const caller = {
        project,
        agent,
        session: createSession({ root: place.root, env, report, configMemory: cli.configMemory }),
      };
      const target = await targetOf({ config, toolName, caller, policy, manager });
      const isDone = await runCall(cli, {
        target,
        args,
        caller,
        policy,
        current: () => toolOf(manager, serverId, toolName),
        isAttended,
        signal,
        handOver: (result, saidNo) =>
          saidNo && options.json !== true
            ? tellOfNo(cli, `${serverId} ${toolName}`)
            : handOver(cli, result, { json: options.json === true }),
      });
      if (!isDone) cli.endWith(exitCodes.interrupted);
    }),
  );
}

type SoughtTool = {
  readonly config: McpServerConfig;
  readonly toolName: string;
  readonly caller: Caller;
  readonly policy: CallPolicy;
  readonly manager: McpManager;
};

/** The tool as its server defines it. Where every call of it is refused, nothing is started for that. */
async function targetOf({ config, toolName, caller, policy, manager }: SoughtTool): Promise<Target> {
  const { id, startTimeoutMs } = config;
  const place = await placeOfCall(caller);
  if (policy.isHidden(caller.project, { serverId: id, name: toolName }, place)) {
    const definition = { name: toolName };
    return toolTarget({ serverId: id, name: toolName, definition, digest: digestOf(definition) }, manager);
  }
  const { isReady, tools, problem = 'it did not start' } = await reach(manager, config, startTimeoutMs * 2);
  if (!isReady) throw unusableServer(id, problem, 'See what to do with: clifford mcp doctor');
  await rememberTools(caller.project, { stream: place.stream, serverId: id, tools });
  const target = toolOf(manager, id, toolName);
  if (target) return target;
  throw noSuchToolOf(
    id,
    toolName,
    tools.map(({ name }) => name),
  );
}

function toolOf(manager: McpManager, id: string, toolName: string): Target | undefined {
  const tool = manager.getTools(id).find(({ name }) => name === toolName);
  return tool && toolTarget(tool, manager);
}

/** Who has just said no is not told so in words for an agent. */
function tellOfNo(cli: Cli, call: string): Promise<boolean> {
  cli.endWith(exitCodes.failed);
  return cli.deliver(`denied, so ${call} was not called: only y or yes allows it`, 'stderr');
}

function handOver(cli: Cli, result: ToolResult, { json }: { json: boolean }): Promise<boolean> {
  if (result.isError === true) cli.endWith(exitCodes.failed);
  return cli.deliver(json ? JSON.stringify(result, null, 2) : resultLines(result).join('\n'));
}

/** The result of a tool for people: its text, and what else is in it by name. */
function resultLines({ content, structuredContent }: RawObject): string[] {
  const parts = Array.isArray(content) ? content.filter(isJsonObject).map(partText) : [];
  if (parts.length > 0) return parts;
  return [structuredContent === undefined ? '(an empty result)' : json(structuredContent)];
}

function partText(part: RawObject): string {
  const { type, text, mimeType, data, uri, resource } = part;
  if (type === 'text') return visible(String(text));
  if (type === 'resource' && isJsonObject(resource) && typeof resource['text'] === 'string')
    return `[${visible(String(resource['uri']))}]\n${visible(resource['text'])}`;
  if (typeof data === 'string') {
    const bytes = Buffer.byteLength(data, 'base64');
    return visible(`[${String(type)}, ${String(mimeType)}, ${bytes} bytes: --json has it]`);
  }
  if (type === 'resource_link') return visible(`[resource ${String(uri)}]`);
  return json(part);
}

function json(value: unknown): string {
  return visible(JSON.stringify(value, null, 2));
}
