import type { Command } from 'commander';
import { ownTool } from '../../../workflow/project/own-tools.ts';

/** `clifford mcp serve`: the tools of an agent, over stdio. */
export function addServe(mcp: Command): void {
  mcp
    .command('serve')
    .summary('serve tools to an agent, over stdio')
    .description(
      `Serves the tools ${ownTool.requestHelp}, ${ownTool.getSprintContext}, … and those of the servers in mcp.json over stdio until the ` +
        'client leaves.',
    )
    .addHelpText(
      'after',
      '\nExample, in the configuration of an MCP client:\n  "command": "clifford", "args": ["mcp", "serve"]',
    )
    .action(async () => {
      const { serveMcp } = await import('../../serve-mcp.ts');
      await serveMcp();
    });
}
