import { STATE_DIR } from '../../workflow/project/project-root.ts';
import { READING_KINDS, WRITING_KINDS, type AgentCall } from '../permission/agent-call.ts';
import { agentCallName } from './agent-call-name.ts';
import type { GateDecision } from './gate-call.ts';
import { patternsOfCall, type PatternsOf } from './path-patterns.ts';
import { placeMatchedBy } from './pattern-places.ts';
import { GIT_DIR, placeInText, placesOfCall, type Places, type PlacesOfCall } from './protected-places.ts';
import type { CommandReading } from './shell/command-reading.ts';
import { setsGitProgram } from './shell/git-config.ts';
import { MAX_FOLDERS, startingFolders } from './shell/folders-entered.ts';

/** So many different words of commands, and files that they write, are looked at from all folders together: one more may be, or name, a protected place. */
export const MAX_WORDS = 2_000;

/**
 * What holds for a call that is about a protected place, whatever the user's rules say. `undefined`: it is about none.
 *
 * @param reading - What all command lines of the call do together. `undefined`: it has none.
 */
export function protectedCall(
  call: AgentCall,
  reading: CommandReading | undefined,
  {
    patternsOf = patternsOfCall(),
    placesOf = placesOfCall(),
    ...ground
  }: Omit<Places, 'cwds'> & { readonly patternsOf?: PatternsOf; readonly placesOf?: PlacesOfCall },
): GateDecision | undefined {
  const folders = startingFolders(call.cwd, reading);
  const places = { ...ground, cwds: folders.slice(0, MAX_FOLDERS) };
  const leads = (path: string) => placesOf.ledTo(path, places);
  const paths = pathsWritten(call, reading);
  if (paths.length * places.cwds.length > MAX_WORDS) return deniedUnseen(agentCallName(call));
  const written = firstOf(paths, leads);
  if (written !== undefined) return denied(written);
  const words = wordsOf(reading);
  const commands = [...(reading?.commands ?? []), ...(reading?.guesses ?? [])];
  const patterns = reading?.patterns ?? [];
  // What has a command does not only read, whatever the agent calls it.
  const onlyReads = READING_KINDS.includes(call.kind) && reading === undefined;
  const said = [...call.paths, ...(call.mayName ?? [])];
  const writes = WRITING_KINDS.includes(call.kind);
  const expanded = { isOnlyRead: !writes, fitsHidden: writes };
  const become = said.map(patternsOf);
  const made = become.flatMap((each = []) => each);
  const count = (words.size + patterns.length + made.length) * folders.length;
  const isTooMuch = count > MAX_WORDS || folders.length > MAX_FOLDERS || become.includes(undefined);
  // What only reads may read the others.
  const guarded = (place: string | undefined) => (onlyReads && place !== STATE_DIR ? undefined : place);
  const named = isTooMuch
    ? STATE_DIR
    : (firstOf(said, (path) => guarded(leads(path))) ??
      firstOf(made, (pattern) => guarded(placeMatchedBy({ pattern, ...expanded }, places))) ??
      firstOf([...words], (word) => placesOf.namedBy(word, places)) ??
      firstOf(patterns, (pattern) => placeMatchedBy(pattern, places)) ??
      (commands.some(setsGitProgram) ? GIT_DIR : undefined) ??
      // What becomes of a word that is known only then is not known, but what it is made of.
      (isOpen(reading) ? firstOf(call.commands, (line) => placeInText(line, places)) : undefined));
  if (named === undefined) return undefined;
  const reason = `${agentCallName(call)} names ${named}, which decides over what agents may do: a human has to look at it`;
  return { decision: 'confirm', rule: `protected ${named}`, reason };
}

function denied(name: string): GateDecision {
  return {
    decision: 'deny',
    rule: `protected ${name}`,
    reason: `${name} decides over what agents may do: no agent writes there. Do not try to reach the same by another way`,
  };
}

function deniedUnseen(call: string): GateDecision {
  return {
    decision: 'deny',
    rule: 'too many files',
    reason: `${call} writes more files, from more folders, than are looked at. Make several calls of it`,
  };
}

/** The files that it certainly writes: each once. */
function pathsWritten(
  { kind, paths, mayName = [] }: AgentCall,
  reading: CommandReading | undefined,
): string[] {
  const opened = (reading?.redirects ?? []).flatMap(({ path, writes }) =>
    writes && path !== undefined ? [path] : [],
  );
  return [...new Set(WRITING_KINDS.includes(kind) ? [...paths, ...mayName, ...opened] : opened)];
}

/** Every word of every command that runs, or may: each once. */
export function wordsOf(reading: CommandReading | undefined): Set<string> {
  const words = new Set<string>();
  for (const command of [...(reading?.commands ?? []), ...(reading?.guesses ?? [])])
    for (const word of command.words) if (word !== undefined) words.add(word);
  return words;
}

/** Whether a word of it, or a file that it opens, is known only when it runs. */
function isOpen(reading: CommandReading | undefined): boolean {
  if (!reading) return false;
  return (
    reading.doubt !== undefined ||
    reading.commands.some(({ words }) => words.includes(undefined)) ||
    reading.redirects.some(({ path }) => path === undefined)
  );
}

/** What is found for the first of these for which anything is. */
function firstOf<Word, Found>(
  words: readonly Word[],
  find: (word: Word) => Found | undefined,
): Found | undefined {
  for (const word of words) {
    const found = find(word);
    if (found !== undefined) return found;
  }
  return undefined;
}
