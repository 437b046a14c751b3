import type { ShellAssignment, ShellWord } from './command-reading.ts';
import { anySuffix, NOTHING, plainCommand, type Starts } from './starts.ts';
import type { WrapperOptions } from './wrapper-options.ts';

/** What a program starts whose arguments are options, perhaps variables, and then a command. */
export function wrappedCommand(name: string, args: readonly ShellWord[], options: WrapperOptions): Starts {
  const place = afterOptions(args, options);
  if (place === undefined) return anySuffix(args, `${name} has options that are not known here`);
  const sets: ShellAssignment[] = [];
  let at = place;
  while (options.setsVariables === true) {
    const [, variable, value] = /^([^=]+)=([^]*)$/.exec(args[at] ?? '') ?? [];
    if (variable === undefined) break;
    sets.push({ name: variable, value });
    at++;
  }
  // `timeout "$t" cmd`: without quotes the word may be several.
  const operands = args.slice(at, at + (options.operands ?? 0));
  if (operands.includes(undefined))
    return anySuffix(args.slice(at), `what ${name} starts is known only then`);
  at += operands.length;
  const words = args.slice(at);
  if (words.length === 0) return { ...NOTHING, sets };
  if (words[0] === undefined)
    return {
      ...anySuffix(words, `what ${name} starts is known only then`),
      commands: [plainCommand(words)],
      sets,
    };
  return { ...NOTHING, commands: [plainCommand(words)], sets };
}

/** Where the options end; `undefined` where one of them is not known. */
export function afterOptions(args: readonly ShellWord[], options: WrapperOptions): number | undefined {
  let at = 0;
  for (;;) {
    const word = args[at];
    if (word === undefined) return at < args.length ? undefined : at;
    if (word === '--') return at + 1;
    if (!word.startsWith('-') || word === '-') return word === '-' ? undefined : at;
    const taken = word.startsWith('--')
      ? longWords(word.slice(2), options)
      : shortWords(word.slice(1), options);
    if (taken === undefined) return undefined;
    if (taken === 2 && at + 1 < args.length && args[at + 1] === undefined) return undefined;
    at += taken;
  }
}

/** How many words an option takes. */
function longWords(text: string, { longFlags = [], longValued = [] }: WrapperOptions): number | undefined {
  const [name = ''] = text.split('=', 1);
  if (longValued.includes(name)) return text.includes('=') ? 1 : 2;
  return longFlags.includes(name) ? 1 : undefined;
}

function shortWords(
  letters: string,
  { flags = '', valued = '', attached = '' }: WrapperOptions,
): number | undefined {
  for (const [at, letter] of Array.from(letters).entries()) {
    if (attached.includes(letter)) return 1;
    if (valued.includes(letter)) return at + 1 < letters.length ? 1 : 2;
    if (!flags.includes(letter)) return undefined;
  }
  return 1;
}
