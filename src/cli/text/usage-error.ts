import type { Argument, Command, CommanderError } from 'commander';

/** A command as it is typed, and what it is. */
type Typed = { readonly command: Command; readonly name: string };

/** Words for which people look in the wrong place, and the command that they mean. */
const meant: Readonly<Record<string, string>> = {
  trust: 'clifford mcp trust',
  log: 'clifford replay',
  history: 'clifford replay',
  list: 'clifford status',
  start: 'clifford run',
  stop: 'clifford cancel',
};

/** What is wrong with a command line, in plain words: the parser speaks of its own parts. */
export function usageErrorText(
  { message }: Pick<CommanderError, 'message'>,
  typed: Typed | undefined,
): string {
  const text = message.replace(/^error: /, '');
  const [, value, argument, why] =
    /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*?)\.?$/s.exec(text) ?? [];
  if (why !== undefined) return `Cannot take ${value} as <${argument}>: ${whyNot(why)}`;
  const [, option, given, fault] = /^option '(.*)' argument '(.*)' is invalid\. (.*?)\.?$/s.exec(text) ?? [];
  if (fault !== undefined) return `Cannot take ${given || '""'} for ${option}: ${whyNot(fault)}`;
  const [, missing] = /^missing required argument '(.*)'$/.exec(text) ?? [];
  if (missing !== undefined) return missingText(missing, typed);
  const [, more] = /^too many arguments\b.*? but got \d+(?:: (.*?))?\.?$/s.exec(text) ?? [];
  if (text.startsWith('too many arguments') && typed) return tooMuchText(more, typed);
  const [, unknown = ''] = /^unknown command '(.*?)'/.exec(text) ?? [];
  return Object.hasOwn(meant, unknown) ? `unknown command '${unknown}': it is ${meant[unknown]}` : text;
}

function whyNot(fault: string): string {
  const choices = fault.replace(/^Allowed choices are /, 'it has to be one of ');
  return `${choices.charAt(0).toLowerCase()}${choices.slice(1)}`;
}

/** @param more - What was not taken. */
function tooMuchText(more: string | undefined, typed: Typed): string {
  const { command, name } = typed;
  const commands = command.commands.map((each) => each.name());
  if (commands.length > 0 && command.registeredArguments.length === 0)
    return `${name} takes ${commands.join(', ')} or nothing, and got ${more ?? 'more'}`;
  return `${name} takes ${argumentsOf(typed)}, and got ${more ?? 'more'}`;
}

function missingText(missing: string, typed: Typed | undefined): string {
  const argument = typed?.command.registeredArguments.find((each) => each.name() === missing);
  const choices = argument?.argChoices;
  const which = choices ? `, one of ${choices.join(', ')}` : '';
  return typed
    ? `<${missing}> is missing${which}: ${typed.name} takes ${argumentsOf(typed)}`
    : `<${missing}> is missing`;
}

/** `<id> [text]`. */
function argumentsOf({ command }: Typed): string {
  const all = command.registeredArguments.map(shapeOf);
  return all.length === 0 ? 'no arguments' : all.join(' ');
}

function shapeOf(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? '…' : '');
  return argument.required ? `<${name}>` : `[${name}]`;
}
