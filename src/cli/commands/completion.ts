import { Argument, type Command } from 'commander';
import type { Cli } from '../cli.ts';
import { candidatesFor } from '../completion/candidates.ts';
import { projectWords } from '../completion/project-words.ts';
import { shellScripts, type Shell } from '../completion/shell-scripts.ts';
import { visibleLine } from '../../lib/text/visible.ts';

/**
 * `clifford completion`: what a shell needs to complete commands, options, and the ids of sprints, tasks and questions.
 *
 * @param wholeProgram - Makes the program with all of its commands.
 */
export function addCompletion(program: Command, cli: Cli, wholeProgram: () => Promise<Command>): void {
  const completion = program
    .command('completion')
    .usage('<shell>')
    .helpCommand(false)
    .summary('complete commands in your shell')
    .description('Prints a script that lets a shell complete commands, options, and the ids of a project.')
    .addArgument(new Argument('<shell>', 'your shell').choices(Object.keys(shellScripts)))
    .addHelpText(
      'after',
      '\nThe line goes into ~/.bashrc, ~/.zshrc or config.fish. Where zsh says\n' +
        '"command not found: compdef", its own completion is off; put this above it:\n' +
        '  autoload -Uz compinit && compinit\n' +
        '\nExamples:\n  source <(clifford completion bash)\n  source <(clifford completion zsh)\n' +
        '  clifford completion fish | source',
    )
    .action((shell: Shell) => cli.print(shellScripts[shell].trimEnd()));
  completion
    .command('words', { hidden: true })
    .argument('[typed...]')
    .action(async (typed: readonly string[]) => {
      const { words, subject } = candidatesFor(await wholeProgram(), typed);
      const found = [...words, ...(subject === undefined ? [] : await projectWords(cli, subject))];
      // What cannot be typed as it is shown is not offered.
      const typable = found.filter((word) => word === visibleLine(word));
      if (typable.length > 0) cli.print(typable.join('\n'));
    });
}
