import type { Command } from 'commander';
import type { Cli } from '../cli.ts';

/** `clifford mcp serve`: the tools of an agent, over stdio. */
export function addMcp(program: Command, _cli: Cli): void {
  const mcp = program
    .command('mcp')
    .summary('serve tools to an agent')
    .description('The Model Context Protocol side of Clifford.')
    .addHelpText('after', '\nExample:\n  clifford mcp serve');
  mcp
    .command('serve')
    .summary('serve tools over stdio')
    .description('Serves the tools request_help, get_sprint_context, … over stdio until the client leaves.')
    .addHelpText(
      'after',
      '\nExample, in the configuration of an MCP client:\n  "command": "clifford", "args": ["mcp", "serve"]',
    )
    .action(async () => {
      const { serveMcp } = await import('../serve-mcp.ts');
      await serveMcp();
    });
}
