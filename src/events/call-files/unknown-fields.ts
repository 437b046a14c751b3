import { isJsonObject } from '../../lib/json/json-object.ts';
import { textsIn } from '../../lib/json/texts-in.ts';
import {
  isDeletionWord,
  isTag,
  mayBeName,
  pathKeys,
  says,
  saysOfCommands,
  textsOfField,
  type Fields,
} from './field-names.ts';
import { UNREAD } from './files-in-call.ts';
import { hasMeaning } from './field-table.ts';
import { isContent, isName, isKnownText, isKnownWord } from './known-fields.ts';
import { plainName, withoutShown } from './plain-name.ts';

/** What of a call is not understood. */
export type UnknownFields = {
  /** The first field, as it is called. */
  readonly field: string;
  /** Short texts in such fields: each may be the name of a file. */
  readonly texts: readonly string[];
};

/** Kinds of calls of which each field has to be known. */
const JUDGED: ReadonlySet<string> = new Set(['execute', 'read', 'edit', 'delete', 'move', 'search', 'fetch']);

/** How deep fields are looked at; what stands deeper is not known. */
const MAX_LEVELS = 6;

/**
 * What an input has that nobody here knows the meaning of: a name, or a value that none of its name has. `undefined`: all is
 * known, or it is an input of a tool that may take anything, such as one of another server, and has no command.
 */
export function unknownFields(kind: string, input: Fields): UnknownFields | undefined {
  const commands = Object.entries(input).filter(
    ([name, value]) => saysOfCommands.command(name) && !isNothing(value),
  );
  if (commands.length === 0 && !JUDGED.has(kind)) return undefined;
  const search = new Search(kind, commands);
  search.look(input, 0);
  const { field, texts } = search;
  return field === undefined ? undefined : { field, texts: [...texts] };
}

class Search {
  readonly #kind: string;
  /** All that is said of commands, as one text for each field. */
  readonly #commands: readonly string[];
  readonly #isCommand: boolean;
  readonly texts = new Set<string>();
  field: string | undefined;

  constructor(kind: string, commands: readonly (readonly [name: string, value: unknown])[]) {
    this.#kind = kind;
    this.#isCommand = kind === 'execute' || commands.length > 0;
    this.#commands = commands.map(([, value]) => squeezed(textsOfField(value).join(' ')));
    this.#checkCommands(commands);
  }

  look(fields: Fields, level: number): void {
    for (const [name, value] of Object.entries(fields))
      if (level > 0 || !saysOfCommands.command(name)) this.#check(name, value, level);
  }

  /** A command is one text, or its words. Of several that differ, nobody knows which runs, but where one lists its parts. */
  #checkCommands(commands: readonly (readonly [name: string, value: unknown])[]): void {
    const isList = ([name]: readonly [string, unknown]) => name === 'commands';
    const [[, first] = []] = [...commands.filter((one) => !isList(one)), ...commands];
    const whole = squeezed(textsOfField(first).join(' '));
    for (const [name, value] of commands) {
      const texts = textsOfField(value).map(squeezed);
      const isSame =
        name === 'commands' ? texts.every((text) => whole.includes(text)) : texts.join('') === whole;
      const isPlain = isFlat(value) && plainName(name) === withoutShown(name);
      if (!isSame || !isPlain) this.#add(name, value);
    }
  }

  #check(name: string, value: unknown, level: number): void {
    // Of what Clifford has put there it is known that it is not understood.
    if (hasMeaning(name, 'answer') || (name === UNREAD && Array.isArray(value))) return;
    if (hasMeaning(name, 'parsed')) return this.#checkParsed(name, value);
    const isSaid = value !== undefined && value !== false && value !== 0;
    // `{ "delete": null }`
    if (isSaid && isDeletionWord(name)) return this.#add(name, value);
    if (isNothing(value)) return;
    if (saysOfCommands.arguments(name)) {
      if (level > 0 || !this.#isCommand || !Array.isArray(value) || !isFlat(value)) this.#add(name, value);
      return;
    }
    const isList = Array.isArray(value);
    for (const each of isList ? (value as readonly unknown[]) : [value])
      if (isJsonObject(each)) this.#checkObject(name, each, level);
      else if (!this.#isKnown(name, each, isList)) this.#add(name, each);
  }

  #isKnown(name: string, value: unknown, isList: boolean): boolean {
    if (typeof value === 'number' || value === false || value === null || value === '') return true;
    if (value === true) return !isList && hasMeaning(name, 'flag');
    if (typeof value !== 'string') return false;
    if (says.kind(name) && !isList) return this.#isKnownWord(value);
    if (this.#kind === 'search' && hasMeaning(name, 'searchLabel')) return true;
    // What a command does with a file, an address or a text beside it nobody knows: a rule on commands looks at the command.
    return isKnownText(name, value) || (!this.#isCommand && (isName(name) || isContent(name)));
  }

  /** What is searched may be of any type. */
  #isKnownWord(text: string): boolean {
    return isKnownWord(text) || (this.#kind === 'search' && /^[\w+-]{1,20}$/.test(text));
  }

  #checkObject(name: string, value: Fields, level: number): void {
    if (isNothing(value)) return;
    if (!hasMeaning(name, 'parts') || level >= MAX_LEVELS) return this.#add(name, value);
    const paths = new Set(pathKeys(name, value).names);
    for (const [key, inner] of Object.entries(value)) {
      if (!paths.has(key)) this.#check(key, inner, level + 1);
      else
        for (const entry of Array.isArray(inner) ? (inner as readonly unknown[]) : [inner])
          if (isJsonObject(entry)) this.#lookAtEntry(entry, level + 1);
    }
  }

  #lookAtEntry(entry: Fields, level: number): void {
    const [[name, inner] = [], ...others] = Object.entries(entry);
    const isTagged = name !== undefined && others.length === 0 && isTag(name) && isJsonObject(inner);
    this.look(isTagged ? inner : entry, level + 1);
  }

  /** What the command is made of: what it runs is part of that. */
  #checkParsed(name: string, value: unknown): void {
    for (const part of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
      const { lines = [], others = [] } = Object.groupBy(
        Object.entries(isJsonObject(part) ? part : {}),
        ([key]) => (saysOfCommands.command(key) ? 'lines' : 'others'),
      );
      const isPart = ([, line]: [string, unknown]) =>
        typeof line === 'string' && this.#commands.some((command) => command.includes(squeezed(line)));
      if (!isJsonObject(part) || !lines.every(isPart)) this.#add(name, part);
      for (const [key, inner] of others)
        if (plainName(key) !== 'name' && !(isName(key) && typeof inner === 'string'))
          this.#check(key, inner, 1);
    }
  }

  #add(field: string, value: unknown): void {
    this.field ??= field;
    for (const text of Array.from(textsIn(value), (each) => each.trim()))
      if (mayBeName(text)) this.texts.add(text);
  }
}

/** Whether a value says nothing, whatever it is called. */
function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Whether it is a text, or a list of texts and nothing else. */
function isFlat(value: unknown): boolean {
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.every((each) => typeof each === 'string');
}

/** A command without what is quoted in one way or another. */
function squeezed(text: string): string {
  return text.replaceAll(/['"\\\s]/g, '');
}
