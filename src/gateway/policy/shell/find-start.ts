import type { ShellCommand, ShellWord } from './command-reading.ts';
import { NOTHING, plainCommand, type Starts } from './starts.ts';

const runsFound = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)(?:=([^]*))?$/;

/** What `fd` runs with what it found. */
export function fdStart(args: readonly ShellWord[]): Starts {
  const at = args.findIndex((word) => runsFound.test(word ?? ''));
  if (at < 0) return NOTHING;
  const joined = runsFound.exec(args[at] ?? '')?.[1];
  const words = [...(joined === undefined ? [] : [joined]), ...args.slice(at + 1)];
  const commands = words.length === 0 ? [] : [plainCommand([...words, undefined])];
  return { ...NOTHING, commands };
}

const runs = /^-(?:exec|execdir|ok|okdir)$/;

/** What `find` runs with what it found. `-delete` does what `rm` does, and is listed so. */
export function findStart(args: readonly ShellWord[]): Starts {
  const commands: ShellCommand[] = [];
  const guesses: ShellCommand[] = [];
  // Without quotes a word may be `-exec rm`.
  let doubt = args.includes(undefined) ? 'what find does is known only then' : undefined;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) continue;
    if (word === '-delete') commands.push(plainCommand(['rm', undefined]));
    else if (/^-(?:fprint0?|fprintf|fls)$/.test(word)) doubt = 'find writes a file';
    else if (runs.test(word)) {
      // Where one `;` is the end for find, another word may be it, too: what comes after is looked at again.
      const end = args.findIndex((other, index) => index > at && (other === ';' || other === '+'));
      const words = args.slice(at + 1, end < 0 ? undefined : end);
      commands.push(plainCommand(words.map((other) => (other?.includes('{}') === true ? undefined : other))));
      // As it is written: `sh -c 'rm {}'` is a text that is not known, and says enough.
      guesses.push(plainCommand(words));
      if (words[0] === undefined || words[0].includes('{}')) doubt = 'what find starts is known only then';
      at += words.length;
    }
  }
  return { ...NOTHING, commands, guesses, doubt };
}
