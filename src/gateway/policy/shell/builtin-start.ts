import type { ShellWord } from './command-reading.ts';
import { holdsCode, isRisky } from './variable-risk.ts';
import { anySuffix, joinedText, knownText, NOTHING, plainCommand, type Starts } from './starts.ts';

/** Builtins that change what the rest means, run what is not in the text, or take a text in a way of their own. */
const changing: ReadonlySet<string> = new Set(
  `
    source . trap alias unalias bind complete compgen compopt enable hash mapfile readarray fc
    history shopt setopt unsetopt emulate zmodload sched r let getopts logout suspend function
    abbr functions zle bindkey compdef ulimit
  `
    .trim()
    .split(/\s+/),
);

/** Builtins that set the variables they are told by name. */
const setting: ReadonlySet<string> = new Set(
  `
    export declare typeset local readonly read unset printf test [ wait vared integer float
    private
  `
    .trim()
    .split(/\s+/),
);

const declares: ReadonlySet<string> = new Set([
  'declare',
  'typeset',
  'local',
  'readonly',
  'export',
  'integer',
]);

/** What a builtin of the shell does beyond its own work; `undefined` for other commands. */
export function builtinStart(name: string, args: readonly ShellWord[]): Starts | undefined {
  if (name === 'eval') return joinedText(args[0] === '--' ? args.slice(1) : args, 'eval');
  if (changing.has(name)) {
    const known = args.filter((word) => word !== undefined);
    const texts = name === 'alias' ? known.map((word) => word.replace(/^[^=]*=/, '')) : known;
    return { ...anySuffix(args, `${name} changes what runs`), guessedTexts: texts.slice(0, 16) };
  }
  if (name === 'set') return setStart(args);
  if (name === 'jobs' && args[0] === '-x') return { ...NOTHING, commands: [plainCommand(args.slice(1))] };
  return setting.has(name) ? settingStart(name, args) : undefined;
}

function settingStart(name: string, args: readonly ShellWord[]): Starts {
  const sets = args.flatMap((word) => {
    const [, variable, value] = /^(\w+)\+?=([^]*)$/.exec(word ?? '') ?? [];
    return variable === undefined ? [] : [{ name: variable, value }];
  });
  return { ...NOTHING, sets, doubt: settingDoubt(name, args) };
}

/** `read x[$(cmd)]`, `[ -v 'x[$(cmd)]' ]` and `printf -v` run the substitution in the name of an element. */
function settingDoubt(name: string, args: readonly ShellWord[]): string | undefined {
  const isTest = name === 'test' || name === '[';
  if (args.some((word) => holdsCode(word) && (word ?? '').includes('[')))
    return `${name} may run what it is told`;
  if (isTest) return args.includes('-v') || args.includes('-R') ? `${name} asks for a variable` : undefined;
  if (name === 'printf') {
    if (args[0] === undefined && args.length > 0) return 'printf may set a variable';
    return args[0]?.startsWith('-v') === true ? 'printf sets a variable' : undefined;
  }
  if (name === 'wait') return undefined;
  if (args.includes(undefined)) return isExport(name) ? `${name} sets what is known only then` : undefined;
  for (const word of args) {
    const [variable, value] = splitOnce(word ?? '');
    // Another name for a variable, a number that is calculated, a list.
    if (/^[-+][a-zA-Z]*[niaAfF]/.test(variable) && declares.has(name))
      return `${name} has the option ${variable}`;
    if (variable.startsWith('-') || variable.startsWith('+')) continue;
    if (isRisky(variable, value)) return `${name} sets ${variable}`;
  }
  return undefined;
}

function isExport(name: string): boolean {
  return name !== 'test' && name !== '[';
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.search(/\+?=/);
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(word.indexOf('=') + 1)];
}

const plainOptions = /^[-+](?:[eux]+|[eux]*o)$/;

/** `set -eu` and the like are as good as nothing; other options and words change how the rest is read. */
function setStart(args: readonly ShellWord[]): Starts {
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at] ?? '';
    if (!plainOptions.test(word)) break;
    if (word.endsWith('o') && !/^(?:pipefail|errexit|nounset|xtrace)$/.test(args[++at] ?? '')) break;
  }
  if (at >= args.length) return NOTHING;
  const values = args[at] === '--' ? args.slice(at + 1) : args.slice(at);
  const all = knownText(values)[0];
  const sets = [
    ...values.slice(0, 9).map((value, index) => ({ name: String(index + 1), value })),
    { name: '@', value: all },
    { name: '*', value: all },
  ];
  return { ...NOTHING, sets, doubt: 'set changes how the rest is read' };
}
