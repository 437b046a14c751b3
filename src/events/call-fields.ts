import { isJsonObject } from '../lib/json/json-object.ts';
import { withoutShown, type Fields } from './call-files/field-names.ts';
import { filesInCall } from './call-files/files-in-call.ts';
import { isPatchText } from './call-files/patched-files.ts';

/** How what is to be done is named. A list in one of these is one command, word by word, or several. */
export const commandFields = ['command', 'cmd', 'commands', 'script'];
const argumentFields = ['args', 'arguments'];
const cwdFields = ['cwd', 'workdir', 'directory'];

/** The command lines that an input has, each as a shell would read it. */
function commandsIn(input: Fields): readonly string[] {
  const told = commandFields.flatMap((field) => {
    const texts = textsOf(input, [field]);
    return texts.length > 1 && field !== 'commands' ? [asLine(texts), ...texts] : texts;
  });
  const [first] = told;
  if (first === undefined) return [];
  const words = textsOf(input, argumentFields);
  // Some say it twice.
  return [...new Set(words.length > 0 ? [`${first} ${asLine(words)}`, ...told] : told)];
}

/** What an agent that hands over no fields has said, or no input at all, and what stands beside that. */
const bare = {
  input: ['input', 'changes', 'locations', 'cwd', 'unread'],
  title: ['title', 'content', 'locations', 'cwd', 'unread'],
};

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

/** Where an agent that hands over no fields has put the command line. `undefined`: it has handed over fields. */
function bareField(args: Fields): 'input' | 'title' | undefined {
  const names = Object.keys(args).map(withoutShown);
  const isOnly = (...known: readonly string[]) => names.every((name) => known.includes(name));
  if (Object.hasOwn(args, 'content') && isOnly(...bare.title)) return 'title';
  return isOnly(...bare.input) ? 'input' : undefined;
}

/** What a call names beside its commands. */
export type NamedByCall = {
  /** The folder in which it starts, as it says it. */
  readonly folder: string;
  readonly paths: readonly string[];
  readonly hosts: readonly string[];
  /** It may be about other files than these. */
  readonly isUnclear: boolean;
  /** It says of a file that it goes. */
  readonly deletes: boolean;
};

/** What a call with this input names. */
export function namedByCall(kind: string, input: Fields): NamedByCall {
  // What may be the folder it starts in may be what it is about, too.
  const [folder = '.', ...others] = new Set(textsOf(input, cwdFields));
  const { named, readings, guessed, hasUnread, links, deletes } = filesInCall(input);
  return {
    folder,
    paths: [...new Set([...named, ...readings, ...others])],
    hosts: hostsOf(links),
    isUnclear:
      hasUnread || guessed.length > 0 || (isBareInput(input) && commandsOf(kind, input).length === 0),
    deletes,
  };
}

/** Whether what an agent has handed over is no fields, and no patch either. */
function isBareInput(input: Fields): boolean {
  if (bareField(input) !== 'input') return false;
  const { input: said } = input;
  return said !== undefined && said !== '' && !(typeof said === 'string' && isPatchText(said));
}

/** In which folder an input starts, as it says it. `undefined`: it does not say. */
export function folderIn(input: Fields): string | undefined {
  return textsOf(input, cwdFields)[0];
}

/** In which folder an input says that a command is run, in the field of agents that leave it out when they ask. */
export function workdirIn(input: Fields): string | undefined {
  return textsOf(input, ['workdir'])[0];
}

/** The machines that links lead to. What is no URL is `''`: no machine that a rule could name. */
export function hostsOf(links: readonly string[]): readonly string[] {
  return links.map((url) => (URL.canParse(url) ? new URL(url).hostname : ''));
}

/** Words as a shell would have to read them. */
function asLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[\w./:=@+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}

/** The texts in these fields, each of which may hold one or a list. */
export function textsOf(input: Fields, fields: readonly string[]): string[] {
  return fields.flatMap((field) => {
    const value = Object.hasOwn(input, field) ? input[field] : undefined;
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.filter((each) => typeof each === 'string' && each !== '') as string[];
  });
}
