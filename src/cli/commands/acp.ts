import { InvalidArgumentError, type Command } from 'commander';
import { CliffordError } from '../../errors.ts';
import type { Cli } from '../cli.ts';

/** `clifford acp`: stands between an editor and its agent. */
export function addAcp(program: Command, cli: Cli): void {
  program
    .command('acp')
    .summary("put an editor's agent behind the policy")
    .description(
      'Starts an agent that speaks the Agent Client Protocol, and is that agent for an editor, over stdio. All goes ' +
        'through unchanged but what the agent asks permission for: the policy decides that, else you, in the editor or ' +
        'with clifford approve and deny. The first answer wins. What the agent does is in the log, without any sprint.',
    )
    .argument('<command...>', 'behind --: what starts the agent')
    .option(
      '--name <name>',
      'how rules and the log call the agent (default: as its program is called)',
      agentName,
    )
    .addHelpText(
      'after',
      '\nExamples, as an editor would start them:\n  clifford acp -- opencode acp\n  clifford acp --name claude -- npx -y @agentclientprotocol/claude-agent-acp',
    )
    .exitOverride((error) => {
      throw error.code === 'commander.unknownOption' ? optionOfAgent(error.message) : error;
    })
    .action(async (command: readonly string[], options: { name?: string }) => {
      const { standBetween } = await import('../acp/stand-between.ts');
      await standBetween(cli, command, options);
    });
}

function agentName(text: string): string {
  if (/^[\w.-]{1,64}$/.test(text)) return text;
  throw new InvalidArgumentError('It has 1 to 64 letters, digits, ., _ and -.');
}

/** Most often an option of the agent. */
function optionOfAgent(message: string): CliffordError {
  return new CliffordError(`Cannot start an agent: ${message.replace(/^error: /, '')}`, {
    code: 'ACP_OPTION_UNKNOWN',
    fix: 'Put what starts the agent behind --, as in: clifford acp -- gemini --acp',
    recovery: 'fix-input',
  });
}
