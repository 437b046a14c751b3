import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addAddAndRemove } from './mcp/add.ts';
import type { TrustOptions } from '../mcp/trust-project.ts';
import type { CallOptions } from '../mcp/call-server-tool.ts';
import { ownTool } from '../../workflow/project/own-tools.ts';

/** `clifford mcp`: tools for agents, Clifford's own and those of other servers. Their work is loaded when it is done. */
export function addMcp(program: Command, cli: Cli): void {
  const mcp = program
    .command('mcp')
    .summary("tools for agents: Clifford's, and other servers'")
    .description(
      'The Model Context Protocol side of Clifford: it serves tools to an agent, its own and those of the servers in ' +
        'mcp.json, every call under one policy.',
    )
    .addHelpText(
      'after',
      '\nExample, the first steps with another server:\n' +
        '  clifford mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .\n' +
        '  clifford mcp trust\n' +
        '  clifford mcp list',
    );
  addAddAndRemove(mcp, cli);
  addTrust(mcp, cli);
  addList(mcp, cli);
  addMcpDoctor(mcp, cli);
  addInspect(mcp, cli);
  addCall(mcp, cli);
  addServe(mcp);
}

/** `clifford mcp trust`: a person's yes to what `mcp.json` runs. */
function addTrust(mcp: Command, cli: Cli): void {
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
      const { trustProject } = await import('../mcp/trust-project.ts');
      await trustProject(cli, options);
    });
}

/** `clifford mcp list`: the servers of `mcp.json`, and how they do. */
function addList(mcp: Command, cli: Cli): void {
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
      const { listServers } = await import('../mcp/list-servers.ts');
      await listServers(cli, options);
    });
}

/** `clifford mcp doctor`: whether the servers of `mcp.json` work, and what to do about those that do not. */
function addMcpDoctor(mcp: Command, cli: Cli): void {
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
      const { mcpDoctor } = await import('../mcp/mcp-doctor.ts');
      await mcpDoctor(cli, options);
    });
}

/** `clifford mcp inspect`: what a server offers. */
function addInspect(mcp: Command, cli: Cli): void {
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
      const { inspectServer } = await import('../mcp/inspect-server.ts');
      await inspectServer(cli, server, tool, options);
    });
}

/** `clifford mcp call`: one call of a tool, as an agent would make it. */
function addCall(mcp: Command, cli: Cli): void {
  mcp
    .command('call')
    .summary('call a tool, under the policy')
    .description(
      'Starts a server and calls one of its tools, as an agent would: judged by the policy, its arguments checked, ' +
        'recorded in the log. What a human has to allow is asked here; without a terminal it is denied. Prints the ' +
        'result. Ends with 1 when the call is denied, or its result is an error.',
    )
    .argument('<server>', 'id in mcp.json')
    .argument('<tool>', 'name as its server has it: see clifford mcp inspect <server>')
    .option('--args <json>', 'the arguments, a JSON object; - reads stdin')
    .option('--json', 'for programs: the result as the server sent it')
    .addHelpText('after', `\nExample:\n  clifford mcp call fs read_text_file --args '{"path": "README.md"}'`)
    .action(async (server: string, tool: string, options: CallOptions) => {
      const { callServerTool } = await import('../mcp/call-server-tool.ts');
      await callServerTool(cli, server, tool, options);
    });
}

/** `clifford mcp serve`: the tools of an agent, over stdio. */
function addServe(mcp: Command): void {
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
      const { serveMcp } = await import('../serve-mcp.ts');
      await serveMcp();
    });
}
