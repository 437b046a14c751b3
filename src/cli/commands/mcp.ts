import type { Command } from 'commander';
import type { Cli } from '../cli.ts';
import { addAddAndRemove } from './mcp/add.ts';
import { addCall } from './mcp/call.ts';
import { addMcpDoctor } from './mcp/doctor.ts';
import { addInspect } from './mcp/inspect.ts';
import { addList } from './mcp/list.ts';
import { addPolicy } from './mcp/policy.ts';
import { addServe } from './mcp/serve.ts';
import { addTrust } from './mcp/trust.ts';

/** `clifford mcp`: tools for agents, Clifford's own and those of other servers. Their work is loaded when it is done. */
export function addMcp(program: Command, cli: Cli): void {
  const mcp = program
    .command('mcp')
    .summary("serve tools to an agent, and look after other servers' tools")
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
  addPolicy(mcp, cli);
  addServe(mcp);
}
