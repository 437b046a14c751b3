import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';

/** `clifford mcp inspect`: what a server offers. */
export function addInspect(mcp: Command, cli: Cli): void {
  mcp
    .command('inspect')
    .summary('start a server, and show what it offers')
    .description(
      'Starts a server and shows its tools with their arguments and what the policy says of them, its resources and ' +
        'its prompts; with the name of a tool, this one with its whole schema.',
    )
    .argument('<server>', 'id in mcp.json')
    .argument('[tool]', 'name as its server has it')
    .option(
      '--json',
      'for programs: { id, server, tools: [ … ], resources, resourceTemplates, prompts, problems }',
    )
    .addHelpText('after', '\nExamples:\n  clifford mcp inspect fs\n  clifford mcp inspect fs write_file')
    .action(async (server: string, tool: string | undefined, options: { json?: true }) => {
      const { inspectServer } = await import('../../mcp/inspect-server.ts');
      await inspectServer(cli, server, tool, options);
    });
}
