import { printedWord } from '../../lib/text/shell-word.ts';
import type { Command } from 'commander';
import { type SprintUnclear, whatToDo } from '../../workflow/sprint/sprint-unclear.ts';

/** A longer command line is not repeated, in characters. */
const LONGEST = 120;

/**
 * What to do when no sprint was named, with the command line as it can be typed then.
 *
 * @param name - Of the command: `clifford task add`.
 */
export function nameSprint(
  unclear: SprintUnclear,
  { command, name, argv }: { command: Command; name: string; argv: readonly string[] },
): string {
  const sprint = unclear.sprints.at(-1);
  const isOption = command.options.some(({ long }) => long === '--sprint');
  const isArgument = command.registeredArguments.some((argument) => argument.name() === 'sprint');
  if (sprint === undefined || (!isOption && !isArgument)) return unclear.fix;
  const typed = ['clifford', ...argv.map(printedWord)].join(' ');
  const shown = typed.length > LONGEST ? `${name} …` : typed;
  const naming = `Name it, e.g.: ${shown} ${isOption ? '--sprint ' : ''}${sprint}`;
  // Of what can be done with a sprint, only this goes on with one that is done.
  return unclear.areFinished && name === 'clifford task add' ? naming : whatToDo(unclear, naming);
}

/** What to do when the sprint that was meant does not have the task, and others do. */
export function nameSprintOf(task: string, [first, ...others]: readonly string[]): string | undefined {
  if (first === undefined) return undefined;
  return `${task} is in ${[first, ...others].join(' and ')}: --sprint ${printedWord(first)}`;
}
