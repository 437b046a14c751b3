import type { Argument, Command, Option } from 'commander';

/** What the words of a project are called where they can be completed. */
export type Subject = 'sprint' | 'task' | 'request' | 'agent';

/** What may stand at the cursor. */
export type Candidates = {
  /** Words of the program itself. */
  readonly words: readonly string[];
  /** What of the project may stand there, too. */
  readonly subject?: Subject | undefined;
};

/**
 * What may follow on a command line.
 *
 * @param typed - The words after `clifford`; the last one is being typed, and may be empty.
 */
export function candidatesFor(program: Command, typed: readonly string[]): Candidates {
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? '';
  let command = program;
  let position = 0;
  let open: Option | undefined;
  for (const word of before) {
    if (word.startsWith('-')) {
      open = optionNamed(command, word);
      if (open && !open.required && !open.optional) open = undefined;
      continue;
    }
    const value = open;
    if (!value?.variadic) open = undefined;
    if (value) continue;
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (next) command = next;
    else position += 1;
  }
  if (current.startsWith('-')) return { words: optionsOf(command) };
  if (open) return valuesOf(open, open.long?.slice(2) ?? '');
  const commands = position === 0 ? visible(command) : [];
  const argument = command.registeredArguments[position] ?? command.registeredArguments.at(-1);
  if (!argument || (!argument.variadic && position >= command.registeredArguments.length))
    return { words: commands };
  const { words, subject } = valuesOf(argument, argument.name());
  return { words: [...commands, ...words], subject };
}

function optionNamed(command: Command, word: string): Option | undefined {
  const [name = ''] = word.split('=');
  if (word.includes('=')) return undefined;
  return command.options.find(({ long, short }) => long === name || short === name);
}

function optionsOf(command: Command): string[] {
  const own = command.options.filter(({ hidden }) => !hidden).map(({ long, short }) => long ?? short ?? '');
  return [...own, '--help'];
}

function visible(command: Command): string[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .map((each) => each.name());
}

/** Arguments and options of one name mean the same in every command. */
const subjects: Readonly<Record<string, Subject>> = {
  sprint: 'sprint',
  task: 'task',
  'depends-on': 'task',
  'id|last': 'request',
  request: 'request',
  agent: 'agent',
};

function valuesOf({ argChoices = [] }: Argument | Option, name: string): Candidates {
  const subject = Object.hasOwn(subjects, name) ? subjects[name] : undefined;
  return { words: argChoices, subject };
}
