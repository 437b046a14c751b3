import type { ShellWord } from './command-reading.ts';
import { isHarmlessSetting, keepsProgram } from './git-config.ts';
import { anySuffix, joinedText, NOTHING, plainCommand, type Starts } from './starts.ts';

const flags = new Set(
  `
    -p --paginate -P --no-pager --no-replace-objects --bare --literal-pathspecs
    --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --no-advice
  `
    .trim()
    .split(/\s+/),
);
const valued = new Set(['-C', '--git-dir', '--work-tree', '--namespace']);

const startsProgram = /^(?:-O|--open-files-in-pager|--upload-pack|--receive-pack|--exec(?:=|$)|ext::)/;

/** What a new repository begins with. */
const setsUpWith = /^(?:-c|--config(?:=|$)|--template(?:=|$))/;

/** `--output`, however short. */
const writesFile = /^--out?p?u?t?(?:=|$)/;

/**
 * What git runs: `git -C x push` is `git push`, too, `-c alias.x=!text` a text of a shell, and some of its commands
 * start others.
 */
export function gitStart(args: readonly ShellWord[]): Starts {
  const texts: string[] = [];
  let doubt: string | undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined) return anyGit(args.slice(at), 'what git does is known only then');
    if (word === '-c') {
      at++;
      const setting = args[at];
      if (setting === undefined || !isHarmlessSetting(setting)) doubt = 'git is told how to do it with -c';
      const code = /^[^=]*=!?([^]*)$/.exec(setting ?? '')?.[1];
      if (code !== undefined && doubt !== undefined) texts.push(code, `git ${code}`);
    } else if (valued.has(word)) {
      at++;
      if (args[at] === undefined) return anyGit(args.slice(at), 'what git does is known only then');
    } else if (/^--(?:git-dir|work-tree|namespace)=/.test(word) || flags.has(word)) continue;
    else if (
      word.startsWith('-') &&
      !/^--?(?:version|help|v|h|exec-path|html-path|man-path|info-path)$/.test(word)
    ) {
      const any = anyGit(args.slice(at), 'git has options that are not known here');
      // An alias, or a program, stands in a variable.
      return { ...any, guessedTexts: texts, runsUnknown: word.startsWith('--config-env') };
    } else break;
  }
  const rest = args.slice(at);
  const own = at > 0 && rest.length > 0 ? [plainCommand(['git', ...rest])] : [];
  const inner = subcommandStart(rest);
  return {
    ...inner,
    commands: [...own, ...inner.commands],
    guessedTexts: [...inner.guessedTexts, ...texts],
    doubt: doubt ?? inner.doubt,
  };
}

/** Doubt about which of the words is the name of git's own command. */
function anyGit(words: readonly ShellWord[], doubt: string): Starts {
  const { guesses } = anySuffix(words, doubt);
  return { ...NOTHING, guesses: guesses.map((guess) => plainCommand(['git', ...guess.words])), doubt };
}

function subcommandStart([name, ...args]: readonly ShellWord[]): Starts {
  if (name === 'bisect' && args[0] === 'run') return { ...NOTHING, commands: [plainCommand(args.slice(1))] };
  if (name === 'submodule' && args.includes('foreach')) {
    const words = args.slice(args.indexOf('foreach') + 1);
    return joinedText(words[0] === '--recursive' || words[0] === '-q' ? words.slice(1) : words, 'git');
  }
  if (name === 'rebase') return textsAfter(args, /^(?:-[a-z]*x|--exec)$/, /^(?:-x|--exec=)([^]+)$/);
  if (name === 'difftool') return textsAfter(args, /^(?:-x|--extcmd)$/, /^(?:-x|--extcmd=)([^]+)$/);
  if (name === 'filter-branch') return anySuffix(args, 'git filter-branch runs texts of a shell');
  if (args.some((word) => writesFile.test(word ?? ''))) return { ...NOTHING, doubt: 'git writes a file' };
  const isRemote = /^(?:remote|grep|clone|fetch|pull|push|ls-remote|archive|fetch-pack)$/.test(name ?? '');
  // A template brings hooks.
  const setsUp = (name === 'clone' || name === 'init') && args.some((word) => setsUpWith.test(word ?? ''));
  if (setsUp) return anySuffix(args, `git ${name} is told what to run later`);
  const starts = name === 'clone' ? /^-u/ : startsProgram;
  if (isRemote && args.some((word) => starts.test(word ?? '') || startsProgram.test(word ?? '')))
    return anySuffix(args, `git ${name} starts another program`);
  return name === 'config' ? configStart(args) : NOTHING;
}

/** `git config alias.x '!text'` runs it the next time, `core.hooksPath` what is there with each commit. */
function configStart(args: readonly ShellWord[]): Starts {
  if (!keepsProgram(args)) return NOTHING;
  const texts = args.flatMap((word) => (word?.startsWith('!') === true ? [word.slice(1)] : []));
  return { ...NOTHING, guessedTexts: texts, doubt: 'git is told what to run later' };
}

function textsAfter(args: readonly ShellWord[], option: RegExp, joined: RegExp): Starts {
  const texts: string[] = [];
  let doubt = args.includes(undefined) ? 'what git runs is known only then' : undefined;
  for (const [at, word] of args.entries()) {
    const inside = joined.exec(word ?? '')?.[1];
    if (inside !== undefined) texts.push(inside);
    if (!option.test(word ?? '')) continue;
    const next = args[at + 1];
    if (next === undefined) doubt = 'what git runs is known only then';
    else texts.push(next);
  }
  return { ...NOTHING, texts, doubt };
}
