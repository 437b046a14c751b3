import { commandsOf, lineOfWords } from '../../events/call-fields.ts';
import { saysOfCommands, textsOfField, type Fields } from '../../events/call-files/field-names.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { isOneOf } from '../../events/call-files/same-file.ts';
import { WRITING_KINDS, type AgentKind } from '../../gateway/permission/agent-call.ts';
import { digestOf } from '../../lib/digest.ts';
import { isJsonObject } from '../../lib/json/json-object.ts';
import { locatedPaths, shownDiffs, type AcpCall } from './acp-call.ts';

/** What a call was when it was asked about: a yes is for that. However long it is, it takes little room. */
export type AskedCall = {
  readonly kind: AgentKind;
  /** Of each command line, as it is and without the shell that it is handed to, the digest. */
  readonly lines: readonly string[];
  readonly files: readonly string[];
  readonly deletes: boolean;
};

/** So many files of a call are remembered; of one with more none is held against it. */
const MAX_FILES = 1_000;

/** See {@link AskedCall}. */
export function askedCall(call: AcpCall): AskedCall {
  const kind = call.kind ?? 'other';
  const { title, content } = call;
  const lines = isJsonObject(call.rawInput) ? linesIn(kind, call.rawInput) : [];
  const shown = lines.length > 0 ? lines : commandsOf(kind, { title: title ?? '', content: content ?? [] });
  const { files, deletes } = filesOf(call);
  return {
    kind,
    lines: shown.flatMap((line) => [line, ...handedTo(line)]).map((line) => digestOf(line)),
    files: files.slice(0, MAX_FILES + 1),
    deletes,
  };
}

/**
 * Whether an agent says of a call that it was another one than was asked about: it has run another command, in whatever form;
 * or it is about another file, or of another kind, that changes some.
 */
export function isAnother(asked: AskedCall, call: AcpCall): boolean {
  const kind = call.kind ?? asked.kind;
  const lines = isJsonObject(call.rawInput) ? linesIn(kind, call.rawInput) : [];
  const wasAsked = (line: string) => asked.lines.includes(digestOf(line));
  if (lines.some((line) => ![line, ...handedTo(line)].some(wasAsked))) return true;
  if (lines.length > 0) return false;
  const writes = WRITING_KINDS.includes(kind);
  // What a command was about its agent reads out of what came of it.
  if (!writes && kind !== 'read') return false;
  // Before it was asked about, not all agents say of which kind it is.
  if (writes && kind !== asked.kind && asked.kind !== 'other') return true;
  const { files, deletes } = filesOf({ ...call, kind });
  if (deletes && !asked.deletes) return true;
  const isKnown = isOneOf(asked.files);
  const isCompared = asked.files.length > 0 && asked.files.length <= MAX_FILES;
  return isCompared && !files.every(isKnown);
}

/** The command lines of an input, also in forms that are not judged as such. */
function linesIn(kind: AgentKind, input: Fields): readonly string[] {
  const told = Object.entries(input).flatMap(([name, value]) => {
    if (!saysOfCommands.command(name) || value === null || value === '' || value === undefined) return [];
    const texts = textsOfField(value);
    const isFlat = texts.length === (Array.isArray(value) ? value.length : 1);
    if (!isFlat) return [JSON.stringify(value)];
    return texts.length > 1 && name !== 'commands' ? [lineOfWords(texts)] : texts;
  });
  const [first, ...others] = told;
  if (first === undefined) return commandsOf(kind, input);
  const words = Object.entries(input).flatMap(([name, value]) =>
    saysOfCommands.arguments(name) ? textsOfField(value) : [],
  );
  return words.length === 0 ? told : [`${first} ${lineOfWords(words)}`, ...others];
}

/** The line that a shell is handed: of `bash -lc 'npm test'` what is in the quotes. */
function handedTo(line: string): readonly string[] {
  const [, quoted, plain] = /^\S*sh\s+-\w*c\s+(?:'((?:[^']|'\\'')*)'|([^\s']+))$/.exec(line) ?? [];
  return [quoted?.replaceAll(String.raw`'\''`, "'"), plain].filter((each) => each !== undefined);
}

/** The files that a call names, of one that changes some also those beside its input. */
function filesOf(call: AcpCall): Pick<AskedCall, 'files' | 'deletes'> {
  const { paths, deletes } = filesInCall(call.rawInput);
  if (call.kind === 'read') return { files: paths, deletes };
  const shown = shownDiffs(call).map(({ path }) => path);
  return { files: [...paths, ...shown, ...locatedPaths(call)], deletes };
}
