import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';

/** `clifford mcp doctor`: whether the servers of `mcp.json` work, and what to do about those that do not. */
export function addMcpDoctor(mcp: Command, cli: Cli): void {
  mcp
    .command('doctor')
    .summary('check mcp.json and its servers, and what to do')
    .description(
      'Checks node and npx, mcp.json, its variables, its trust, every server (started, initialised, listed, stopped, ' +
        'with the time each takes), time-outs, and rules of the policy that match nothing. Says what to do about ' +
        'what is wrong. Ends with 1 when something is broken.',
    )
    .option('--json', 'for programs: { ok, checks: [ … ] }')
    .addHelpText('after', '\nExamples:\n  clifford mcp doctor\n  clifford mcp doctor --json')
    .action(async (options: { json?: true }) => {
      const { mcpDoctor } = await import('../../mcp/mcp-doctor.ts');
      await mcpDoctor(cli, options);
    });
}
