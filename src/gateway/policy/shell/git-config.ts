import type { ShellCommand, ShellWord } from './command-reading.ts';
import { programName } from './program-name.ts';

/** Settings that start no program. */
const harmless =
  /^(?:user\.(?:name|email)|color\..*|core\.(?:quotepath|autocrlf|safecrlf|eol|abbrev|filemode|ignorecase|longpaths)|advice\..*|init\.defaultbranch|log\..*|safe\.directory|commit\.gpgsign=false|tag\.gpgsign=false|diff\.(?:renames|algorithm|context)|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote|followtags)|fetch\.prune|merge\.(?:ff|conflictstyle)|rebase\.auto(?:squash|stash)|rerere\.enabled|branch\..*\.(?:remote|merge|rebase|description))(?:=|$)/i;

/** Whether a setting, `key=value`, can start no program of its own: no hook, pager, alias, filter, …, nor names a file that can. */
export function isHarmlessSetting(setting: string): boolean {
  return harmless.test(setting);
}

const reads = /^(?:-l|--list|--get(?:-all|-regexp|-urlmatch|-color|-colorbool)?)$/;
const valued = /^(?:-f|--file|--blob|--type|--default|--comment|--value|--url)$/;
/** Options that do not say whether it reads or writes. */
const plain =
  /^(?:-z|--null|--(?:local|global|system|worktree|show-origin|show-scope|name-only)|--(?:file|type)=.*)$/s;

/** Whether the words after `git config` have git remember a setting that may start a program, or it is not known which. */
export function keepsProgram(args: readonly ShellWord[]): boolean {
  const { rest: words, options } = afterOptions(args);
  const [first, ...others] = words;
  if (options.some((word) => reads.test(word)) || first === 'get' || first === 'list') return false;
  const isNamed = first === 'set' || first === 'unset';
  const [key, value] = isNamed ? afterOptions(others).rest : words;
  if (key === undefined) return true;
  const isChange = isNamed || !options.every((word) => plain.test(word));
  // `git config user.name` says what it is.
  if (!isChange && words.length === 1 && key.includes('.')) return false;
  return !isHarmlessSetting(`${key}=${value ?? ''}`);
}

/** git takes what follows the first word that is no option for names and values, whatever it looks like. */
function afterOptions(args: readonly ShellWord[]): { rest: readonly ShellWord[]; options: string[] } {
  const options: string[] = [];
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word?.startsWith('-') !== true) break;
    if (word === '--') return { rest: args.slice(at + 1), options };
    if (valued.test(word)) at++;
    else options.push(word);
  }
  return { rest: args.slice(at), options };
}

/** Whether a command has git remember what may start a program later, by whomever: a hook, an alias, a helper. */
export function setsGitProgram({ words: [program, name, ...args] }: ShellCommand): boolean {
  if (program === undefined || programName(program) !== 'git') return false;
  if (name === 'config') return keepsProgram(args);
  return name === 'remote' && args.some((word) => word?.startsWith('ext::'));
}
