import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';

/** `clifford mcp list`: the servers of `mcp.json`, and how they do. */
export function addList(mcp: Command, cli: Cli): void {
  mcp
    .command('list')
    .summary('start the servers of mcp.json, and show their state')
    .description(
      'Starts or reaches the servers of mcp.json, all at once and for 20 s at most, and shows their state, how many ' +
        'tools they have, and what the policy says of these. Nothing is left running. Ends with 1 when a server is ' +
        'broken, or when mcp.json is not trusted: then nothing is started.',
    )
    .option('--json', 'for programs: { ok, file, trusted, servers: [ … ], problems, warnings }')
    .addHelpText('after', '\nExamples:\n  clifford mcp list\n  clifford mcp list --json')
    .action(async (options: { json?: true }) => {
      const { listServers } = await import('../../mcp/list-servers.ts');
      await listServers(cli, options);
    });
}
