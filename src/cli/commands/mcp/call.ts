import type { Command } from 'commander';
import type { Cli } from '../../cli.ts';
import type { CallOptions } from '../../mcp/call-server-tool.ts';

/** `clifford mcp call`: one call of a tool, as an agent would make it. */
export function addCall(mcp: Command, cli: Cli): void {
  mcp
    .command('call')
    .summary('call a tool, under the policy')
    .description(
      'Starts a server and calls one of its tools, as an agent would: judged by the policy, its arguments checked, ' +
        'recorded in the log. What a human has to allow is asked here; without a terminal it is refused. Prints the ' +
        'result. Ends with 1 when the call is refused, or its result is an error.',
    )
    .argument('<server>', 'id in mcp.json')
    .argument('<tool>', 'name as its server has it: see clifford mcp inspect <server>')
    .option('--args <json>', 'the arguments, a JSON object; - reads stdin')
    .option('--json', 'for programs: the result as the server sent it')
    .addHelpText('after', `\nExample:\n  clifford mcp call fs read_text_file --args '{"path": "README.md"}'`)
    .action(async (server: string, tool: string, options: CallOptions) => {
      const { callServerTool } = await import('../../mcp/call-server-tool.ts');
      await callServerTool(cli, server, tool, options);
    });
}
