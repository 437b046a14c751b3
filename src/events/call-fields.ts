import { isJsonObject } from '../lib/json/json-object.ts';
import { shellWord } from '../lib/text/shell-word.ts';
import { bareField, isBareInput } from './bare-input.ts';
import { textsOfField, type Fields } from './call-files/field-names.ts';
import { namesThatMean } from './call-files/field-table.ts';
import { filesInCall } from './call-files/files-in-call.ts';
import { unknownFields, type UnknownFields } from './call-files/unknown-fields.ts';
import { startingFolder, type StartingFolder } from './call-folder.ts';
import { hostsOf } from './call-hosts.ts';

/** How what is to be done is named. A list in one of these is one command, word by word, or several. */
export const commandFields = namesThatMean('command');
const argumentFields = namesThatMean('arguments');

/** The command lines that an input has, each as a shell would read it. */
function commandsIn(input: Fields): readonly string[] {
  const told = commandFields.flatMap((field) => {
    const texts = textsOf(input, [field]);
    return texts.length > 1 && field !== 'commands' ? [lineOfWords(texts), ...texts] : texts;
  });
  const [first] = told;
  if (first === undefined) return [];
  const words = textsOf(input, argumentFields);
  // Some say it twice.
  return [...new Set(words.length > 0 ? [`${first} ${lineOfWords(words)}`, ...told] : told)];
}

/**
 * The command lines of a call with these arguments, as they are judged and written down. Where they are no fields that
 * a command has, what is run is all that is said: as such, or as the title, as it is shown in an editor.
 */
export function commandsOf(kind: string, args: Fields): readonly string[] {
  const told = commandsIn(args);
  if (told.length > 0 || kind !== 'execute') return told;
  const said = args[bareField(args) ?? ''];
  return typeof said === 'string' && said !== '' ? [said] : [];
}

/**
 * The one argument that is a command line.
 *
 * @param kind - Of a call of an agent's own tool. `undefined`: it is a server's.
 */
export function commandField(
  kind: string | undefined,
  args: unknown,
): { readonly input: Fields; readonly name: string; readonly command: string } | undefined {
  if (!isJsonObject(args)) return undefined;
  const [named, ...others] = commandFields.filter((field) => Object.hasOwn(args, field));
  const name = named ?? (kind === 'execute' ? bareField(args) : undefined);
  const command = name === undefined || others.length > 0 ? undefined : args[name];
  return name !== undefined && typeof command === 'string' ? { input: args, name, command } : undefined;
}

/** What a call names beside its commands. */
export type NamedByCall = {
  /** The folder in which it starts, as it says it. */
  readonly folder: string;
  /** The others in which it may start. */
  readonly otherFolders: readonly string[];
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  /** Texts that nobody here knows the meaning of: each may be the name of a file. */
  readonly mayName: readonly string[];
  /** It may be about other files than these, or more than is said here. */
  readonly isUnclear: boolean;
  /** The field that is not understood, or that says in another way than is known where it starts. */
  readonly unknownField: string | undefined;
  /** It says of a file that it goes. */
  readonly deletes: boolean;
};

/** What a call with this input names. */
export function namedByCall(kind: string, input: Fields): NamedByCall {
  const commands = commandsOf(kind, input);
  // What may be the folder it starts in may be what it is about, too.
  const { folder, others } = folderIn(kind, input);
  const { named, readings, guessed, hasUnread, links, deletes } = filesInCall(input);
  const unknownField = unknownFieldIn(kind, input);
  return {
    folder: folder ?? '.',
    otherFolders: others,
    paths: [...new Set([...named, ...readings, ...others])],
    mayName: unknownIn(kind, input)?.texts ?? [],
    hosts: hostsOf(links),
    isUnclear:
      unknownField !== undefined ||
      hasUnread ||
      guessed.length > 0 ||
      (isBareInput(input) && commands.length === 0),
    unknownField,
    deletes,
  };
}

/** The field of a call that is not understood, or for which nobody knows where it starts. */
export function unknownFieldIn(kind: string, input: Fields): string | undefined {
  return unknownIn(kind, input)?.field ?? folderIn(kind, input).notKnown;
}

/** What is not understood of fields; of what is none, nothing. */
function unknownIn(kind: string, input: Fields): UnknownFields | undefined {
  const bare = bareField(input);
  if (bare === 'title') return unknownFields('edit', { content: changesIn(input) });
  const { input: _said, ...others } = input;
  return unknownFields(kind, bare === 'input' ? others : input);
}

/** What a call without an input shows of changes: all but texts and terminals. */
function changesIn({ content }: Fields): readonly unknown[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.filter(
    (part) => isJsonObject(part) && part['type'] !== 'content' && part['type'] !== 'terminal',
  );
}

/** In which folder an input starts, as it says it. */
export function folderIn(kind: string, input: Fields): StartingFolder {
  return startingFolder(commandsOf(kind, input).length > 0, input);
}

/** In which folder an input says that a command is run, in the field of agents that leave it out when they ask. */
export function workdirIn(input: Fields): string | undefined {
  return textsOf(input, ['workdir'])[0];
}

/** Words as a shell would have to read them. */
export function lineOfWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

/** The texts in these fields, each of which may hold one or a list. */
export function textsOf(input: Fields, fields: readonly string[]): string[] {
  return fields.flatMap((field) => textsOfField(Object.hasOwn(input, field) ? input[field] : undefined));
}
