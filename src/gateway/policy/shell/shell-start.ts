import type { ShellWord } from './command-reading.ts';
import { anySuffix, knownText, NOTHING, type Starts } from './starts.ts';

/** Programs that run a text as bash would, for what is looked at here. */
const likeBash = new Set(['sh', 'bash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'rbash', 'yash', 'posh']);
/** Others, that read it in their own way. */
const unlikeBash = new Set([
  'fish',
  'csh',
  'tcsh',
  'nu',
  'xonsh',
  'elvish',
  'pwsh',
  'powershell',
  'cmd',
  'rc',
  'es',
]);

/** Whether a program is a shell. */
export function isShell(name: string): boolean {
  return likeBash.has(name) || unlikeBash.has(name);
}

/** What a shell runs: the text after `-c`, or what it reads. A script that it is given by name is not looked into. */
export function shellStart(name: string, args: readonly ShellWord[]): Starts {
  const unknown = `what ${name} runs is known only then`;
  let takesText = false;
  let readsInput = false;
  let doubt: string | undefined = unlikeBash.has(name) ? `${name} is another kind of shell` : undefined;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (word === undefined)
      return { ...anySuffix(args.slice(at), unknown), readsCommands: true, runsUnknown: true };
    if (word === '--' || word === '-') {
      at++;
      break;
    }
    if (!/^[-+]./.test(word)) break;
    if (word.startsWith('--')) {
      if (!/^--(?:norc|noprofile|posix|login)$/.test(word)) doubt ??= `${name} has the option ${word}`;
      if (/^--(?:rcfile|init-file)$/.test(word)) at++;
      if (word === '--command') takesText = true;
      continue;
    }
    if (/^\/[cC]$/.test(word)) takesText = true;
    takesText ||= word.startsWith('-') && word.includes('c');
    readsInput ||= word.includes('s');
    if (!/^[-+][ceuxlsfv]*[oO]?$/.test(word)) doubt ??= `${name} has the option ${word}`;
    if (/[oO]$/.test(word)) {
      at++;
      if (!/^(?:pipefail|errexit|nounset|xtrace)$/.test(args[at] ?? ''))
        doubt ??= `${name} has the option ${word}`;
    }
  }
  const [first, ...others] = args.slice(at);
  if (takesText) {
    if (first === undefined) {
      const guessedTexts = knownText(others);
      return { ...NOTHING, guessedTexts, doubt: doubt ?? unknown, readsCommands: true, runsUnknown: true };
    }
    // `$0`, `$1` and so on in the text.
    const sets = [
      ...others.slice(0, 9).map((value, index) => ({ name: String(index), value })),
      { name: '@', value: knownText(others.slice(1))[0] },
      { name: '*', value: knownText(others.slice(1))[0] },
    ];
    // To them the quotes begin after a `$`.
    if (!/^(?:bash|zsh|rbash|ksh|mksh)$/.test(name) && first.includes("$'")) {
      doubt ??= `${name} reads $'…' in another way`;
    }
    return { ...NOTHING, texts: [first], sets, doubt };
  }
  if (readsInput || at >= args.length) return { ...NOTHING, doubt, readsCommands: true };
  if (first === undefined) return { ...NOTHING, doubt: unknown };
  // Whatever that is, it is no script that somebody could have looked at.
  if (/^\/(?:dev|proc)\//.test(first)) return { ...NOTHING, doubt: doubt ?? unknown, readsCommands: true };
  return { ...NOTHING, doubt };
}
