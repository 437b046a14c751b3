import { toolWords, callPolicyOf } from './decisions.ts';
import type { RawObject } from '../../gateway/server/manager-event.ts';
import type { ListedKind, McpManager } from '../../gateway/server/mcp-manager.ts';
import { CliffordError } from '../../errors.ts';
import { exposedName } from '../../gateway/tools/exposed-name.ts';
import type { PolicyWord } from '../../gateway/config/policy-config.ts';
import type { DownstreamTool } from '../../gateway/server/downstream-tool.ts';
import type { ServerState } from '../../gateway/server/server-state.ts';
import { definitionStanding } from '../../workflow/policy/pins.ts';
import type { DefinitionStanding } from '../../workflow/policy/pins.ts';
import type { Cli } from '../cli.ts';
import { jsonText } from '../text/json-text.ts';
import { inspectionLines, toolInFull } from './inspect-lines.ts';
import { noSuchToolOf, unusableServer } from './mcp-errors.ts';
import { findMcpPlace, startableServer } from './mcp-place.ts';
import { onProject } from './on-project.ts';
import { reach } from './reach.ts';
import { withServers } from './with-servers.ts';

/** A tool as its server defines it, and what becomes of a call of it. */
export type InspectedTool = {
  readonly definition: DownstreamTool['definition'];
  readonly name: string;
  /** The name agents call it by. */
  readonly exposed: string;
  /** What the policy says of it as such: rules about arguments may say something else. */
  readonly decision: PolicyWord;
  /** Whether it is defined as it was when it was seen first, or a human last allowed it. */
  readonly standing: DefinitionStanding;
};

/** All that a server offers. */
export type Inspection = {
  readonly id: string;
  readonly server: ServerState['server'];
  readonly tools: readonly InspectedTool[];
  readonly resources: readonly RawObject[];
  readonly resourceTemplates: readonly RawObject[];
  readonly prompts: readonly RawObject[];
  /** What could not be listed, or is wrong with the lists, in one line each. */
  readonly problems: readonly string[];
};

/** How long a server may take for one list, in ms. */
const LIST_MS = 20_000;

/**
 * Starts a server and shows what it offers; with the name of a tool, this one in full.
 *
 * @throws {CliffordError} `MCP_UNTRUSTED` and its like; `MCP_SERVER_UNUSABLE` when it does not start.
 */
export async function inspectServer(
  cli: Cli,
  id: string,
  toolName: string | undefined,
  { json }: { json?: true },
): Promise<void> {
  const place = await findMcpPlace(cli);
  const config = startableServer(place, id);
  const found = await withServers(cli, place, ({ manager }) =>
    onProject(cli, place, async (project): Promise<Inspection> => {
      const reached = await reach(manager, config, config.startTimeoutMs * 2);
      const { isReady, server, tools, problem } = reached;
      if (!isReady)
        throw unusableServer(id, problem ?? 'it did not start', 'See what to do with: clifford mcp doctor');
      const wordOf = toolWords(callPolicyOf(place.reading), project, manager);
      const { pins } = project.state;
      const problems = problem === undefined ? [] : [problem];
      const list = (kind: ListedKind) => listOf(manager, { id, kind, problems });
      return {
        id,
        server,
        tools: tools.map((tool) => ({
          definition: tool.definition,
          name: tool.name,
          exposed: exposedName(id, tool.name),
          decision: wordOf(tool),
          standing: definitionStanding(pins, { server: id, tool: tool.name, digest: tool.digest }),
        })),
        resources: await list('resources'),
        resourceTemplates: await list('resourceTemplates'),
        prompts: await list('prompts'),
        problems,
      };
    }),
  );
  if (!found) return;
  const tool = toolName === undefined ? undefined : found.tools.find(({ name }) => name === toolName);
  if (toolName !== undefined && !tool) {
    throw noSuchToolOf(
      id,
      toolName,
      found.tools.map(({ name }) => name),
    );
  }
  if (json) return cli.print(jsonText(tool ?? found));
  for (const line of tool ? toolInFull(cli, tool) : inspectionLines(cli, found)) cli.print(line);
}

/** One list that cannot be had costs no other. Templates are an extra that many servers do not answer for. */
async function listOf(
  manager: McpManager,
  { id, kind, problems }: { id: string; kind: ListedKind; problems: string[] },
): Promise<readonly RawObject[]> {
  try {
    return await manager.list(id, kind, { timeoutMs: LIST_MS });
  } catch (error) {
    if (!(error instanceof CliffordError)) throw error;
    if (kind !== 'resourceTemplates') problems.push(error.message);
    return [];
  }
}
