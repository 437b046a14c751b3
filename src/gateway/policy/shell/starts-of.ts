import { builtinStart } from './builtin-start.ts';
import type { ShellCommand, ShellWord } from './command-reading.ts';
import { fdStart, findStart } from './find-start.ts';
import { gitStart } from './git-start.ts';
import { programName } from './program-name.ts';
import { isShell, shellStart } from './shell-start.ts';
import {
  anySuffix,
  beginningOf,
  joinedText,
  knownText,
  NOTHING,
  perhapsSuffix,
  plainCommand,
  type Starts,
} from './starts.ts';
import { afterOptions, wrappedCommand } from './wrapped-command.ts';
import { carriers, looseWrappers, wrappers } from './wrapper-options.ts';

/** What a command starts besides itself, and whether that is all. */
export function startsOf({ words }: ShellCommand): Starts {
  const [first, ...args] = words;
  if (first === undefined) return NOTHING;
  const name = programName(first);
  // `bash-5.2`
  const shell = name.replace(/-?\d[\d.]*$/, '');
  if (isShell(shell)) return shellStart(shell, args);
  const special = specialStart(name, args) ?? builtinStart(name, args);
  if (special !== undefined) return special;
  if (looseWrappers.has(name) || /^ld(?:-linux|-musl|\.so|64\.so)/.test(name)) {
    // Without a program it is told what to run by what it reads.
    const readsCommands = name === 'at' || args.every((word) => word?.startsWith('-') === true);
    return { ...anySuffix(args, `${name} starts another program`), readsCommands };
  }
  const carried = carriers.get(name);
  if (carried) return carriedStart(args, carried);
  const options = wrappers.get(name);
  return options === undefined ? NOTHING : wrappedCommand(name, args, options);
}

function specialStart(name: string, args: readonly ShellWord[]): Starts | undefined {
  switch (name) {
    case 'find':
    case 'gfind':
      return findStart(args);
    case 'fd':
    case 'fdfind':
      return fdStart(args);
    case 'git':
      return gitStart(args);
    case 'ssh':
      return sshStart(args);
    case 'xargs':
      return xargsStart(args);
    case 'env':
      return envStart(args);
    case 'command':
      // `command -v name` only says where it is.
      return /^-p?[vV]/.test(args[0] ?? '') ? NOTHING : undefined;
    case 'sudo':
      return sudoStart(args);
    case 'watch':
      return watchStart(args);
    case 'flock':
      return flockStart(args);
    case 'su':
      return textOption(name, args) ?? { ...NOTHING, doubt: 'su reads what it runs', readsCommands: true };
    case 'script':
      return textOption(name, args) ?? { ...NOTHING, doubt: 'script starts a shell', readsCommands: true };
    default:
      // `git-push`: a command of git is a program, too.
      return /^git-./.test(name)
        ? { ...NOTHING, commands: [plainCommand(['git', name.slice(4), ...args])] }
        : undefined;
  }
}

/** What a program starts somewhere else, or among the tools of a project: behind one of these words, where it needs one. */
function carriedStart(args: readonly ShellWord[], behind: readonly string[]): Starts {
  const at = placeBehind(args, behind);
  return at === undefined ? NOTHING : perhapsSuffix(args.slice(at));
}

function placeBehind(args: readonly ShellWord[], behind: readonly string[]): number | undefined {
  const at = args.findIndex((word) => word !== undefined && behind.includes(word));
  return behind.length > 0 && at < 0 ? undefined : at + 1;
}

/** How many words of a command stand before the program that it is there for: two in `uv run pytest`. */
export function wordsBeforeProgram([first = '', ...args]: readonly string[]): number {
  const behind = carriers.get(programName(first));
  const at = behind && placeBehind(args, behind);
  // Further behind it is a word like any other: `npm run build x`.
  return at === undefined || at > 2 ? 0 : at + 1;
}

/** Without a command a shell over there reads what it is given. */
function sshStart(args: readonly ShellWord[]): Starts {
  const starts = perhapsSuffix(args);
  return { ...starts, guesses: [...starts.guesses, plainCommand(['sh'])] };
}

