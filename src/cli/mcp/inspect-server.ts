import { toolWords, callPolicyOf } from './decisions.ts';
import type { RawObject } from '../../gateway/server/manager-event.ts';
import type { ListedKind, McpManager } from '../../gateway/server/mcp-manager.ts';
import { CliffordError } from '../../errors.ts';
import { exposedName } from '../../gateway/tools/exposed-name.ts';
import { definitionStanding } from '../../workflow/policy/pins.ts';
import type { Cli } from '../cli.ts';
import { inspectionLines, toolInFull, type Inspection } from './inspect-lines.ts';
import { noSuchToolOf, unusableServer } from './mcp-errors.ts';
import { findMcpPlace, startableServer } from './mcp-place.ts';
import { onProject } from '../project/on-project.ts';
import { reach } from './reach.ts';
import { withServers } from './with-servers.ts';

/** How long a server may take for one list, in ms. */
const LIST_MS = 20_000;

/** Starts a server and shows what it offers; with the name of a tool, this one in full. */
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
  if (json) return cli.printJson(tool ?? found);
  cli.printLines(tool ? toolInFull(cli, tool) : inspectionLines(cli, found));
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
