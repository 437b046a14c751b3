import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import type { TrustOptions } from '../../mcp/trust-project.ts';

/** `clifford mcp trust`: a person's yes to what `mcp.json` runs. */
export function addTrust(mcp: Command, cli: Cli): void {
  mcp
    .command('trust')
    .summary('look at what mcp.json runs, and trust it')
    .description(
      'Shows what the servers of mcp.json run and reach, and asks whether you trust it. Before that, nothing of it is ' +
        'ever started. What you trusted is remembered outside of the project; when it changes, you are asked again.',
    )
    .option('--yes', 'trust it without being asked')
    .option(
      '--json',
      'for programs: { root, file, trusted, servers: [ … ] }; asks nothing, 1 when it is not trusted',
    )
    .addHelpText('after', '\nExamples:\n  clifford mcp trust\n  clifford mcp trust --yes')
    .action(async (options: TrustOptions) => {
      const { trustProject } = await import('../../mcp/trust-project.ts');
      await trustProject(cli, options);
    });
}