/** What it reads follows the words, or stands where `{}` is. */
function xargsStart(args: readonly ShellWord[]): Starts {
  const said = args.flatMap((word, at) => {
    if (word === '-I' || word === '-J') return [args[at + 1] ?? '{}'];
    return word?.startsWith('-I') === true ? [word.slice(2)] : [];
  });
  const marks = [...new Set(['{}', ...said])];
  const starts = wrappedCommand('xargs', args, wrappers.get('xargs') ?? {});
  const commands = starts.commands.map(({ words }) => {
    const filled = words.map((word) =>
      word === undefined || marks.some((mark) => word.includes(mark)) ? undefined : word,
    );
    return plainCommand([...filled, undefined]);
  });
  const doubt = commands.some(({ words }) => words[0] === undefined)
    ? 'xargs starts what it reads'
    : starts.doubt;
  // As it is written: `sh -c "rm {}"` is a text that is not known, and says enough.
  return { ...starts, commands, guesses: [...starts.guesses, ...starts.commands.map(beginningOf)], doubt };
}

function envStart(args: readonly ShellWord[]): Starts | undefined {
  const at = args.findIndex((word) => /^(?:-[a-zA-Z0]*S|--split-string)/.test(word ?? ''));
  if (at < 0) return args[0] === '-' ? (envStart(args.slice(1)) ?? wrappedEnv(args.slice(1))) : undefined;
  const inside = /^(?:-[a-zA-Z0]*?S|--split-string=?)([^]*)$/.exec(args[at] ?? '')?.[1] ?? '';
  const words = [inside, ...args.slice(at + 1)];
  return {
    ...anySuffix(args, 'env takes a text apart by itself'),
    guessedTexts: knownText(beginningOf(plainCommand(words.filter((word) => word !== ''))).words),
  };
}

function wrappedEnv(args: readonly ShellWord[]): Starts {
  return wrappedCommand('env', args, wrappers.get('env') ?? {});
}

/** `-s` and `-i` hand the words to a shell; without any it waits for commands. */
function sudoStart(args: readonly ShellWord[]): Starts | undefined {
  const isShellStarted = args.some((word) => /^(?:-[a-zA-Z]*[si]|--shell|--login)$/.test(word ?? ''));
  if (!isShellStarted) return undefined;
  const starts = anySuffix(args, 'sudo starts a shell');
  return { ...starts, readsCommands: true };
}

/** Joins its words to a text of a shell. */
function watchStart(args: readonly ShellWord[]): Starts {
  const options = {
    flags: 'bcCdegtwrpx',
    valued: 'nq',
    longFlags: [
      'beep',
      'color',
      'no-color',
      'differences',
      'errexit',
      'chgexit',
      'no-title',
      'precise',
      'exec',
    ],
    longValued: ['interval', 'equexit'],
  };
  const at = afterOptions(args, options);
  if (at === undefined) return anySuffix(args, 'watch has options that are not known here');
  const words = args.slice(at);
  const isDirect = args.slice(0, at).some((word) => word === '--exec' || /^-[a-zA-Z]*x/.test(word ?? ''));
  const text = joinedText(words, 'watch');
  return isDirect ? { ...text, commands: [plainCommand(words)] } : text;
}

/** `flock file command…`, or `flock file -c text`. */
function flockStart(args: readonly ShellWord[]): Starts {
  const options = {
    flags: 'senuxoFv',
    valued: 'wE',
    longFlags: ['shared', 'exclusive', 'nonblock', 'nb', 'unlock', 'close', 'no-fork', 'verbose'],
    longValued: ['timeout', 'wait', 'conflict-exit-code'],
  };
  const at = afterOptions(args, options);
  if (at === undefined) return anySuffix(args, 'flock has options that are not known here');
  const words = args.slice(at + 1);
  const [first, text] = words;
  if (words.length === 0) return NOTHING;
  if (first === '-c' || first === '--command') return joinedText([text], 'flock');
  if (first === undefined) return anySuffix(words, 'what flock starts is known only then');
  return { ...NOTHING, commands: [plainCommand(words)] };
}

/** The text after `-c` of programs whose other words are of no matter. */
function textOption(name: string, args: readonly ShellWord[]): Starts | undefined {
  const at = args.findIndex((word) => /^(?:-[a-zA-Z]*c|--(?:session-)?command(?:=[^]*)?)$/.test(word ?? ''));
  if (at < 0) return undefined;
  const joined = /^--[a-z-]+=([^]*)$/.exec(args[at] ?? '')?.[1];
  const texts = joinedText([joined ?? args[at + 1]], name);
  // Which shell reads it, and what else it is given, is theirs to say.
  const isPlain = !args.some((word) => word === undefined || /^(?:-s|--shell.*)$/.test(word));
  return isPlain ? texts : { ...texts, doubt: texts.doubt ?? `${name} has words that are not known here` };
}
