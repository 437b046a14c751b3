import { Option, type Command } from 'commander';
import { CliffordError } from '../../../errors.ts';
import type { Cli } from '../../cli.ts';
import { collect } from '../../input/collect.ts';
import type { AddOptions } from '../../mcp/add-to-config.ts';

/** `clifford mcp add` and `remove`: the servers of `mcp.json`, without an editor. */
export function addAddAndRemove(mcp: Command, cli: Cli): void {
  mcp
    .command('add')
    .summary('add a server to mcp.json')
    .description(
      'Adds a server to mcp.json, a program or one behind a URL, and shows what was written; the rest of the file stays ' +
        'as it is. The command of a program stands behind --. Starts nothing: that needs clifford mcp trust.',
    )
    .argument('<server>', 'its id: letters, digits, - and _')
    .argument('[command...]', 'behind --: the program and its arguments')
    .option('--url <url>', 'where the server is, if it is not a program on this machine')
    .addOption(new Option('--transport <transport>', 'for --url').choices(['http', 'sse']))
    .option(
      '--env <name=value>',
      'a variable for the program; NAME alone copies it from the environment; may be repeated',
      collect,
    )
    .option('--header <header>', 'an HTTP header for --url, as "Name: value"; may be repeated', collect)
    .option('--cwd <folder>', "the program's folder, from the project's root")
    .option('--no-auto-start', 'start it with the first call, not with Clifford')
    .option('--force', 'replace the server of this id')
    .option('--json', 'for programs: { file, id, changed, notes: [ … ] }')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  clifford mcp add fs -- npx -y @modelcontextprotocol/server-filesystem .\n' +
        "  clifford mcp add tickets --url https://tickets.example.com/mcp --header 'Authorization: Bearer ${TICKETS_TOKEN}'",
    )
    .exitOverride((error) => {
      throw error.code === 'commander.unknownOption' ? optionOfProgram(error.message) : error;
    })
    .action(async (id: string, command: readonly string[], options: AddOptions) => {
      const { addToConfig } = await import('../../mcp/add-to-config.ts');
      await addToConfig(cli, id, command, options);
    });
  mcp
    .command('remove')
    .summary('remove a server from mcp.json')
    .description('Removes a server from mcp.json; the rest of the file stays as it is.')
    .argument('<server>', 'id in mcp.json')
    .option('--json', 'for programs: { file, removed, notes: [ … ] }')
    .addHelpText('after', '\nExample:\n  clifford mcp remove fs')
    .action(async (id: string, options: { json?: true }) => {
      const { removeFromConfig } = await import('../../mcp/remove-from-config.ts');
      await removeFromConfig(cli, id, options);
    });
}

/** Most often an option of the program that is added. */
function optionOfProgram(message: string): CliffordError {
  return new CliffordError(`Cannot add a server: ${message.replace(/^error: /, '')}`, {
    code: 'MCP_OPTION_UNKNOWN',
    fix: 'Put the command of the server behind --, as in: clifford mcp add fs -- npx -y <package>',
  });
}
