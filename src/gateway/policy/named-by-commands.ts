import { resolve } from 'node:path';
import type { AgentRule, PathCondition } from '../config/agent-policy.ts';
import type { AgentCall } from '../permission/agent-call.ts';
import { isLink } from '../../events/call-files/field-names.ts';
import { hostsNamedBy } from '../../events/call-hosts.ts';
import { pathMatch, type NamedByCommands } from './agent-rule-match.ts';
import { asRead } from './as-read.ts';
import type { Match } from './match.ts';
import { matchesPattern } from './pattern.ts';
import { MAX_WORDS, wordsOf } from './protected-call.ts';
import type { Ground } from './rule-match.ts';
import type { CommandReading } from './shell/command-reading.ts';
import { MAX_FOLDERS, startingFolders } from './shell/folders-entered.ts';

/** So many files that redirections open are looked at: each takes a millisecond or two. Of more, one may be any. */
const MAX_OPENED = 100;

/** What command lines name. Most words are no files. */
type Names = {
  /** Each word of each command that runs, or may, from every folder in which it may. */
  readonly words: readonly string[];
  /** The files that redirections open. */
  readonly opened: ReadonlySet<string>;
  /** The machines that words may name. */
  readonly hosts: readonly string[];
  /** The same of words that are URLs. */
  readonly linked: readonly string[];
};

/** Whose files and machines the command lines of a call name, of the rules that do not allow, as far as their text says. */
export function namedConditions(
  rules: readonly AgentRule[],
  call: Pick<AgentCall, 'cwd' | 'sessionFolder'>,
  reading: CommandReading,
  ground: Ground & { readonly root: string },
): NamedByCommands {
  const asking = rules.filter(({ decision, path, host }) => decision !== 'allow' && (path ?? host));
  if (asking.length === 0) return new Map();
  const names = namesIn(call.cwd, reading);
  const isHostNamed = (host: string) =>
    // What fits any machine would be met by any word.
    (/[a-z\d]/i.test(host) ? names.hosts : names.linked).some((one) =>
      matchesPattern(asRead(host), asRead(one)),
    );
  const session = call.sessionFolder ?? ground.root;
  const isPathNamed = (path: PathCondition) => {
    const match = (name: string, cwd: string, more: Pick<Ground, 'patternsOf'> = {}) =>
      pathMatch(path, name, { cwd }, { ground: { ...ground, ...more }, isStrict: false });
    return isFileNamed(names, match(session, session) !== 'no', {
      // What a word may become does not make it sure.
      ofWord: (name) => match(name, call.cwd, { patternsOf: () => [] }),
      ofOpened: (name) => match(name, call.cwd),
    });
  };
  return new Map(
    asking.map((rule) => {
      const { path, host } = rule;
      return [
        rule,
        {
          path: path !== undefined && isPathNamed(path),
          host: host !== undefined && isHostNamed(host),
        },
      ];
    }),
  );
}

/**
 * Whether a file is named that a rule is about: a redirection opens one that may be it, or a word is one for sure. Where
 * every word would be, since its session works there, none says anything.
 */
function isFileNamed(
  { words, opened }: Names,
  isWorkedOn: boolean,
  match: Readonly<Record<'ofWord' | 'ofOpened', (name: string) => Match>>,
): boolean {
  if (opened.size > MAX_OPENED || [...opened].some((name) => match.ofOpened(name) !== 'no')) return true;
  return !isWorkedOn && words.some((name) => match.ofWord(name) === 'yes');
}

function namesIn(cwd: string, reading: CommandReading): Names {
  const { redirects } = reading;
  const [, ...entered] = startingFolders(cwd, reading);
  const words = [...wordsOf(reading)];
  // Then a human is asked, whatever the rules allow.
  const isTooMuch = entered.length >= MAX_FOLDERS || words.length * (1 + entered.length) > MAX_WORDS;
  // `of=file`, `--output=file`
  const texts = words.flatMap((word) => (word.includes('=') ? [word, word.replace(/^.*?=/, '')] : word));
  const everywhere = (path: string) => [path, ...entered.map((folder) => resolve(folder, path))];
  const opened = redirects.flatMap(({ path }) => (path === undefined ? [] : everywhere(path)));
  return {
    words: isTooMuch ? [] : texts.flatMap(everywhere),
    opened: new Set(opened),
    hosts: texts.flatMap(hostsNamedBy),
    linked: texts.filter(isLink).flatMap(hostsNamedBy),
  };
}
