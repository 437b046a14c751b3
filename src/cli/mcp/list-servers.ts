import type { ShownServer } from '../../gateway/config/shown-server.ts';
import { stderrFile } from '../../gateway/transport/stderr-log.ts';
import { problemText } from '../../workflow/config/config-problem.ts';
import type { Cli } from '../cli.ts';
import { exitCodes } from '../exit-codes.ts';
import { countWords, callPolicyOf, toolWords } from './decisions.ts';
import { listLines, type ListedServer } from './list-lines.ts';
import { findMcpPlace, type McpPlace } from './mcp-place.ts';
import { onProject } from '../project/on-project.ts';
import { reach } from './reach.ts';
import { withServers } from './with-servers.ts';

/** Starts or reaches the servers of a project, all at once, and shows their state. */
export async function listServers(cli: Cli, { json }: { json?: true }): Promise<void> {
  const place = await findMcpPlace(cli);
  const servers = await listed(cli, place);
  if (!servers) return;
  const problems = place.reading.problems.filter(({ serverId }) => serverId === undefined).map(problemText);
  const isTrusted = place.trust.is === 'trusted';
  const ok = isTrusted && problems.length === 0 && servers.every(({ state }) => state !== 'broken');
  if (!ok) cli.endWith(exitCodes.failed);
  const { file, exists, warnings } = place.reading;
  if (json) return cli.printJson({ ok, file, trusted: isTrusted, servers, problems, warnings });
  cli.printLines(listLines(cli, { place, servers, problems: [...problems, ...warnings], exists }));
}

async function listed(cli: Cli, place: McpPlace): Promise<readonly ListedServer[] | undefined> {
  const { reading, trust } = place;
  const starting = trust.is === 'trusted' ? reading.servers.filter(({ disabled }) => !disabled) : [];
  if (starting.length === 0) return reading.shown.map((shown) => unstarted(place, shown));
  cli.hint(`starting ${starting.map(({ id }) => id).join(', ')} …`);
  const found = await withServers(cli, place, ({ manager }) =>
    onProject(cli, place, async (project) => {
      const wordOf = toolWords(callPolicyOf(reading), project, manager);
      const each = starting.map(async (config): Promise<[string, Partial<ListedServer>]> => {
        const { isReady, tools, ...rest } = await reach(manager, config);
        const stderr = config.transport === 'stdio' ? { stderr: stderrFile(place.stateDir, config.id) } : {};
        const facts = isReady
          ? { state: 'ready' as const, tools: tools.length, policy: countWords(tools.map(wordOf)) }
          : { state: 'broken' as const, ...stderr };
        return [config.id, { ...facts, ...rest }];
      });
      return new Map(await Promise.all(each));
    }),
  );
  return found && reading.shown.map((shown) => ({ ...unstarted(place, shown), ...found.get(shown.id) }));
}

/** A server as the file alone tells of it. */
function unstarted({ reading, trust }: McpPlace, shown: ShownServer): ListedServer {
  const config = reading.servers.find(({ id }) => id === shown.id);
  const problem = reading.problems.find(({ serverId }) => serverId === shown.id);
  const transport = config?.transport ?? (shown.url === undefined ? 'stdio' : 'http');
  if (!config)
    return {
      ...shown,
      transport,
      state: 'broken',
      ...(problem ? { problem: problemText(problem) } : {}),
    };
  if (shown.disabled) return { ...shown, transport, state: 'disabled' };
  return { ...shown, transport, state: trust.is === 'trusted' ? 'broken' : 'untrusted' };
}
